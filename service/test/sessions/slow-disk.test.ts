import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ApiResponse } from '../support/actors/agent.ts'
import { HeldDisk, isPending } from '../support/faults/held-disk.ts'
import { waitUntil } from '../support/process/wait-until.ts'
import { world } from '../support/world.ts'

// SQLite only: PostgreSQL is another process, and waits for its disk itself.

const refreshing = { 'Idempotency-Key': 'a3f1c1de-5a7c-4f0e-9f0b-2b6f8f3f7c10' }

test('while the disk stores a refresh, verify is answered and the new pair is not', async (t) => {
  // First: after a failed test the disk must be released before the service stops.
  const disk = new HeldDisk(t)
  const { agent, browser } = await world(t)
  const app = await agent.createTenant()
  const pair = await app.signIn(browser())
  disk.hold()
  const refreshed = agent.call('POST', `/edge/auth/${app.id}/refresh`, {
    body: { refresh_token: pair.refresh_token },
  })
  for (let times = 0; times < 20; times += 1) {
    assert.equal(await app.isValid(pair.access_token), true)
  }
  assert.ok(await isPending(refreshed))
  disk.release()
  assert.equal((await refreshed).status, 200)
  assert.equal(await app.isValid(pair.access_token), false)
  assert.deepEqual(await app.eventKinds(), ['login_started', 'authorize', 'token_refreshed'])
})

test('a repeated refresh is answered with the same pair, and not before the disk has stored it', async (t) => {
  const disk = new HeldDisk(t)
  const one = await world(t)
  const two = await world(t, { like: one })
  const app = await one.agent.createTenant()
  const pair = await app.signIn(one.browser())
  disk.hold()
  const refresh = ({ agent }: typeof one): Promise<ApiResponse> =>
    agent.call('POST', `/edge/auth/${app.id}/refresh`, {
      body: { refresh_token: pair.refresh_token },
      headers: refreshing,
    })
  const before = disk.syncs
  const first = refresh(one)
  await waitUntil('the first refresh is committed', () => disk.syncs > before)
  const repeats = [refresh(one), refresh(two)]
  for (let times = 0; times < 20; times += 1) {
    assert.equal(await app.isValid(pair.access_token), true)
  }
  for (const each of [first, ...repeats]) {
    assert.ok(await isPending(each))
  }
  disk.release()
  const responses = await Promise.all([first, ...repeats])
  assert.deepEqual(
    responses.map(({ status }) => status),
    [200, 200, 200],
  )
  assert.equal(new Set(responses.map(({ json }) => json.refresh_token)).size, 1)
  assert.deepEqual(await app.eventKinds(), ['login_started', 'authorize', 'token_refreshed'])
})
