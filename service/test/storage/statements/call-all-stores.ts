// For the tests of this folder: calls every method of every store, and records the statements of each.
import assert from 'node:assert/strict'
import { DatabaseSync } from 'node:sqlite'
import type { TestContext } from 'node:test'
import { AUTH_EVENT_KINDS } from '@gatehouse-auth/contract'
import { Client } from 'pg'
import { chargesFor } from '../../../src/domain/limits/allowance.ts'
import { ALL_GENERATIONS } from '../../../src/domain/revocation/revocation.ts'
import {
  appendEvent,
  consentOf,
  googleProfile,
  guest,
  NOW,
  newEvent,
  newSession,
  rotation,
  signInUser,
  startedAttempt,
  type TestStorage,
} from '../../support/postgres/storage.ts'
import { callBrandStores } from './call-brand-stores.ts'
import { callOAuthStores } from './call-oauth-stores.ts'
import { callOwnerStores } from './call-owner-stores.ts'
import { callProviderStores } from './call-provider-stores.ts'
import { callWebhookStores } from './call-webhook-stores.ts'

/** A statement, and the store method that ran it, such as `sessions.end`. */
export interface Recorded {
  readonly sql: string
  readonly method: string
}

/** Calls every method of every store and returns the statements on tables. Fails if a method is not called. */
export async function recordAllStatements(
  t: TestContext,
  storage: TestStorage,
): Promise<Recorded[]> {
  const calls = trackCalls(storage)
  const recorded = new Map<string, Recorded>()
  record(t, (text) => {
    const sql = text.trim()
    if (!/^(?:select|insert|update|delete|with) /.test(sql) || /pg_notify/.test(sql)) {
      return
    }
    recorded.set(`${calls.current()} ${sql}`, { sql, method: calls.current() })
  })
  await callAllStores(storage)
  assert.ok(recorded.size > 40, `only ${recorded.size} statements were recorded`)
  assert.deepEqual(
    calls.missing(),
    [],
    'every store method is called below, so that its statements are recorded',
  )
  return [...recorded.values()]
}

/** Tracks which store methods are called: the plans of a method that is not called are not checked. */
function trackCalls({ stores }: TestStorage): { missing(): string[]; current(): string } {
  const missing = new Set<string>()
  let current = 'no store'
  const track = (store: object, name: string): void => {
    for (const [method, call] of Object.entries(store)) {
      if (typeof call !== 'function' || WITHOUT_STATEMENTS.has(method)) {
        continue
      }
      missing.add(`${name}.${method}`)
      Object.assign(store, {
        [method]: (...args: unknown[]) => {
          missing.delete(`${name}.${method}`)
          current = `${name}.${method}`
          return call(...args)
        },
      })
    }
  }
  track(stores, 'stores')
  for (const [name, store] of Object.entries(stores)) {
    if (typeof store === 'object') {
      track(store, name)
    }
  }
  return { missing: () => [...missing].sort(), current: () => current }
}

/** Methods that run no statement of their own. */
const WITHOUT_STATEMENTS = new Set(['transaction', 'confirmedTransaction', 'eraseDeleted'])

