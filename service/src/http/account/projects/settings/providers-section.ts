import { PROVIDERS, type ProviderName } from '@gatehouse/contract'
import { providerLabel, providerName } from '../../../../domain/providers/provider.ts'
import type { DescribedProvider } from '../../../../operations/providers/providers.ts'
import { buttonForm } from '../../../pages/button-form.ts'
import { type Html, html } from '../../../pages/markup.ts'
import { heading, hiddenHeading, scrollTable } from '../../../pages/scroll-table.ts'
import { displayText } from '../../../pages/text.ts'
import { timestamp } from '../../../pages/time.ts'
import { accountPaths } from '../../paths.ts'

export interface ProjectProviders {
  readonly csrf: string
  readonly tenantId: string
  readonly now: number
  /** null: no callback is registered yet. */
  readonly providers: readonly DescribedProvider[] | null
  /** What this service has a client for, and the project doesn't use. */
  readonly available: readonly ProviderName[]
}

/** How users sign in to the app. */
export const providersSection = ({ csrf, tenantId, now, providers, available }: ProjectProviders): Html =>
  providers === null
    ? html`<p class="none">Available after a callback URL is registered.</p>`
    : html`
      ${scrollTable({
        caption: 'What users can sign in with',
        label: 'Sign-in providers',
        head: [...['Provider', 'Client', 'State'].map(heading), hiddenHeading('Actions')],
        rows: providers.map((provider) => row(provider, { csrf, tenantId, now })),
      })}
      ${available.map((name) =>
        buttonForm({
          action: accountPaths.shareProvider(tenantId),
          csrf,
          label: `Switch on ${providerName(name, null)}`,
          fields: { provider: name },
          variant: 'quiet',
        }),
      )}
      <h3>Your own client</h3>
      <p>The provider shows your app’s name instead of this service’s, and its quotas are yours. <a href="/docs/providers#your-own-client">When to use one</a></p>
      <nav class="section-links" aria-label="Your own client">${clientLinks(tenantId)}</nav>`

const clientLinks = (tenantId: string): Html =>
  html`${Object.entries(PROVIDERS).map(
    ([name, { label }]) => html`<a href="${accountPaths.client(tenantId, name)}">${label}</a>`,
  )}<a href="${accountPaths.client(tenantId, 'oidc')}">Another OpenID provider</a>`

type Where = Pick<ProjectProviders, 'csrf' | 'tenantId' | 'now'>

function row({ name, client, inUse }: DescribedProvider, { csrf, tenantId, now }: Where): Html {
  const button = (action: string, label: string) =>
    buttonForm({ action, csrf, label, fields: { provider: name }, variant: 'small', describedBy: `provider-${name}` })
  return html`<tr>
    <td id="provider-${name}">${displayText(providerLabel(name, client))}</td>
    <td>${client?.mode === 'own' ? html`Your own: <code>${displayText(client.clientId ?? '')}</code>` : 'Shared'}</td>
    <td>${providerState({ client, inUse }, now)}</td>
    <td>
      ${client?.mode === 'own' && button(accountPaths.testProvider(tenantId), 'Test sign-in')}
      ${client?.mode === 'own' && html`<a href="${accountPaths.client(tenantId, name)}" aria-describedby="provider-${name}">Change</a>`}
      ${client !== null && button(accountPaths.removeProvider(tenantId), 'Remove')}
    </td>
  </tr>`
}

export function providerState({ client, inUse }: Pick<DescribedProvider, 'client' | 'inUse'>, now: number): Html {
  switch (client?.status) {
    case 'pending':
      return html`Waiting for your test sign-in. ${waitingUse(inUse)}`
    case 'failing':
      return html`<strong>Failing:</strong> the provider refused this client, so its sign-ins fail. Set a new secret.`
    default:
      return client?.testedAt == null ? html`Active` : html`Active, tested ${timestamp(client.testedAt, now)}`
  }
}

const waitingUse = (inUse: DescribedProvider['inUse']): string => {
  if (inUse === null) return 'Until then, users can’t use it.'
  return inUse.mode === 'own' ? 'Until then, the previous client is used.' : 'Until then, the shared client is used.'
}
