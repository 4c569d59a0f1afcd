import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Clock } from '../../service/test/support/clock.ts'
import type { Call } from '../src/call.ts'
import { UnavailableError } from '../src/errors.ts'
import { type Refresher, refresher } from '../src/refresher.ts'

/** A refresher whose clock we hold, and the keys it sent. `away`: nobody answers. */
function held(service: { away: boolean }): { refreshes: Refresher; clock: Clock; keys: (string | undefined)[] } {
  const clock = new Clock()
  const keys: (string | undefined)[] = []
  const call: Call = async (_act, _body, options) => {
    keys.push(options?.idempotencyKey)
    if (service.away) throw new UnavailableError('Away.', { reason: 'network' })
    return { json: { access_token: 'access-2', refresh_token: 'refresh-2' }, status: 200, requestId: null }
  }
  const sleep = async (ms: number): Promise<void> => clock.advance({ ms })
  return { refreshes: refresher(call, { now: clock.now, sleep }), clock, keys }
}

test('a traded token is remembered for ten seconds, and longer when its pair reached nobody', async () => {
  const { refreshes, clock } = held({ away: false })
  const pair = await refreshes.refresh('refresh-1')
  clock.advance({ seconds: 10 })
  assert.deepEqual(refreshes.recent('refresh-1'), pair)
  refreshes.keep('refresh-1')
  clock.advance({ minutes: 9 })
  assert.deepEqual(refreshes.recent('refresh-1'), pair)
  clock.advance({ minutes: 2 })
  assert.equal(refreshes.recent('refresh-1'), null)
  refreshes.keep('refresh-1')
  assert.equal(refreshes.recent('refresh-1'), null)

  await refreshes.refresh('refresh-1')
  clock.advance({ seconds: 11 })
  assert.equal(refreshes.recent('refresh-1'), null)
})

test('four tries, further and further apart, and then it is said', async () => {
  const { refreshes, clock, keys } = held({ away: true })
  const started = clock.now()
  await assert.rejects(refreshes.refresh('refresh-1'), UnavailableError)
  assert.equal(keys.length, 4)
  const waited = clock.now() - started
  assert.ok(waited >= 1_950 && waited <= 3_250, `waited ${waited} ms`)
})

test('the key of a request without an answer is used again while the service knows it, and not after', async () => {
  const service = { away: true }
  const { refreshes, clock, keys } = held(service)
  await assert.rejects(refreshes.refresh('refresh-1'), UnavailableError)
  clock.advance({ seconds: 40 })
  await assert.rejects(refreshes.refresh('refresh-1'), UnavailableError)
  assert.equal(new Set(keys).size, 1)
  clock.advance({ seconds: 20 })
  const before = keys.length
  service.away = false
  await refreshes.refresh('refresh-1')
  assert.equal(keys.length, before + 1)
  assert.notEqual(keys.at(-1), keys[0])
})
