import assert from 'node:assert/strict'
import type { World } from '../world.ts'
import type { ApiResponse, Tenant } from './agent.ts'
import { assertApiError } from './refused.ts'

/** Somebody new opens the login link with this query. */
export const startLogin = (
  { agent }: World,
  tenant: Tenant,
  query: string,
  accept = 'application/json',
): Promise<ApiResponse> => agent.call('GET', `/edge/auth/${tenant.id}/google${query}`, { headers: { Accept: accept } })

/** Refused to a program as JSON and to a person as a page, and neither is sent anywhere. Returns the details. */
export async function startRefused(
  at: World,
  tenant: Tenant,
  query: string,
  code: 'invalidRedirectUri' | 'invalidReturnTo' | 'invalidRequest',
) {
  const details = assertApiError(await startLogin(at, tenant, query), code)
  const page = await startLogin(at, tenant, query, 'text/html,*/*;q=0.8')
  assert.equal(page.status, 400, query)
  assert.match(page.headers.get('content-type') ?? '', /^text\/html/)
  for (const header of ['location', 'refresh', 'set-cookie']) assert.equal(page.headers.get(header), null)
  assert.doesNotMatch(page.text, /<a [^>]*evil|<script|http-equiv/i)
  return details
}

/** On its way to the provider. A minute later than whatever came before, so that no bucket is in the way. */
export async function startAccepted(at: World, tenant: Tenant, query: string): Promise<void> {
  at.clock.advance({ minutes: 1 })
  const response = await startLogin(at, tenant, query)
  assert.equal(response.status, 302, `${query} ${response.text}`)
  assert.equal(response.text, '')
  assert.ok(response.headers.get('location')?.startsWith(`${at.baseUrl}/dev/google/`))
}

export const toCallback = (redirectUri: string): string => `?redirect_uri=${encodeURIComponent(redirectUri)}`
export const toPage = (returnTo: string): string => `?return_to=${encodeURIComponent(returnTo)}`
