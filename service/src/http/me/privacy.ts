import { REMOVAL_DAYS } from '@gatehouse-auth/contract'
import { ACCOUNT_SESSION_MS } from '../../domain/accounts/account.ts'
import { ME_PATH, ME_SESSION_MS, PRIVACY_PATH } from '../../domain/accounts/person.ts'
import { ATTEMPT_LIFETIME_MS } from '../../domain/login/attempt.ts'
import { CONSENT_KEPT_MS } from '../../domain/login/remembered-consent.ts'
import { REFRESH_TOKEN_MS, SESSION_ABSOLUTE_MS } from '../../domain/sessions/session.ts'
import { GUEST_LIFETIME_MS } from '../../domain/tenants/tenant.ts'
import type { App, HttpDependencies } from '../dependencies.ts'
import { HTML, publish, published } from '../discovery/publish.ts'
import { publicPageHeaders } from '../headers.ts'
import { layout } from '../pages/layout.ts'
import { type Html, html, pageText } from '../pages/markup.ts'
import type { Operator } from '../pages/operator.ts'
import { type PageProvider, pageProviderName } from '../pages/provider-button.ts'
import { displayText } from '../pages/text.ts'

const MINUTES_5 = 300

/** The generated page, or a redirect to the operator's own. */
export function privacyRoutes(app: App, { operator, ctx }: HttpDependencies): void {
  const generated = published(
    String(privacyPage(operator, ctx.providers.sharedNames(), ctx.eventRetentionDays)),
    HTML,
  )
  app.get(PRIVACY_PATH, (c) => {
    c.set('route', PRIVACY_PATH)
    if (operator.privacyUrl !== PRIVACY_PATH) {
      return c.redirect(operator.privacyUrl, 302)
    }
    publicPageHeaders(c)
    return publish(c, generated, MINUTES_5)
  })
}

/**
 * `/privacy`, unless the operator has a page of their own: what the service itself does with data. It can't know what the
 * operator does beyond that, and says so. Durations come from the rules that delete the rows (docs/storage.md).
 */
export const privacyPage = (
  operator: Operator,
  providers: readonly PageProvider[],
  historyDays: number | null,
): Html =>
  layout({
    kind: 'reading',
    operator,
    title: 'Privacy',
    body: pageText('privacy')({
      who: who(operator),
      accounts: accounts(providers),
      me: ME_PATH,
      attempt_minutes: ATTEMPT_LIFETIME_MS / MINUTE_MS,
      me_minutes: ME_SESSION_MS / MINUTE_MS,
      guest_hours: GUEST_LIFETIME_MS / (60 * MINUTE_MS),
      idle_days: REFRESH_TOKEN_MS / DAY_MS,
      session_days: SESSION_ABSOLUTE_MS / DAY_MS,
      consent_days: CONSENT_KEPT_MS / DAY_MS,
      account_days: ACCOUNT_SESSION_MS / DAY_MS,
      removal_days: REMOVAL_DAYS,
      history: historyDays === null ? '' : ` The history is removed after ${historyDays} days.`,
    }),
  })

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS

const who = ({ name, supportUrl }: Operator): Html =>
  html`${
    name === null
      ? 'Ask the app that sent you here who runs it.'
      : html`<bdi>${displayText(name)}</bdi> runs it.`
  }${supportUrl !== null && html` For questions, see <a href="${supportUrl}">Support</a>.`}`

/** `Google, GitHub or Microsoft`. */
const accounts = (providers: readonly PageProvider[]): string => {
  const names = providers.map(pageProviderName)
  const last = names.at(-1) ?? ''
  return names.length < 2 ? last : `${names.slice(0, -1).join(', ')} or ${last}`
}
