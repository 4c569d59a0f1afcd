import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { AuthEventKind } from '@gatehouse-auth/contract'
import { type Charges, chargesFor, windowLimits } from '../../../src/domain/limits/allowance.ts'
import { minuteStart, monthEnd, monthStart } from '../../../src/domain/limits/counter.ts'
import { OverLimit } from '../../../src/domain/limits/over-limit.ts'
import { ENGINES, type Engine } from '../../support/postgres/engines.ts'
import { guest, NOW, openTestStorage, raw } from '../../support/postgres/storage.ts'

const MINUTE_MS = 60_000
const NEXT_MONTH = Date.UTC(new Date(NOW).getUTCFullYear(), new Date(NOW).getUTCMonth() + 1, 3)
const OWNERS = { guest: null, owned: { accountId: 7, tier: 'free' } } as const

async function scene(
  t: TestContext,
  engine: Engine,
  owner: (typeof OWNERS)[keyof typeof OWNERS] = null,
) {
  const here = await openTestStorage(t, engine)
  const { eventCounts } = here.stores
  const tenant = guest('one-two', here.profile, { owner })
  const charges = (
    kind: AuthEventKind,
    now = NOW,
    limits: Partial<Record<Window, number>> = {},
  ): Charges => {
    const all = chargesFor(tenant, kind, now, true)
    return {
      ...all,
      lifetime: { ...all.lifetime, limit: limits.lifetime ?? null },
      minute: { ...all.minute, ...windowLimits(all.eventClass, limits.minute ?? null) },
      month: { ...all.month, ...windowLimits(all.eventClass, limits.month ?? null) },
    }
  }
  /**
   * Lifetime; events of the minute, with login starts and authenticated ones; the same of the month; last event id.
   */
  const counts = async (now = NOW): Promise<number[]> => {
    const { lifetime, minute, month, lastEventId } = await eventCounts.read(charges('logout'), now)
    return [
      lifetime,
      minute.used,
      minute.loginStarts,
      minute.authenticated,
      month.used,
      month.loginStarts,
      month.authenticated,
      lastEventId,
    ]
  }
  return { ...here, eventCounts, charges, counts }
}

type Window = 'lifetime' | 'minute' | 'month'

const overLimit =
  (window: Window, isOfStarts = false) =>
  (error: unknown) =>
    error instanceof OverLimit && error.window === window && error.isOfStarts === isOfStarts

