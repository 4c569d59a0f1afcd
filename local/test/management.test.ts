import assert from 'node:assert/strict'
import { test } from 'node:test'
import { verifyWebhook } from '../../sdk/src/index.ts'
import { claim } from '../../service/test/support/actors/claim.ts'
import { receiver } from '../../service/test/support/webhook-receiver.ts'
import { createLocalFixture, writeTenantFile } from './support/machine.ts'

// proves C187
test('settings shows and changes who may sign in, and rejects what it does not know', async (t) => {
  const { machine, agent } = await createLocalFixture(t)
  const tenant = await agent.createTenant()
  await writeTenantFile(machine, tenant)
  assert.match((await machine.run('settings')).stdout, /^allowed_domains=$/m)
  const changed = await machine.run(
    ...['settings', 'allowed_domains=Example.com, example.org', 'allowed_emails=ada@example.com'],
    ...['refresh_leeway_seconds=10', 'callback_mode=code'],
  )
  assert.match(changed.stdout, /^allowed_domains=example\.com,example\.org$/m)
  const [json] = (await machine.run('settings', 'allowed_domains=', '--json')).json
  assert.deepEqual(json, (await tenant.manage('GET', '/api/social-login/settings')).json)
  assert.deepEqual(
    [json.allowed_domains, json.allowed_emails, json.refresh_leeway_seconds, json.callback_mode],
    [[], ['ada@example.com'], 10, 'code'],
  )
  for (const args of [
    ['allowed_domain=x.com'],
    ['allowed_domains'],
    ['refresh_leeway_seconds=ten'],
    ['remember_consent=1'],
    ['__proto__=1'],
  ]) {
    assert.equal((await machine.run('settings', ...args)).code, 2, args.join(' '))
  }
  assert.match(
    (await machine.run('settings', 'remember_consent=false')).stdout,
    /^remember_consent=false$/m,
  )
  await machine.expectProblem(1, 'ownerRequired', 'settings', 'remember_consent=true')
  const rejected = await machine.expectProblem(
    1,
    'invalidRequest',
    'settings',
    'allowed_domains=localhost',
  )
  assert.match(JSON.stringify(rejected), /allowed_domains\[0\]/)
  assert.deepEqual(
    (await tenant.manage('GET', '/api/social-login/settings')).json,
    json,
    'nothing is changed',
  )
})

test('users identities lists, pins and removes the identities of a user, and users merge makes one user of two', async (t) => {
  const { machine, agent } = await createLocalFixture(t)
  const tenant = await agent.createTenant()
  await writeTenantFile(machine, tenant)
  for (const subject of ['one', 'two']) {
    await tenant.manage('POST', '/api/social-login/test-sessions', {
      email: `${subject}@example.com`,
      subject,
    })
  }
  assert.equal(
    (await machine.run('users', 'identities', '1')).stdout,
    'google  one@example.com  one\n',
  )
  const refused = await machine.run('users', 'merge', '1', '2', '--confirm', 'one@example.com')
  assert.match(`${refused.code} ${refused.stderr}`, /^2 .*User 2 is two@example\.com/s)
  const merged = await machine.run('users', 'merge', '1', '2', '--confirm', 'two@example.com')
  assert.match(
    merged.stdout,
    /Deleted user 2\. User 1 signs in with:\ngoogle {2}one@.+\ngoogle {2}two@/,
  )
  const two = ['users', 'identities', '1', 'google', '--subject', 'two']
  assert.match((await machine.run(...two, '--pin')).stdout, /two {2}pinned/)
  assert.doesNotMatch((await machine.run(...two, '--unpin')).stdout, /pinned/)
  assert.equal((await machine.run(...two, '--remove')).stdout, 'google  one@example.com  one\n')
  for (const args of [
    ['--pin'],
    ['google'],
    ['google', '--pin', '--remove'],
    ['google', 'x', '--pin'],
  ]) {
    assert.equal((await machine.run('users', 'identities', '1', ...args)).code, 2, args.join(' '))
  }
})

