import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  IMPORT_MAX_BYTES,
  IMPORT_MAX_ROWS,
  type ImportResult,
  TIER_LIMITS,
} from '@gatehouse-auth/contract'
import type { Agent, ApiResponse, Tenant } from '../support/actors/agent.ts'
import { assertApiError } from '../support/actors/api-error.ts'
import { claim } from '../support/actors/claim.ts'
import {
  activateProvider,
  EVERY_PROVIDER,
  ownedTenant,
  pressAtProvider,
} from '../support/actors/providers.ts'
import { ENGINES } from '../support/postgres/engines.ts'
import { slow } from '../support/tags.ts'
import { world } from '../support/world.ts'

/** Without a client of the service. */
const OWNED = EVERY_PROVIDER.filter((name) => name !== 'google')

/** How the warning of an import begins. */
const WARNED: Readonly<Record<string, string>> = { apple: 'Apple', 'oidc-acme': 'An' }

const EXPORT = '/api/social-login/export'
const IMPORT = '/api/social-login/import'

const linesOf = (text: string) =>
  text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))

const send = (
  agent: Agent,
  { key }: Tenant,
  body: string,
  type = 'application/x-ndjson',
): Promise<ApiResponse> =>
  agent.call('POST', IMPORT, { key, body, headers: { 'Content-Type': type } })

const rows = (...users: object[]): string =>
  users.map((user) => `${JSON.stringify(user)}\n`).join('')

for (const engine of ENGINES) {
  // proves C327
  test(`[${engine}] an export has everything that is stored about each user, and an import elsewhere restores it`, async (t) => {
    const { agent, browser, clock } = await world(t, { engine })
    const tenant = await agent.createTenant()
    await tenant.signIn(browser())
    await tenant.signIn(browser(), 'Alan Turing')
    await tenant.manage('PUT', '/api/social-login/users/1/metadata', { metadata: { plan: 'pro' } })
    await tenant.manage('PUT', '/api/social-login/users/1/claims', { claims: { role: 'admin' } })
    await tenant.manage('POST', '/api/social-login/users/2/block')
    const exported = await tenant.manage('GET', EXPORT)
    assert.match(exported.headers.get('content-type') ?? '', /^application\/x-ndjson/)
    const [ada, alan] = linesOf(exported.text)
    const [listed] = await tenant.users()
    const { issuer, subject, blocked, metadata, claims, identities, ...user } = ada
    assert.deepEqual(user, listed)
    assert.deepEqual(
      [blocked, metadata, claims, identities],
      [false, { plan: 'pro' }, { role: 'admin' }, []],
    )
    assert.match(issuer, /^http/)
    assert.ok(typeof subject === 'string' && subject !== '')
    assert.deepEqual([alan.blocked, alan.metadata, alan.picture], [true, {}, null])

    const csv = await tenant.manage('GET', `${EXPORT}?format=csv`)
    assert.match(csv.headers.get('content-type') ?? '', /^text\/csv/)
    const [head, first, second, last] = csv.text.split('\r\n')
    assert.equal(
      head,
      'id,email,name,picture,first_seen,last_seen,issuer,subject,blocked,metadata,claims,identities',
    )
    assert.ok(
      first?.startsWith('1,ada@example.com,Ada Lovelace,http') &&
        first.endsWith(',false,"{""plan"":""pro""}","{""role"":""admin""}",[]'),
    )
    assert.ok(
      second?.startsWith('2,alan@example.com,Alan Turing,,') && second.endsWith(',true,{},{},[]'),
    )
    assert.equal(last, '')
    const { json } = await tenant.manage('GET', '/api/audit')
    const actions = json.actions.map(({ action }: { action: string }) => action)
    assert.equal(actions.filter((action: string) => action === 'users.exported').length, 2)

    const other = await agent.createTenant()
    await claim(other, browser())
    clock.advance({ minutes: 5 })
    const imported = await send(agent, other, exported.text)
    assert.deepEqual(imported.json, {
      created: 2,
      existing: 0,
      failed: 0,
      results: [
        { line: 1, result: 'created', user_id: 1 },
        { line: 2, result: 'created', user_id: 2 },
      ],
    })
    assert.equal((await other.manage('GET', EXPORT)).text, exported.text)
    assert.equal((await other.status()).usage.stored_users.used, 2)
    const visitor = browser()
    await visitor.open(other.loginUrl)
    assert.equal(
      (await visitor.press('Alan Turing')).searchParams.get('error'),
      'login_failed',
      'still blocked',
    )
    await other.signIn(browser())
    assert.deepEqual(
      (await other.users()).map(({ id }) => id),
      [1, 2],
      'the sign-in finds the imported user',
    )
    assert.deepEqual(await other.eventKinds(), [
      'login_started',
      'login_failed',
      'login_started',
      'authorize',
    ])
  })

  // proves C327, S048
  test(`[${engine}] each line of an import has its own result, and users that exist stay as they are`, async (t) => {
    const { agent, browser, app, clock } = await world(t, { engine })
    const tenant = await agent.createTenant()
    await tenant.signIn(browser())
    await claim(tenant, browser())
    const [ada] = linesOf((await tenant.manage('GET', EXPORT)).text)
    const valid = {
      subject: 'grace',
      email: 'grace@example.com',
      name: 'Grace\nHopper',
      metadata: { a: 1 },
    }
    const body = [
      rows({ ...ada, email: 'taken-over@example.com', blocked: true }, valid, valid),
      rows(
        { email: 'no-subject@example.com' },
        { ...valid, subject: '' },
        { ...valid, subject: 'x'.repeat(256) },
      ),
      rows(
        { ...valid, subject: 'a', issuer: 'https://evil.example' },
        { ...valid, subject: 'b', email: 'no address' },
      ),
      rows(
        { ...valid, subject: 'c', admin: true },
        { ...valid, subject: 'd', last_seen: '2999-01-01T00:00:00.000Z' },
      ),
      'not json\n{"subject":"e","email":"e@x.y","metadata":{"__proto__":{}}}\n\n',
      rows({ subject: 'f', email: 'f@example.com' }),
    ].join('')
    const { json } = await send(agent, tenant, body)
    const results: ImportResult[] = json.results
    assert.deepEqual(
      results.map(
        ({ line, result, user_id, problem }) =>
          `${line} ${result} ${user_id ?? problem?.split(':')[0]}`,
      ),
      [
        '1 exists 1',
        '2 created 2',
        '3 exists 2',
        '4 invalid subject',
        '5 invalid subject',
        '6 invalid subject',
        '7 invalid issuer',
        '8 invalid email',
        '9 invalid line',
        '10 invalid first_seen',
        '11 invalid The body is not valid JSON.',
        '12 invalid A field may not be called __proto__.',
        '13 invalid The body is not valid JSON.',
        '14 created 3',
      ],
    )
    assert.deepEqual([json.created, json.existing, json.failed], [2, 2, 10])
    assert.deepEqual(
      (await tenant.users()).map(({ email, name }) => `${email} ${name}`),
      ['ada@example.com Ada Lovelace', 'grace@example.com Grace Hopper', 'f@example.com null'],
    )
    assert.equal((await tenant.status()).usage.stored_users.used, 3)

    const scope =
      `account:${(await app.ctx.stores.tenants.find(tenant.id))?.owner?.accountId ?? 0}` as const
    const { storedUsers } = TIER_LIMITS.free
    await app.ctx.stores.counters.spend({ scope, window: 'users', start: 0 }, storedUsers - 4, null)
    const full = await send(
      agent,
      tenant,
      rows(...['g', 'h'].map((subject) => ({ subject, email: `${subject}@x.y` }))),
    )
    assert.deepEqual(
      full.json.results.map(({ result }: ImportResult) => result),
      ['created', 'user_limit'],
    )
    clock.advance({ minutes: 1 })
    assert.equal((await tenant.users()).length, 4)
  })
}

