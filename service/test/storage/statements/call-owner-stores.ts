// For query-plans.test.ts: calls every store method for accounts, ownership and insights.
import type { Resource } from '../../../src/domain/stores/stores.ts'
import {
  googleProfile,
  guest,
  NOW,
  newEvent,
  newSession,
  type TestStorage,
} from '../../support/postgres/storage.ts'

export async function callOwnerStores(
  { stores, profile }: TestStorage,
  resource: Resource,
): Promise<void> {
  const { id } = await stores.accounts.signIn(googleProfile('ada'), NOW)
  await stores.accounts.find(id)
  await stores.accounts.lock(id)
  await stores.accounts.findByEmail('ada@example.com')
  await stores.accounts.setTier(id, 'plus')
  await stores.accounts.setProjectLimit(id, 200)

  await stores.accountSessions.add({
    hash: 'session',
    accountId: id,
    device: null,
    createdAt: NOW,
    expiresAt: NOW + 1,
  })
  await stores.accountSessions.find(['session', 'other'], NOW)
  await stores.accountSessions.slide(1, NOW, NOW + 1)
  await stores.accountSessions.listByAccount(id, NOW)
  await stores.accountSessions.end(id, 1)
  await stores.accountSessions.endAll(id)
  await stores.accountSessions.sweep(NOW, 10)
  const signIn = { id: 's', browserHash: 'b', next: '/account', tested: null }
  await stores.accountSignIns.add({ ...signIn, createdAt: NOW, expiresAt: NOW + 1 })
  await stores.accountSignIns.take('s', NOW)
  await stores.accountSignIns.sweep(NOW, 10)

  const person = { ...googleProfile('ada'), createdAt: NOW, expiresAt: NOW + 1 }
  await stores.meSessions.add('me', person)
  await stores.meSessions.find(['me', 'other'], NOW)
  await stores.meSessions.end(['me', 'other'])
  await stores.meSessions.sweep(NOW, 10)

  const tenantId = 'owned-one'
  await stores.tenants.create(guest(tenantId, profile), [])
  const newClaim = { tenantId, confirmationCode: 'ABC234', createdAt: NOW, expiresAt: NOW + 1 }
  const claim = await stores.claims.open(newClaim, 'token', 'wait')
  await stores.claims.findByToken(['token', 'other'])
  await stores.claims.findByWaitToken(['wait', 'other'])
  await stores.claims.decide(claim.id, 'approved', id, NOW)
  await stores.ownership.claim(tenantId, id, NOW)
  await stores.ownership.ownedBy(id)
  await stores.ownership.endKeyGeneration(tenantId, 0, NOW)
  await stores.ownership.keyGeneration(tenantId)
  await stores.ownership.replaceKeys(tenantId, [{ kind: 'management', hash: 'new' }], NOW + 1, NOW)
  await stores.ownership.page('', 10)
  await stores.ownership.listOverdue(NOW, 10)
  await stores.ownership.endOverdue(tenantId, NOW)

  await stores.moderation.suspend(resource.tenantId, 'a reason', NOW)
  await stores.moderation.lift(resource.tenantId, NOW)
  await stores.moderation.search({ text: 'ada', after: '', limit: 10 })
  await stores.blockedHosts.add('evil.example', 'a reason', NOW)
  await stores.blockedHosts.findAny(['app.evil.example', 'evil.example'])
  await stores.blockedHosts.list()
  await stores.blockedHosts.remove('evil.example')

  const apiRequest = {
    method: 'GET',
    route: '/api/status',
    status: 200,
    ms: 1,
    requestId: 'request',
  }
  await stores.requestRecords.append([{ tenantId, at: NOW, ...apiRequest }])
  await stores.requestRecords.recent([tenantId], 0, 10)
  await stores.requestRecords.recent([tenantId, 'one-two', 'three-four'], 0, 10)
  await stores.requestRecords.sweep(NOW, 10, 10)
  await stores.requestRecords.removeByTenant(tenantId)
  const report = { tenantId, kind: 'discount', text: 'x', createdAt: NOW } as const
  await stores.feedback.append(
    { ...report, accountId: id, tokenHash: 'token' },
    { since: 0, limit: 5 },
  )
  await stores.feedback.oldestAt(tenantId, 0)
  await stores.feedback.lastAcceptedAt(id)
  await stores.feedback.page(0, 10)
  await stores.feedback.page(0, 10, tenantId)
  await stores.feedback.remove([1, 2])
  await stores.feedback.removeByTenant(tenantId)
  await stores.feedback.sweep(NOW, 10)

  const action = {
    tenantId,
    at: NOW,
    actor: 'operator',
    action: 'settings.changed',
    target: null,
  } as const
  await stores.audit.append({ ...action, requestId: 'request' }, 10)
  await stores.audit.page(tenantId, 0, 10)
  await stores.audit.recent(tenantId, 10)
  await stores.audit.sweep(NOW, 10)

  const kind = {
    step: 'start',
    code: 'rateLimited',
    differs: null,
    sent: null,
    closest: null,
  } as const
  await stores.refusals.add([{ ...kind, tenantId, count: 1, firstAt: NOW, lastAt: NOW }], 0, 50)
  await stores.refusals.list(tenantId, 0, 10)
  await stores.refusals.removeByTenant(tenantId)
  await stores.refusals.sweep(NOW, 10)
  await stores.creations.find(['scope', 'other'])
  await stores.creations.take('scope', tenantId, NOW)
  await stores.credentials.add(tenantId, new Uint8Array([1]), NOW)
  await stores.credentials.find(tenantId)
  await stores.credentials.replace(tenantId, new Uint8Array([2]), NOW)
  await stores.credentials.remove(tenantId)

  await stores.users.page(resource, { after: 0, limit: 10, newestFirst: true })
  await stores.users.count(resource)
  const part = { part: 'AdaK\u212A', after: 9, from: 1, limit: 10, newestFirst: true }
  await stores.users.records(resource, part)
  await stores.users.count(resource, { blocked: true })
  await stores.users.count(resource, { prefix: 'ada' })
  for (const filter of [
    { email: 'ada@example.com' },
    { prefix: 'ada' },
    { blocked: true },
    { blocked: false },
    { prefix: 'ada', blocked: true },
    { email: 'ada@example.com', blocked: false },
  ]) {
    await stores.users.page(resource, { ...filter, after: 0, limit: 10 })
    await stores.users.records(resource, { ...filter, after: 0, limit: 10 })
  }
  const imported = {
    firstSeen: NOW,
    lastSeen: NOW,
    blockedAt: NOW,
    metadata: '{}',
    claims: { role: 'admin' },
  }
  const { id: other } = await stores.users.add(resource, { ...googleProfile('other'), ...imported })
  await stores.users.findRecord(resource, other)
  await stores.identities.add(resource, other, { ...googleProfile('added'), lastSeen: NOW })
  await stores.identities.add(resource, other, { ...googleProfile('third'), lastSeen: NOW })
  await stores.identities.signIn(resource, other, googleProfile('added'), NOW)
  await stores.identities.pin(resource, other, googleProfile('added'))
  await stores.identities.remove(resource, other, googleProfile('other'))
  await stores.identities.lock(resource, [other, 1])
  await stores.identities.move(
    resource,
    other,
    (await stores.users.insert(resource, googleProfile('into'), NOW)).id,
  )
  await stores.users.setBlocked(resource, other, NOW)
  await stores.users.setMetadata(resource, other, '{"a":1}', '{}')
  await stores.users.setMetadata(resource, other, null, null)
  await stores.users.setMetadata(resource, other, '{"a":2}')
  await stores.users.setClaims(resource, other, {})
  await stores.users.insert(
    { ...resource, firstUserClaims: { role: 'admin' } },
    googleProfile('first'),
    NOW,
  )
  await stores.sessions.start(resource, newSession(other))
  await stores.sessions.ofUser(resource, other, NOW, { after: 0, limit: 10 })
  await stores.sessions.endOfUser(resource, other, NOW, 10)
  await stores.sessions.start(resource, newSession(other))
  await stores.sessions.endOldest(resource, NOW, 1)
  await stores.events.appendAll(resource, 900_001, [
    newEvent('logout', { userId: other }),
    newEvent('logout'),
  ])
  await stores.events.anonymize(resource, other, 10)
  const removal = { tenantId: resource.tenantId, resourceId: resource.id, userId: other }
  await stores.removals.add({ ...removal, requestedAt: NOW, requestId: 'request' })
  await stores.removals.page(resource, { after: 0, limit: 10 })
  await stores.removals.listDue(NOW + 1, 10)
  await stores.removals.requestedAt(resource, other)
  await stores.removals.withdraw(resource, other)
  await stores.people.users(googleProfile('other'), { offset: 0, limit: 10 })
  await stores.users.remove(resource, other)
  await stores.sessions.active(resource, NOW, { before: 5, limit: 10 })
  await stores.sessions.countActive(resource, NOW)
  await stores.ownership.rename(resource.tenantId, 'Notes')
  await stores.events.recent(resource, 0, 10)
  await stores.events.newest(resource, { before: 5, limit: 10 })
  await stores.events.newest(resource, { before: 5, limit: 10, userId: 1 })
  await stores.events.newest(resource, { before: 5, limit: 10, event: 'logout' })
  await stores.events.newest(resource, { before: 5, limit: 10, userId: 1, event: 'logout' })
  await stores.events.daily(resource, '')
  await stores.events.listUntallied(10)
  await stores.events.listOlder(NOW, 10)
  await stores.events.tally(resource, 10)
  await stores.events.removeOlder(resource, NOW + 1, 10)

  await stores.claims.removeByTenant(tenantId)
  await stores.ownership.end(tenantId, NOW)
  await stores.ownership.listTombstones(NOW + 1, 10)
  await stores.ownership.purgeTenant(tenantId)
}