// proves C215
test('users set-claims replaces the claims of a user, and settings those of the first user', async (t) => {
  const { machine, agent, browser } = await createLocalFixture(t)
  const tenant = await agent.createTenant()
  await writeTenantFile(machine, tenant)
  const set = await machine.run('settings', 'first_user_claims={"role":"admin"}')
  assert.match(set.stdout, /^first_user_claims=\{"role":"admin"\}$/m)
  assert.match(
    (await machine.run('settings', 'first_user_claims=')).stdout,
    /^first_user_claims=$/m,
  )
  assert.equal((await machine.run('settings', 'first_user_claims=admin')).code, 2)
  const idTokens = '{"audiences":["convex"],"claims":{}}'
  assert.ok(
    (await machine.run('settings', 'id_tokens={"audiences":["convex"]}')).stdout.includes(
      `id_tokens=${idTokens}\n`,
    ),
  )
  assert.match((await machine.run('settings', 'id_tokens=')).stdout, /^id_tokens=$/m)
  const { access_token } = await tenant.signIn(browser())
  const changed = await machine.run('users', 'set-claims', '1', '{"role":"admin"}')
  assert.equal(changed.stdout, 'User 1: {"role":"admin"}\n')
  const [json] = (
    await machine.run('users', 'set-claims', '1', '{"plan":"pro"}', '--end-sessions', '--json')
  ).json
  assert.deepEqual(json, { claims: { plan: 'pro' } })
  assert.equal((await tenant.edge('verify', { access_token })).json.valid, false)
  for (const args of [['1'], ['1', 'role=admin'], ['1', '[]'], ['{}'], ['1', '{}', '{}']]) {
    assert.equal((await machine.run('users', 'set-claims', ...args)).code, 2, args.join(' '))
  }
  assert.equal((await machine.run('users', 'block', '1', '{}')).code, 2)
  await machine.expectProblem(1, 'invalidRequest', 'users', 'set-claims', '1', '{"sub":"2"}')
  const { user } = (await tenant.manage('GET', '/api/social-login/users/1?include=claims')).json
  assert.deepEqual(user.claims, { plan: 'pro' })
})

// proves C196
test('invitations creates one, prints its link once, lists and deletes it', async (t) => {
  const { machine, agent, browser } = await createLocalFixture(t)
  const tenant = await agent.createTenant()
  await writeTenantFile(machine, tenant)
  assert.match((await machine.run('invitations')).stderr, /No invitations/)
  const created = await machine.run(
    'invitations',
    'create',
    '--email',
    'ada@example.com',
    '--role',
    'editor',
    '--days',
    '2',
  )
  assert.match(
    created.stdout,
    /^http\S+\?invitation=svc_in_[\w-]{43}\ninv_\w{16} {2}ada@example\.com {2}0 of 1 used {2}open/,
  )
  assert.match(created.stderr, /no mail is sent/)
  const [listed] = (await machine.run('invitations', 'list', '--json')).json
  assert.deepEqual([listed.claims, listed.uses, 'url' in listed], [{ role: 'editor' }, 1, false])
  const [many] = (await machine.run('invitations', 'create', '--uses', '20', '--json')).json
  assert.deepEqual([many.email, many.uses, many.claims], [null, 20, {}])
  const claims = ['--claims', '{"role":"editor","team":"docs"}']
  const [several] = (await machine.run('invitations', 'create', ...claims, '--json')).json
  assert.deepEqual(several.claims, { role: 'editor', team: 'docs' })
  assert.doesNotMatch(created.stderr, /refused/)
  await machine.run('settings', 'callback_mode=code')
  const coded = await machine.run('invitations', 'create')
  assert.match(
    coded.stderr,
    /^This link is refused, because callback_mode is code: send \/login\?invitation=… of your app/,
  )
  const [url = '', id = ''] = coded.stdout.split(/\s+/)
  assert.equal((await browser().request(url)).status, 400)
  for (const each of [listed.id, many.id, several.id, id]) {
    assert.equal((await machine.run('invitations', 'delete', each)).code, 0)
  }
  await machine.expectProblem(1, 'invitationNotFound', 'invitations', 'delete', listed.id)
  await machine.expectProblem(1, 'invalidRequest', 'invitations', 'create', '--email', 'ada')
  for (const args of [
    ['delete'],
    ['send', 'x'],
    ['create', '--uses', 'x'],
    ['create', '--days', '366'],
    ['create', '--claims', 'admin'],
    ['create', '--role', 'admin', ...claims],
  ]) {
    assert.equal((await machine.run('invitations', ...args)).code, 2, args.join(' '))
  }
  assert.deepEqual(
    (await tenant.manage('GET', '/api/social-login/invitations')).json.invitations,
    [],
  )
})

