import { dayInWords } from '../../domain/limits/day-in-words.ts'
import { monthEnd } from '../../domain/limits/windows.ts'
import type { Problem } from '../problem.ts'
import { countdownScript } from './assets.ts'
import { inlineCode } from './code.ts'
import { layout, script, webUrl } from './layout.ts'
import { type Html, html } from './markup.ts'
import type { Operator } from './operator.ts'
import { displayText } from './text.ts'
import { waitText } from './wait-text.ts'

export interface ErrorText {
  readonly title: string
  /** For the user: what happened and what to do. */
  readonly message: string
  /** For the app's developer: which part of the request is invalid. It may quote the request. */
  readonly detail?: string
}

export interface ErrorPage extends ErrorText {
  readonly operator: Operator
  readonly status: number
  readonly requestId: string
  /** Omitted when its `href` is not a URL that a link may contain. */
  readonly wayBack?: { readonly href: string; readonly label: string }
  /** The same GET may succeed later: a link to this page's own URL, which stays out of the page. */
  readonly canRetry?: boolean
  /** When an exhausted limit allows it again. The page then has a script. */
  readonly waitSeconds?: number
}

/** An error that is shown here because it can't be returned to the app's callback. */
export function errorPage(page: ErrorPage): Html {
  const { status, title, message, detail, requestId, wayBack, canRetry, waitSeconds, operator } = page
  const href = wayBack && webUrl(wayBack.href)
  return layout({
    kind: 'card',
    operator,
    title: displayText(title),
    head: waitSeconds === undefined ? html`` : script(countdownScript),
    body: html`
      <h1>${displayText(title)}</h1>
      <p>${inlineCode(displayText(message, 600))}</p>
      ${waitSeconds !== undefined && waitText(waitSeconds)}
      ${canRetry && html`<p class="actions"><a class="button" href="">Try again</a></p>`}
      ${href && html`<p class="actions"><a class="button${canRetry && ' quiet'}" href="${href}">${displayText(wayBack.label)}</a></p>`}
      ${
        detail !== undefined &&
        html`<details class="detail">
          <summary>For the app’s developer</summary>
          <p>${inlineCode(displayText(detail, 1_200))}</p>
        </details>`
      }
      <p class="small-print">Status ${status} · Request <code>${displayText(requestId)}</code></p>
    `,
  })
}

const TITLES: Partial<Record<Problem['code'], string>> = {
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
}

const MESSAGES: Partial<Record<Problem['code'], string>> = {
  invalidRedirectUri: 'The app sent you here with a return address that it hasn’t registered. You weren’t signed in.',
  redirectUriRequired: 'The app sent you here without a return address. You weren’t signed in.',
  codeChallengeRequired: 'Go back to the app and sign in from there. You weren’t signed in.',
  invalidReturnTo: 'The app asked to return you to a page that isn’t its own. You weren’t signed in.',
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
  rateLimited: 'Your sign-in hasn’t started.',
  temporarilyUnavailable: 'A system that this sign-in needs is down. Nothing is lost: try again in a moment.',
}

/** The words of an error page. Months are UTC months, as limits count them. */
export function errorText(
  problem: Pick<Problem, 'code' | 'message' | 'details' | 'tenantEndsAt'>,
  now: number,
): ErrorText {
  const { code, message } = problem
  const title = TITLES[code] ?? 'Something went wrong'
  if (code === 'rateLimited' && problem.details?.window === 'month') {
    return {
      title: 'Sign-in for this app is paused',
      message: `This app has reached its monthly sign-in limit. It resets on ${dayInWords(monthEnd(now))}.`,
      detail: message,
    }
  }
  if (code === 'tenantPaused' && problem.tenantEndsAt != null) {
    const words = `This app has reached its trial limit. Its developer needs to claim it by ${dayInWords(problem.tenantEndsAt)}, when the trial ends.`
    return { title, message: words, detail: message }
  }
  const forUsers = MESSAGES[code]
  return forUsers === undefined ? { title, message } : { title, message: forUsers, detail: message }
}
