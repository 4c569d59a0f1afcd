import { ALLOWED_DOMAINS_MAX, ALLOWED_EMAILS_MAX } from '@gatehouse/contract'
import { hiddenFields } from '../../../pages/button-form.ts'
import { textArea } from '../../../pages/fields.ts'
import { type Html, html } from '../../../pages/markup.ts'
import { accountPaths } from '../../paths.ts'
import type { Frame } from '../console.ts'
import { FormState, type RejectedForm } from './form-state.ts'

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
