import assert from 'node:assert/strict'
import { test } from 'node:test'
import { UsageError } from '../../src/cli/command.ts'
import { COMMANDS } from '../../src/cli/commands.ts'
import { parseCommand } from '../../src/cli/parse-command.ts'
import { assertApiError } from '../support/actors/api-error.ts'
import { claim } from '../support/actors/claim.ts'
import { callOperatorCommand, runOperatorCommand } from '../support/actors/operator-command.ts'
import { ENGINES } from '../support/postgres/engines.ts'
import { waitUntil } from '../support/process/wait-until.ts'
import { slow } from '../support/tags.ts'
import { world } from '../support/world.ts'

const lines = (text: string): Record<string, unknown>[] =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line))

for (const engine of ENGINES) {
  // proves C357
  test(`[${engine}] the operator finds a project by id, callback host, owner and email address, and sees how it is used`, {
    skip: slow,
  }, async (t) => {
    const { agent, browser, env } = await world(t, { engine, realTime: true })
    const run = (...words: string[]) => callOperatorCommand(env, ...words)
    const owned = await agent.createTenant([
      'https://shop.find-me.example/cb',
      'http://localhost:3000/cb',
    ])
    const guest = await agent.createTenant(['https://other.example/cb'])
    await claim(owned, browser())
    await owned.signIn(browser())
    const found = async (text: string): Promise<unknown[]> => {
      const { status, stdout } = await run('tenants', 'find', text, '--json')
      assert.equal(status, 0)
      return lines(stdout).map(({ tenant_id }) => tenant_id)
    }
    const [listed] = lines(
      (await run('tenants', 'list', '--account', 'ada@example.com', '--json')).stdout,
    )
    for (const text of [owned.id, owned.id.slice(1), 'FIND-ME.example', 'Ada@Example']) {
      assert.deepEqual(await found(text), [owned.id], text)
    }
    assert.deepEqual(
      [listed?.owner_email, listed?.callback_hosts],
      ['ada@example.com', ['shop.find-me.example', 'localhost']],
    )
    const table = (await run('tenants', 'list')).stdout
    assert.match(table, new RegExp(`${owned.id}.*ada@example\\.com.*shop\\.find-me\\.example`))
    assert.match(table, new RegExp(`${guest.id}.*no owner.*other\\.example`))
    const account = String(listed?.account_id)
    // The random id of the guest may contain the number of the account.
    assert.deepEqual(
      (await found(account)).filter((id) => id === owned.id || !guest.id.includes(account)),
      [owned.id],
    )
    assert.deepEqual(await found('other.example'), [guest.id])
    assert.deepEqual((await found('.example')).length, 2)
    for (const text of ['%', '_', 'no-such-host.example', "'"]) {
      assert.deepEqual(await found(text), [], text)
    }
    assert.match((await run('tenants', 'find', 'example', '--limit', '1')).stdout, /More: --after/)
    assert.match((await run('tenants', 'find', 'no-such-host.example')).stdout, /No tenant found/)

    const [shown] = lines((await run('tenants', 'show', owned.id, '--json')).stdout)
    const { status, owner, callback_hosts, users, active_sessions, rows_left_to_delete } =
      shown ?? {}
    assert.deepEqual(
      [
        status,
        (owner as { email: string }).email,
        callback_hosts,
        users,
        active_sessions,
        rows_left_to_delete,
      ],
      ['claimed', 'ada@example.com', ['shop.find-me.example', 'localhost'], 1, 1, 0],
    )
    assert.ok(typeof shown?.last_activity_at === 'string' && Number(shown.events_this_month) >= 2)
    const text = (await run('tenants', 'show', guest.id)).stdout
    assert.match(text, /ephemeral[\s\S]*none \(guest\)[\s\S]*other\.example/)
    assert.equal((await run('tenants', 'show', 'no-such-tenant')).status, 1)
  })

  // proves C357
  test(`[${engine}] the operator suspends a project of the running service, ends its sessions, lifts it and deletes it`, {
    skip: slow,
  }, async (t) => {
    const { agent, browser, env, app } = await world(t, { engine, realTime: true })
    const run = (...words: string[]) => callOperatorCommand(env, ...words)
    const tenant = await agent.createTenant()
    const owner = browser()
    await claim(tenant, owner)
    const [first, second] = [await tenant.signIn(browser()), await tenant.signIn(browser())]
    const verify = () => tenant.edge('verify', { access_token: first.access_token })

    for (const reason of [
      [],
      ['--reason', ' '],
      ['--reason', 'x'.repeat(501)],
      ['--reason', 'two\nlines'],
    ]) {
      const refused = await run('tenants', 'suspend', tenant.id, ...reason)
      assert.equal(refused.status, 2)
      assert.match(refused.stderr, /--reason/)
    }
    const suspended = await run('tenants', 'suspend', tenant.id, '--reason', 'Spam.', '--json')
    assert.deepEqual(lines(suspended.stdout), [
      { tenant_id: tenant.id, status: 'suspended', reason: 'Spam.' },
    ])
    assertApiError(
      await tenant.edge('refresh', { refresh_token: first.refresh_token }),
      'tenantSuspended',
    )
    await waitUntil(
      'the running service rejects the token',
      async () => (await verify()).status === 403,
    )
    const again = await run('tenants', 'suspend', tenant.id, '--reason', 'Again.')
    assert.deepEqual([again.status, again.stdout], [1, ''])
    assert.equal((await tenant.status()).suspension?.reason, 'Spam.')
    const [listed] = lines((await run('tenants', 'find', tenant.id, '--json')).stdout)
    assert.equal(listed?.status, 'suspended')

    assert.equal((await run('tenants', 'end-sessions', tenant.id)).status, 2, 'not without --yes')
    const ended = await run('tenants', 'end-sessions', tenant.id, '--yes')
    assert.equal(ended.stdout, `Ended 2 sessions of ${tenant.id}.\n`)
    assert.equal((await run('tenants', 'lift', tenant.id, '--reason', 'Contacted.')).status, 0)
    const printed = (await run('tenants', 'suspend', tenant.id, '--reason', 'Once more.')).stdout
    const [, command = ''] = /Lift it with: gatehouse (.*)\n/.exec(printed) ?? []
    const words = [...command.matchAll(/"([^"]*)"|\S+/g)].map(([word, quoted]) => quoted ?? word)
    assert.equal((await run(...words)).status, 0, 'the printed command works')
    assert.equal((await run('tenants', 'lift', tenant.id, '--reason', 'Twice.')).status, 1)
    await tenant.assertRefreshRejected(second.refresh_token, 'invalidRefreshToken')
    await waitUntil('the token is invalid', async () => (await verify()).json.valid === false)
    assert.deepEqual((await tenant.eventKinds()).slice(-2), ['logout', 'logout'])
    assert.equal(await tenant.isValid((await tenant.signIn(browser())).access_token), true)
    const [shown] = lines((await run('tenants', 'show', tenant.id, '--json')).stdout)
    const actions = shown?.recent_actions as { actor: string; action: string }[]
    assert.deepEqual(
      actions.slice(0, 3).map(({ actor, action }) => `${actor} ${action}`),
      ['operator tenant.lifted', 'operator tenant.suspended', 'operator tenant.lifted'],
    )

    const deleted = await run('tenants', 'delete', tenant.id, '--yes', '--json')
    assert.deepEqual(lines(deleted.stdout), [
      { tenant_id: tenant.id, status: 'expired', rows_left_to_delete: 0 },
    ])
    assert.deepEqual(
      (await app.ctx.stores.audit.recent(tenant.id, 1)).map(
        ({ actor, action }) => `${actor} ${action}`,
      ),
      ['operator tenant.deleted'],
    )
    assert.equal((await run('tenants', 'suspend', tenant.id, '--reason', 'Late.')).status, 1)
  })

  // proves C357
  test(`[${engine}] the operator blocks and unblocks a callback host, and sees how many rows of a deletion are left`, {
    skip: slow,
  }, async (t) => {
    const { agent, browser, env, app } = await world(t, { engine, realTime: true })
    const run = (...words: string[]) => callOperatorCommand(env, ...words)
    const tenant = await agent.createTenant(['https://app.evil.example/cb'])
    assert.match((await run('hosts', 'list')).stdout, /No host is blocked/)
    assert.equal((await run('hosts', 'block', 'Evil.Example', '--reason', 'Malware.')).status, 0)
    assert.equal((await run('hosts', 'block', 'evil.example', '--reason', 'Twice.')).status, 1)
    assert.equal((await run('hosts', 'block', 'com', '--reason', 'Too much.')).status, 2)
    assertApiError(
      await agent.call('GET', `/edge/auth/${tenant.id}/google`, {
        headers: { Accept: 'application/json' },
      }),
      'callbackHostBlocked',
    )
    const [listed] = lines((await run('hosts', 'list', '--json')).stdout)
    assert.deepEqual([listed?.host, listed?.reason], ['evil.example', 'Malware.'])
    assert.equal((await run('hosts', 'unblock', 'evil.example')).status, 0)
    assert.equal((await run('hosts', 'unblock', 'evil.example')).status, 1)
    await tenant.signIn(browser())

    // As a killed process leaves it: marked as deleted, and no row purged yet.
    await app.ctx.stores.ownership.end(tenant.id, app.ctx.now())
    await app.ctx.stores.resources.markDeleted(tenant.id, app.ctx.now())
    const rowsLeft = async () =>
      lines((await run('tenants', 'show', tenant.id, '--json')).stdout)[0]?.rows_left_to_delete
    assert.equal(await rowsLeft(), 5, 'a session, two events, a user, and the social login itself')
    assert.match((await run('tenants', 'show', tenant.id)).stdout, /Deleting +5 rows left/)
    await app.sweep()
    assert.equal(await rowsLeft(), 0)
  })
}