for (const engine of ENGINES) {
  const elsewhere = ENGINES.find((other) => other !== engine) ?? engine
  // proves C305
  test(`[${engine}] users of every provider leave and come back whole, into ${elsewhere} too`, {
    skip: slow,
  }, async (t) => {
    const here = await world(t, { engine })
    const owned = await ownedTenant(here)
    for (const name of OWNED) {
      await activateProvider(here, owned, name)
    }
    for (const name of EVERY_PROVIDER) {
      const visitor = here.browser()
      await visitor.open(`${here.baseUrl}/edge/auth/${owned.tenant.id}/${name}`)
      await pressAtProvider(visitor, 'Ada Lovelace')
      await visitor.press('Continue')
    }
    await owned.tenant.manage('PUT', '/api/social-login/users/2/claims', {
      claims: { role: 'admin', tags: ['a'] },
    })
    await owned.tenant.manage('PUT', '/api/social-login/users/3/metadata', {
      metadata: { plan: { name: 'pro' } },
    })
    await owned.tenant.manage('POST', '/api/social-login/users/4/block')
    const exported = (await owned.tenant.manage('GET', EXPORT)).text
    assert.equal(new Set(linesOf(exported).map(({ issuer }) => issuer)).size, EVERY_PROVIDER.length)

    const there = await world(t, { engine: elsewhere })
    there.clock.advance({ days: 1 })
    const other = await ownedTenant(there)
    const early = (await send(there.agent, other.tenant, rows(...linesOf(exported).slice(-1)))).json
    assert.match(
      early.results[0].problem,
      /no provider with this issuer/,
      'the provider comes first',
    )
    for (const name of OWNED) {
      await activateProvider(there, other, name)
    }
    const { results } = (await send(there.agent, other.tenant, exported)).json
    assert.deepEqual(
      results.map(({ result, warning = '' }: ImportResult) => `${result} ${warning.split(' ')[0]}`),
      EVERY_PROVIDER.map((name) => `created ${WARNED[name] ?? ''}`),
    )
    assert.equal((await other.tenant.manage('GET', EXPORT)).text, exported)
    const visitor = there.browser()
    await visitor.open(`${there.baseUrl}/edge/auth/${other.tenant.id}/github`)
    await pressAtProvider(visitor, 'Ada Lovelace')
    await visitor.press('Continue')
    assert.equal(
      (await other.tenant.users()).length,
      EVERY_PROVIDER.length,
      'the sign-in finds the imported user',
    )
  })
}

