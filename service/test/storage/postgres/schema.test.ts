import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { UnusableDatabase } from '../../../src/storage/database-errors.ts'
import { asAdmin, emptyPostgres, sqliteOnly } from '../../support/postgres/engines.ts'
import { guest, openTestStorage, raw } from '../../support/postgres/storage.ts'
import { waitUntil } from '../../support/process/wait-until.ts'
import { slow } from '../../support/tags.ts'

/** A location in `url`'s database for a new role without any right but to connect. */
async function asPlainRole(
  url: string,
  role: string,
): Promise<{ engine: 'postgres'; url: string }> {
  const name = `${role}_${new URL(url).pathname.slice(-8)}`
  await asAdmin((admin) => admin.query(`create role ${name} login`))
  const own = new URL(url)
  own.username = name
  return { engine: 'postgres', url: own.href }
}

const roleOf = ({ url }: { url: string }): string => new URL(url).username

/** The two lines of docs/operating.md, in the database of the role. */
async function createOwnSchema(
  admin: { engine: 'postgres'; url: string },
  role: string,
): Promise<void> {
  await raw(admin, `create schema ${role} authorization ${role}`)
  await raw(admin, `alter role ${role} set search_path = ${role}`)
}

const tablesIn = async (
  admin: { engine: 'postgres'; url: string },
  schema: string,
): Promise<number> =>
  (await raw(admin, `select from pg_tables where schemaname = '${schema}'`)).length

describe('schemas in PostgreSQL', { skip: sqliteOnly }, () => {
  test('two installations share a database, each in its own schema and with a plain role', {
    skip: slow,
  }, async (t) => {
    const admin = { engine: 'postgres', url: await emptyPostgres() } as const
    // Of another program, visible to both roles.
    await raw(admin, 'create table public.migrations (id int primary key, migration text)')
    await raw(admin, 'grant all on public.migrations to public')
    const [first, second] = [
      await asPlainRole(admin.url, 'one'),
      await asPlainRole(admin.url, 'two'),
    ]
    for (const location of [first, second]) {
      await createOwnSchema(admin, roleOf(location))
    }

    const one = await openTestStorage(t, 'postgres', { database: first })
    const sibling = await openTestStorage(t, 'postgres', { database: first })
    const two = await openTestStorage(t, 'postgres', { database: second })
    for (const { storage } of [one, sibling, two]) {
      await storage.follow()
    }

    await one.stores.transaction((open) => open.tenants.create(guest('one-two', one.profile), []))
    assert.equal(await two.stores.tenants.find('one-two'), null)
    await two.stores.tenants.create(guest('one-two', two.profile), [])

    await one.stores.transaction(async (open) => {
      const resource = await open.resources.provision('one-two', [], 1)
      await open.events.append(resource, 1, {
        event: 'login_started',
        userId: null,
        email: null,
        redirectUri: null,
        returnTo: null,
        metadata: {},
        createdAt: 1,
      })
    })
    await waitUntil('the other instance of the installation is notified', () =>
      sibling.published.some(({ changedTenants }) => changedTenants.includes('one-two')),
    )
    assert.deepEqual(two.published, [], 'the other installation is not')

    const ownTables = await tablesIn(admin, roleOf(first))
    assert.ok(ownTables > 20)
    assert.equal(await tablesIn(admin, roleOf(second)), ownTables)
    assert.equal(await tablesIn(admin, 'public'), 1)
    assert.deepEqual(await raw(admin, 'select * from public.migrations'), [])
  })

  test('a role that may create nothing gets the SQL that helps, and then starts', {
    skip: slow,
  }, async (t) => {
    const admin = { engine: 'postgres', url: await emptyPostgres() } as const
    const location = await asPlainRole(admin.url, 'plain')
    const role = roleOf(location)
    const error = await openTestStorage(t, 'postgres', { database: location }).catch(
      (error: unknown) => error,
    )
    assert.ok(error instanceof UnusableDatabase)
    const [, statements = ''] =
      /^this role may not create tables in the schema public\. .*database: (.*)$/.exec(
        error.message,
      ) ?? []
    assert.equal(
      statements,
      `create schema ${role} authorization ${role}; alter role ${role} set search_path = ${role}`,
    )
    assert.equal(await tablesIn(admin, 'public'), 0)

    await raw(admin, statements)
    const first = await openTestStorage(t, 'postgres', { database: location })
    await first.close()
    // The rights of a migrated installation may be reduced.
    await raw(admin, `revoke create on schema ${role} from ${role}`)
    const { stores, profile } = await openTestStorage(t, 'postgres', { database: location })
    await stores.tenants.create(guest('one-two', profile), [])
  })

  test('a search_path without a usable schema is named, with the SQL that helps', async (t) => {
    const admin = { engine: 'postgres', url: await emptyPostgres() } as const
    const location = await asPlainRole(admin.url, 'lost')
    await raw(admin, `alter role ${roleOf(location)} set search_path = nowhere`)
    await assert.rejects(
      openTestStorage(t, 'postgres', { database: location }),
      /^Error: search_path names no usable schema: .* run in this database: create schema lost_\w+ authorization lost_/,
    )
  })

  for (const [what, statements, named] of [
    [
      'tables',
      ['create table users (id int)', 'create view sessions as select 1'],
      'sessions, users',
    ],
    [
      'an empty list of migrations',
      ['create table migrations (id int, migration text)'],
      'migrations',
    ],
    [
      'a list of migrations',
      [
        'create table migrations (id int, timestamp bigint, name text)',
        "insert into migrations values (1, 2, 'CreateUsers')",
      ],
      'migrations',
    ],
  ] as const) {
    // proves C372
    test(`a schema with ${what} of another program is refused with the way out, and nothing is created`, async (t) => {
      const admin = { engine: 'postgres', url: await emptyPostgres() } as const
      for (const statement of statements) {
        await raw(admin, statement)
      }
      const relations = () =>
        raw(admin, `select relname from pg_class where relnamespace = 'public'::regnamespace`)
      const before = await relations()
      const error = await openTestStorage(t, 'postgres', { database: admin }).catch(
        (error: unknown) => error,
      )
      assert.ok(error instanceof UnusableDatabase, String(error))
      assert.match(
        error.message,
        new RegExp(
          `^the schema public has ${named} of another program\\. .*run in this database: create schema `,
        ),
      )
      assert.deepEqual(await relations(), before)
    })
  }

  // proves C370
  test('a database with the extension of a distributed or multi-master engine is refused by name, and nothing is created', {
    skip: slow,
  }, async (t) => {
    const admin = { engine: 'postgres', url: await emptyPostgres() } as const
    for (const extension of ['bdr', 'citus', 'spock']) {
      // The server has none of them: an entry in the catalog looks like one that was installed.
      await raw(admin, `delete from pg_extension where oid = 99999`)
      await raw(
        admin,
        `insert into pg_extension (oid, extname, extowner, extnamespace, extrelocatable, extversion)
         values (99999, '${extension}', 10, 11, false, '1')`,
      )
      const error = await openTestStorage(t, 'postgres', { database: admin }).catch(
        (error: unknown) => error,
      )
      assert.ok(error instanceof UnusableDatabase, String(error))
      assert.match(
        error.message,
        new RegExp(`^${extension}: this is a distributed or multi-master engine`),
      )
    }
    assert.equal(await tablesIn(admin, 'public'), 0)
  })
})
