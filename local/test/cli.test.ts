import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createLocalFixture, createMachine, writeTenantFile } from './support/machine.ts'

test('help and version exit with 0; unknown commands and invalid options are usage errors', async (t) => {
  const machine = await createMachine(t, {})
  const version = await machine.runProcess('--version')
  assert.match(version.stdout, /^\d+\.\d+\.\d+\n$/)
  for (const args of [[], ['help'], ['--help'], ['-h']]) {
    const { code, stdout, stderr } = await machine.run(...args)
    assert.deepEqual([code, stderr], [0, ''])
    assert.match(
      stdout,
      /init[\s\S]*provision[\s\S]*status[\s\S]*claim[\s\S]*events[\s\S]*feedback[\s\S]*mcp[\s\S]*doctor/,
    )
  }
  assert.match(
    (await machine.run('help', 'events')).stdout,
    /Usage: npx \S+ @gatehouse-auth\/local events[\s\S]*--follow/,
  )
  assert.match(
    (await machine.run('claim', '--help')).stdout,
    /Usage: npx \S+ @gatehouse-auth\/local claim/,
  )
  const usages = [
    ['frobnicate'],
    ['help', 'frobnicate'],
    ['status', 'extra'],
    ['status', '--nope'],
    ['status', '--service', 'http://localhost:1'],
    ['provision'],
    ['init', '--account', '--guest'],
    ['events', '--limit', 'many'],
    ['events', '--limit', '501'],
    ['events', '--event', 'lunch'],
    ['events', '--after', '-1'],
  ]
  for (const args of usages) {
    await machine.expectProblem(2, 'usage', ...args)
  }
  const unknown = await machine.runProcess('frobnicate')
  assert.deepEqual([unknown.code, unknown.stdout], [2, ''])
  assert.match(
    unknown.stderr,
    /^✗ .*"frobnicate".*\n {2}→ See: npx --@gatehouse-auth:registry=http:\/\/localhost:8787\/\S+ @gatehouse-auth\/local help\n$/,
  )
})

test('piped output has no color, and --json prints the same data', async (t) => {
  const { machine, baseUrl } = await createLocalFixture(t, { realTime: true })
  const init = await machine.runProcess('init')
  assert.equal(init.stderr, '')
  assert.match(
    init.stdout,
    /^✓ Created tenant [a-z0-9-]+ \(guest, ends in 3 days\)\.\n {2}Credentials {2}.*\.service \(mode 0600/,
  )
  const id = /tenant ([a-z0-9-]+) \(/.exec(init.stdout)?.[1]

  const first = await machine.runProcess('provision', 'http://localhost:3000/auth/callback')
  assert.match(
    first.stdout,
    new RegExp(`${baseUrl}/edge/auth/${id}/google\\n.*\\n {2}callback {2}http://localhost:3000`),
  )
  const added = await machine.runProcess(
    'provision',
    '--add',
    '--json',
    'https://app.example.com/cb',
  )
  assert.deepEqual(added.json[0].callback_urls, [
    'http://localhost:3000/auth/callback',
    'https://app.example.com/cb',
  ])
  const replaced = await machine.runProcess('provision', 'https://*.vercel.app/cb')
  assert.match(replaced.stdout, /removed {3}http:\/\/localhost:3000[\s\S]*warning {3}/)
  const invalid = await machine.runProcess('provision', 'http://app.example.com/cb', 'nonsense')
  assert.equal(invalid.code, 1)
  assert.match(
    invalid.stderr,
    /^✗ .*Nothing was changed\.\n {2}- callback_urls\[0\]: .*\n {2}- callback_urls\[1\]: .*\n {2}→ /,
  )

  const status = await machine.runProcess('status')
  assert.match(
    status.stdout,
    /guest, ends in 3 days\n[\s\S]*Callbacks {4}https:\/\/\*\.vercel\.app\/cb/,
  )
  const object = (await machine.runProcess('status', '--json')).json[0]
  assert.deepEqual([object.tenant_id, object.status], [id, 'ephemeral'])

  assert.equal(
    (await machine.runProcess('feedback', 'it', 'works')).stdout,
    '✓ Feedback sent. Thank you.\n',
  )
  const fromStdin = await machine.runWith({ input: 'from a file\n' }, 'feedback', '--json')
  assert.deepEqual(fromStdin.json, [{ success: true }])
  await machine.expectProblem(2, 'usage', 'feedback', '  ')
  await machine.expectProblem(2, 'usage', 'feedback', 'x'.repeat(20_001))
  for (const { stdout, stderr } of [init, first, replaced, invalid, status]) {
    assert.ok(!`${stdout}${stderr}`.includes('\u001b'))
  }
})

test('status of a claimed tenant shows its tier and no expiry', async (t) => {
  const { machine, agent, browser } = await createLocalFixture(t)
  const tenant = await agent.createTenant()
  await writeTenantFile(machine, tenant)
  const { claim } = await import('../../service/test/support/actors/claim.ts')
  await claim(tenant, browser())
  assert.match((await machine.run('status')).stdout, /claimed, does not expire\n.*free tier/)
  const again = await machine.run('init', '--json')
  assert.deepEqual(
    [again.json[0].status, again.json[0].tenant_lifecycle, again.json[0].reused],
    ['claimed', 'claimed', true],
  )
})