test('2,000 users of four providers leave and come back whole', { skip: slow }, async (t) => {
  const { agent, browser } = await world(t)
  const [tenant, other] = [await agent.createTenant(), await agent.createTenant()]
  await claim(tenant, browser())
  await claim(other, browser())
  const issuers = [
    undefined,
    'https://github.com',
    'https://appleid.apple.com',
    'https://login.microsoftonline.com/9188040d-6c67-4c5b-b112-36a304b66dad/v2.0',
  ]
  const user = (at: number) => ({
    ...{
      issuer: issuers[at % 4],
      subject: `s${at}`,
      email: `u${at}@example.com`,
      name: `User ${at}`,
    },
    ...{ blocked: at % 7 === 0, first_seen: '2020-01-01T00:00:00.000Z', metadata: { at } },
    claims: at % 5 === 0 ? { role: 'admin' } : {},
  })
  const lines = Array.from({ length: 2_000 }, (_, at) => user(at))
  for (const from of [0, 1_000]) {
    await send(agent, tenant, rows(...lines.slice(from, from + 1_000)))
  }
  const exported = (await tenant.manage('GET', EXPORT)).text
  for (const from of [0, 1_000]) {
    const part = rows(...linesOf(exported).slice(from, from + 1_000))
    assert.equal((await send(agent, other, part)).json.created, 1_000)
  }
  assert.equal((await other.manage('GET', EXPORT)).text, exported)
})

// proves S048
test('an import takes over no account: a sign-in finds its user by subject, whatever address was imported', async (t) => {
  const { agent, browser } = await world(t)
  const tenant = await agent.createTenant()
  await claim(tenant, browser())
  const planted = {
    subject: 'of-an-attacker',
    email: 'ada@example.com',
    name: 'Ada Lovelace',
    metadata: { admin: true },
  }
  assert.equal((await send(agent, tenant, rows(planted))).json.created, 1)
  const { access_token } = await tenant.signIn(browser())
  const { json } = await tenant.edge('verify', { access_token })
  assert.equal(json.user.id, 2, 'Ada is a new user, not the imported one with her address')
  const { users } = (
    await tenant.manage('GET', '/api/social-login/users?email=ada@example.com&include=metadata')
  ).json
  assert.deepEqual(
    users.map(({ id, metadata }: { id: number; metadata: object }) => [id, metadata]),
    [
      [1, { admin: true }],
      [2, {}],
    ],
  )
})

// proves C327
test('an import of a guest, of too many lines or bytes, of another media type or of nothing is rejected and stores no one', {
  skip: slow,
}, async (t) => {
  const { agent, browser } = await world(t)
  const tenant = await agent.createTenant()
  const user = rows({ subject: 's', email: 's@example.com' })
  assertApiError(await send(agent, tenant, user), 'importRequiresClaim')
  await claim(tenant, browser())
  const many = (count: number): string =>
    rows(
      ...Array.from({ length: count }, (_, at) => ({
        subject: `s${at}`,
        email: `s${at}@example.com`,
      })),
    )
  assertApiError(await send(agent, tenant, many(IMPORT_MAX_ROWS + 1)), 'invalidRequest')
  assertApiError(
    await send(agent, tenant, `${user.trim()}${' '.repeat(IMPORT_MAX_BYTES)}\n`),
    'bodyTooLarge',
  )
  assertApiError(await send(agent, tenant, user, 'application/json'), 'unsupportedMediaType')
  assertApiError(await send(agent, tenant, ' \n'), 'invalidRequest')
  assertApiError(await agent.call('POST', IMPORT, { key: tenant.key }), 'invalidRequest')
  assertApiError(await tenant.manage('GET', `${EXPORT}?format=xml`), 'invalidRequest')
  assert.deepEqual(await tenant.users(), [])
  const all = await send(agent, tenant, many(IMPORT_MAX_ROWS))
  assert.deepEqual([all.json.created, all.json.failed], [IMPORT_MAX_ROWS, 0])
  const exported = await tenant.manage('GET', EXPORT)
  assert.equal(linesOf(exported.text).length, IMPORT_MAX_ROWS)
})
