import assert from 'node:assert/strict'
import type { Agent, ApiResponse, CallOptions } from './agent.ts'
import { assertApiError } from './refused.ts'

export const create = (agent: Agent, options: CallOptions = {}): Promise<ApiResponse> =>
  agent.call('POST', '/api/genesis', options)

/** Uses up what this source may create in this minute, which is ten. */
export async function createTen(agent: Agent, headers: Record<string, string> = {}): Promise<void> {
  for (let left = 9; left >= 0; left--) {
    const made = await create(agent, { headers })
    assert.equal(made.status, 201, made.text)
    assert.match(made.headers.get('ratelimit') ?? '', new RegExp(`^"minute";r=${left};t=\\d+$`))
  }
  assertApiError(await create(agent, { headers }), 'rateLimited')
}
