import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Clock } from '../../service/test/support/clock.ts'
import { UnavailableError } from '../src/service/errors.ts'
import type { ApiCall } from '../src/service/read-response.ts'
import { createRefresh } from '../src/service/refresher.ts'
import { type Refresher, withRecentPairs } from '../src/session/session-storage.ts'

/** A refresher with a manual clock, and the idempotency keys it sent. */
function withManualClock(service: { isDown: boolean }): {
  refresher: Refresher
  clock: Clock
  keys: (string | undefined)[]
} {
  const clock = new Clock()
  const keys: (string | undefined)[] = []
  const call: ApiCall = async (_operation, _body, options) => {
    keys.push(options?.headers?.['Idempotency-Key'])
    if (service.isDown) {
      throw new UnavailableError('Unavailable.', { reason: 'network' })
    }
    const json = { access_token: 'access-2', refresh_token: 'refresh-2' }
    return { json, response: Response.json(json) }
  }
  const sleep = async (ms: number): Promise<void> => clock.advance({ ms })
  const time = { now: clock.now, sleep }
  return { refresher: withRecentPairs(createRefresh(call, time), time), clock, keys }
}

test('the pair of a spent token is kept for ten seconds, and for ten minutes if it was not delivered', async () => {
  const { refresher, clock } = withManualClock({ isDown: false })
  const pair = await refresher.refresh('refresh-1')
  clock.advance({ seconds: 10 })
  assert.deepEqual(refresher.recentPair('refresh-1'), pair)
  refresher.keepUndelivered('refresh-1')
  clock.advance({ minutes: 9 })
  assert.deepEqual(refresher.recentPair('refresh-1'), pair)
  clock.advance({ minutes: 2 })
  assert.equal(refresher.recentPair('refresh-1'), null)
  refresher.keepUndelivered('refresh-1')
  assert.equal(refresher.recentPair('refresh-1'), null)

  await refresher.refresh('refresh-1')
  clock.advance({ seconds: 11 })
  assert.equal(refresher.recentPair('refresh-1'), null)
})

test('a call at any moment after the response gets the same pair, without a second request', async () => {
  const { refresher, keys } = withManualClock({ isDown: false })
  const calls = [refresher.refresh('refresh-1')]
  for (let turn = 0; turn < 50; turn += 1) {
    await null
    const recent = refresher.recentPair('refresh-1')
    calls.push(recent === null ? refresher.refresh('refresh-1') : Promise.resolve(recent))
  }
  assert.equal(new Set(await Promise.all(calls)).size, 1)
  assert.equal(keys.length, 1)
})

test('a refresh makes four attempts with exponential backoff, then throws', async () => {
  const { refresher, clock, keys } = withManualClock({ isDown: true })
  const started = clock.now()
  await assert.rejects(refresher.refresh('refresh-1'), UnavailableError)
  assert.equal(keys.length, 4)
  const waited = clock.now() - started
  assert.ok(waited >= 1_950 && waited <= 3_250, `waited ${waited} ms`)
})

test('the idempotency key of a refresh without a response is reused while the service remembers it, and not after', async () => {
  const service = { isDown: true }
  const { refresher, clock, keys } = withManualClock(service)
  await assert.rejects(refresher.refresh('refresh-1'), UnavailableError)
  clock.advance({ seconds: 40 })
  await assert.rejects(refresher.refresh('refresh-1'), UnavailableError)
  assert.equal(new Set(keys).size, 1)
  clock.advance({ seconds: 20 })
  const before = keys.length
  service.isDown = false
  await refresher.refresh('refresh-1')
  assert.equal(keys.length, before + 1)
  assert.notEqual(keys.at(-1), keys[0])
})
