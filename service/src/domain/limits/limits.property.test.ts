import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AUTH_EVENT_KINDS, type AuthEventKind, TIER_LIMITS } from '@gatehouse-auth/contract'
import { fc } from '../../../test/support/generated.ts'
import type { Tenant } from '../tenants/tenant.ts'
import { chargesFor, classOf, exceedsLifetime } from './allowance.ts'
import { minuteEnd, minuteStart, monthEnd, monthStart } from './counter.ts'
import { type AllowanceName, nextLimit, OverLimit, type Usage } from './over-limit.ts'

/** Any time from 1970 to 2100. */
const moment = fc.integer({ min: 0, max: Date.UTC(2100, 0) })

test('every time is in exactly one minute and one month, and windows follow each other without a gap', () => {
  fc.assert(
    fc.property(moment, (now) => {
      for (const [start, end] of [
        [minuteStart, minuteEnd],
        [monthStart, monthEnd],
      ] as const) {
        assert.ok(start(now) <= now && now < end(now))
        assert.deepEqual([start(start(now)), end(start(now))], [start(now), end(now)])
        assert.equal(start(end(now)), end(now), 'the next begins')
        assert.equal(end(end(now) - 1), end(now), 'this one lasts until then')
      }
      assert.equal(minuteEnd(now) - minuteStart(now), 60_000)
      assert.match(new Date(monthStart(now)).toISOString(), /^\d{4}-\d\d-01T00:00:00\.000Z$/)
    }),
    { numRuns: 1_000 },
  )
})

const tenant: Tenant = {
  id: 'swift-fox-running-k3qd',
  origin: 'genesis',
  profile: 'v1-1',
  createdAt: 0,
  expiresAt: null,
  claimedAt: 0,
  owner: { accountId: 1, tier: 'free' },
  creatorGuestHash: null,
  pausedAt: null,
  pauseReason: null,
  suspension: null,
}

/** Counts events of one minute in any order, as `countAuthEvent` does. Returns the rejected ones. */
function rejectedOf(order: readonly AuthEventKind[]): AuthEventKind[] {
  let [used, authenticated] = [0, 0]
  return order.filter((kind) => {
    const { minute } = chargesFor(tenant, kind, 0)
    if (minute.limit !== null && (minute.authenticated ? authenticated : used) >= minute.limit) {
      return true
    }
    used++
    if (minute.authenticated) {
      authenticated++
    }
    return false
  })
}

const kinds = fc.array(fc.constantFrom(...AUTH_EVENT_KINDS), { maxLength: 120 })
const LIMIT = TIER_LIMITS.free.eventsPerMinute

test('unauthenticated events never change which authenticated events are rejected', () => {
  fc.assert(
    fc.property(kinds, (order) => {
      const ofClass = (events: readonly AuthEventKind[]) =>
        events.filter((kind) => classOf(kind) === 'authenticated')
      assert.deepEqual(ofClass(rejectedOf(order)), rejectedOf(ofClass(order)))
      assert.equal(ofClass(rejectedOf(order)).length, Math.max(0, ofClass(order).length - LIMIT))
    }),
    { numRuns: 500 },
  )
})

test('a logout, a denial and a failure are never rejected, and a start never once all events have reached the limit', () => {
  fc.assert(
    fc.property(kinds, (order) => {
      assert.deepEqual(
        rejectedOf(order).filter((kind) => classOf(kind) === 'consequence'),
        [],
      )
      const full = [...Array<AuthEventKind>(LIMIT).fill('logout'), ...order]
      assert.equal(
        rejectedOf(full).filter((kind) => kind === 'login_started').length,
        order.filter((kind) => kind === 'login_started').length,
      )
    }),
    { numRuns: 500 },
  )
})

const NAMES: readonly AllowanceName[] = [
  'stored_users',
  'events_this_minute',
  'events_this_month',
  'authenticated_events_this_minute',
  'authenticated_events_this_month',
  'events_lifetime',
]

