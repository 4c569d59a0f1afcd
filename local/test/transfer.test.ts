import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { readFile, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { test } from 'node:test'
import { ENDPOINTS } from '@gatehouse-auth/contract'
import { claim } from '../../service/test/support/actors/claim.ts'
import { receiver } from '../../service/test/support/webhook-receiver.ts'
import { SOURCES } from '../src/cli/commands/transfer.ts'
import { createLocalFixture, writeTenantFile } from './support/machine.ts'

// proves C305
test('users export and import move all users from one project to another, and never overwrite a file', async (t) => {
  const { machine, agent, browser } = await createLocalFixture(t)
  const tenant = await agent.createTenant()
  await writeTenantFile(machine, tenant)
  await tenant.signIn(browser())
  await tenant.signIn(browser(), 'Grace Hopper')
  const file = path.join(machine.project, 'users.ndjson')
  const exported = await machine.run('users', 'export', file)
  assert.deepEqual([exported.code, exported.stdout], [0, ''])
  assert.match(exported.stderr, /personal data/)
  assert.equal((await stat(file)).mode & 0o777, 0o600)
  const text = await readFile(file, 'utf8')
  assert.equal((await machine.run('users', 'export')).stdout, text)
  assert.match((await machine.run('users', 'export', '--format', 'csv')).stdout, /^id,email,/)
  assert.equal((await machine.run('users', 'export', file)).code, 1, 'there is a file already')
  assert.equal(await readFile(file, 'utf8'), text)

  const other = await agent.createTenant()
  await writeTenantFile(machine, other)
  await machine.expectProblem(1, 'importRequiresClaim', 'users', 'import', file)
  await claim(other, browser())
  const imported = await machine.run('users', 'import', file)
  assert.deepEqual([imported.code, imported.stdout], [0, ''])
  assert.match(imported.stderr, /2 created, 0 existing, 0 failed, 0 skipped/)
  assert.equal((await machine.run('users', 'export')).stdout, text)

  const lines = text.trim().split('\n')
  await writeFile(
    file,
    [lines[0], '', '{"subject":"x"}', '{"subject":"y","email":"y@example.com"}'].join('\n'),
  )
  const mixed = await machine.run('users', 'import', file)
  assert.equal(mixed.code, 1)
  assert.match(mixed.stdout, /^3: invalid: email/, 'the line of the file')
  assert.match(mixed.stderr, /1 created, 1 existing, 1 failed/)
  for (const args of [
    ['import'],
    ['import', 'none.json'],
    ['import', file, '--from', 'okta'],
    ['export', '--format', 'x'],
  ]) {
    assert.equal((await machine.run('users', ...args)).code, 2, args.join(' '))
  }
})

// Shortened from what each service documents. Clerk: the JSON of `GET /v1/users` (packages/backend/src/api/resources/JSON.ts
// of clerk/javascript). Auth0: a user per line (auth0.com/docs/manage-users/user-migration/bulk-user-exports, JSON). Supabase:
// `GET /auth/v1/admin/users` (supabase.com/docs/guides/auth/identities). Firebase: `firebase auth:export users.json`
// (src/accountExporter.ts of firebase-tools). better-auth: the tables `user` and `account`
// (better-auth.com/docs/concepts/database). Read in November 2026.
const SAMPLES: Readonly<Record<string, string>> = {
  clerk: JSON.stringify([
    {
      ...{
        id: 'user_1',
        object: 'user',
        first_name: 'Ada',
        last_name: 'Lovelace',
        image_url: 'https://img.example/a',
      },
      ...{
        primary_email_address_id: 'idn_1',
        banned: false,
        created_at: 1_700_000_000_000,
        last_sign_in_at: null,
      },
      email_addresses: [
        {
          id: 'idn_1',
          email_address: 'ada@example.com',
          verification: { status: 'verified', strategy: 'from_oauth_google' },
        },
      ],
      external_accounts: [
        { object: 'external_account', provider: 'oauth_google', provider_user_id: 'g-1' },
      ],
    },
    {
      ...{
        id: 'user_2',
        first_name: null,
        last_name: null,
        primary_email_address_id: 'idn_2',
        banned: true,
      },
      email_addresses: [
        { id: 'idn_2', email_address: 'grace@example.com', verification: { status: 'verified' } },
      ],
      external_accounts: [{ provider: 'oauth_github', provider_user_id: '42' }],
      created_at: 1_700_000_000_000,
    },
    { id: 'user_3', email_addresses: [], external_accounts: [] },
  ]),
  auth0: [
    {
      ...{
        user_id: 'google-oauth2|g-1',
        email: 'ada@example.com',
        email_verified: true,
        name: 'Ada Lovelace',
      },
      ...{ picture: 'https://img.example/a', created_at: '2023-11-14T22:13:20.000Z' },
      identities: [
        { provider: 'google-oauth2', user_id: 'g-1', connection: 'google-oauth2', isSocial: true },
      ],
    },
    {
      ...{
        user_id: 'github|42',
        email: 'grace@example.com',
        email_verified: true,
        blocked: true,
        name: '',
      },
      ...{
        created_at: '2023-11-14T22:13:20.000Z',
        identities: [{ provider: 'github', user_id: 42, isSocial: true }],
      },
    },
    {
      user_id: 'auth0|5f7c',
      email: 'p@example.com',
      email_verified: true,
      identities: [{ provider: 'auth0', user_id: '5f7c' }],
    },
  ]
    .map((user) => JSON.stringify(user))
    .join('\n'),
  supabase: JSON.stringify({
    users: [
      {
        ...{ id: '0b1c', email: 'ada@example.com', email_confirmed_at: '2023-11-14T22:13:20Z' },
        ...{ created_at: '2023-11-14T22:13:20Z', last_sign_in_at: '2023-11-14T22:13:20Z' },
        user_metadata: { full_name: 'Ada Lovelace', avatar_url: 'https://img.example/a' },
        identities: [
          {
            provider: 'google',
            provider_id: 'g-1',
            identity_data: { sub: 'g-1' },
            user_id: '0b1c',
          },
        ],
      },
      {
        ...{ id: '0b1d', email: 'grace@example.com', email_confirmed_at: '2023-11-14T22:13:20Z' },
        ...{ created_at: '2023-11-14T22:13:20Z', banned_until: '2099-01-01T00:00:00Z' },
        identities: [
          { provider: 'email', identity_data: { sub: '0b1d' } },
          { provider: 'github', identity_data: { sub: '42' } },
        ],
      },
      {
        id: '0b1e',
        email: 'p@example.com',
        identities: [{ provider: 'google', provider_id: 'g-3' }],
      },
    ],
  }),
  firebase: JSON.stringify({
    users: [
      {
        ...{
          localId: 'f1',
          email: 'ada@example.com',
          emailVerified: true,
          displayName: 'Ada Lovelace',
        },
        ...{
          photoUrl: 'https://img.example/a',
          createdAt: '1700000000000',
          lastSignedInAt: '1700000000000',
        },
        providerUserInfo: [{ providerId: 'google.com', rawId: 'g-1', email: 'ada@example.com' }],
      },
      {
        ...{
          localId: 'f2',
          email: 'grace@example.com',
          emailVerified: true,
          disabled: true,
          createdAt: '1700000000000',
        },
        providerUserInfo: [{ providerId: 'github.com', rawId: '42' }],
      },
      { localId: 'f3', email: 'p@example.com', passwordHash: 'x', salt: 'y', providerUserInfo: [] },
    ],
  }),
  'better-auth': JSON.stringify({
    user: [
      {
        ...{ id: 'b1', name: 'Ada Lovelace', email: 'ada@example.com', emailVerified: true },
        ...{ image: 'https://img.example/a', createdAt: '2023-11-14T22:13:20.000Z' },
      },
      {
        id: 'b2',
        name: '',
        email: 'grace@example.com',
        emailVerified: 1,
        banned: 1,
        createdAt: '2023-11-14T22:13:20.000Z',
      },
      { id: 'b3', name: 'P', email: 'p@example.com', emailVerified: false },
    ],
    account: [
      { userId: 'b1', providerId: 'google', accountId: 'g-1' },
      { userId: 'b2', providerId: 'github', accountId: '42' },
      { userId: 'b3', providerId: 'credential', accountId: 'b3' },
    ],
  }),
}

test('users import blocks no user whose ban is over, and every user whose ban is permanent', () => {
  const [past, future] = ['2021-01-01T00:00:00Z', '2099-01-01T00:00:00Z']
  const times = (until: string): (string | number)[] => [
    until,
    Date.parse(until),
    Date.parse(until) / 1_000,
  ]
  for (const [service, user, isBlocked] of [
    ['supabase', { banned_until: past }, false],
    ['supabase', { banned_until: future }, true],
    ['supabase', { banned_until: 'infinity' }, true],
    ['supabase', { banned_until: null }, false],
    ...times(past).map(
      (banExpires) => ['better-auth', { banned: true, banExpires }, false] as const,
    ),
    ...times(future).map((banExpires) => ['better-auth', { banned: 1, banExpires }, true] as const),
    ['better-auth', { banned: 1, banExpires: null }, true],
    ['better-auth', { banned: 0, banExpires: future }, false],
  ] as const) {
    assert.equal(SOURCES[service]?.isBlocked(user), isBlocked, `${service} ${JSON.stringify(user)}`)
  }
})

for (const [service, sample] of Object.entries(SAMPLES)) {
  test(`users import --from ${service} takes the users that a provider names, and says why it skips another`, async (t) => {
    const { machine, agent, browser } = await createLocalFixture(t)
    const tenant = await agent.createTenant()
    await claim(tenant, browser())
    await writeTenantFile(machine, tenant)
    const file = path.join(machine.project, 'theirs.json')
    await writeFile(file, sample)
    const imported = await machine.run('users', 'import', file, '--from', service)
    assert.equal(imported.code, 1, 'one is skipped')
    assert.match(imported.stderr, /2 created, 0 existing, 0 failed, 1 skipped/)
    assert.match(
      imported.stdout,
      /^3: skipped: (no Google, GitHub or Apple identity|no verified email)/,
    )
    const exported = (await tenant.manage('GET', '/api/social-login/export')).text
      .trim()
      .split('\n')
    const [ada, grace] = exported.map((line) => JSON.parse(line))
    const { issuer: google } = ada
    assert.deepEqual(
      [ada.subject, ada.email, ada.name, ada.picture],
      ['g-1', 'ada@example.com', 'Ada Lovelace', 'https://img.example/a'],
    )
    assert.match(google, /^http.*\/dev\/|accounts\.google\.com/)
    assert.deepEqual([ada.first_seen, ada.blocked], ['2023-11-14T22:13:20.000Z', false])
    assert.ok(ada.metadata[`${service}_id`], 'the rows of the app have their id')
    assert.deepEqual(
      [grace.issuer, grace.subject, grace.blocked, grace.name],
      ['https://github.com', '42', true, null],
    )
    assert.match(
      (await machine.run('users', 'import', file, '--from', service)).stderr,
      /0 created, 2 existing/,
    )
    await writeFile(file, 'id,email\n1,ada@example.com')
    assert.equal((await machine.run('users', 'import', file, '--from', service)).code, 2)
  })
}

test('users shows sessions and your own fields, and signs a user out', async (t) => {
  const { machine, agent, browser } = await createLocalFixture(t)
  const tenant = await agent.createTenant()
  await writeTenantFile(machine, tenant)
  const pair = await tenant.signIn(browser())
  assert.match((await machine.run('users', 'show', '1')).stdout, /^#1 {2}ada@example\.com/)
  assert.match((await machine.run('users', 'sessions', '1')).stdout, /^#1 {2}since 2\d{3}-/)
  assert.equal(
    (await machine.run('users', 'metadata', '1', '{"plan":"pro"}')).stdout,
    '{"plan":"pro"}\n',
  )
  assert.equal((await machine.run('users', 'metadata', '1')).stdout, '{"plan":"pro"}\n')
  assert.equal((await machine.run('users', 'end-session', '1')).stdout, 'Ended the session.\n')
  assert.equal(await tenant.isValid(pair.access_token), false)
  await tenant.signIn(browser())
  assert.equal((await machine.run('users', 'end-sessions', '1')).stdout, 'Ended 1 sessions.\n')
  assert.match((await machine.run('users', 'sessions', '1')).stderr, /No sessions/)
})

test('webhooks shows what an endpoint gets and its deliveries, changes it and sends events again; refusals names fixes', async (t) => {
  const { machine, agent, browser, app } = await createLocalFixture(t)
  const tenant = await agent.createTenant()
  await writeTenantFile(machine, tenant)
  const app1 = await receiver(t)
  const added = await machine.run('webhooks', 'add', app1.url, '--json')
  const { id } = added.json[0] ?? {}
  const types = ['social_login.authorize', 'user.created']
  await machine.run('webhooks', 'events', String(id), ...types)
  assert.match(
    (await machine.run('webhooks', 'show', String(id))).stdout,
    /\n {2}social_login\.authorize user\.created\n/,
  )
  await tenant.signIn(browser())
  await app.deliver()
  const log = (await machine.run('webhooks', 'deliveries', String(id))).stdout
  assert.match(
    log,
    /social_login\.authorize #2 {2}attempt 1 {2}200\n.*user\.created {2}attempt 1 {2}200\n/,
  )
  assert.equal((await machine.run('webhooks', 'replay', String(id), '0')).code, 0)
  await app.deliver()
  assert.equal(app1.received.length, 3)
  for (const args of [
    ['replay', String(id)],
    ['replay', String(id), 'x'],
    ['events', String(id)],
    ['show', String(id), 'x'],
  ]) {
    assert.equal((await machine.run('webhooks', ...args)).code, 2, args.join(' '))
  }

  assert.match((await machine.run('refusals')).stderr, /No refused sign-ins/)
  await browser().open(
    `${tenant.loginUrl}?redirect_uri=${encodeURIComponent('https://other.example.com/')}`,
  )
  await app.flush()
  const refused = await machine.run('refusals')
  assert.match(refused.stdout, /^1× {2}\w+ {2}.+\n {5}\S/)
})

/** What this command does not reach, and why. */
const EXCEPTIONS: Readonly<Record<string, string>> = {
  provisionResources: 'provision does the same for the only resource',
  removeSocialLogin: 'deletes all users: by the owner, in the console',
  deleteUserClaims: 'users set-claims <id> {}',
  describeDiscountReport: 'for agents, with the words of their user',
  reportForDiscount: 'for agents, with the words of their user',
  createTestSession: 'for tests of apps',
  setTestStatus: 'for tests of apps',
  deleteUsers: 'for tests of apps',
}

test('every endpoint of the management API can be reached by a command, except for those named here', () => {
  const sources = globSync('local/src/api/*.ts').map((file) => readFileSync(file, 'utf8'))
  const isReached = (id: string) => sources.some((text) => new RegExp(`\\b${id}\\b`).test(text))
  const managed = ENDPOINTS.filter(
    ({ auth, method, path: at }) =>
      at.startsWith('/api/') &&
      (auth === 'management' || `${method} ${at}` === 'GET /api/feedback'),
  )
  assert.ok(managed.length > 50)
  assert.deepEqual(
    managed
      .map(({ id }) => id)
      .filter((id) => !isReached(id))
      .sort(),
    Object.keys(EXCEPTIONS).sort(),
  )
})
