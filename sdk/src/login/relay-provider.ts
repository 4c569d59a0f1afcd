import type { Client } from '../client.ts'
import type { RequestLike } from '../types.ts'
import { type ProviderName, requireProviderName } from './provider.ts'
import { methodNotAllowed, redirect } from './redirect.ts'

export interface RelayOptions {
  readonly client: Pick<Client, 'baseUrl' | 'tenantId'>
  readonly provider: ProviderName
}

/**
 * Handles the `redirect_uri` of your own client at a provider: redirects the browser on to the service, with the query
 * untouched. The provider's page then shows the domain of your app. The query works once and only in the browser that
 * started the login; don't log it.
 *
 * @example
 * ```ts
 * import { createClient, relayProvider } from '@gatehouse/sdk'
 *
 * const client = createClient({ baseUrl: 'https://login.example.com', tenantId: 'swift-fox-running-k3qd' })
 * const request = new Request('https://app.example/auth/google/relay?code=x&state=y')
 * const response = relayProvider(request, { client, provider: 'google' })
 * console.log(response.headers.get('location')) // https://login.example.com/auth/google/callback?code=x&state=y
 * ```
 */
export function relayProvider({ url, method }: RequestLike, { client, provider }: RelayOptions): Response {
  const name = requireProviderName(provider)
  if (method !== 'GET') return methodNotAllowed('GET')
  const tenant = name.startsWith('oidc-') ? `/${client.tenantId}` : ''
  return redirect(`${client.baseUrl}/auth/${name}/callback${tenant}${new URL(url).search}`)
}
