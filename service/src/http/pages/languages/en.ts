import type { Html, Part } from '../markup.ts'
import { countedIn } from './counted.ts'
import { sentence } from './sentence.ts'

const counted = countedIn('en')
const seconds = (count: number) => counted(count, { one: '# second', other: '# seconds' })
const minutes = (count: number) => counted(count, { one: '# minute', other: '# minutes' })
const hours = (count: number) => counted(count, { one: '# hour', other: '# hours' })
const days = (count: number) => counted(count, { one: '# day', other: '# days' })

/**
 * English, which defines the messages of every language. A `Part` is markup that the page built: a host, an id, a time.
 * A message is a whole sentence, a label or a button: other languages have another order of words.
 */
export const en = {
  /** The frame of every page, and parts that several pages have. */
  site: {
    skip: 'Skip to the content',
    about: 'About this service',
    runBy: (operator: Part): Html => sentence`Run by ${operator}`,
    yourData: 'Your data',
    privacy: 'Privacy',
    terms: 'Terms',
    support: 'Support',
    useAnotherAccount: 'Use another account',
    /** Buttons: `Sign in with Google`, in the words that Google itself uses in this language. */
    signInWith: (provider: string) => `Sign in with ${provider}`,
    continueWith: (provider: string) => `Continue with ${provider}`,
  },
  time: {
    justNow: 'just now',
    withinAMinute: 'in less than a minute',
    /** `3 hours ago, on 15 Nov 2026, 14:03 UTC` */
    both: (relative: string, exact: Part): Html => sentence`${relative}, on ${exact}`,
  },
  consent: {
    title: (host: string) => `Sign in to ${host}`,
    waitTitle: (host: string) => `Please wait: sign in to ${host}`,
    heading: (host: string) => `Sign in to ${host}?`,
    localHeading: 'Sign in to an app on this computer?',
    /** A host such as `xn--mnchen-3ya.example` and its form `münchen.example`. */
    ownLetters: (host: Part): Html => sentence`In its own letters: ${host}`,
    verified: 'Verified domain',
    temporary: 'Temporary, unverified app.',
    temporaryMeaning:
      'It was set up without an account, so we don’t know who runs it. Continue only if you trust this address.',
    appSees: 'The app will see',
    shared: (provider: Part): Html =>
      sentence`Your name, email address and profile picture. Nothing else from your ${provider} account.`,
    appPages: 'The app’s own pages',
    privacyPolicy: 'Privacy policy',
    terms: 'Terms',
    allow: 'Continue',
    deny: 'Cancel',
    /** `Continue` is the button `allow`. */
    limited: (count: number) =>
      `This app has reached its sign-in limit for this minute. Press Continue again in ${seconds(count)}.`,
    /** `Your data` is the link `site.yourData`. */
    remembered: (count: number) =>
      `If you continue, this browser doesn’t ask you again for ${days(count)}, unless something about the app changes. You can undo that under “Your data”, below.`,
    ifDenied: 'If you cancel, the app learns only that you didn’t sign in.',
    footer: (provider: Part): Html =>
      sentence`Gatehouse runs this sign-in for the app. Your ${provider} password stays with ${provider}.`,
  },
  errors: {
    title: {
      invalidRedirectUri: 'This sign-in link has a wrong return address',
      redirectUriRequired: 'This sign-in link has no return address',
      codeChallengeRequired: 'This sign-in link is incomplete',
      invalidReturnTo: 'This sign-in link has a wrong return page',
      invalidRequest: 'This link doesn’t work',
      signInFailed: 'You’re not signed in',
      claimUnknown: 'This claim link isn’t valid',
      projectLimit: 'You own as many projects as you can',
      providerNotFound: 'This sign-in link is wrong',
      providerNotEnabled: 'The app doesn’t offer this sign-in',
      tenantNotFound: 'There’s no app at this link',
      notProvisioned: 'This app isn’t ready for sign-in yet',
      tenantPaused: 'Sign-in for this app is paused',
      tenantSuspended: 'Sign-in for this app is suspended',
      callbackHostBlocked: 'You can’t sign in to this app',
      tenantExpired: 'This app no longer exists',
      loginOver: 'This sign-in has ended',
      loginOtherBrowser: 'This sign-in belongs to another browser',
      decisionNotOurs: 'This request didn’t come from our page',
      rateLimited: 'Too many sign-ins right now',
      temporarilyUnavailable: 'Sign-in is not available right now',
      outcomeUnknown: 'We can’t tell whether this worked',
      internalError: 'Something went wrong',
    },
    message: {
      invalidRedirectUri:
        'The app sent you here with a return address that it hasn’t registered. You weren’t signed in.',
      redirectUriRequired: 'The app sent you here without a return address. You weren’t signed in.',
      codeChallengeRequired: 'Go back to the app and sign in from there. You weren’t signed in.',
      invalidReturnTo: 'The app asked to return you to a page that isn’t its own. You weren’t signed in.',
      claimUnknown: 'It isn’t one of our links, or its project no longer exists. Ask your agent for a new link.',
      projectLimit: 'Delete a project in your account, or ask the operator of this service to raise your limit.',
      providerNotFound: 'There’s no such way to sign in. Go back to the app and sign in from there.',
      providerNotEnabled:
        'The app sent you to a way to sign in that it hasn’t switched on. Go back and choose another one.',
      tenantNotFound: 'Check the link, or go back to the app and sign in from there.',
      notProvisioned: 'The app hasn’t finished setting up sign-in. Try again later.',
      tenantPaused: 'This app has reached its trial limit. Its developer needs to claim it.',
      tenantSuspended:
        'The operator of this sign-in service has suspended the app. You weren’t signed in, and nothing was shared with it.',
      callbackHostBlocked:
        'The operator of this sign-in service has blocked the website that the app would return you to. You weren’t signed in, and nothing was shared with it.',
      tenantExpired: 'It was a trial app that wasn’t claimed within 72 hours, or its owner deleted it.',
      loginOver:
        'It was already finished, or it took longer than ten minutes. Go back to the app; if you aren’t signed in there, start again.',
      loginOtherBrowser:
        'It was started in another browser, or cookies are blocked. Go back to the app and start again here.',
      decisionNotOurs: 'Go back, reload the page and press the button there.',
      rateLimited: 'Your sign-in hasn’t started.',
      temporarilyUnavailable: 'A system that this sign-in needs is down. Nothing is lost: try again in a moment.',
      outcomeUnknown:
        'A connection failed while your change was saved. Check whether it was made before you try again.',
      internalError:
        'We made a mistake. Try again; if it happens again, tell the operator of this service the request id below.',
      /** For every other error, whose own message is in English and folded. */
      other: 'Go back to the page that you came from and try again.',
    },
    /** `day`: `1 December`. */
    monthLimit: (day: string) => `This app has reached its monthly sign-in limit. It resets on ${day}.`,
    trialLimit: (day: string) =>
      `This app has reached its trial limit. Its developer needs to claim it by ${day}, when the trial ends.`,
    /** Buttons. */
    goTo: (host: Part): Html => sentence`Go to ${host}`,
    tryAgain: 'Try again',
    /** `when`: `in 42 seconds`. */
    tryAgainWhen: (when: Part): Html => sentence`Try again ${when}.`,
    waitOver: 'You can try again now.',
    forDeveloper: 'For the app’s developer',
    reference: (status: number, requestId: Part): Html => sentence`Status ${status} · Request ${requestId}`,
  },
  /** An agent created a project and asks its user to take it over. */
  claim: {
    title: 'Keep this project?',
    intro: 'An agent created it without an account and asks you to claim it.',
    paused: 'This project is paused.',
    pausedMeaning: 'It has reached its trial limit, so users can’t sign in. Approving ends the pause.',
    project: 'Project',
    created: 'Created',
    hosts: 'Callback hosts',
    noHosts: 'None yet, so users can’t sign in.',
    moreHosts: (count: number) => counted(count, { other: '# more' }),
    activity: 'Activity',
    users: (count: number) => counted(count, { one: '# user', other: '# users' }),
    signIns: (count: number) => counted(count, { one: '# sign-in', other: '# sign-ins' }),
    ends: 'Ends unless you approve',
    ifApproved: 'If you approve',
    yours: 'The project is yours and no longer expires.',
    counts: 'Its users and sign-ins count toward the limits of your account.',
    manage: 'You can see who signs in, end sessions, replace the keys, and delete the project.',
    whoHasKeys: 'Who has the keys',
    keyFile:
      'Anyone with the key file can manage the project and see its users. The agent that created the project has the file.',
    keptKeys:
      'If you keep the keys, they also show the names, usage and activity of your other projects, but not who signed in to them. If you replace the keys, your agent needs the new file, which is shown once.',
    code: 'Confirmation code',
    /** `Deny` is the button `deny`. */
    compareOrDeny: 'If your agent gave you a code, it must match. If it doesn’t, press Deny.',
    compareOrClose: 'If your agent gave you a code, it must match. If it doesn’t, close this page.',
    unaskedDeny: 'If you didn’t ask for this, press Deny.',
    unaskedClose: 'If you didn’t ask for this, close this page.',
    signInMeaning: 'Signing in doesn’t approve anything. You’ll return to this page to decide.',
    keys: 'The keys, if you approve',
    keyChoice: {
      keep: 'Keep the keys',
      overlap: 'Replace the keys; the old ones work for 24 more hours',
      now: 'Replace the keys; the old ones stop working now',
    },
    approve: 'Approve',
    deny: 'Deny',
    wrongAccount: 'Not the account you want?',
  },
  /** The result of a claim, or the reason why its link can no longer be decided. */
  claimed: {
    title: 'This project is yours',
    keepsKeys: (project: Part): Html =>
      sentence`${project} no longer expires. Your agent has been notified, and its keys keep working.`,
    newKeys: (project: Part): Html => sentence`${project} no longer expires. Your agent has been notified.`,
    toAccount: 'Go to your account',
    replaceTitle: 'Replace the keys?',
    replaceMeaning:
      'Replace them if anyone but you and your agent may have seen the key file. The new file is shown once. The old keys work for 24 more hours, so your app keeps working while you switch.',
    replace: 'Replace the keys',
    deniedTitle: 'Request denied',
    /** `ends` is the message `time.both`: `in 3 days, on 18 Nov 2026, 14:03 UTC`. */
    denied: (project: Part, ends: Part): Html =>
      sentence`Nothing was changed. ${project} has no owner and ends ${ends}.`,
    deniedNext:
      'Your agent has been notified. You can close this page. If you change your mind, ask your agent for a new link.',
    yoursTitle: 'You already own this project',
    yours: (project: Part): Html => sentence`You’ve already claimed ${project}. There’s nothing left to decide.`,
    toProject: 'Go to the project',
    takenTitle: 'This project already has an owner',
    taken: (project: Part): Html => sentence`Someone else has claimed ${project}. Nothing was changed.`,
    takenNext:
      'If you claimed it with another Google account, sign in with that one. Otherwise ask the person who gave you the link.',
    supersededTitle: 'There’s a newer link',
    superseded: (project: Part): Html =>
      sentence`Your agent created a newer link for ${project}, and only the newest one works. Open the last link that your agent printed.`,
    expiredTitle: 'This link has expired',
    /** `endpoint`: the code `POST /api/claim/url`. */
    expired: (project: Part, count: number, endpoint: Part): Html =>
      sentence`A link works for ${minutes(count)}. This one for ${project} wasn’t used in time, and nothing was changed. Ask your agent for a new one; it gets one from ${endpoint}.`,
    endedTitle: 'This project has ended',
    ended: (project: Part, count: number): Html =>
      sentence`A project without an owner ends ${hours(count)} after it was created. ${project} wasn’t claimed in time, or its agent deleted it. Its data is deleted and can’t be restored.`,
    endedNext: 'Ask your agent to create a new one, and claim it before the link expires.',
  },
  /** The page “Your data”. `provider`: `Google`. */
  me: {
    question: 'Did you sign in to an app through this service? Here you can:',
    seeApps: 'see which apps you signed in to, and when,',
    signOutOfApps: 'sign out of one of them, or of all,',
    haveRemoved: 'have your data removed.',
    signInMeaning: (count: number) =>
      `This doesn’t create an account. Choose the account that you use in the apps. You’re signed out of this page after ${minutes(count)}.`,
    leave: 'Sign out of this page',
    apps: (provider: string) => `Apps that you signed in to with this ${provider} account, the last used first.`,
    noApps: (provider: string) => `No app here has data about this ${provider} account.`,
    pages: 'Apps',
    newer: 'Newer',
    older: 'Older',
    temporary: 'Temporary app',
    firstUsed: 'First used',
    lastUsed: 'Last used',
    known: 'What the app knows',
    sessions: 'Sessions',
    signedOut: 'You’re not signed in.',
    /** `when`: `3 hours ago`. */
    sessionUsed: (when: string) => `Last used ${when}`,
    /** `when` is the message `time.both`. */
    sessionStarted: (when: Part): Html => sentence`Signed in ${when}`,
    moreSessions: 'And more.',
    signOut: 'Sign out of this app',
    consent: 'Consent',
    /** `Continue` is the button `consent.allow`. */
    consentMeaning: (count: number) =>
      `Remembered for up to ${days(count)} where you pressed Continue: signing in there doesn’t ask you again.`,
    forgetConsent: 'Forget consent',
    remove: 'Remove my data',
    removeFromOwned: (count: number) =>
      `We ask the app’s owner to remove your data. If they don’t, we remove it after ${days(count)}: your sessions end, and the history here no longer names you. What the app stores itself isn’t here: ask the app.`,
    removeFromTemporary:
      'This temporary app has no known owner, so we remove your data now: your sessions end, and the history here no longer names you. This can’t be undone. What the app stores itself isn’t here: ask the app.',
    /** `when` is the message `time.both`. */
    removalAsked: (when: Part): Html =>
      sentence`You asked to have your data removed. The app’s owner knows. It is removed ${when}, at the latest.`,
    keep: 'Keep my data',
    everywhere: 'Sign out everywhere',
    everywhereMeaning: 'Ends your sessions in every app that has your data. You can sign in again.',
    notShown: 'What this page can’t show',
    otherAccounts:
      'Apps that you signed in to with another account. To see them, sign in to this page with that account.',
    /** `providers`: `GitHub or Microsoft`. */
    notOffered: (providers: string) => `Apps that you sign in to with ${providers}: this service has no client there.`,
    ownClients:
      'Apps that use their own client with Apple or another OpenID provider: they know you by an id of their own.',
    appData: 'What an app stores about you itself. Ask the app.',
    /** `privacy` is the link `site.privacy`. */
    stored: (privacy: Part): Html => sentence`What this service stores, and for how long: ${privacy}.`,
    /** By the action that was just done. */
    done: {
      left: 'You’re signed out of this page.',
      'signed-out': 'You’re signed out of the app. It may take a few seconds.',
      'signed-out-everywhere': 'You’re signed out of every app. It may take a few seconds.',
      forgotten: 'The app asks you again at your next sign-in.',
      deleted: 'Your data was removed from the app.',
      requested: 'We asked the app’s owner to remove your data.',
      kept: 'The request is withdrawn. The app keeps your data.',
    },
  },
}

/** The messages of a language: a missing one doesn't compile. */
export type Messages = typeof en