for (const engine of ENGINES) {
  for (const [name, owner] of Object.entries(OWNERS)) {
    test(`[${engine}] the events of ${name === 'guest' ? 'a guest are counted in one row' : "an owned tenant are counted in its row and in its owner's"}`, async (t) => {
      const { stores, eventCounts, charges, counts, database } = await scene(t, engine, owner)
      await eventCounts.add(charges('login_started'))
      await eventCounts.add(charges('authorize'))
      const { lifetime, minute, month, lastEventId } = await eventCounts.add(charges('logout'), 2)
      const [inMinute, inMonth] = [minuteStart(NOW), monthStart(NOW)]
      assert.deepEqual([lifetime, lastEventId], [4, 4])
      assert.deepEqual(minute, { start: inMinute, used: 4, loginStarts: 1, authenticated: 1 })
      assert.deepEqual(month, { start: inMonth, used: 4, loginStarts: 1, authenticated: 1 })
      assert.deepEqual(await counts(), [4, 4, 1, 1, 4, 1, 1, 4])
      await eventCounts.add(charges('logout'), 0)
      assert.deepEqual(await counts(), [4, 4, 1, 1, 4, 1, 1, 4], 'without events it only locks')
      const scopes = charges('logout')
      assert.equal((await eventCounts.read(scopes, NOW)).users, 0)
      await stores.counters.spend({ scope: scopes.shared, window: 'users', start: 0 }, 3, null)
      assert.equal((await eventCounts.read(scopes, NOW)).users, 3)
      assert.equal(await eventCounts.lastEventId('one-two'), 4)
      assert.equal(await eventCounts.lastEventId('three-four'), 0)
      const rows = await raw(
        database,
        `select scope, minute_start, minute_used, minute_login_starts, minute_authenticated, month_start, month_used,
          month_login_starts, month_authenticated, lifetime_used, last_event_id from event_counts order by scope`,
      )
      const numbers = rows.map(({ scope, ...row }) => [scope, ...Object.values(row).map(Number)])
      const windows = [inMinute, 4, 1, 1, inMonth, 4, 1, 1]
      assert.deepEqual(
        numbers,
        owner === null
          ? [['tenant:one-two', ...windows, 4, 4]]
          : [
              ['account:7', ...windows, 0, 0],
              ['tenant:one-two', 0, 0, 0, 0, 0, 0, 0, 0, 4, 4],
            ],
      )
    })

    test(`[${engine}] an event of ${name === 'guest' ? 'a guest' : 'an owned tenant'} over one of its limits names the limit and is counted nowhere`, async (t) => {
      const { eventCounts, charges, counts } = await scene(t, engine, owner)
      for (const window of ['lifetime', 'minute', 'month'] as const) {
        await assert.rejects(
          eventCounts.add(charges('login_started', NOW, { [window]: 0 })),
          overLimit(window),
        )
      }
      assert.deepEqual(await counts(), [0, 0, 0, 0, 0, 0, 0, 0], 'also the first event')
      await eventCounts.add(charges('login_started', NOW, { lifetime: 1, minute: 1, month: 1 }))
      for (const window of ['lifetime', 'minute', 'month'] as const) {
        await assert.rejects(
          eventCounts.add(charges('login_started', NOW, { [window]: 1 })),
          overLimit(window),
        )
      }
      const both = charges('login_started', NOW, { lifetime: 2, month: 1 })
      await assert.rejects(
        eventCounts.add(both),
        overLimit('month'),
        'the last unit of the lifetime was not used',
      )
      assert.deepEqual(await counts(), [1, 1, 1, 0, 1, 1, 0, 1])
    })
  }

  for (const window of ['minute', 'month'] as const) {
    test(`[${engine}] all events of a ${window} share its limit, of which login starts use at most half, rounded up`, async (t) => {
      const { eventCounts, charges, counts } = await scene(t, engine)
      const limits = { [window]: 5 }
      const [start, refresh] = [
        charges('login_started', NOW, limits),
        charges('token_refreshed', NOW, limits),
      ]
      for (let n = 0; n < 3; n++) {
        await eventCounts.add(start)
      }
      await assert.rejects(eventCounts.add(start), overLimit(window, true), 'the half of starts')
      for (let n = 0; n < 2; n++) {
        await eventCounts.add(refresh)
      }
      await assert.rejects(eventCounts.add(refresh), overLimit(window), 'the limit of all events')
      assert.deepEqual(await counts(), [5, 5, 3, 2, 5, 3, 2, 5])
    })

    test(`[${engine}] sign-ins and refreshes use a whole ${window} if nothing else does, and then no login starts`, async (t) => {
      const { eventCounts, charges } = await scene(t, engine)
      const limits = { [window]: 5 }
      for (let n = 0; n < 5; n++) {
        await eventCounts.add(charges('token_refreshed', NOW, limits))
      }
      for (const kind of ['token_refreshed', 'authorize', 'login_started'] as const) {
        await assert.rejects(eventCounts.add(charges(kind, NOW, limits)), overLimit(window))
      }
    })

    test(`[${engine}] consequences are counted past the limit of a ${window}, and leave sign-ins and refreshes their half`, async (t) => {
      const { eventCounts, charges, counts } = await scene(t, engine)
      const limits = { [window]: 5 }
      for (let n = 0; n < 3; n++) {
        await eventCounts.add(charges('login_started', NOW, limits))
        await eventCounts.add(charges('consent_denied', NOW, limits))
      }
      const sixEvents = [6, 6, 3, 0, 6, 3, 0, 6]
      assert.deepEqual(await counts(), sixEvents)
      await assert.rejects(
        eventCounts.add(charges('login_started', NOW, limits)),
        overLimit(window),
      )
      for (let n = 0; n < 2; n++) {
        await eventCounts.add(charges('authorize', NOW, limits))
      }
      await assert.rejects(eventCounts.add(charges('authorize', NOW, limits)), overLimit(window))
      assert.deepEqual(await counts(), [8, 8, 3, 2, 8, 3, 2, 8])
    })
  }

  test(`[${engine}] of 50 concurrent events with 5 left in the minute and 3 in the month, exactly 3 are counted`, async (t) => {
    const { stores, charges, counts } = await scene(t, engine, OWNERS.owned)
    const added = await Promise.all(
      Array.from({ length: 50 }, () =>
        stores
          .transaction((open) =>
            open.eventCounts.add(charges('authorize', NOW, { minute: 5, month: 3 })),
          )
          .catch((error: unknown) => (overLimit('month')(error) ? null : Promise.reject(error))),
      ),
    )
    const ids = added.flatMap((each) => each?.lastEventId ?? [])
    assert.deepEqual(ids.sort(), [1, 2, 3])
    assert.deepEqual(await counts(), [3, 3, 0, 3, 3, 0, 3, 3])
  })

  test(`[${engine}] a minute or month that begins starts at zero; the lifetime and the ids continue`, async (t) => {
    const { eventCounts, charges, counts } = await scene(t, engine)
    const limits = { minute: 1, month: 2 }
    await eventCounts.add(charges('authorize', NOW, limits))
    assert.deepEqual(await counts(NOW + MINUTE_MS), [1, 0, 0, 0, 1, 0, 1, 1])
    await eventCounts.add(charges('authorize', NOW + MINUTE_MS, limits))
    assert.deepEqual(await counts(NOW + MINUTE_MS), [2, 1, 0, 1, 2, 0, 2, 2])
    const third = charges('authorize', NOW + 2 * MINUTE_MS, limits)
    await assert.rejects(eventCounts.add(third), overLimit('month'))
    assert.deepEqual(await counts(NEXT_MONTH), [2, 0, 0, 0, 0, 0, 0, 2])
    await eventCounts.add(charges('login_started', NEXT_MONTH, limits))
    assert.deepEqual(await counts(NEXT_MONTH), [3, 1, 1, 0, 1, 1, 0, 3])
  })

  test(`[${engine}] an instance whose clock is behind counts in the minute and month that have begun elsewhere`, async (t) => {
    const { eventCounts, charges, counts } = await scene(t, engine)
    const limits = { minute: 2, month: 2 }
    const [before, after] = [monthEnd(NOW) - 2_000, monthEnd(NOW) + 1_000]
    await eventCounts.add(charges('authorize', after, limits))
    const { minute, month } = await eventCounts.add(charges('authorize', before, limits))
    assert.deepEqual([minute.start, month.start], [monthEnd(NOW), monthEnd(NOW)])
    for (const now of [before, after]) {
      await assert.rejects(eventCounts.add(charges('authorize', now, limits)), overLimit('minute'))
      assert.deepEqual(await counts(now), [2, 2, 0, 2, 2, 0, 2, 2])
    }
  })

  test(`[${engine}] when the clock was set back, events count from zero again instead of in windows of the future`, async (t) => {
    const { eventCounts, charges, counts } = await scene(t, engine)
    const limits = { minute: 1, month: 1 }
    await eventCounts.add(charges('authorize', NEXT_MONTH, limits))
    assert.deepEqual(await counts(), [1, 0, 0, 0, 0, 0, 0, 1])
    const { minute, month } = await eventCounts.add(charges('authorize', NOW, limits))
    assert.deepEqual([minute.start, month.start], [minuteStart(NOW), monthStart(NOW)])
    assert.deepEqual(await counts(), [2, 1, 0, 1, 1, 0, 1, 2], 'the lifetime and the ids continue')
    await assert.rejects(eventCounts.add(charges('authorize', NOW, limits)), overLimit('minute'))
  })
}
