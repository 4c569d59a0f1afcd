import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { test } from 'node:test'
import { freshFolder } from '../support/engines.ts'
import { raw } from '../support/storage.ts'
import { type World, world } from '../support/world.ts'

const TABLES = ['resources', 'users', 'sessions', 'events', 'notices', 'tenants', 'counters'] as const

/** How many rows each table has, in each of the two databases. */
async function rowsIn({ config }: World): Promise<Record<'sqlite' | 'postgres', Record<string, number>>> {
  const count = async (home: Parameters<typeof raw>[0]): Promise<Record<string, number>> => {
    const counts = TABLES.map((table) => `(select count(*) from ${table}) as ${table}`)
    const [row = {}] = await raw(home, `select ${counts.join(', ')}`)
    return Object.fromEntries(TABLES.map((table) => [table, Number(row[table])]))
  }
  return {
    sqlite: await count({ engine: 'sqlite', file: path.join(config.dataDir, 'gatehouse.db') }),
    postgres: await count({ engine: 'postgres', url: config.databaseUrl ?? '' }),
  }
}

test('a tenant stays on the engine it was born on, whatever RUNTIME_PROFILE says later', async (t) => {
  const older = await world(t, { engine: 'postgres', env: { RUNTIME_PROFILE: 'v1-1' } })
  const old = await older.agent.createTenant()
  assert.equal(old.made.runtime_profile, 'v1-1')
  const first = await old.signIn(older.browser())
  older.clock.advance({ minutes: 1 })
  const pair = await old.refresh(first.refresh_token)
  const born = await rowsIn(older)
  assert.deepEqual(
    { ...born.sqlite, notices: 0 },
    { resources: 1, users: 1, sessions: 1, events: 3, notices: 0, tenants: 0, counters: 0 },
    'what people did is in SQLite',
  )
  assert.equal(born.postgres.tenants, 1)
  assert.deepEqual(
    [born.postgres.resources, born.postgres.users, born.postgres.sessions, born.postgres.events],
    [0, 0, 0, 0],
  )
  await older.stop()

  const newer = await world(t, { like: older, env: { RUNTIME_PROFILE: 'v1-2' } })
  assert.deepEqual(await rowsIn(newer), born, 'a change of the setting moves nothing')
  const same = old.at(newer.agent)
  assert.equal(await same.isValid(pair.access_token), true)
  assert.equal(await same.isValid(first.access_token), false, 'its revocations were loaded too')

  const young = await newer.agent.createTenant()
  const theirs = await young.signIn(newer.browser())
  assert.equal((await same.status()).runtime_profile, 'v1-1')
  assert.equal((await young.status()).runtime_profile, 'v1-2')
  assert.ok(young.made.credentials_file.content.includes('runtime_profile=v1-2'))
  const beside = await rowsIn(newer)
  assert.deepEqual(beside.sqlite, born.sqlite)
  assert.deepEqual([beside.postgres.users, beside.postgres.sessions, beside.postgres.events], [1, 1, 2])

  // Both sessions are the first of their database. What ends one must not end the other.
  await young.edge('logout', { refresh_token: theirs.refresh_token })
  assert.equal(await young.isValid(theirs.access_token), false)
  assert.equal(await same.isValid(pair.access_token), true)
  newer.clock.advance({ minutes: 1 })
  const next = await same.refresh(pair.refresh_token)
  assert.deepEqual(await same.eventKinds(), ['login_started', 'authorize', 'token_refreshed', 'token_refreshed'])
  assert.deepEqual(await young.eventKinds(), ['login_started', 'authorize', 'logout'])

  assert.equal((await same.manage('DELETE', '/api/resources/social-login')).status, 200)
  const gone = await rowsIn(newer)
  assert.deepEqual([gone.sqlite.resources, gone.sqlite.users, gone.sqlite.sessions, gone.sqlite.events], [0, 0, 0, 0])
  assert.deepEqual([gone.postgres.users, gone.postgres.events], [1, 3])
  assert.notEqual((await same.edge('verify', { access_token: next.access_token })).json.valid, true)
  await same.provision(['https://app.example.com/callback'])
  assert.equal((await same.status()).runtime_profile, 'v1-1', 'for life')
})

test('without a setting new tenants are born on the newest profile of the home engine', async (t) => {
  for (const [engine, profile] of [
    ['sqlite', 'v1-1'],
    ['postgres', 'v1-2'],
  ] as const) {
    const { agent, app } = await world(t, { engine })
    const tenant = await agent.createTenant()
    assert.equal((await tenant.status()).runtime_profile, profile)
    assert.deepEqual(app.storage.engines, { home: engine, profiles: [profile] }, 'nothing else is opened')
  }
})

test('a tenant whose engine is not attached is out of reach for now, and the others are not', async (t) => {
  const older = await world(t, { engine: 'postgres', env: { RUNTIME_PROFILE: 'v1-1' } })
  const old = await older.agent.createTenant()
  const { refresh_token, access_token } = await old.signIn(older.browser())
  await older.stop()

  const { SERVICE_KEYS, DATA_DIR } = await withoutItsFolder(older)
  const elsewhere = await world(t, { like: older, env: { RUNTIME_PROFILE: 'v1-2', SERVICE_KEYS, DATA_DIR } })
  const same = old.at(elsewhere.agent)
  assert.equal(await same.isValid(access_token), true)
  for (const answer of [
    await same.edge('refresh', { refresh_token }),
    await same.manage('GET', '/api/social-login/users'),
  ]) {
    assert.deepEqual([answer.status, answer.json.error.code], [503, 'temporarilyUnavailable'])
  }
  const young = await elsewhere.agent.createTenant()
  await young.signIn(elsewhere.browser())
  await elsewhere.stop()

  const back = await world(t, { like: older })
  back.clock.advance({ minutes: 1 })
  await old.at(back.agent).refresh(refresh_token)
})

/** The settings of a machine that has the keys but not the SQLite file. */
async function withoutItsFolder({ config }: World): Promise<{ SERVICE_KEYS: string; DATA_DIR: string }> {
  const { keys } = JSON.parse(await readFile(path.join(config.dataDir, 'keys.json'), 'utf8'))
  const SERVICE_KEYS = keys.map(({ kid, secret }: { kid: number; secret: string }) => `${kid}:${secret}`).join(',')
  return { SERVICE_KEYS, DATA_DIR: await freshFolder() }
}