/** Calls every method of every store, so that every statement is recorded. */
async function callAllStores(opened: TestStorage): Promise<void> {
  const { storage, stores, profile } = opened
  const { resource, userId, session } = await signInUser(stores)
  await storage.keyChecks.add('k1', 'check')
  await storage.keyChecks.list()
  await stores.sessions.findClaims(resource, session.id)
  await stores.ping()
  await stores.tenants.create(guest('one-two', profile), [{ kind: 'management', hash: 'hash' }])
  await stores.tenants.find('one-two')
  await stores.tenants.findByKey(['hash', 'other'], NOW)
  await stores.tenants.listKeys('one-two', NOW)
  await stores.tenants.touchKeys(['hash', 'other'], NOW, NOW)
  await stores.tenants.pause('one-two', 'stored_users', NOW)
  await stores.edgeSessions.add('hash', 'one-two', NOW)
  await stores.edgeSessions.find(['hash'], NOW)
  await stores.edgeSessions.sweep(NOW, 10)

  const counter = { scope: 'tenant:one-two', window: 'minute', start: NOW } as const
  await stores.counters.spend(counter, 1, null)
  await stores.counters.spend(counter, 1, 5)
  await stores.counters.nextId({ ...counter, window: 'user-ids', start: 0 })
  await stores.counters.release(counter, 1)
  await stores.counters.remove({ ...counter, scope: 'tenant:three-four' })
  await stores.counters.sweep(NOW, 10)
  for (const owner of [null, { accountId: 1, tier: 'free' } as const]) {
    const charges = chargesFor(guest('one-two', profile, { owner }), 'authorize', NOW)
    await stores.eventCounts.add(charges)
    await stores.eventCounts.read(charges, NOW)
  }
  await stores.eventCounts.lastEventId('one-two')

  const attempt = startedAttempt('one-two', { id: 'attempt' })
  await stores.attempts.add(attempt)
  await stores.attempts.find('attempt', NOW)
  await stores.attempts.findUndecided(attempt, NOW)
  await stores.attempts.startWithoutChooser(attempt)
  await stores.attempts.take('attempt', NOW)
  await stores.attempts.identify(
    attempt,
    { profile: googleProfile('ada'), hostedDomain: '', remember: true },
    NOW,
  )
  await stores.attempts.restart(attempt, { ...attempt, id: 'attempt-2' })
  await stores.attempts.decide(attempt, 'authorize', NOW)
  await stores.attempts.setSession(attempt, 1)
  await stores.attempts.removeByTenant('one-two')
  await stores.attempts.sweep(NOW, 10)
  const code = {
    hash: 'code',
    userId: 1,
    openId: null,
    challenge: 'c',
    redirectUri: 'https://app.example.com/cb',
    expiresAt: NOW + 1,
  }
  await stores.signingKeys.add({
    tenantId: 'one-two',
    masterKid: 1,
    publicKey: { kty: 'RSA', n: 'n', e: 'AQAB', kid: 'kid', alg: 'RS256', use: 'sig' },
    sealed: new Uint8Array(8),
    createdAt: NOW,
  })
  await stores.signingKeys.list('one-two')
  await stores.loginCodes.add(resource, code)
  await stores.loginCodes.find(resource, ['code', 'other'])
  await stores.loginCodes.countWrongVerifier(resource, 'code', 5, NOW)
  await stores.loginCodes.use(resource, 'code', NOW)
  await stores.loginCodes.setSession(resource, 'code', 1)
  await stores.loginCodes.removeUnused(resource, 1)
  await stores.loginCodes.removeByTenant('one-two')
  await stores.loginCodes.sweep(NOW, 10)
  const invitation = {
    tenantId: 'one-two',
    id: 'inv_1',
    email: null,
    claims: {},
    uses: 2,
    createdAt: NOW,
    expiresAt: NOW,
  }
  await stores.invitations.add({ ...invitation, hash: 'h' }, 5)
  await stores.invitations.find(invitation)
  await stores.invitations.findByHash('one-two', ['h', 'i'])
  await stores.invitations.use(invitation, NOW)
  await stores.invitations.list('one-two')
  await stores.invitations.remove(invitation)
  await stores.invitations.removeByTenant('one-two')
  await stores.invitations.sweep(NOW, 10)
  const consent = consentOf(userId)
  await stores.consents.remember(resource, consent)
  await stores.consents.find(resource, consent, ['b', 'c'])
  await stores.consents.hasAny(resource, userId, NOW)
  await stores.consents.forget(resource, userId)
  await stores.consents.sweep(NOW, 10)

  await stores.resources.findActive(resource.tenantId)
  await stores.resources.lockActive(resource.tenantId)
  await stores.resources.changeSettings(resource.tenantId, { refreshLeewaySeconds: 1 }, NOW)
  await stores.users.findBySubject(resource, 'issuer', 'subject')
  await stores.users.update(resource, userId, googleProfile('ada'), NOW)
  await stores.users.find(resource, userId)
  await stores.users.page(resource, { after: 0, limit: 10 })
  await stores.users.page(resource, { part: 'ad', after: 9, from: 1, limit: 10, newestFirst: true })
  for (const order of ['last-seen', 'first-seen', 'name'] as const) {
    await stores.users.page(resource, { after: 0, limit: 10, order })
  }
  await stores.users.lockUnblocked(resource, userId)
  await stores.sessions.find(resource, session.id)
  await stores.sessions.reissue(resource, session, NOW + 1, NOW)
  await stores.sessions.end(resource, session.id, NOW)
  await stores.sessions.sweep(NOW, 10)
  const again = await stores.sessions.start(resource, newSession(userId))
  const tenant = guest(resource.tenantId, profile)
  await stores.tenants.create(tenant, [])
  const refresh = {
    tenant,
    charges: chargesFor(tenant, 'token_refreshed', NOW),
    rotation: rotation(again, NOW + 1),
  }
  assert.equal((await stores.refresh(refresh)).outcome, 'refreshed')
  for (const event of AUTH_EVENT_KINDS) {
    await appendEvent(stores, resource, newEvent(event, { userId }))
  }
  await stores.events.page(resource, { after: 0, limit: 10 })
  await stores.events.page(resource, { after: 0, limit: 10, userId })
  await stores.events.page(resource, { after: 0, limit: 10, event: 'logout' })
  await stores.events.page(resource, { after: 0, limit: 10, userId, event: 'logout' })
  await callOwnerStores(opened, resource)
  await callBrandStores(opened, resource.tenantId)
  await callProviderStores(opened, resource.tenantId)
  await callWebhookStores(opened, resource)
  await callOAuthStores(opened)
  await stores.loadRevocations(NOW, () => {})
  const lost = { sessionId: again.id, until: NOW + 1 }
  await stores.writeBack([{ kind: 'session', ...lost, generation: 7 }], NOW)
  await stores.writeBack([{ kind: 'session', ...lost, generation: ALL_GENERATIONS }], NOW)
  await stores.writeBack([{ kind: 'resource', resourceId: resource.id, until: NOW + 1 }], NOW)
  await stores.resources.markDeleted(resource.tenantId, NOW)
  await stores.resources.listDeleting(10)
  await stores.resources.countDeleting(resource.tenantId)
  while ((await stores.resources.purge(resource.tenantId, resource.id, 100)).rows > 0) {}
  await stores.sweepRevocations(NOW, 10)
  await storage.follow()
}

function record(t: TestContext, add: (sql: string) => void): void {
  const { prepare } = DatabaseSync.prototype
  t.mock.method(DatabaseSync.prototype, 'prepare', function (this: DatabaseSync, sql: string) {
    add(sql)
    return prepare.call(this, sql)
  })
  const query = Client.prototype.query as (this: Client, ...args: unknown[]) => unknown
  t.mock.method(Client.prototype, 'query', function (this: Client, ...args: unknown[]) {
    const [first] = args
    add(typeof first === 'string' ? first : (first as { text: string }).text)
    return query.apply(this, args)
  })
}
