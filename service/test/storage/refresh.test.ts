import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { tokenRefreshed } from '../../src/domain/events/auth-event.ts'
import { chargesFor, orderedCharges } from '../../src/domain/limits/allowance.ts'
import type { Refresh, RefreshOutcome } from '../../src/domain/sessions/refresh.ts'
import { Unavailable } from '../../src/domain/unavailable.ts'
import { ENGINES, type Engine } from '../support/postgres/engines.ts'
import {
  googleProfile,
  guest,
  HOUR_MS,
  NOW,
  newSession,
  openTestStorage,
  rotation,
  signInUser,
} from '../support/postgres/storage.ts'

const TENANT = 'swift-fox-running-k3qd'
const LATER = NOW + 10 * 60_000

async function scene(t: TestContext, engine: Engine) {
  const here = await openTestStorage(t, engine)
  const { stores, profile } = here
  const tenant = guest(TENANT, profile)
  await stores.tenants.create(tenant, [])
  const { resource, session, userId } = await signInUser(stores, TENANT)
  const ask = (changes: Partial<Refresh> = {}): Refresh => ({
    tenant,
    charges: chargesFor(tenant, LATER),
    rotation: rotation(session, LATER, { fingerprint: 'a-client' }),
    ...changes,
  })
  /** Everything a refresh can change. */
  const facts = async () => ({
    session: await stores.sessions.find(resource, session.id),
    user: await stores.users.find(resource, userId),
    events: await stores.events.page(resource, { after: 0, limit: 100 }),
    counters: await stores.counters.read(orderedCharges(chargesFor(tenant, LATER)).map(({ counter }) => counter)),
    published: here.published.length,
  })
  return { ...here, tenant, resource, session, userId, ask, facts }
}

