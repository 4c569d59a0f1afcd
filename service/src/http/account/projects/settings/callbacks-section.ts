import { CALLBACK_URLS_MAX } from '@gatehouse/contract'
import { hiddenFields } from '../../../pages/button-form.ts'
import { textArea } from '../../../pages/fields.ts'
import { type Html, html } from '../../../pages/markup.ts'
import { displayText } from '../../../pages/text.ts'
import { accountPaths } from '../../paths.ts'
import type { Frame } from '../console.ts'
import { FormState, type RejectedForm } from './form-state.ts'

export interface Callbacks {
  readonly urls: readonly string[]
  /** About wildcards that let strangers receive tokens. */
  readonly warnings: readonly string[]
}

/** A sentence with a URL of 2,048 characters. */
const WARNING_MAX = 2_500

/** Where users of the app may return to after a login. */
export function callbacksSection(
  { csrf, project }: Frame,
  { urls, warnings }: Callbacks,
  rejected: RejectedForm | null,
): Html {
  const form = new FormState('callbacks', rejected, ['callback_urls'])
  const field = form.field('callback_urls', urls.join('\n'))
  return html`
    <p>After signing in, users return to one of these URLs in your app. A login that asks for any other URL is rejected.</p>
    ${warnings.map((warning) => html`<p class="notice caution">${displayText(warning, WARNING_MAX)}</p>`)}
    <form method="post" action="${accountPaths.saveCallbacks(project.tenantId)}">
      ${hiddenFields({ csrf })}
      ${form.message}
      ${textArea({
        ...field,
        label: 'One URL per line',
        hint: html`Up to ${CALLBACK_URLS_MAX}. <code>http://localhost</code> without a port allows every port; <code>https://*.example.com/callback</code> allows every subdomain.`,
        rows: Math.min(12, Math.max(3, field.value.split('\n').length + 1)),
        required: true,
      })}
      <button class="small">Save callback URLs</button>
    </form>`
}