// proves C358
test('gatehouse --help, and that of every group and subcommand, is on standard output with exit code 0', async () => {
  const printed = await runOperatorCommand({}, 'tenants', 'suspend', '--help')
  assert.deepEqual([printed.status, printed.stderr], [0, ''])
  assert.match(printed.stdout, /^Usage: gatehouse tenants suspend <id> --reason <text>\n/)
  const groups = [['--help'], ['-h'], ['help'], ['tenants', '--help'], ['help', 'hosts']]
  for (const words of [...groups, ...COMMANDS.map(({ name }) => [...name.split(' '), '--help'])]) {
    const parsed = parseCommand(words, COMMANDS)
    assert.ok(
      parsed.kind === 'help' && parsed.text.startsWith('Usage: gatehouse '),
      words.join(' '),
    )
  }
})

// proves C358
test('an unknown command or option changes nothing, exits with 2, and names the closest command', async () => {
  const printed = await runOperatorCommand({}, 'tenant', 'list', '--json')
  assert.deepEqual([printed.status, printed.stdout], [2, ''])
  assert.match(String(lines(printed.stderr)[0]?.error), /closest is: gatehouse tenants list/)
  for (const [typed, message] of [
    ['tenants supend x', /closest is: gatehouse tenants suspend\n/],
    ['host blok x', /closest is: gatehouse hosts block\n/],
    ['suspend some-id', /closest is: gatehouse tenants suspend\n/],
    ['bakup', /closest is: gatehouse backup\n/],
    ['bogus', /^There is no command "bogus".\nAll commands: gatehouse --help$/],
    ['frobnicate the tenants', /^There is no command "frobnicate the".\nAll commands/],
    ['tenants', /tenants find/],
    ['', /Usage: gatehouse <command>/],
    ['tenants show', /Usage: gatehouse tenants show <id>/],
    ['tenants list --nonsense', /--nonsense[\s\S]*Usage: gatehouse tenants list/],
  ] as const) {
    const words = typed.split(' ').filter((word) => word !== '')
    assert.throws(
      () => parseCommand(words, COMMANDS),
      (error) => error instanceof UsageError && message.test(error.message),
      typed,
    )
  }
})
