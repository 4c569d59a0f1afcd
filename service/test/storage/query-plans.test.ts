import assert from 'node:assert/strict'
import { DatabaseSync } from 'node:sqlite'
import { type TestContext, test } from 'node:test'
import { AUTH_EVENT_KINDS } from '@gatehouse/contract'
import { Client } from 'pg'
import { ENGINES } from '../support/engines.ts'
import { guest, NOW, newSession, type Opened, opened, person, rotation, signedIn } from '../support/storage.ts'
import { everythingOfOAuth } from './oauth-everything.ts'
import { everythingOwned } from './ownership-everything.ts'

/** All but those that stay small for ever. */
const TABLES = new Set([
  'accounts',
  'tenants',
  'tenant_keys',
  'edge_sessions',
  'login_attempts',
  'counters',
  'resources',
  'users',
  'sessions',
  'events',
  'notices',
  'account_sessions',
  'account_sign_ins',
  'claims',
  'request_records',
  'feedback',
  'day_tallies',
  'oauth_approvals',
  'oauth_grants',
  'oauth_codes',
  'oauth_access_tokens',
  'oauth_refresh_tokens',
  'idempotency_keys',
  'tenant_credentials',
])

for (const engine of ENGINES) {
  test(`[${engine}] no statement reads a whole table, whatever the table's size`, async (t) => {
    const statements = new Set<string>()
    record(t, statements)
    const storage = await opened(t, engine)
    statements.clear()
    await everything(storage)
    const own = [...statements].filter((sql) => /^(?:select|insert|update|delete) /.test(sql) && !/pg_notify/.test(sql))
    assert.ok(own.length > 40, `only ${own.length} statements were seen`)

    const scanned = engine === 'sqlite' ? scansOnSqlite(storage, own) : await scansOnPostgres(storage, own)
    assert.deepEqual(scanned, [])
  })
}

/** Every method of every store, so that every statement is seen. */
async function everything(opened: Opened): Promise<void> {
  const { storage, stores, social, profile } = opened
  const { resource, userId, session } = await signedIn(social)
  await storage.keyChecks.add('k1', 'check')
  await storage.keyChecks.list()
  await stores.ping()
  await stores.tenants.create(guest('one-two', profile), [{ kind: 'management', hash: 'hash' }])
  await stores.tenants.find('one-two')
  await stores.tenants.findByKey(['hash', 'other'], NOW)
  await stores.tenants.pause('one-two', 'stored_users', NOW)
  await stores.edgeSessions.add('hash', 'one-two', NOW)
  await stores.edgeSessions.find(['hash'], NOW)
  await stores.edgeSessions.sweep(NOW, 10)

  const counter = { scope: 'tenant:one-two', window: 'minute', start: NOW } as const
  await stores.counters.spend(counter, 1, null)
  await stores.counters.spend(counter, 1, 5)
  await stores.counters.release(counter, 1)
  await stores.counters.read([counter, { ...counter, window: 'month' }])
  await stores.counters.sweep(NOW, 10)
  await stores.counters.removeOf('tenant:one-two')

  const attempt = {
    id: 'attempt',
    tenantId: 'one-two',
    redirectUri: 'https://app.example.com/cb',
    returnTo: null,
    browserHash: 'browser',
    stage: 'started',
    profile: null,
    createdAt: NOW,
    expiresAt: NOW + 1,
  } as const
  await stores.attempts.add(attempt)
  await stores.attempts.find('attempt', NOW)
  await stores.attempts.findStarted(attempt, NOW)
  await stores.attempts.findStarted({ ...attempt, returnTo: '/x' }, NOW)
  await stores.attempts.take('attempt', NOW)
  await stores.attempts.identify('attempt', person('ada'), NOW)
  await stores.attempts.decide('attempt', NOW)
  await stores.attempts.removeOf('one-two')
  await stores.attempts.sweep(NOW, 10)

  await social.resources.findActive(resource.tenantId)
  await social.resources.holdActive(resource.tenantId)
  await social.users.findBySubject(resource, 'issuer', 'subject')
  await social.users.update(resource, userId, person('ada'), NOW)
  await social.users.touch(resource, userId, NOW)
  await social.users.find(resource, userId)
  await social.users.page(resource, 0, 10)
  await social.sessions.find(resource, session.id)
  await social.sessions.rotate(resource, rotation(session, NOW + 1))
  await social.sessions.end(resource, session.id, NOW)
  await social.sessions.sweep(NOW, 10)
  await social.sessions.start(resource, newSession(userId))
  for (const event of AUTH_EVENT_KINDS) {
    const nothing = { email: null, redirectUri: null, returnTo: null, metadata: {}, createdAt: NOW }
    await social.events.append(resource, { event, userId, ...nothing })
  }
  await social.events.page(resource, { after: 0, limit: 10 })
  await social.events.page(resource, { after: 0, limit: 10, userId })
  await social.events.page(resource, { after: 0, limit: 10, event: 'logout' })
  await social.events.page(resource, { after: 0, limit: 10, userId, event: 'logout' })
  await everythingOwned(opened, resource)
  await everythingOfOAuth(opened)
  await social.resources.markDeleted(resource.tenantId, NOW)
  await social.resources.listDeleting(10)
  while ((await social.resources.purge(resource.tenantId, resource.id, 100)).rows > 0);
  await stores.sweepNotices(NOW, 10)
  await storage.follow()
}

function record(t: TestContext, statements: Set<string>): void {
  const { prepare } = DatabaseSync.prototype
  t.mock.method(DatabaseSync.prototype, 'prepare', function (this: DatabaseSync, sql: string) {
    statements.add(sql)
    return prepare.call(this, sql)
  })
  const query = Client.prototype.query as (this: Client, ...args: unknown[]) => unknown
  t.mock.method(Client.prototype, 'query', function (this: Client, ...args: unknown[]) {
    const [first] = args
    statements.add(typeof first === 'string' ? first : (first as { text: string }).text)
    return query.apply(this, args)
  })
}

function scansOnSqlite({ home }: Opened, statements: readonly string[]): string[] {
  assert.ok(home.engine === 'sqlite')
  const db = new DatabaseSync(home.file)
  try {
    return statements.flatMap((sql) =>
      db
        .prepare(`explain query plan ${sql}`)
        .all()
        .map(({ detail }) => String(detail))
        .filter((detail) => isScan(detail) || (sql.startsWith('select') && isWholeHistory(detail)))
        .map((detail) => `${detail}: ${sql}`),
    )
  } finally {
    db.close()
  }
}

/** Of a table; going through the rows of a subquery is not meant. */
function isScan(detail: string): boolean {
  const table = /^SCAN (\w+)/.exec(detail)?.[1]
  return table !== undefined && TABLES.has(table)
}

/** An index, but only its first column: all events of one resource. */
const isWholeHistory = (detail: string): boolean => /USING .*INDEX events_\w+ \(resource_id=\?\)/.test(detail)

/** With sequential scans made unattractive, one that is left means that no index fits. */
async function scansOnPostgres({ home }: Opened, statements: readonly string[]): Promise<string[]> {
  assert.ok(home.engine === 'postgres')
  const client = new Client(home.url)
  await client.connect()
  try {
    await client.query('set enable_seqscan = off')
    const scans: string[] = []
    for (const sql of statements) {
      const { rows } = await client.query(`explain (generic_plan) ${sql}`)
      for (const row of rows) {
        const table = /Seq Scan on (\w+)/.exec(row['QUERY PLAN'])?.[1]
        if (table !== undefined && TABLES.has(table)) scans.push(`${table}: ${sql}`)
      }
    }
    return scans
  } finally {
    await client.end()
  }
}
