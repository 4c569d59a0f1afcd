import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AUTH_EVENT_KINDS, type AuthEventKind, TIER_LIMITS } from '@gatehouse-auth/contract'
import { fc } from '../../../test/support/generated.ts'
import type { Tenant } from '../tenants/tenant.ts'
import { chargesFor, classOf, eventsLeft, exceedsLifetime, loginStartLimit } from './allowance.ts'
import { minuteEnd, minuteStart, monthEnd, monthStart } from './counter.ts'
import {
  type AllowanceName,
  nextLimit,
  type Usage,
  type UsageByAllowance,
} from './usage-forecast.ts'

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

interface Minute {
  readonly recorded: readonly AuthEventKind[]
  readonly rejected: readonly AuthEventKind[]
}

/** Counts events of one minute in this order, as `countAuthEvent` does. */
function countAll(order: readonly AuthEventKind[]): Minute {
  const recorded: AuthEventKind[] = []
  const rejected: AuthEventKind[] = []
  for (const kind of order) {
    const { minute } = chargesFor(tenant, kind, 0)
    const counts = {
      start: 0,
      used: recorded.length,
      loginStarts: ofClass(recorded, 'start').length,
      authenticated: ofClass(recorded, 'authenticated').length,
    }
    const isRejected = eventsLeft(minute, counts) === 0
    const events = isRejected ? rejected : recorded
    events.push(kind)
  }
  return { recorded, rejected }
}

const ofClass = (events: readonly AuthEventKind[], name: ReturnType<typeof classOf>) =>
  events.filter((kind) => classOf(kind) === name)

const kinds = fc.array(fc.constantFrom(...AUTH_EVENT_KINDS), { maxLength: 120 })
const LIMIT = TIER_LIMITS.free.eventsPerMinute
const STARTS = 15

test('events never exceed the limit, apart from consequences, and starts never exceed half of it', () => {
  fc.assert(
    fc.property(kinds, (order) => {
      const { recorded, rejected } = countAll(order)
      const consequences = ofClass(recorded, 'consequence').length
      assert.ok(recorded.length - consequences <= LIMIT)
      assert.ok(ofClass(recorded, 'start').length <= STARTS)
      assert.deepEqual(ofClass(rejected, 'consequence'), [], 'always recorded')
      if (rejected.length > 0) {
        assert.ok(recorded.length >= LIMIT || ofClass(recorded, 'start').length === STARTS)
      }
    }),
    { numRuns: 500 },
  )
})

test('the strangers who open, cancel and fail logins never reject the first half of what signed-in users need', () => {
  fc.assert(
    fc.property(kinds, fc.nat({ max: LIMIT - STARTS }), (order, needed) => {
      const byStrangers = order.filter((kind) => classOf(kind) !== 'authenticated')
      const refreshes = Array<AuthEventKind>(needed).fill('token_refreshed')
      assert.deepEqual(
        ofClass(countAll([...byStrangers, ...refreshes]).rejected, 'authenticated'),
        [],
      )
    }),
    { numRuns: 500 },
  )
})

test('the half of the starts is rounded up', () => {
  assert.deepEqual([1, 2, 5, 30, 5_000].map(loginStartLimit), [1, 1, 3, 15, 2_500])
})

const NAMES: readonly AllowanceName[] = [
  'stored_users',
  'events_this_minute',
  'events_this_month',
  'login_starts_this_minute',
  'login_starts_this_month',
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

const UNLIMITED = { used: 0, limit: null }
const NO_LIMITS: UsageByAllowance = {
  stored_users: UNLIMITED,
  events_this_minute: UNLIMITED,
  events_this_month: UNLIMITED,
  login_starts_this_minute: UNLIMITED,
  login_starts_this_month: UNLIMITED,
  events_lifetime: UNLIMITED,
}

const CONSEQUENCES: Readonly<Record<AllowanceName, RegExp>> = {
  events_lifetime: /^Lifetime events: .* the next event pauses the tenant until it is claimed\.$/,
  stored_users: /^Stored users: .* no new user can sign in; a guest tenant is paused\.$/,
  events_this_minute:
    /^Events this minute: .* new logins wait for the next minute, and so do sign-ins and refreshes after their first 5\.$/,
  events_this_month:
    /^Events this month: .* new logins wait for the next month, and so do sign-ins and refreshes after their first 5\.$/,
  login_starts_this_minute:
    /^Login starts this minute: .* new logins wait for the next minute; started logins and refreshes continue\.$/,
  login_starts_this_month:
    /^Login starts this month: .* new logins wait for the next month; started logins and refreshes continue\.$/,
}

test('the warning names what stops next: new logins, or sign-ins and refreshes, too', () => {
  for (const allowance of NAMES) {
    // Logouts and failed logins are counted past the limit.
    for (const [used, counted] of [
      [9, '9 of 10 used, 1 left'],
      [12, '12 of 10 used, 0 left'],
    ] as const) {
      const next = nextLimit({ ...NO_LIMITS, [allowance]: { used, limit: 10 } }, 0)
      assert.equal(next?.allowance, allowance)
      assert.match(next.warning ?? '', CONSEQUENCES[allowance])
      assert.ok(next.warning?.includes(`: ${counted}. Then `), next.warning ?? '')
    }
  }
})

test('of two full allowances the warning names the more severe one', () => {
  const full = { used: 2_500, limit: 2_500 }
  const usage = {
    ...NO_LIMITS,
    events_this_month: { used: 5_010, limit: 5_000 },
    login_starts_this_month: full,
  }
  assert.equal(nextLimit(usage, 0)?.allowance, 'events_this_month')
})

test('from the fourth day on, a month whose limit will be reached at its rate warns with the day', () => {
  const usage = (all: number, starts: number): UsageByAllowance => ({
    ...NO_LIMITS,
    stored_users: { used: 3_000, limit: 5_000 },
    events_this_month: { used: all, limit: 5_000 },
    login_starts_this_month: { used: starts, limit: 2_500 },
  })
  const day = (n: number): number => Date.UTC(2026, 10, n)
  // 2,000 in ten days: 5,000 after 25, which end with the 25th.
  const next = nextLimit(usage(2_000, 900), day(11))
  assert.deepEqual([next?.allowance, next?.left], ['events_this_month', 3_000])
  assert.match(next?.warning ?? '', /reached on 26 November\. Events this month/)
  assert.equal(nextLimit(usage(2_000, 1_000), day(11))?.allowance, 'events_this_month', 'severe')
  assert.match(
    nextLimit(usage(2_000, 1_200), day(11))?.warning ?? '',
    /reached on 21 November\. Login starts this month/,
    'the first one',
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
  assert.equal(nextLimit(NO_LIMITS, 0), null)
  const same = {
    ...NO_LIMITS,
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

test('a window without a limit admits any number of events', () => {
  const { month, minute } = chargesFor(tenant, 'authorize', 0, true)
  const counts = { start: 0, used: 1_000_000, loginStarts: 0, authenticated: 1_000_000 }
  assert.deepEqual([eventsLeft(month, counts), eventsLeft(minute, counts)], [null, null])
  assert.equal(chargesFor(tenant, 'authorize', 0).month.limit, TIER_LIMITS.free.eventsPerMonth)
})