for (const engine of ENGINES) {
  test(`[${engine}] a refresh rotates the session, is charged once, appends one event, and publishes a revocation`, async (t) => {
    const { stores, ask, facts, session, userId, resource, revocations, published } = await scene(t, engine)
    const expected = {
      ...session,
      generation: 1,
      rotatedAt: LATER,
      expiresAt: ask().rotation.expiresAt,
      fingerprint: 'a-client',
    }
    const user = { id: userId, email: 'ada@example.com', name: 'ada', picture: null, firstSeen: NOW, lastSeen: LATER }
    const outcome = await stores.refresh(ask())
    assert.deepEqual(outcome, {
      outcome: 'refreshed',
      resourceId: resource.id,
      session: expected,
      user,
      usedThisMinute: 1,
    })
    const { events, ...others } = await facts()
    assert.deepEqual(others, { session: expected, user, counters: [1, 1, 1], published: 1 })
    assert.deepEqual(events, [{ ...tokenRefreshed(user, LATER), id: events[0]?.id }])
    const until = NOW + HOUR_MS + 120_000
    const revocation = { kind: 'session', tenantId: TENANT, sessionId: session.id, generation: 1, until }
    assert.deepEqual(revocations(), [revocation])
    assert.deepEqual(published[0]?.changedTenants, [TENANT])
  })

  test(`[${engine}] a refresh after the old access token has expired publishes no revocation`, async (t) => {
    const { stores, ask, session, revocations } = await scene(t, engine)
    await stores.refresh(ask({ rotation: rotation(session, NOW + 2 * HOUR_MS) }))
    assert.deepEqual(revocations(), [])
  })

  test(`[${engine}] a refresh with a wrong generation, salt, session or tenant is rejected and changes nothing`, async (t) => {
    const { stores, tenant, ask, facts, session } = await scene(t, engine)
    const before = await facts()
    const changed = (changes: Parameters<typeof rotation>[2], now = LATER) =>
      ask({ rotation: rotation(session, now, changes) })
    const refused: [Refresh, RefreshOutcome['outcome']][] = [
      [changed({ generation: 1 }), 'not-current'],
      [changed({ salt: new Uint8Array(16).fill(9) }), 'not-current'],
      [changed({ sessionId: session.id + 1_000 }), 'not-current'],
      [changed({}, session.expiresAt), 'not-current'],
      [ask({ tenant: { ...tenant, id: 'no-such-tenant-k3qd' } }), 'tenant-changed'],
      [ask({ tenant: { ...tenant, expiresAt: null } }), 'tenant-changed'],
      [ask({ tenant: { ...tenant, pausedAt: NOW } }), 'tenant-changed'],
      [ask({ tenant: { ...tenant, owner: { accountId: 1, tier: 'free' } } }), 'tenant-changed'],
    ]
    for (const [refresh, outcome] of refused) assert.equal((await stores.refresh(refresh)).outcome, outcome)
    assert.deepEqual(await facts(), before)
    await stores.resources.markDeleted(TENANT, LATER)
    assert.equal((await stores.refresh(ask())).outcome, 'not-provisioned')
  })

  test(`[${engine}] a refresh over a limit names the limit and rolls back the other charges`, async (t) => {
    const { stores, ask, facts } = await scene(t, engine)
    const before = await facts()
    for (const window of ['lifetime', 'minute', 'month'] as const) {
      for (const limit of [0, 1]) {
        const charge = { ...ask().charges[window], limit }
        const charges = { ...ask().charges, [window]: charge }
        if (limit === 1) await stores.counters.spend(charge.counter, 1, null)
        const outcome = await stores.refresh(ask({ charges }))
        assert.deepEqual(outcome, { outcome: 'over-limit', charge })
        if (limit === 1) await stores.counters.release(charge.counter, 1)
      }
    }
    assert.deepEqual(await facts(), before)
    assert.equal((await stores.refresh(ask())).outcome, 'refreshed')
  })

  test(`[${engine}] of 40 concurrent refreshes with 30 left in the minute, 30 succeed and 10 change nothing`, async (t) => {
    const { stores, ask, facts, resource, userId } = await scene(t, engine)
    const sessions = await Promise.all(
      Array.from({ length: 40 }, () => stores.sessions.start(resource, newSession(userId))),
    )
    const { lifetime, minute, month } = ask().charges
    const charges = {
      lifetime: { ...lifetime, limit: null },
      minute: { ...minute, limit: 30 },
      month: { ...month, limit: null },
    }
    const outcomes = await Promise.all(
      sessions.map((session) => stores.refresh(ask({ charges, rotation: rotation(session, LATER) }))),
    )
    const refreshed = outcomes.filter((each) => each.outcome === 'refreshed')
    assert.equal(refreshed.length, 30)
    assert.deepEqual(
      refreshed.map(({ usedThisMinute }) => usedThisMinute).sort((one, other) => one - other),
      Array.from({ length: 30 }, (_, index) => index + 1),
    )
    const { counters, events } = await facts()
    assert.deepEqual(counters, [30, 30, 30])
    assert.equal(events.length, 30)
    for (const [at, session] of sessions.entries()) {
      const generation = outcomes[at]?.outcome === 'refreshed' ? 1 : 0
      assert.equal((await stores.sessions.find(resource, session.id))?.generation, generation)
    }
  })

  test(`[${engine}] a refresh over its limit does not affect those of other tenants in the same batch`, async (t) => {
    const { stores, profile, facts, ask } = await scene(t, engine)
    const before = await facts()
    const { charges } = ask()
    const others = await Promise.all(
      Array.from({ length: 6 }, async (_, at) => {
        const tenant = guest(`${TENANT}${at}`, profile)
        await stores.tenants.create(tenant, [])
        const { resource, session } = await signInUser(stores, tenant.id)
        return { tenant, resource, session, charges: chargesFor(tenant, LATER) }
      }),
    )
    const outcomes = await Promise.all([
      stores.refresh(ask({ charges: { ...charges, minute: { ...charges.minute, limit: 0 } } })),
      ...others.map(({ tenant, session, charges }) =>
        stores.refresh({ tenant, charges, rotation: rotation(session, LATER) }),
      ),
    ])
    assert.deepEqual(
      outcomes.map(({ outcome }) => outcome),
      ['over-limit', ...others.map(() => 'refreshed')],
    )
    const { published: _, ...unchanged } = before
    const { published: __, ...after } = await facts()
    assert.deepEqual(after, unchanged)
    for (const { resource, session, charges } of others) {
      assert.equal((await stores.sessions.find(resource, session.id))?.generation, 1)
      assert.deepEqual(await stores.counters.read(orderedCharges(charges).map(({ counter }) => counter)), [1, 1, 1])
      assert.equal((await stores.events.page(resource, { after: 0, limit: 100 })).length, 1)
    }
  })

  test(`[${engine}] of 50 concurrent refreshes of one generation, one succeeds`, async (t) => {
    const { stores, ask, facts, resource, userId, session } = await scene(t, engine)
    const other = await stores.sessions.start(resource, newSession(userId))
    const { lifetime, minute, month } = ask().charges
    const charges = {
      lifetime: { ...lifetime, limit: null },
      minute: { ...minute, limit: 1_000 },
      month: { ...month, limit: null },
    }
    const outcomes = await Promise.all(
      Array.from({ length: 100 }, (_, at) =>
        stores.refresh(ask({ charges, rotation: rotation(at % 2 ? session : other, LATER) })),
      ),
    )
    assert.equal(outcomes.filter(({ outcome }) => outcome === 'refreshed').length, 2)
    assert.equal(outcomes.filter(({ outcome }) => outcome === 'not-current').length, 98)
    assert.deepEqual((await facts()).counters, [2, 2, 2])
  })

  test(`[${engine}] a session without a user is rejected and charged nothing`, async (t) => {
    const { stores, ask, facts, resource } = await scene(t, engine)
    const orphan = await stores.sessions.start(resource, newSession(987_654))
    const before = await facts()
    assert.deepEqual(await stores.refresh(ask({ rotation: rotation(orphan, LATER) })), { outcome: 'not-current' })
    assert.deepEqual(await facts(), before)
  })

  test(`[${engine}] after the storage is closed a refresh is Unavailable`, async (t) => {
    const { stores, ask, close } = await scene(t, engine)
    await close()
    await assert.rejects(stores.refresh(ask()), Unavailable)
  })

  test(`[${engine}] concurrent refreshes and sign-ins of one owner's tenants neither deadlock nor lose a charge`, async (t) => {
    const { stores, profile } = await openTestStorage(t, engine)
    const { id: accountId } = await stores.accounts.signIn(googleProfile('olga'), NOW)
    await stores.accounts.setTier(accountId, 'pro')
    const tenants = await Promise.all(
      Array.from({ length: 8 }, async (_, at) => {
        const tenant = guest(`${TENANT}${at}`, profile, {
          expiresAt: null,
          claimedAt: NOW,
          owner: { accountId, tier: 'pro' },
        })
        await stores.tenants.create(tenant, [])
        const resource = await stores.resources.provision(tenant.id, ['https://app.example.com/cb'], NOW)
        const { id: userId } = await stores.users.insert(resource, googleProfile('ada'), NOW)
        return { tenant, resource, userId, charges: chargesFor(tenant, LATER) }
      }),
    )
    const work = tenants.flatMap(({ tenant, resource, userId, charges }) =>
      Array.from({ length: 10 }, async (_, at) => {
        if (at % 2 === 0) {
          const session = await stores.sessions.start(resource, newSession(userId))
          const { outcome } = await stores.refresh({ tenant, charges, rotation: rotation(session, LATER) })
          assert.equal(outcome, 'refreshed')
        } else {
          await stores.transaction(async (open) => {
            await open.resources.lockActive(tenant.id)
            for (const { counter, limit } of orderedCharges(charges)) await open.counters.spend(counter, 1, limit)
            await open.users.update(resource, userId, googleProfile('ada'), LATER)
          })
        }
      }),
    )
    await Promise.all(work)
    const shared = tenants[0]?.charges
    assert.ok(shared)
    assert.deepEqual(await stores.counters.read([shared.minute.counter, shared.month.counter]), [80, 80])
    for (const { charges } of tenants) assert.deepEqual(await stores.counters.read([charges.lifetime.counter]), [10])
  })
}
