import { REFRESH_LEEWAY_MAX_SECONDS } from '@gatehouse/contract'
import { hiddenFields } from '../../../pages/button-form.ts'
import { boxesField, choiceField, textField } from '../../../pages/fields.ts'
import { type Html, html } from '../../../pages/markup.ts'
import { accountPaths } from '../../paths.ts'
import type { Frame } from '../console.ts'
import { FormState, type RejectedForm } from './form-state.ts'

export interface Logins {
  readonly callbackMode: 'either' | 'code'
  readonly refreshLeewaySeconds: number
  readonly rememberConsent: boolean
}

/** How logins run, and how the app gets its tokens. */
export function loginsSection(
  { csrf, project }: Frame,
  { callbackMode, refreshLeewaySeconds, rememberConsent }: Logins,
  rejected: RejectedForm | null,
): Html {
  const form = new FormState('logins', rejected, ['refresh_leeway_seconds'])
  return html`
    <form method="post" action="${accountPaths.saveLogins(project.tenantId)}">
      ${hiddenFields({ csrf })}
      ${form.message}
      ${choiceField({
        name: 'callback_mode',
        legend: 'How your app gets tokens after a login',
        chosen: form.value('callback_mode', callbackMode),
        choices: [
          { value: 'either', label: 'In the callback URL, or for a code if the login started with one' },
          {
            value: 'code',
            label: html`For a code only: every login must start with a <code>code_challenge</code>, so no token is in a URL`,
          },
        ],
      })}
      ${boxesField({
        legend: 'Consent',
        boxes: [
          {
            name: 'remember_consent',
            label: html`Ask users once, and skip the question in the same browser for 30 days. <a href="/docs/settings#remembered-consent">When it’s asked again</a>`,
            checked: form.isChecked('remember_consent', rememberConsent),
          },
        ],
      })}
      ${textField({
        ...form.field('refresh_leeway_seconds', String(refreshLeewaySeconds)),
        label: 'Refresh leeway in seconds',
        hint: `How long the previous refresh token returns the same pair. 0: it works once. At most ${REFRESH_LEEWAY_MAX_SECONDS}.`,
        type: 'number',
        max: REFRESH_LEEWAY_MAX_SECONDS,
      })}
      <button class="small">Save logins</button>
    </form>`
}
