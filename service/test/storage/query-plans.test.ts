import assert from 'node:assert/strict'
import { DatabaseSync } from 'node:sqlite'
import { type TestContext, test } from 'node:test'
import { AUTH_EVENT_KINDS } from '@gatehouse/contract'
import { Client } from 'pg'
import { chargesFor } from '../../src/domain/limits/allowance.ts'
import { generate } from '../support/population/generate.ts'
import { Population } from '../support/population/population.ts'
import { ENGINES, type Engine } from '../support/postgres/engines.ts'
import {
  appendEvent,
  freshDatabase,
  googleProfile,
  guest,
  NOW,
  newEvent,
  newSession,
  openTestStorage,
  rotation,
  signInUser,
  type TestStorage,
} from '../support/postgres/storage.ts'
import { callOAuthStores } from './call-oauth-stores.ts'
import { callOwnerStores } from './call-owner-stores.ts'
import { hasBareLimit, namesTenantTwice, scansOnPostgres, scansOnSqlite } from './table-scans.ts'

/** Enough rows for a planner to choose by: one large tenant and many small ones. */
const USERS = 20_000

for (const engine of ENGINES) {
  test(`[${engine}] no statement scans a whole table, or all rows of a tenant for one page`, async (t) => {
    const statements = new Set<string>()
    const storage = await populated(t, engine)
    record(t, statements)
    const calls = trackCalls(storage)
    await callAllStores(storage)
    const own = [...statements].filter(
      (sql) => /^(?:select|insert|update|delete|with) /.test(sql) && !/pg_notify/.test(sql),
    )
    assert.ok(own.length > 40, `only ${own.length} statements were recorded`)
    assert.deepEqual(calls.missing(), [], 'every store method is called below, so that its statements are recorded')

    const scanned = engine === 'sqlite' ? scansOnSqlite(storage, own) : await scansOnPostgres(storage, own)
    assert.deepEqual(scanned, [])
    assert.deepEqual(own.filter(namesTenantTwice), [], 'a page that names the tenant twice (`stillActive`)')
    if (engine === 'sqlite') assert.deepEqual(own.filter(hasBareLimit), [], 'a bare value as limit (`opaqueLimit`)')
  })
}

async function populated(t: TestContext, engine: Engine): Promise<TestStorage> {
  const database = await freshDatabase(t, engine)
  await generate(database, new Population(USERS))
  return openTestStorage(t, engine, { database })
}

/** Tracks which store methods are called: the plans of a method that is not called are not checked. */
function trackCalls({ stores }: TestStorage): { missing(): string[] } {
  const missing = new Set<string>()
  const track = (store: object, name: string): void => {
    for (const [method, call] of Object.entries(store)) {
      if (typeof call !== 'function' || WITHOUT_STATEMENTS.has(method)) continue
      missing.add(`${name}.${method}`)
      Object.assign(store, {
        [method]: (...args: unknown[]) => {
          missing.delete(`${name}.${method}`)
          return call(...args)
        },
      })
    }
  }
  track(stores, 'stores')
  for (const [name, store] of Object.entries(stores)) {
    if (typeof store === 'object') track(store, name)
  }
  return { missing: () => [...missing].sort() }
}

/** Methods that run no statement of their own. */
const WITHOUT_STATEMENTS = new Set(['transaction', 'confirmedTransaction', 'eraseDeleted'])

/** Calls every method of every store, so that every statement is recorded. */
async function callAllStores(opened: TestStorage): Promise<void> {
  const { storage, stores, profile } = opened
  const { resource, userId, session } = await signInUser(stores)
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
  await stores.counters.spendEach([
    { counter, limit: 5, authenticated: true },
    { counter: { ...counter, window: 'month' }, limit: null, authenticated: true },
  ])
  await stores.counters.release(counter, 1)
  await stores.counters.read([counter, { ...counter, window: 'month' }])
  await stores.counters.readCounts([counter])
  await stores.counters.sweep(NOW, 10)
  await stores.counters.removeScope('tenant:one-two')

  const attempt = {
    id: 'attempt',
    tenantId: 'one-two',
    redirectUri: 'https://app.example.com/cb',
    returnTo: null,
    browserHash: 'browser',
    stage: 'started',
    profile: null,
    decision: null,
    createdAt: NOW,
    expiresAt: NOW + 1,
  } as const
  await stores.attempts.add(attempt)
  await stores.attempts.find('attempt', NOW)
  await stores.attempts.findStarted(attempt, NOW)
  await stores.attempts.findStarted({ ...attempt, returnTo: '/x' }, NOW)
  await stores.attempts.take('attempt', NOW)
  await stores.attempts.identify('attempt', googleProfile('ada'), NOW)
  await stores.attempts.decide('attempt', 'authorize', NOW)
  await stores.attempts.setSession('attempt', 1)
  await stores.attempts.removeByTenant('one-two')
  await stores.attempts.sweep(NOW, 10)

  await stores.resources.findActive(resource.tenantId)
  await stores.resources.lockActive(resource.tenantId)
  await stores.resources.changeSettings(resource.tenantId, { refreshLeewaySeconds: 1 }, NOW)
  await stores.users.findBySubject(resource, 'issuer', 'subject')
  await stores.users.update(resource, userId, googleProfile('ada'), NOW)
  await stores.users.find(resource, userId)
  await stores.users.page(resource, 0, 10)
  await stores.sessions.find(resource, session.id)
  await stores.sessions.reissue(resource, session, NOW + 1, NOW)
  await stores.sessions.end(resource, session.id, NOW)
  await stores.sessions.sweep(NOW, 10)
  const again = await stores.sessions.start(resource, newSession(userId))
  const tenant = guest(resource.tenantId, profile)
  await stores.tenants.create(tenant, [])
  const refresh = { tenant, charges: chargesFor(tenant, 'token_refreshed', NOW), rotation: rotation(again, NOW + 1) }
  assert.equal((await stores.refresh(refresh)).outcome, 'refreshed')
  for (const event of AUTH_EVENT_KINDS) await appendEvent(stores, resource, newEvent(event, { userId }))
  await stores.events.page(resource, { after: 0, limit: 10 })
  await stores.events.page(resource, { after: 0, limit: 10, userId })
  await stores.events.page(resource, { after: 0, limit: 10, event: 'logout' })
  await stores.events.page(resource, { after: 0, limit: 10, userId, event: 'logout' })
  await callOwnerStores(opened, resource)
  await callOAuthStores(opened)
  await stores.resources.markDeleted(resource.tenantId, NOW)
  await stores.resources.listDeleting(10)
  while ((await stores.resources.purge(resource.tenantId, resource.id, 100)).rows > 0);
  await stores.sweepRevocations(NOW, 10)
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
