import assert from 'node:assert/strict'
import type { World } from '../world.ts'
import type { ApiResponse, Tenant } from './agent.ts'
import { assertApiError } from './api-error.ts'

/** Opens the login URL with this query, without cookies. */
export const startLogin = (
  { agent }: World,
  tenant: Tenant,
  query: string,
  accept = 'application/json',
): Promise<ApiResponse> =>
  agent.call('GET', `/edge/auth/${tenant.id}/google${query}`, { headers: { Accept: accept } })

/** Programs get the error as JSON, browsers as a page, and neither is redirected. Returns the error details. */
export async function assertLoginStartRejected(
  at: World,
  tenant: Tenant,
  query: string,
  code: 'invalidRedirectUri' | 'invalidReturnTo' | 'invalidRequest',
) {
  const details = assertApiError(await startLogin(at, tenant, query), code)
  const page = await startLogin(at, tenant, query, 'text/html,*/*;q=0.8')
  assert.equal(page.status, 400, query)
  assert.match(page.headers.get('content-type') ?? '', /^text\/html/)
  for (const header of ['location', 'refresh', 'set-cookie']) {
    assert.equal(page.headers.get(header), null)
  }
  assert.doesNotMatch(page.text, /<a [^>]*evil|<script|http-equiv/i)
  return details
}

/** The login redirects to the identity provider. Advances the clock one minute first, so that no per-minute limit applies. */
export async function assertLoginStarts(at: World, tenant: Tenant, query: string): Promise<void> {
  at.clock.advance({ minutes: 1 })
  const response = await startLogin(at, tenant, query)
  assert.equal(response.status, 302, `${query} ${response.text}`)
  assert.equal(response.text, '')
  assert.ok(response.headers.get('location')?.startsWith(`${at.baseUrl}/dev/google/`))
}

export const redirectUriQuery = (redirectUri: string): string =>
  `?redirect_uri=${encodeURIComponent(redirectUri)}`
export const returnToQuery = (returnTo: string): string =>
  `?return_to=${encodeURIComponent(returnTo)}`
