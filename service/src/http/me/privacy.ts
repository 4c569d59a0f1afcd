import { REMOVAL_DAYS } from '@gatehouse/contract'
import { ACCOUNT_SESSION_MS } from '../../domain/accounts/account.ts'
import { ME_PATH, ME_SESSION_MS } from '../../domain/accounts/person.ts'
import { ATTEMPT_LIFETIME_MS } from '../../domain/login/attempt.ts'
import { CONSENT_KEPT_MS } from '../../domain/login/remembered-consent.ts'
import { REFRESH_TOKEN_MS, SESSION_ABSOLUTE_MS } from '../../domain/sessions/session.ts'
import { GUEST_LIFETIME_MS } from '../../domain/tenants/tenant.ts'
import type { App, HttpDependencies } from '../dependencies.ts'
import { HTML, publish, published } from '../discovery/publish.ts'
import { publicPageHeaders } from '../headers.ts'
import { layout } from '../pages/layout.ts'
import { type Html, html } from '../pages/markup.ts'
import { type Operator, PRIVACY_PATH } from '../pages/operator.ts'
import { type PageProvider, pageProviderName } from '../pages/provider-button.ts'
import { displayText } from '../pages/text.ts'

const MINUTES_5 = 300

/** The generated page, or a redirect to the operator's own. */
export function privacyRoutes(app: App, { operator, ctx }: HttpDependencies): void {
  const generated = published(String(privacyPage(operator, ctx.providers.sharedNames())), HTML)
  app.get(PRIVACY_PATH, (c) => {
    c.set('route', PRIVACY_PATH)
    if (operator.privacyUrl !== PRIVACY_PATH) return c.redirect(operator.privacyUrl, 302)
    publicPageHeaders(c)
    return publish(c, generated, MINUTES_5)
  })
}

/**
 * `/privacy`, unless the operator has a page of their own: what the service itself does with data. It can't know what the
 * operator does beyond that, and says so. Durations come from the rules that delete the rows (docs/storage.md).
 */
export const privacyPage = (operator: Operator, providers: readonly PageProvider[]): Html =>
  layout({
    kind: 'reading',
    operator,
    title: 'Privacy',
    body: html`
      <h1>Privacy</h1>
      <p class="lead">What this service stores when you sign in to an app with it, for how long, and who can see it.</p>
      <p class="notice">This page describes the software. It was generated because the operator of this service hasn’t published a privacy policy here. ${who(operator)}</p>
      <h2>What is stored</h2>
      <ul>
        <li>From the provider that you sign in with, such as Google: your name, your email address, the address of your profile picture, and an id of your account there. Nothing else is stored, and your password never comes here.</li>
        <li>For each app that you sign in to: when you first and last used it, your sessions, and a history of your sign-ins, sign-outs and renewals of a session. A sign-in that fails or that you cancel is recorded without you. An app can add details of its own about you.</li>
        <li>If an app asks you for your consent only once: that you gave it, for which host and in which browser, as a keyed hash of a cookie.</li>
        <li>If you have an account here to manage apps: the same data from Google, and where you’re signed in, such as “Firefox on Linux”.</li>
      </ul>
      <p>Not stored: passwords, the provider’s tokens, IP addresses, and (without such an account) what browser you use. An IP address is used for at most two hours, as a keyed hash, to limit requests. The log contains no data about you.</p>
      <h2>For how long</h2>
      <ul>
        <li>A sign-in that you don’t finish: ${minutes(ATTEMPT_LIFETIME_MS)} minutes.</li>
        <li>A session: until you sign out, ${days(REFRESH_TOKEN_MS)} days without use, or ${days(SESSION_ABSOLUTE_MS)} days.</li>
        <li>A consent that is remembered: ${days(CONSENT_KEPT_MS)} days, or until you have it forgotten.</li>
        <li>Your data and history in an app: until you have it removed, or the app’s owner deletes you or the app. After you’re deleted, the history no longer names you.</li>
        <li>A temporary app without an owner is deleted with all its data after ${hours(GUEST_LIFETIME_MS)} hours.</li>
        <li>An account to manage apps: it can’t be deleted yet. You stay signed in to it for ${days(ACCOUNT_SESSION_MS)} days without use.</li>
      </ul>
      <p>Signing in to <a href="${ME_PATH}">Your data</a> stores your name, email address and the provider’s id of you for ${minutes(ME_SESSION_MS)} minutes, until you sign out of that page.</p>
      <p>Backups are made by the operator, and may keep data longer.</p>
      <h2>How to remove it</h2>
      <p>Open <a href="${ME_PATH}">Your data</a> and sign in with the same ${accounts(providers)} account. You see every app that has your data, can sign out of each, and have your data removed. A temporary app’s data is removed at once. Other apps have an owner, who is asked to remove it and what the app stores itself; after ${REMOVAL_DAYS} days this service removes what it has.</p>
      <h2>Who sees it</h2>
      <ul>
        <li>The app that you sign in to, and its owner: your name, email address, picture, sessions and history in that app. Other apps don’t see it.</li>
        <li>The operator of this service, who can read its database.</li>
        <li>The provider that you sign in with knows that you signed in through this service, and with a client of the app to which app.</li>
      </ul>
      <p>The service sends your data to no one else. Its pages have no ads, no analytics, and load nothing from other sites. Cookies are used only to sign in; one recognizes this browser for ${days(CONSENT_KEPT_MS)} days.</p>
    `,
  })

const who = ({ name, supportUrl }: Operator): Html =>
  html`${
    name === null ? 'Ask the app that sent you here who runs it.' : html`<bdi>${displayText(name)}</bdi> runs it.`
  }${supportUrl !== null && html` For questions, see <a href="${supportUrl}">Support</a>.`}`

/** `Google, GitHub or Microsoft`. */
const accounts = (providers: readonly PageProvider[]): string => {
  const names = providers.map(pageProviderName)
  const last = names.at(-1) ?? ''
  return names.length < 2 ? last : `${names.slice(0, -1).join(', ')} or ${last}`
}

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

const minutes = (ms: number): number => ms / MINUTE_MS
const hours = (ms: number): number => ms / HOUR_MS
const days = (ms: number): number => ms / DAY_MS
