import assert from 'node:assert/strict'
import { existsSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { assertApiError } from '../support/actors/api-error.ts'
import { claim, openClaim, requestClaim } from '../support/actors/claim.ts'
import { callOperatorCommand, runOperatorCommand } from '../support/actors/operator-command.ts'
import { ENGINES, freshFolder } from '../support/postgres/engines.ts'
import { run } from '../support/process/run.ts'
import { waitUntil } from '../support/process/wait-until.ts'
import { slow } from '../support/tags.ts'
import { world } from '../support/world.ts'

for (const engine of ENGINES) {
  test(`[${engine}] an operator's set-tier takes effect at once in the running service`, async (t) => {
    const { agent, browser, env } = await world(t, { through: 'port', engine })
    const tenant = await agent.createTenant()
    await claim(tenant, browser())
    const done = await runOperatorCommand(env, 'account', 'set-tier', 'ada@example.com', 'pro')
    assert.deepEqual(
      [done.status, done.stdout],
      [0, 'ada@example.com is on pro now (it was free).\n'],
    )
    const status = await tenant.status()
    assert.deepEqual([status.tier, status.usage.events_this_minute.limit], ['pro', 750])

    const unknownTier = await runOperatorCommand(
      env,
      'account',
      'set-tier',
      'ada@example.com',
      'gold',
    )
    assert.equal(unknownTier.status, 2)
    assert.match(unknownTier.stderr, /free, plus, pro.*Nothing was changed/)
    const unknownAccount = await runOperatorCommand(
      env,
      'account',
      'set-tier',
      'unknown@example.com',
      'plus',
    )
    assert.equal(unknownAccount.status, 1)
    assert.match(unknownAccount.stderr, /Nothing was changed/)
    assert.equal((await tenant.status()).tier, 'pro')
  })

  test(`[${engine}] the operator caps, lists and deletes the projects of an account, and its feedback`, async (t) => {
    const here = await world(t, { through: 'port', engine, realTime: true })
    const { agent, browser, env, app } = here
    const run = (...words: string[]) => callOperatorCommand(env, ...words)
    const [guest, first, second] = [
      await agent.createTenant(null),
      await agent.createTenant(),
      await agent.createTenant(null),
    ]
    const { access_token } = await first.signIn(browser())
    const owner = browser()
    await claim(first, owner)
    for (const tenant of [guest, first, first]) {
      assert.equal(
        (await tenant.manage('POST', '/api/feedback/service', { feedback: 'x' })).status,
        200,
      )
    }

    const capped = await run('account', 'set-project-limit', 'Ada@Example.com', '1')
    assert.equal(
      capped.stdout,
      'ada@example.com may own 1 projects now (it was 100), and owns 1.\n',
    )
    await openClaim(owner, await requestClaim(second))
    await owner.press('Approve')
    assert.equal(owner.page.status, 403)
    for (const wrong of ['', '1.5', '9999999']) {
      assert.equal(
        (await run('account', 'set-project-limit', 'ada@example.com', wrong)).status,
        2,
        wrong,
      )
    }
    assert.equal((await run('account', 'set-project-limit', 'unknown@example.com', '5')).status, 1)

    const listed = await run('tenants', 'list', '--account', 'ada@example.com', '--json')
    assert.deepEqual(listed.stdout.match(/"tenant_id":"[^"]+"/g), [`"tenant_id":"${first.id}"`])
    assert.equal((await run('tenants', 'list', '--account', 'unknown@example.com')).status, 1)
    const refused = await run('tenants', 'delete', first.id, 'no-such-tenant', '--yes')
    assert.equal(refused.status, 1)
    assert.match(refused.stderr, /no-such-tenant\. Nothing was changed/)
    const unconfirmed = await run('tenants', 'delete', first.id)
    assert.deepEqual([unconfirmed.status, unconfirmed.stdout], [2, ''])
    assert.match(unconfirmed.stderr, /Nothing was changed.*--yes/)
    assert.equal(await first.isValid(access_token), true)

    assert.equal((await run('tenants', 'delete', first.id, '--yes')).status, 0)
    assertApiError(await first.manage('GET', '/api/social-login/users'), 'tenantExpired')
    await waitUntil(
      'the running service rejects the tenant',
      async () => (await first.edge('verify', { access_token })).status === 410,
    )
    await owner.open((await requestClaim(second)).approval_url)
    await owner.press('Approve')
    assert.equal(owner.page.status, 200, 'the deletion made room for another project')

    const count = async (): Promise<number> => (await app.ctx.stores.feedback.page(0, 10)).length
    const [entry] = await app.ctx.stores.feedback.page(0, 1)
    assert.equal(
      (await run('feedback', 'list', '--tenant', first.id)).stdout.match(/^#/gm)?.length,
      2,
    )
    for (const words of [[], ['x'], ['1', '--tenant', first.id]]) {
      assert.equal((await run('feedback', 'delete', ...words, '--yes')).status, 2)
    }
    assert.equal(await count(), 3, 'feedback outlives its tenant')
    assert.equal(
      (await run('feedback', 'delete', String(entry?.id))).status,
      2,
      'not without --yes',
    )
    assert.equal(
      (await run('feedback', 'delete', String(entry?.id), '--yes')).stdout,
      'Deleted 1 entry.\n',
    )
    assert.equal(
      (await run('feedback', 'delete', '--tenant', first.id, '--yes')).stdout,
      'Deleted 2 entries.\n',
    )
    assert.equal(await count(), 0)
  })
}

test('the operator lists tenants and feedback as text and as JSON', async (t) => {
  const { agent, browser, env } = await world(t, { through: 'port', realTime: true })
  const [guest, owned] = [await agent.createTenant(), await agent.createTenant()]
  await claim(owned, browser())
  await guest.manage('POST', '/api/feedback/service', {
    feedback: 'good\u001b[31m work\nsecond line',
  })
  const tenants = (await callOperatorCommand(env, 'tenants', 'list', '--json')).stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  const statuses = Object.fromEntries(tenants.map(({ tenant_id, status }) => [tenant_id, status]))
  assert.deepEqual(statuses, { [guest.id]: 'ephemeral', [owned.id]: 'claimed' })
  assert.match(
    (await callOperatorCommand(env, 'tenants', 'list', '--limit', '1')).stdout,
    /More: --after/,
  )
  assert.doesNotMatch(
    (await callOperatorCommand(env, 'tenants', 'list', '--limit', '2')).stdout,
    /More/,
  )
  assert.doesNotMatch(
    (await callOperatorCommand(env, 'feedback', 'list', '--limit', '1')).stdout,
    /More/,
  )

  const feedback = (await callOperatorCommand(env, 'feedback', 'list')).stdout
  assert.ok(feedback.includes(guest.id) && feedback.includes('second line'))
  assert.ok(!feedback.includes('\u001b'), 'escape sequences in feedback do not reach the terminal')
  assert.equal((await callOperatorCommand(env, 'tenants', 'list', '--limit', 'x')).status, 2)
  for (const word of ['what', 'constructor', '__proto__']) {
    assert.equal((await callOperatorCommand(env, word)).status, 2, word)
  }
})

test('an operator command with a wrong DATA_DIR creates nothing and says so', async () => {
  const DATA_DIR = path.join(await freshFolder(), 'wrong')
  for (const command of [['tenants', 'list'], ['restored'], ['keys', 'rotate']]) {
    const { status, stderr } = await runOperatorCommand({ DATA_DIR }, ...command)
    assert.equal(status, 1)
    assert.match(stderr, /^There is no database .*wrong.gatehouse\.db\..* Nothing was created\.\n$/)
    assert.equal(existsSync(DATA_DIR), false)
  }
})

test('after a key rotation the new key signs, and tokens of the old key stay valid', async (t) => {
  const before = await world(t, { through: 'port' })
  const tenant = await before.agent.createTenant()
  const { access_token, refresh_token } = await tenant.signIn(before.browser())
  assert.match(
    (await runOperatorCommand(before.env, 'keys', 'rotate')).stdout,
    /Key 2 signs from the next start on/,
  )
  await before.stop()

  const after = await world(t, { through: 'port', like: before })
  const same = tenant.at(after.agent)
  assert.equal(await same.isValid(access_token), true)
  assert.equal((await same.status()).status, 'ephemeral')
  after.clock.advance({ minutes: 1 })
  const next = await same.refresh(refresh_token)
  const header = JSON.parse(
    Buffer.from(next.access_token.split('.')[0] ?? '', 'base64url').toString(),
  )
  assert.equal(header.kid, '2')
  assert.equal(await same.isValid(next.access_token), true)
  const file = path.join(before.config.dataDir, 'keys.json')
  assert.equal(statSync(file).mode & 0o777, 0o600)
  assert.equal(JSON.parse(readFileSync(file, 'utf8')).keys.length, 2)
})

// proves S028
test('on PostgreSQL a rotated key only verifies until a second rotation makes it sign', async (t) => {
  const { env, config } = await world(t, { through: 'port', engine: 'postgres' })
  const kids = (): number[] =>
    JSON.parse(readFileSync(path.join(config.dataDir, 'keys.json'), 'utf8')).keys.map(
      ({ kid }: { kid: number }) => kid,
    )
  assert.match((await callOperatorCommand(env, 'keys', 'rotate')).stdout, /only verifies so far/)
  assert.deepEqual(kids(), [1, 2])
  assert.match((await callOperatorCommand(env, 'keys', 'rotate')).stdout, /Key 2 signs/)
  assert.deepEqual(kids(), [2, 1])
})

// proves C371
test('npm run gatehouse reads .env if there is one, and prints nothing about a missing one', {
  skip: slow,
}, async () => {
  const root = path.resolve(import.meta.dirname, '../../..')
  const { scripts } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'))
  // The setup before it installs packages.
  const [, command = ''] = scripts.gatehouse.split('&& exec ')
  const cwd = await freshFolder()
  symlinkSync(path.join(root, 'service'), path.join(cwd, 'service'))
  const env = {
    PATH: `${path.dirname(process.execPath)}:/usr/bin:/bin`,
    DATA_DIR: path.join(cwd, 'data'),
  }
  const printed = (words: string) =>
    run('sh', ['-c', `${command} ${words} 2>&1 || true`], { cwd, env })
  assert.match(await printed('--version'), /^gatehouse \d\S+\n$/)
  writeFileSync(path.join(cwd, '.env'), 'START_WAIT_SECONDS=soon\n')
  assert.match(await printed('tenants list'), /^Please fix:\n.*START_WAIT_SECONDS/)
})
