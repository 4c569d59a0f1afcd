import type { DisabledReason } from '../../../../../domain/webhooks/webhook.ts'
import { type Html, html } from '../../../../pages/markup.ts'
import { timestampInText } from '../../../../pages/time.ts'

const DISABLED: Readonly<Record<DisabledReason, string>> = {
  owner: 'Paused. Events wait until you enable it.',
  gone: 'Disabled: your app answered that the endpoint is gone (410). Enable it when it’s back; no event is lost.',
  failing: 'Disabled: no delivery succeeded for five days. Enable it when it works; no event is lost.',
  secret_unreadable: 'Disabled: its secret can’t be read. Replace the secret.',
}

export const webhookState = (reason: DisabledReason | null, failingSince: number | null, now: number): Html => {
  if (reason !== null) return html`${DISABLED[reason]}`
  return failingSince === null
    ? html`Active`
    : html`<strong>Failing</strong> since ${timestampInText(failingSince, now)}`
}