test('the next limit never has a negative rest, and warns from four fifths on', () => {
  const used = fc.record({
    used: fc.nat({ max: 1_000 }),
    limit: fc.option(fc.integer({ min: 1, max: 1_000 })),
  })
  fc.assert(
    fc.property(fc.tuple(used, used, used, used, used, used), (values) => {
      const usage = Object.fromEntries(NAMES.map((name, at) => [name, values[at]])) as Record<
        AllowanceName,
        Usage
      >
      const next = nextLimit(usage, 0)
      const limited = Object.values(usage).filter((each) => each.limit !== null)
      assert.equal(next === null, limited.length === 0)
      if (next === null) {
        return
      }
      assert.ok(next.left >= 0 && next.left === Math.max(0, next.limit - next.used))
      assert.equal(next.warning !== null, next.used / next.limit >= 0.8)
      const share = (each: { used: number; limit: number | null }) =>
        Math.min(1, each.used / (each.limit ?? 1))
      for (const each of limited) {
        assert.ok(share(each) <= share(next))
      }
    }),
    { numRuns: 500 },
  )
})

test('with sign-ins and refreshes used up, no warning says that refreshes continue, whatever else was counted', () => {
  const none = { used: 0, limit: null }
  const usage = {
    ...{
      stored_users: none,
      events_this_minute: none,
      authenticated_events_this_minute: none,
      events_lifetime: none,
    },
    // Logouts and failed logins are counted past the limit.
    events_this_month: { used: 5_010, limit: 5_000 },
    authenticated_events_this_month: { used: 5_000, limit: 5_000 },
  }
  assert.equal(nextLimit(usage, 0)?.allowance, 'authenticated_events_this_month')
  const some = { ...usage, authenticated_events_this_month: { used: 4_999, limit: 5_000 } }
  assert.match(nextLimit(some, 0)?.warning ?? '', /refreshes continue/)
})

test('from the fourth day on, a month whose limit will be reached at its rate warns with the day', () => {
  const none = { used: 0, limit: null }
  const usage = (all: number, authenticated: number) => ({
    ...{ stored_users: { used: 3_000, limit: 5_000 }, events_lifetime: none },
    ...{ events_this_minute: none, authenticated_events_this_minute: none },
    events_this_month: { used: all, limit: 5_000 },
    authenticated_events_this_month: { used: authenticated, limit: 5_000 },
  })
  const day = (n: number): number => Date.UTC(2026, 10, n)
  // 2,000 in ten days: 5,000 after 25, which end with the 25th.
  const next = nextLimit(usage(2_000, 1_000), day(11))
  assert.deepEqual([next?.allowance, next?.left], ['events_this_month', 3_000])
  assert.match(
    next?.warning ?? '',
    /^At this rate the limit is reached on 26 November\. Events this month: 2000 of 5000/,
  )
  assert.match(
    nextLimit(usage(2_000, 2_000), day(11))?.warning ?? '',
    /Then both wait for the next month/,
    'the severe one',
  )
  for (const [all, at] of [
    [1_600, day(11)],
    [499, day(4)],
    [500, day(4)],
    [4_000, day(3)],
    [5_000, day(11)],
  ] as const) {
    const calm = nextLimit(usage(all, 0), at)
    assert.equal(
      /At this rate/.test(calm?.warning ?? ''),
      false,
      `${all} on ${new Date(at).toISOString()}`,
    )
  }
})

test('of allowances with the same share, the next limit is the one with less left', () => {
  const none = { used: 0, limit: null }
  const usage = Object.fromEntries(NAMES.map((name) => [name, none])) as Record<
    AllowanceName,
    Usage
  >
  assert.equal(nextLimit(usage, 0), null)
  const same = {
    ...usage,
    events_this_month: { used: 500, limit: 1_000 },
    events_this_minute: { used: 5, limit: 10 },
  }
  assert.equal(nextLimit(same, 0)?.allowance, 'events_this_minute')
})

test('a guest is paused by the event after its last one, an owned tenant by none', () => {
  const guest = { ...tenant, owner: null, claimedAt: null }
  const last = TIER_LIMITS.ephemeral.eventsPerLifetime ?? 0
  assert.deepEqual(
    [exceedsLifetime(guest, last, false), exceedsLifetime(guest, last + 1, false)],
    [false, true],
  )
  assert.equal(exceedsLifetime(guest, last + 1, true), false)
  assert.equal(exceedsLifetime(tenant, last + 1, false), false)
})

test('an allowance without a limit can never be used up', () => {
  const { month, minute } = chargesFor(tenant, 'authorize', 0, true)
  assert.deepEqual([month.limit, minute.limit], [null, null])
  assert.throws(() => new OverLimit(month), /has no limit/)
  assert.equal(chargesFor(tenant, 'authorize', 0).month.limit, TIER_LIMITS.free.eventsPerMonth)
})
