import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { Unavailable } from '../../../src/domain/api-error.ts'
import { tokenRefreshed } from '../../../src/domain/events/auth-event.ts'
import { type Charges, chargesFor, windowLimits } from '../../../src/domain/limits/allowance.ts'
import { minuteStart, monthStart } from '../../../src/domain/limits/counter.ts'
import type { Refresh, RefreshOutcome } from '../../../src/domain/sessions/session.ts'
import { ENGINES, type Engine } from '../../support/postgres/engines.ts'
import {
  googleProfile,
  guest,
  HOUR_MS,
  NOW,
  newSession,
  openTestStorage,
  raw,
  rotation,
  signInUser,
  type TestStorage,
} from '../../support/postgres/storage.ts'

const TENANT = 'swift-fox-running-k3qd'
const LATER = NOW + 10 * 60_000

async function scene(t: TestContext, engine: Engine) {
  const here = await openTestStorage(t, engine)
  const { stores, profile } = here
  const tenant = guest(TENANT, profile)
  await stores.tenants.create(tenant, [])
  const { resource, session, userId } = await signInUser(stores, TENANT)
  const request = (changes: Partial<Refresh> = {}): Refresh => ({
    tenant,
    charges: chargesFor(tenant, 'token_refreshed', LATER),
    rotation: rotation(session, LATER, { idempotencyHash: 'a-key' }),
    ...changes,
  })
  /** All data that a refresh can change. */
  const state = async () => ({
    session: await stores.sessions.find(resource, session.id),
    user: await stores.users.find(resource, userId),
    events: await stores.events.page(resource, { after: 0, limit: 100 }),
    counts: await countsOf(stores, request().charges),
    published: here.published.length,
  })
  return { ...here, tenant, resource, session, userId, request, state }
}

/** Lifetime, minute, month, and the last event id. */
async function countsOf(stores: TestStorage['stores'], charges: Charges): Promise<number[]> {
  const { lifetime, minute, month, lastEventId } = await stores.eventCounts.read(charges, LATER)
  return [lifetime, minute.used, month.used, lastEventId]
}

/** One event in each window. */
const USED = {
  lifetime: { lifetime_used: 1 },
  minute: { minute_start: minuteStart(LATER), minute_used: 1, minute_authenticated: 1 },
  month: { month_start: monthStart(LATER), month_used: 1, month_authenticated: 1 },
}

