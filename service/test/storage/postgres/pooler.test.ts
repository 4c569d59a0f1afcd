import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import { UnusableDatabase } from '../../../src/storage/database-errors.ts'
import {
  asAdmin,
  emptyPostgres,
  freshPostgres,
  sqliteOnly,
} from '../../support/postgres/engines.ts'
import {
  NOW,
  openTestStorage,
  raw,
  refreshOf,
  rotation,
  signInUser,
  vacuumsOf,
} from '../../support/postgres/storage.ts'
import { waitUntil } from '../../support/process/wait-until.ts'
import { pgBouncer, startPgBouncer } from '../../support/proxies/pgbouncer.ts'
import { slow } from '../../support/tags.ts'

/** A fresh database, and its URL for a new superuser, whose settings a test may change. */
async function withOwnRole(role: string): Promise<string> {
  const url = new URL(await freshPostgres())
  url.username = `${role}_${url.pathname.slice(-8)}`
  await asAdmin((admin) => admin.query(`create role ${url.username} login superuser`))
  return url.href
}

const pooledLocation = async (t: TestContext, direct: string, settings?: readonly string[]) => ({
  engine: 'postgres' as const,
  url: (await startPgBouncer(t, direct, settings)).urlOf(direct),
  directUrl: direct,
})

const tablesOf = async (url: string): Promise<number> =>
  (await raw({ engine: 'postgres', url }, `select from pg_tables where schemaname = 'public'`))
    .length

const aboutTimeouts = (warnings: readonly string[]): string[] =>
  warnings.filter((text) => text.includes('alter role'))

describe('poolers', { skip: sqliteOnly || (typeof pgBouncer === 'string' && pgBouncer) }, () => {
  test('through PgBouncer in transaction mode everything works with one server connection', {
    skip: slow,
  }, async (t) => {
    const direct = await withOwnRole('transaction')
    const database = await pooledLocation(t, direct, [
      'pool_mode=transaction',
      'max_prepared_statements=500',
      'default_pool_size=1',
    ])
    const one = await openTestStorage(t, 'postgres', { database })
    const two = await openTestStorage(t, 'postgres', { database })
    await Promise.all([one.storage.follow(), two.storage.follow()])
    const { resource, session } = await signInUser(one.stores)
    const refresh = await refreshOf(one.stores, resource, rotation(session, NOW + 1))
    const results = await Promise.all(
      [one, two, one, two].map(({ stores }) => stores.refresh(refresh)),
    )
    assert.equal(
      results.filter(({ outcome }) => outcome === 'refreshed').length,
      1,
      'one of four at once wins',
    )
    for (const { revocations } of [one, two]) {
      await waitUntil('both receive the revocation', () =>
        revocations().some(({ kind }) => kind === 'session'),
      )
    }
    await one.stores.eraseDeleted()
    await waitUntil(
      'the tables are vacuumed',
      async () => (await vacuumsOf({ engine: 'postgres', url: direct }, 'users')) === 1,
    )
    await one.stores.ping()
    assert.deepEqual(
      one.warnings.filter((text) => text.includes('vacuum')),
      [],
    )
  })

  test('a role without time limits gets one warning with the SQL that sets them, and then none', async (t) => {
    const direct = await withOwnRole('slow')
    const role = new URL(direct).username
    const unlimited = await openTestStorage(t, 'postgres', {
      database: await pooledLocation(t, direct),
    })
    const [warning = '', ...more] = aboutTimeouts(unlimited.warnings)
    assert.deepEqual(more, [])
    const sql = warning.slice(warning.indexOf('alter role'))
    assert.equal(
      sql,
      `alter role ${role} set statement_timeout = '5s'; alter role ${role} set idle_in_transaction_session_timeout = '10s'`,
    )
    await raw({ engine: 'postgres', url: direct }, sql)
    const limited = await openTestStorage(t, 'postgres', {
      database: await pooledLocation(t, direct),
    })
    assert.deepEqual(aboutTimeouts(limited.warnings), [])
    const own = await openTestStorage(t, 'postgres')
    assert.deepEqual(own.warnings, [], 'without a pooler the service sets them itself')
  })

  test('a pooler that leads to another database is refused, and nothing is created', async (t) => {
    const [direct, other] = [await emptyPostgres(), await freshPostgres()]
    const pooler = await startPgBouncer(t, other)
    const database = { engine: 'postgres' as const, url: pooler.urlOf(other), directUrl: direct }
    await assert.rejects(openTestStorage(t, 'postgres', { database }), (error: Error) => {
      assert.ok(error instanceof UnusableDatabase)
      assert.match(
        error.message,
        /^DATABASE_URL leads to the schema test_\w+\.public, and DATABASE_URL_DIRECT to test_/,
      )
      return true
    })
    assert.equal(await tablesOf(direct), 0)
  })

  // proves C372
  test('a pooler in transaction mode as the only URL is refused with the setting that is missing, and nothing is created', {
    skip: slow,
  }, async (t) => {
    const direct = await emptyPostgres()
    const pooler = await startPgBouncer(t, direct)
    const database = { engine: 'postgres' as const, url: pooler.urlOf(direct) }
    await assert.rejects(
      openTestStorage(t, 'postgres', { database }),
      /it is a pooler .*; set DATABASE_URL_DIRECT to the URL of the server itself/,
    )
    assert.equal(await tablesOf(direct), 0)
  })

  // proves C372
  test('a pooler without prepared statements, as PgBouncer before 1.21, is refused by the first instance', {
    skip: slow,
  }, async (t) => {
    const direct = await emptyPostgres()
    const database = await pooledLocation(t, direct, [
      'pool_mode=transaction',
      'max_prepared_statements=0',
    ])
    await assert.rejects(openTestStorage(t, 'postgres', { database }), (error: Error) => {
      assert.ok(error instanceof UnusableDatabase)
      assert.match(
        error.message,
        /^the pooler of DATABASE_URL .* older than 1\.21.*max_prepared_statements=500/,
      )
      return true
    })
    assert.equal(await tablesOf(direct), 0)
  })

  test('session mode needs no direct URL if the pooler ignores our timeouts', async (t) => {
    const direct = await withOwnRole('session')
    const pooler = await startPgBouncer(t, direct, [
      'pool_mode=session',
      'ignore_startup_parameters=statement_timeout,idle_in_transaction_session_timeout',
    ])
    const database = { engine: 'postgres' as const, url: pooler.urlOf(direct) }
    const { stores, storage, revocations, warnings } = await openTestStorage(t, 'postgres', {
      database,
    })
    await storage.follow()
    const { resource, session } = await signInUser(stores)
    await stores.sessions.end(resource, session.id, NOW + 1)
    await waitUntil('it receives revocations', () =>
      revocations().some(({ kind }) => kind === 'session'),
    )
    assert.equal(aboutTimeouts(warnings).length, 1, 'the ignored timeouts are noticed')
  })
})

test('synchronous_commit=off is warned of at the start', { skip: sqliteOnly }, async (t) => {
  const url = await freshPostgres()
  const database = { engine: 'postgres' as const, url }
  await raw(
    database,
    `alter database ${new URL(url).pathname.slice(1)} set synchronous_commit = off`,
  )
  const { warnings } = await openTestStorage(t, 'postgres', { database })
  assert.equal(warnings.length, 1)
  assert.match(
    warnings[0] ?? '',
    /^synchronous_commit is off in PostgreSQL: if the server crashes, it loses changes/,
  )
})
