import assert from 'node:assert/strict'
import { readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { claim } from '../support/actors/claim.ts'
import { runOperatorCommand } from '../support/actors/operator-command.ts'
import { ENGINES } from '../support/postgres/engines.ts'
import { world } from '../support/world.ts'

for (const engine of ENGINES) {
  test(`[${engine}] an operator's set-tier takes effect at once in the running service`, async (t) => {
    const { agent, browser, env } = await world(t, { engine })
    const tenant = await agent.createTenant()
    await claim(tenant, browser())
    const done = await runOperatorCommand(env, 'account', 'set-tier', 'ada@example.com', 'pro')
    assert.deepEqual([done.status, done.stdout], [0, 'ada@example.com is on pro now (it was free).\n'])
    const status = await tenant.status()
    assert.deepEqual([status.tier, status.usage.events_this_minute.limit], ['pro', 750])

    const unknownTier = await runOperatorCommand(env, 'account', 'set-tier', 'ada@example.com', 'gold')
    assert.equal(unknownTier.status, 2)
    assert.match(unknownTier.stderr, /free, plus, pro.*Nothing was changed/)
    const unknownAccount = await runOperatorCommand(env, 'account', 'set-tier', 'unknown@example.com', 'plus')
    assert.equal(unknownAccount.status, 1)
    assert.match(unknownAccount.stderr, /Nothing was changed/)
    assert.equal((await tenant.status()).tier, 'pro')
  })

  test(`[${engine}] the operator lists tenants and feedback as text and as JSON`, async (t) => {
    const { agent, browser, env } = await world(t, { engine, realTime: true })
    const [guest, owned] = [await agent.createTenant(), await agent.createTenant()]
    await claim(owned, browser())
    await guest.manage('POST', '/api/feedback/service', { feedback: 'good\u001b[31m work\nsecond line' })
    const tenants = (await runOperatorCommand(env, 'tenants', 'list', '--json')).stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    const statuses = Object.fromEntries(tenants.map(({ tenant_id, status }) => [tenant_id, status]))
    assert.deepEqual(statuses, { [guest.id]: 'ephemeral', [owned.id]: 'claimed' })
    assert.match((await runOperatorCommand(env, 'tenants', 'list', '--limit', '1')).stdout, /More: --after/)

    const feedback = (await runOperatorCommand(env, 'feedback', 'list')).stdout
    assert.ok(feedback.includes(guest.id) && feedback.includes('second line'))
    assert.ok(!feedback.includes('\u001b'), 'escape sequences in feedback do not reach the terminal')
    assert.equal((await runOperatorCommand(env, 'tenants', 'list', '--limit', 'x')).status, 2)
    for (const word of ['what', 'constructor', '__proto__']) {
      assert.equal((await runOperatorCommand(env, word)).status, 2, word)
    }
  })
}

test('after a key rotation the new key signs, and tokens of the old key stay valid', async (t) => {
  const before = await world(t)
  const tenant = await before.agent.createTenant()
  const { access_token, refresh_token } = await tenant.signIn(before.browser())
  assert.match((await runOperatorCommand(before.env, 'keys', 'rotate')).stdout, /Key 2 signs from the next start on/)
  await before.stop()

  const after = await world(t, { like: before })
  const same = tenant.at(after.agent)
  assert.equal(await same.isValid(access_token), true)
  assert.equal((await same.status()).status, 'ephemeral')
  after.clock.advance({ minutes: 1 })
  const next = await same.refresh(refresh_token)
  const header = JSON.parse(Buffer.from(next.access_token.split('.')[0] ?? '', 'base64url').toString())
  assert.equal(header.kid, '2')
  assert.equal(await same.isValid(next.access_token), true)
  const file = path.join(before.config.dataDir, 'keys.json')
  assert.equal(statSync(file).mode & 0o777, 0o600)
  assert.equal(JSON.parse(readFileSync(file, 'utf8')).keys.length, 2)
})

test('on PostgreSQL a rotated key only verifies until a second rotation makes it sign', async (t) => {
  const { env, config } = await world(t, { engine: 'postgres' })
  const kids = (): number[] =>
    JSON.parse(readFileSync(path.join(config.dataDir, 'keys.json'), 'utf8')).keys.map(({ kid }: { kid: number }) => kid)
  assert.match((await runOperatorCommand(env, 'keys', 'rotate')).stdout, /only verifies so far/)
  assert.deepEqual(kids(), [1, 2])
  assert.match((await runOperatorCommand(env, 'keys', 'rotate')).stdout, /Key 2 signs/)
  assert.deepEqual(kids(), [2, 1])
})