for (const engine of ENGINES) {
  test(`[${engine}] a refresh rotates the session, is charged once, appends one event, and publishes a revocation`, async (t) => {
    const { stores, request, state, session, userId, resource, revocations, published } =
      await scene(t, engine)
    const expected = {
      ...session,
      generation: 1,
      rotatedAt: LATER,
      expiresAt: request().rotation.expiresAt,
      idempotencyHash: 'a-key',
    }
    const { late: _, ...refreshed } = expected
    const user = {
      id: userId,
      email: 'ada@example.com',
      name: 'ada',
      picture: null,
      firstSeen: NOW,
    }
    const outcome = await stores.refresh(request())
    assert.deepEqual(outcome, {
      outcome: 'refreshed',
      resourceId: resource.id,
      session: refreshed,
      user,
      leftThisMinute: 4,
    })
    const { events, ...others } = await state()
    assert.deepEqual(others, { session: expected, user, counts: [1, 1, 1, 1], published: 1 })
    assert.deepEqual(events, [{ ...tokenRefreshed(user, LATER), id: 1 }])
    const until = NOW + HOUR_MS + 120_000
    const revocation = {
      kind: 'session',
      tenantId: TENANT,
      sessionId: session.id,
      generation: 1,
      until,
    }
    assert.deepEqual(revocations(), [revocation])
    assert.deepEqual(published[0]?.changedTenants, [TENANT])
    assert.deepEqual(published[0]?.deliverable, [{ tenantId: TENANT, kinds: ['token_refreshed'] }])
  })

  test(`[${engine}] a refresh after the old access token has expired publishes no revocation`, async (t) => {
    const { stores, request, session, revocations } = await scene(t, engine)
    await stores.refresh(request({ rotation: rotation(session, NOW + 2 * HOUR_MS) }))
    assert.deepEqual(revocations(), [])
  })

  test(`[${engine}] a refresh with a wrong generation, salt, session or tenant is rejected and changes nothing`, async (t) => {
    const { stores, tenant, request, state, session } = await scene(t, engine)
    const before = await state()
    const changed = (changes: Parameters<typeof rotation>[2], now = LATER) =>
      request({ rotation: rotation(session, now, changes) })
    const rejected: [Refresh, RefreshOutcome['outcome']][] = [
      [changed({ generation: 1 }), 'not-current'],
      [changed({ salt: new Uint8Array(16).fill(9) }), 'not-current'],
      [changed({ sessionId: session.id + 1_000 }), 'not-current'],
      [changed({}, session.expiresAt), 'not-current'],
      [request({ tenant: { ...tenant, id: 'no-such-tenant-k3qd' } }), 'tenant-changed'],
      [request({ tenant: { ...tenant, expiresAt: null } }), 'tenant-changed'],
      [request({ tenant: { ...tenant, pausedAt: NOW } }), 'tenant-changed'],
      [request({ tenant: { ...tenant, owner: { accountId: 1, tier: 'free' } } }), 'tenant-changed'],
    ]
    for (const [refresh, outcome] of rejected) {
      assert.equal((await stores.refresh(refresh)).outcome, outcome)
    }
    assert.deepEqual(await state(), before)
    await stores.resources.markDeleted(TENANT, LATER)
    assert.equal((await stores.refresh(request())).outcome, 'not-provisioned')
  })

  test(`[${engine}] a refresh over a limit names the limit and rolls back the other charges`, async (t) => {
    const { stores, request, state, database } = await scene(t, engine)
    const before = await state()
    for (const [window, used] of Object.entries(USED)) {
      for (const limit of [0, 1]) {
        const { charges: guest } = request()
        const charges = {
          ...guest,
          [window]: {
            ...guest[window as keyof typeof USED],
            ...windowLimits('authenticated', limit),
          },
        }
        if (limit === 1) {
          const [columns, values] = [Object.keys(used).join(), Object.values(used).join()]
          await raw(
            database,
            `insert into event_counts (scope, ${columns}) values ('tenant:${TENANT}', ${values})`,
          )
        }
        const counted = await stores.eventCounts.read(charges, LATER)
        const outcome = await stores.refresh(request({ charges }))
        assert.ok(outcome.outcome === 'over-limit')
        assert.deepEqual(
          [outcome.reached.window, outcome.reached.limit, outcome.reached.isOfStarts],
          [window, limit, false],
        )
        assert.deepEqual(await stores.eventCounts.read(charges, LATER), counted)
        await raw(database, 'delete from event_counts')
      }
    }
    assert.deepEqual(await state(), before)
    assert.equal((await stores.refresh(request())).outcome, 'refreshed')
  })

  test(`[${engine}] in a window that other events have filled, refreshes have the reserved half to themselves`, async (t) => {
    const { stores, request, state, tenant, resource, userId } = await scene(t, engine)
    const all = request().charges
    const charges = { ...all, month: { ...all.month, ...windowLimits('authenticated', 5) } }
    await stores.eventCounts.add(chargesFor(tenant, 'logout', LATER), 7)
    for (const left of [1, 0]) {
      const session = await stores.sessions.start(resource, newSession(userId))
      const outcome = await stores.refresh(request({ charges, rotation: rotation(session, LATER) }))
      assert.equal(outcome.outcome === 'refreshed' && outcome.leftThisMinute, left)
    }
    const third = await stores.refresh(request({ charges }))
    assert.ok(third.outcome === 'over-limit')
    assert.deepEqual([third.reached.window, third.reached.limit], ['minute', 5])
    assert.deepEqual((await state()).counts, [9, 9, 9, 9])
    const counts = await stores.eventCounts.read(charges, LATER)
    assert.deepEqual([counts.minute.authenticated, counts.month.authenticated], [2, 2])
  })

  test(`[${engine}] a refresh of an instance whose clock is behind counts in the minute that has begun elsewhere`, async (t) => {
    const { stores, tenant, request, resource, userId } = await scene(t, engine)
    const ahead = LATER + 60_000
    await stores.eventCounts.add(chargesFor(tenant, 'token_refreshed', ahead))
    const outcome = await stores.refresh(request())
    assert.equal(outcome.outcome === 'refreshed' && outcome.leftThisMinute, 3)

    const { minute } = request().charges
    const charges = {
      ...request().charges,
      minute: { ...minute, ...windowLimits('authenticated', 3) },
    }
    const sessions = [await stores.sessions.start(resource, newSession(userId))]
    sessions.push(await stores.sessions.start(resource, newSession(userId)))
    // One is over the limit, so that PostgreSQL runs its statement again for the other.
    const outcomes = await Promise.all(
      sessions.map((session) =>
        stores.refresh(request({ charges, rotation: rotation(session, LATER) })),
      ),
    )
    assert.deepEqual(outcomes.map((each) => each.outcome).sort(), ['over-limit', 'refreshed'])
    const counts = await stores.eventCounts.read(charges, LATER)
    assert.deepEqual(counts.minute, {
      start: minuteStart(ahead),
      used: 3,
      loginStarts: 0,
      authenticated: 3,
    })
    assert.deepEqual(await stores.eventCounts.read(charges, ahead), counts)
  })

  for (const [when, counted] of [
    ['of a minute and month', Date.UTC(2000, 0)],
    ['after the clock was set back by a year', Date.UTC(new Date(LATER).getUTCFullYear() + 1, 0)],
  ] as const) {
    test(`[${engine}] the first refreshes ${when} start at zero, also when one is over the limit`, async (t) => {
      const { stores, tenant, request, resource, userId } = await scene(t, engine)
      await stores.eventCounts.add(chargesFor(tenant, 'token_refreshed', counted, true), 50)
      const { minute, month } = request().charges
      const sessions = [await stores.sessions.start(resource, newSession(userId))]
      sessions.push(await stores.sessions.start(resource, newSession(userId)))
      for (const limit of [1, 2]) {
        const charges = {
          ...request().charges,
          minute: { ...minute, ...windowLimits('authenticated', limit) },
          month: { ...month, ...windowLimits('authenticated', limit) },
        }
        const unlimited = { ...charges, lifetime: { ...charges.lifetime, limit: null } }
        const outcomes = await Promise.all(
          sessions.map((session) =>
            stores.refresh(request({ charges: unlimited, rotation: rotation(session, LATER) })),
          ),
        )
        const refreshed = outcomes.filter((each) => each.outcome === 'refreshed')
        assert.deepEqual(
          refreshed.map(({ leftThisMinute }) => leftThisMinute),
          [0],
        )
      }
      assert.deepEqual(await countsOf(stores, request().charges), [52, 2, 2, 52])
    })
  }

  test(`[${engine}] a refresh after the clock was set back counts in the minute and month that are current now`, async (t) => {
    const { stores, tenant, request } = await scene(t, engine)
    await stores.eventCounts.add(
      chargesFor(tenant, 'token_refreshed', LATER + 365 * 86_400_000, true),
      3,
    )
    const outcome = await stores.refresh(request())
    assert.equal(outcome.outcome === 'refreshed' && outcome.leftThisMinute, 4)
    assert.deepEqual(await countsOf(stores, request().charges), [4, 1, 1, 4])
  })

  test(`[${engine}] of 40 concurrent refreshes with 30 left in the minute, 30 succeed and 10 change nothing`, async (t) => {
    const { stores, request, state, resource, userId } = await scene(t, engine)
    const sessions = await Promise.all(
      Array.from({ length: 40 }, () => stores.sessions.start(resource, newSession(userId))),
    )
    const { lifetime, minute, month } = request().charges
    const charges = {
      ...request().charges,
      lifetime: { ...lifetime, limit: null },
      minute: { ...minute, ...windowLimits('authenticated', 30) },
      month: { ...month, ...windowLimits('authenticated', null) },
    }
    const outcomes = await Promise.all(
      sessions.map((session) =>
        stores.refresh(request({ charges, rotation: rotation(session, LATER) })),
      ),
    )
    const refreshed = outcomes.filter((each) => each.outcome === 'refreshed')
    assert.equal(refreshed.length, 30)
    assert.deepEqual(
      refreshed.map(({ leftThisMinute }) => leftThisMinute ?? -1).sort((one, other) => one - other),
      Array.from({ length: 30 }, (_, index) => index),
    )
    const { counts, events } = await state()
    assert.deepEqual(counts, [30, 30, 30, 30])
    assert.deepEqual(
      events.map(({ id }) => id),
      Array.from({ length: 30 }, (_, index) => index + 1),
      'event ids have no gap',
    )
    for (const [at, session] of sessions.entries()) {
      const generation = outcomes[at]?.outcome === 'refreshed' ? 1 : 0
      assert.equal((await stores.sessions.find(resource, session.id))?.generation, generation)
    }
  })

  for (const [left, outcomes] of [
    [{ lifetime: 4, minute: 2, month: 3 }, 'refreshed refreshed minute minute minute minute'],
    [{ lifetime: 4, minute: 3, month: 2 }, 'refreshed refreshed month month month month'],
    [
      { lifetime: 1, minute: 2, month: 1 },
      'refreshed lifetime lifetime lifetime lifetime lifetime',
    ],
    [{ lifetime: 1, minute: 0, month: 0 }, 'minute minute minute minute minute minute'],
  ] as const) {
    const places = Object.entries(left).map(([window, count]) => `${count} in its ${window}`)
    test(`[${engine}] of six concurrent refreshes with ${places.join(', ')} left, the first succeed and the others name the limit that was reached first`, async (t) => {
      const { stores, request, resource, userId } = await scene(t, engine)
      const sessions = []
      for (let count = 0; count < 6; count++) {
        sessions.push(await stores.sessions.start(resource, newSession(userId)))
      }
      const { lifetime, minute, month } = request().charges
      const charges = {
        ...request().charges,
        lifetime: { ...lifetime, limit: left.lifetime },
        minute: { ...minute, ...windowLimits('authenticated', left.minute) },
        month: { ...month, ...windowLimits('authenticated', left.month) },
      }
      const found = await Promise.all(
        sessions.map((session) =>
          stores.refresh(request({ charges, rotation: rotation(session, LATER) })),
        ),
      )
      const named = found.map((each) =>
        each.outcome === 'over-limit' ? each.reached.window : each.outcome,
      )
      assert.equal(named.join(' '), outcomes)
    })
  }

  test(`[${engine}] a refresh over its limit does not affect those of other tenants in the same batch`, async (t) => {
    const { stores, profile, state, request } = await scene(t, engine)
    const before = await state()
    const { charges } = request()
    const others = await Promise.all(
      Array.from({ length: 6 }, async (_, at) => {
        const tenant = guest(`${TENANT}${at}`, profile)
        await stores.tenants.create(tenant, [])
        const { resource, session } = await signInUser(stores, tenant.id)
        return { tenant, resource, session, charges: chargesFor(tenant, 'token_refreshed', LATER) }
      }),
    )
    const outcomes = await Promise.all([
      stores.refresh(
        request({
          charges: {
            ...charges,
            minute: { ...charges.minute, ...windowLimits('authenticated', 0) },
          },
        }),
      ),
      ...others.map(({ tenant, session, charges }) =>
        stores.refresh({ tenant, charges, rotation: rotation(session, LATER) }),
      ),
    ])
    assert.deepEqual(
      outcomes.map(({ outcome }) => outcome),
      ['over-limit', ...others.map(() => 'refreshed')],
    )
    const { published: _, ...unchanged } = before
    const { published: __, ...after } = await state()
    assert.deepEqual(after, unchanged)
    for (const { resource, session, charges } of others) {
      assert.equal((await stores.sessions.find(resource, session.id))?.generation, 1)
      assert.deepEqual(await countsOf(stores, charges), [1, 1, 1, 1])
      assert.equal((await stores.events.page(resource, { after: 0, limit: 100 })).length, 1)
    }
  })

  test(`[${engine}] of 50 concurrent refreshes of one generation, one succeeds`, async (t) => {
    const { stores, request, state, resource, userId, session } = await scene(t, engine)
    const other = await stores.sessions.start(resource, newSession(userId))
    const { lifetime, minute, month } = request().charges
    const charges = {
      ...request().charges,
      lifetime: { ...lifetime, limit: null },
      minute: { ...minute, limit: 1_000 },
      month: { ...month, limit: null },
    }
    const outcomes = await Promise.all(
      Array.from({ length: 100 }, (_, at) =>
        stores.refresh(request({ charges, rotation: rotation(at % 2 ? session : other, LATER) })),
      ),
    )
    assert.equal(outcomes.filter(({ outcome }) => outcome === 'refreshed').length, 2)
    assert.equal(outcomes.filter(({ outcome }) => outcome === 'not-current').length, 98)
    assert.deepEqual((await state()).counts, [2, 2, 2, 2])
  })

  test(`[${engine}] a session without a user is rejected and charged nothing`, async (t) => {
    const { stores, request, state, resource } = await scene(t, engine)
    const orphan = await stores.sessions.start(resource, newSession(987_654))
    const before = await state()
    assert.deepEqual(await stores.refresh(request({ rotation: rotation(orphan, LATER) })), {
      outcome: 'not-current',
    })
    assert.deepEqual(await state(), before)
  })

  test(`[${engine}] after the storage is closed a refresh is Unavailable`, async (t) => {
    const { stores, request, close } = await scene(t, engine)
    await close()
    await assert.rejects(stores.refresh(request()), Unavailable)
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
        const resource = await stores.resources.provision(
          tenant.id,
          ['https://app.example.com/cb'],
          NOW,
        )
        const { id: userId } = await stores.users.insert(resource, googleProfile('ada'), NOW)
        return { tenant, resource, userId, charges: chargesFor(tenant, 'token_refreshed', LATER) }
      }),
    )
    const work = tenants.flatMap(({ tenant, resource, userId, charges }) =>
      Array.from({ length: 10 }, async (_, at) => {
        if (at % 2 === 0) {
          const session = await stores.sessions.start(resource, newSession(userId))
          const { outcome } = await stores.refresh({
            tenant,
            charges,
            rotation: rotation(session, LATER),
          })
          assert.equal(outcome, 'refreshed')
        } else {
          await stores.transaction(async (open) => {
            await open.resources.lockActive(tenant.id)
            await open.eventCounts.add(charges)
            await open.users.update(resource, userId, googleProfile('ada'), LATER)
          })
        }
      }),
    )
    await Promise.all(work)
    for (const { charges } of tenants) {
      assert.deepEqual(await countsOf(stores, charges), [10, 80, 80, 10])
    }
  })
}