// proves C187
test('audit lists the newest management actions and no values', async (t) => {
  const { machine, agent } = await createLocalFixture(t)
  const tenant = await agent.createTenant()
  await writeTenantFile(machine, tenant)
  await machine.run('settings', 'allowed_emails=ada@example.com')
  const { stdout } = await machine.run('audit')
  assert.match(
    stdout,
    /^\S+ \S+Z {2}social_login\.provisioned .*key:[\w-]{8}\n.* settings\.changed +allowed_emails {2}key:/,
  )
  assert.ok(!stdout.includes('ada@'))
  const [newest] = (await machine.run('audit', '--limit', '1', '--json')).json
  assert.deepEqual([newest.id, newest.action], [2, 'settings.changed'])
  assert.equal((await machine.run('audit', '--limit', 'all')).code, 2)
})

test("usage shows the users, sessions and events of all of the owner's projects, and tells a guest to claim first", async (t) => {
  const { machine, agent, browser } = await createLocalFixture(t)
  const [one, other] = [await agent.createTenant(), await agent.createTenant()]
  await writeTenantFile(machine, one)
  await machine.expectProblem(1, 'observabilityRequiresClaim', 'usage')
  const owner = browser()
  for (const tenant of [one, other]) {
    await claim(tenant, owner)
  }
  for (const name of ['Ada Lovelace', 'Grace Hopper']) {
    await one.signIn(browser(), name)
  }
  const { stdout } = await machine.run('usage')
  const lines = stdout.split('\n')
  assert.deepEqual(
    new Set(lines.slice(0, 2)),
    new Set([`${one.id}  2 users  2 active sessions`, `${other.id}  0 users  0 active sessions`]),
  )
  assert.match(
    lines[2] ?? '',
    /^All projects: 2 of 5,000 users, 4 of [\d,]+ events this month, 2 of [\d,]+ events this minute$/,
  )
  const [json] = (await machine.run('usage', '--json')).json
  assert.deepEqual([json.summary.projects, json.usage.stored_users.used], [2, 2])
})

