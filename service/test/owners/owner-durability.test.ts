import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { openClaim, requestClaim, waitForClaim } from '../support/actors/claim.ts'
import { sqliteOnly } from '../support/postgres/engines.ts'
import { world } from '../support/world.ts'

test('the e-mail addresses of an expired guest’s users are in no database file afterwards', async (t) => {
  const { agent, browser, clock, app, config } = await world(t)
  const tenant = await agent.createTenant()
  await tenant.signIn(browser(), 'Grace Hopper')
  const unfinished = browser()
  clock.advance({ minutes: 1 })
  await unfinished.open(tenant.loginUrl)
  await unfinished.press('Alan Turing')
  const filesWith = (text: string): string[] =>
    readdirSync(config.dataDir).filter((file) => readFileSync(path.join(config.dataDir, file)).includes(text))
  assert.notDeepEqual(filesWith('grace@example.com'), [])
  assert.notDeepEqual(filesWith('alan@example.com'), [])

  clock.advance({ hours: 72 })
  await app.sweep()
  for (const person of ['grace@example.com', 'alan@example.com', 'Grace Hopper']) {
    assert.deepEqual(filesWith(person), [], person)
  }
})

test('waiting for a claim at one instance ends immediately when it is decided at another', {
  skip: sqliteOnly,
}, async (t) => {
  const first = await world(t, { engine: 'postgres' })
  const second = await world(t, { like: first })
  const tenant = await first.agent.createTenant()
  for (const [button, status] of [
    ['Deny', 'denied'],
    ['Approve', 'approved'],
  ] as const) {
    const claimRequest = await requestClaim(tenant)
    const owner = first.browser()
    await openClaim(owner, claimRequest)
    const began = performance.now()
    const waiting = waitForClaim(tenant.at(second.agent), claimRequest, 25)
    await owner.press(button)
    assert.equal((await waiting).json.status, status)
    assert.ok(performance.now() - began < 20_000, 'it was woken, and did not wait its 25 seconds')
  }
  assert.equal((await tenant.at(second.agent).status()).status, 'claimed')
})
