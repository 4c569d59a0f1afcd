import assert from 'node:assert/strict'
import type { Agent, ApiResponse, CallOptions } from './agent.ts'
import { assertApiError } from './api-error.ts'

export const createGuest = (agent: Agent, options: CallOptions = {}): Promise<ApiResponse> =>
  agent.call('POST', '/api/genesis', options)

/** Uses up the limit of this client address: ten guests in this minute. */
export async function createTenGuests(
  agent: Agent,
  headers: Record<string, string> = {},
): Promise<void> {
  for (let left = 9; left >= 0; left--) {
    const response = await createGuest(agent, { headers })
    assert.equal(response.status, 201, response.text)
    assert.match(response.headers.get('ratelimit') ?? '', new RegExp(`^"minute";r=${left};t=\\d+$`))
  }
  assertApiError(await createGuest(agent, { headers }), 'rateLimited')
}