// proves S064
test('webhooks adds, tests, disables, enables, rotates and deletes an endpoint, and prints no secret', async (t) => {
  const { machine, agent, app, browser } = await createLocalFixture(t, { realTime: true })
  const tenant = await agent.createTenant()
  await writeTenantFile(machine, tenant)
  assert.match((await machine.run('webhooks')).stderr, /No webhooks/)
  const mine = await receiver(t)
  const added = await machine.run('webhooks', 'add', mine.url, '--json')
  const [{ id, secret_file }] = added.json
  assert.equal(secret_file, `${machine.file}.${id}`)
  assert.equal(await machine.mode(secret_file), '600')
  assert.match(await machine.read(`${machine.project}/.gitignore`), /^\.service\.\*$/m)
  const secretIn = async (): Promise<string> =>
    /^GATEHOUSE_WEBHOOK_SECRET=(whsec_\w+)\n$/.exec(await machine.read(secret_file))?.[1] ??
    assert.fail()
  const first = await secretIn()

  assert.match((await machine.run('webhooks', 'test', id)).stdout, /^Delivered: 200, \d+ ms\n$/)
  await tenant.signIn(browser())
  await app.deliver()
  const sent = mine.received.at(-1) ?? assert.fail()
  const headers = new Headers(sent.headers as Record<string, string>)
  const event = await verifyWebhook({ headers, body: sent.text }, { secret: first })
  assert.equal(event.type, 'social_login.authorize')

  mine.answer = 500
  const failed = await machine.run('webhooks', 'test', id)
  assert.deepEqual([failed.code, /^Not delivered: 500/.test(failed.stdout)], [1, true])
  assert.match((await machine.run('webhooks', 'disable', id)).stdout, /disabled \(owner\)/)
  assert.match((await machine.run('webhooks', 'enable', id)).stdout, /active\n$/)
  const rotated = await machine.run('webhooks', 'rotate', id)
  const second = await secretIn()
  assert.notEqual(first, second)
  assert.match((await machine.run('webhooks')).stdout, new RegExp(`^${id} {2}http://`))
  for (const { stdout, stderr } of [added, rotated]) {
    assert.doesNotMatch(stdout + stderr, /whsec_/)
  }

  const other = await receiver(t)
  assert.equal(
    (await machine.run('webhooks', 'url', id, other.url)).stdout,
    `${id}  ${other.url}  active\n`,
  )
  assert.match((await machine.run('webhooks', 'test', id)).stdout, /^Delivered: 200/)
  assert.equal(other.received.length, 1)

  assert.equal((await machine.run('webhooks', 'delete', id)).code, 0)
  assert.deepEqual((await tenant.manage('GET', '/api/webhooks')).json, { webhooks: [] })
  await machine.expectProblem(1, 'webhookNotFound', 'webhooks', 'test', id)
  for (const args of [
    ['remove', id],
    ['constructor', id],
    ['add'],
    ['test'],
    ['url', id],
    ['url', id, other.url, 'x'],
  ]) {
    assert.equal((await machine.run('webhooks', ...args)).code, 2, args.join(' '))
  }
})

test('providers shares, sets, tests and removes a provider, and takes the secret from no argument', async (t) => {
  const fixture = await createLocalFixture(t)
  const { machine, browser } = fixture
  const tenant = await fixture.agent.createTenant()
  await claim(tenant, browser())
  await writeTenantFile(machine, tenant)
  assert.equal((await machine.run('providers')).stdout, 'google  shared  active\n')
  assert.equal(
    (await machine.run('providers', 'share', 'github')).stdout,
    'github  shared  active\n',
  )
  const client_id = '123-abc.apps.googleusercontent.com'
  const set = ['providers', 'set', 'google', `client_id=${client_id}`]
  const piped = await machine.runWith({ input: 'a-secret-of-mine\n' }, ...set)
  assert.equal(piped.stdout, `google  own ${client_id}  pending (in use: shared)\n`)
  assert.match(piped.stderr, /Register http.*\/auth\/google\/callback at the provider/)
  assert.equal((await machine.run('providers', 'test', 'google')).stdout, 'Accepted\n')
  const wrong = await machine.runWith({ env: { PROVIDER_SECRET: 'wrong-secret' } }, ...set)
  assert.equal(wrong.code, 0)
  const tested = await machine.run('providers', 'test', 'google')
  assert.deepEqual([tested.code, tested.stdout], [1, 'Not accepted: invalid_client\n'])
  for (const { stdout, stderr } of [piped, wrong]) {
    assert.doesNotMatch(stdout + stderr, /secret-of-mine|wrong-secret/)
  }
  const given = await machine.run(...set, 'client_secret=a-secret-of-mine')
  assert.deepEqual([given.code, /not as an argument/.test(given.stderr)], [2, true])
  assert.equal((await machine.run('providers', 'remove', 'google')).stdout, 'Removed google.\n')
  assert.equal((await machine.run('providers', '--json')).json.length, 2)
  await machine.expectProblem(1, 'providerNotFound', 'providers', 'remove', 'google')
  for (const args of [
    ['add', 'x'],
    ['constructor', 'x'],
    ['set'],
    ['share', 'github', 'x=1'],
    ['set', 'google', 'x'],
  ]) {
    assert.equal((await machine.run('providers', ...args)).code, 2, args.join(' '))
  }
})
