import {
  ALLOWED_DOMAINS_MAX,
  ALLOWED_EMAILS_MAX,
  CALLBACK_URLS_MAX,
  REFRESH_LEEWAY_MAX_SECONDS,
} from '@gatehouse/contract'
import { PROJECT_NAME_MAX_CHARACTERS } from '../../../domain/tenants/tenant.ts'
import { boxesField, choiceField, hiddenFields, textArea, textField } from '../../pages/fields.ts'
import { type Html, html } from '../../pages/markup.ts'
import { displayText } from '../../pages/text.ts'
import { accountPaths } from '../paths.ts'
import type { Frame } from '../projects/project-page.ts'
import { FormState, type RejectedForm } from './form-state.ts'

/** What the owner calls the project. */
export function nameSection({ csrf, project }: Frame, rejected: RejectedForm | null): Html {
  const form = new FormState('name', rejected, ['name'])
  return html`
    <form method="post" action="${accountPaths.renameProject(project.tenantId)}">
      ${hiddenFields({ csrf })}
      ${form.message}
      ${textField({
        ...form.field('name', project.ownName ?? ''),
        label: 'Name of the project',
        hint: `Only you see it. At most ${PROJECT_NAME_MAX_CHARACTERS} characters. Without a name, the project is called by its brand, its host or its id.`,
      })}
      <button class="small">Save name</button>
    </form>`
}

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

export interface Access {
  readonly allowedDomains: readonly string[]
  readonly allowedEmails: readonly string[]
}

const rowsFor = (text: string): number => Math.min(12, Math.max(2, text.split('\n').length))

/** Who may sign in to the app. */
export function accessSection(
  { csrf, project }: Frame,
  { allowedDomains, allowedEmails }: Access,
  rejected: RejectedForm | null,
): Html {
  const form = new FormState('access', rejected, ['allowed_domains', 'allowed_emails'])
  const domains = form.field('allowed_domains', allowedDomains.join('\n'))
  const emails = form.field('allowed_emails', allowedEmails.join('\n'))
  const isOpen = allowedDomains.length + allowedEmails.length === 0
  return html`
    <p>${isOpen ? 'Anyone with an account at a provider can sign in.' : 'Only the accounts below can sign in.'} If you fill in either list, everyone else is turned away at their next sign-in.</p>
    <form method="post" action="${accountPaths.saveAccess(project.tenantId)}">
      ${hiddenFields({ csrf })}
      ${form.message}
      ${textArea({
        ...domains,
        label: 'Google Workspace domains, one per line',
        hint: `Accounts that the organization manages: an address at the domain is not enough. Up to ${ALLOWED_DOMAINS_MAX}.`,
        rows: rowsFor(domains.value),
      })}
      ${textArea({
        ...emails,
        label: 'E-mail addresses, one per line',
        hint: `These people can sign in besides the domains above. Up to ${ALLOWED_EMAILS_MAX}.`,
        rows: rowsFor(emails.value),
      })}
      <button class="small">Save who can sign in</button>
    </form>`
}
