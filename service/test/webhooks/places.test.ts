import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { Places, type Turn } from '../../src/operations/webhooks/places.ts'
import { stopTime } from '../support/clock.ts'

const NOW = 1_800_000_000_000

/** Deliveries that end when the test says so. */
function scene(t: TestContext) {
  const pass = stopTime(t)
  const places = new Places()
  const open = new Map<string, { tenantId: string; end(): void }>()
  const started: string[] = []
  const run = (
    tenantId: string,
    id: string,
    { failures = 0, isGuest = false } = {},
  ): Promise<void> =>
    places.run({ tenantId, id, failures, isGuest }, () => {
      started.push(id)
      const { promise, resolve } = Promise.withResolvers<void>()
      open.set(id, { tenantId, end: resolve })
      return promise
    })
  /** Many deliveries at once, to `endpoints` endpoints of each of `tenants` tenants. */
  const burst = (tenants: number, endpoints: number, isGuest = false): void => {
    for (let tenant = 0; tenant < tenants; tenant++) {
      for (let endpoint = 0; endpoint < endpoints; endpoint++) {
        void run(`tenant-${tenant}`, `${tenant}-${endpoint}`, { isGuest })
      }
    }
  }
  const after = async (ms: number): Promise<void> => {
    pass(ms)
    await turn()
  }
  const end = async (...ids: string[]): Promise<void> => {
    for (const id of ids) {
      open.get(id)?.end()
      open.delete(id)
    }
    await turn()
  }
  return { places, open, started, run, burst, after, end }
}

/** Tenants and the endpoints of each. A guest can have one. */
const SCENES = [
  { tenants: 1, endpoints: 200, isGuest: false, of: 'one tenant' },
  { tenants: 40, endpoints: 5, isGuest: false, of: '40 tenants' },
  { tenants: 200, endpoints: 1, isGuest: true, of: '200 guests' },
]

for (const { tenants, endpoints, isGuest, of } of SCENES) {
  test(`while ${tenants * endpoints} new endpoints of ${of} do not answer, another tenant's delivery starts within 500 ms`, async (t) => {
    const { started, open, run, burst, after } = scene(t)
    burst(tenants, endpoints, isGuest)
    await after(0)
    void run('another', 'its-endpoint')
    for (let waited = 0; waited < 500 && !started.includes('its-endpoint'); waited += 100) {
      await after(100)
    }
    assert.ok(started.includes('its-endpoint'))
    // Those that do not answer stay open, up to a bound.
    for (let waited = 0; waited < 10; waited++) {
      await after(100)
    }
    assert.equal(open.size, 80)
  })
}

for (const { tenants, endpoints, isGuest, of } of SCENES) {
  test(`beside ${tenants * endpoints} endpoints of ${of} that answer after 2.8 s, a delivery of another tenant ends within 500 ms, and a fast endpoint is sent as much as before`, async (t) => {
    const { places, after } = scene(t)
    let now = 0
    const open = new Set<{ readonly until: number; answer(): void }>()
    const deliver = (tenantId: string, id: string, ms: number): Promise<void> =>
      places.run(
        { tenantId, id, failures: 0, isGuest: isGuest && tenantId.startsWith('slow') },
        () => {
          const { promise, resolve } = Promise.withResolvers<void>()
          open.add({ until: now + ms, answer: resolve })
          return promise
        },
      )
    const pass = async (): Promise<void> => {
      now += 20
      for (const delivery of open) {
        if (delivery.until > now) {
          continue
        }
        open.delete(delivery)
        delivery.answer()
      }
      await after(20)
    }
    let sent = 0
    const keepSending = async (tenantId: string, id: string, ms: number): Promise<never> => {
      for (;;) {
        await deliver(tenantId, id, ms)
        if (id === 'fast') {
          sent += 1
        }
      }
    }
    /** Deliveries of the busy tenant within five seconds. */
    const throughput = async (): Promise<number> => {
      const before = sent
      for (let waited = 0; waited < 5_000; waited += 20) {
        await pass()
      }
      return sent - before
    }
    void keepSending('busy', 'fast', 20)
    const alone = await throughput()

    for (let tenant = 0; tenant < tenants; tenant++) {
      for (let endpoint = 0; endpoint < endpoints; endpoint++) {
        void keepSending(`slow-${tenant}`, `${tenant}-${endpoint}`, 2_800)
      }
    }
    // While they are new, when they are known to be slow, and long after that.
    for (let round = 0; round < 6; round++) {
      let waited = 0
      let isDelivered = false
      void deliver(`another-${round}`, `another-${round}`, 60).then(() => {
        isDelivered = true
      })
      for (; !isDelivered; waited += 20) {
        await pass()
      }
      assert.ok(waited <= 500, `${waited} ms in round ${round}`)
      const beside = await throughput()
      assert.ok(beside >= alone * 0.9, `${beside} of ${alone} in round ${round}`)
    }
  })
}

test('of 100 open deliveries the last twenty are for tenants that have none, and ten of these for endpoints known to be fast', async (t) => {
  const { open, run, burst, after, end } = scene(t)
  const known = Array.from({ length: 12 }, (_, each) => `fast-${each}`)
  for (const id of known) {
    const sent = run(id, id)
    await after(0)
    await end(id)
    await sent
  }
  burst(2, 200)
  for (let waited = 0; waited < 20; waited++) {
    await after(100)
  }
  assert.equal(open.size, 80)
  for (let other = 0; other < 30; other++) {
    void run(`other-${other}`, `other-${other}`)
  }
  for (let waited = 0; waited < 20; waited++) {
    await after(100)
  }
  assert.equal(open.size, 90)
  for (const id of known) {
    void run(id, id)
  }
  for (let waited = 0; waited < 20; waited++) {
    await after(100)
  }
  assert.equal(open.size, 100)
})

test('an endpoint that is known to be fast is before all new ones of as many tenants; a guest with one has a share of its own', async (t) => {
  const { started, run, burst, after, end } = scene(t)
  for (const [id, isGuest] of [
    ['of-owner', false],
    ['of-guest', true],
  ] as const) {
    const sent = run(id, id, { isGuest })
    await after(0)
    await end(id)
    await sent
  }
  burst(200, 1, true)
  await after(0)
  void run('new', 'new')
  started.length = 0
  void run('of-owner', 'of-owner')
  void run('of-guest', 'of-guest', { isGuest: true })
  await end('0-0', '1-0')
  assert.deepEqual(started, ['of-owner', 'of-guest'])
})

test('a new endpoint that has waited for five seconds is before those known to be fast that came later', async (t) => {
  let now = 0
  t.mock.method(performance, 'now', () => now)
  const places = new Places()
  const started: string[] = []
  const deliver = (id: string) => {
    const { promise, resolve } = Promise.withResolvers<void>()
    const done = places.run({ tenantId: id, id, failures: 0, isGuest: false }, () => {
      started.push(id)
      return promise
    })
    return async (): Promise<void> => {
      resolve()
      await done
      // No place is given up after 100 ms meanwhile: timers run between turns of the event loop only.
      for (let step = 0; step < 5; step++) {
        await null
      }
    }
  }
  for (const id of ['fast-a', 'fast-b']) {
    await deliver(id)()
  }
  const ends = Array.from({ length: 16 }, (_, each) => deliver(`first-${each}`))
  ends.push(...['new', 'fast-a', 'fast-b'].map(deliver))
  now = 4_999
  await ends[0]?.()
  assert.deepEqual(started.slice(18), ['fast-a'])
  now = 5_000
  await ends[1]?.()
  assert.deepEqual(started.slice(18), ['fast-a', 'new'])
  for (const end of ends) {
    await end()
  }
  assert.equal(started.at(-1), 'fast-b')
})

test('a slow endpoint is known by the average of its deliveries, gets one at a time, and takes no place of the others', async (t) => {
  const { places, started, run, after, end } = scene(t)
  const webhook = { id: 'slow', failures: 0 }
  assert.equal(places.atOnce(webhook), 1, 'not known yet')
  const deliver = async (ms: number): Promise<void> => {
    const done = run('one', 'slow')
    await turn()
    await after(ms)
    await end('slow')
    await done
  }
  await deliver(100)
  assert.equal(places.atOnce(webhook), 8)
  for (const ms of [2_800, 2_800]) {
    await deliver(ms)
  }
  assert.equal(places.atOnce(webhook), 1)
  for (const ms of [100, 100, 100]) {
    await deliver(ms)
  }
  assert.equal(places.atOnce(webhook), 8, 'it is fast again')
  assert.equal(places.atOnce({ ...webhook, failures: 1 }), 1, 'one that fails')

  // Endpoints that fail hold their places until they answer, and are not more than sixteen.
  started.length = 0
  for (let each = 0; each < 40; each++) {
    void run(`failing-${each}`, `failing-${each}`, { failures: 1 })
  }
  await after(1_000)
  assert.equal(started.length, 16)
  void run('another', 'healthy')
  await after(0)
  assert.equal(started.at(-1), 'healthy')
})

test('a place that becomes free goes to the tenant with the fewest open deliveries, and one tenant alone uses all', async (t) => {
  const { started, run, burst, after, end } = scene(t)
  burst(1, 20)
  await after(0)
  assert.equal(started.length, 16, 'all places')
  void run('two', 'two-a')
  void run('two', 'two-b')
  void run('three', 'three-a')
  await end('0-0')
  await end('0-1')
  assert.deepEqual(started.slice(16), ['two-a', 'three-a'])
  await end('0-2', '0-3')
  assert.deepEqual(started.slice(18, 19), ['two-b'])
})

test('an endpoint keeps its place for 100 ms, and gives it up once', async (t) => {
  const { started, burst, after, end } = scene(t)
  burst(1, 40)
  await after(0)
  await after(99)
  assert.equal(started.length, 16)
  await after(1)
  assert.equal(started.length, 32)
  await end(...started.slice(0, 16))
  assert.equal(started.length, 32, 'the places are those of the next sixteen')
  await end(...started.slice(16, 20))
  assert.equal(started.length, 36)
})

/** Endpoints of a kind: known to be fast, not known yet, failing. Each is of a tenant of its own. */
async function endpointsOf() {
  const places = new Places()
  for (let each = 0; each < 400; each++) {
    const id = `fast-${each}`
    await places.run({ tenantId: id, id, failures: 0, isGuest: false }, async () => undefined)
  }
  const counts = { fast: 0, new: 0, slow: 0 }
  const next = (kind: Turn['kind'], isGuest = false) => {
    const id = `${kind}-${counts[kind]++}`
    return {
      tenantId: id,
      id,
      failures: kind === 'slow' ? 1 : 0,
      isGuest,
      nextLookAt: null as number | null,
    }
  }
  /** So many of them enter as can, up to `limit`. */
  const enter = (kind: Turn['kind'], limit: number, isGuest = false) => {
    const turns: { readonly turn: Turn; readonly webhook: ReturnType<typeof next> }[] = []
    while (turns.length < limit) {
      const webhook = next(kind, isGuest)
      const turn = places.enter(webhook, NOW)
      if (typeof turn === 'number') {
        break
      }
      turns.push({ turn, webhook })
    }
    return turns
  }
  return { places, next, enter }
}

test('a process works on 192 slow endpoints, 224 that are not known to be fast and 256 in all, so that none of a kind keeps out those of a faster one', async () => {
  const { places, next, enter } = await endpointsOf()
  assert.equal(enter('slow', 500).length, 192)
  assert.equal(places.enter(next('slow'), NOW), NOW, 'due from now on')
  assert.equal(enter('new', 500).length, 32)
  assert.equal(enter('fast', 257).length, 32)

  const others = await endpointsOf()
  assert.equal(others.enter('new', 500).length, 224)
  assert.equal(others.enter('slow', 500).length, 0)

  const full = await endpointsOf()
  const [entered = assert.fail()] = full.enter('fast', 257)
  assert.equal(full.enter('slow', 1).length, 0)
  full.places.leave(entered.turn)
  assert.equal(full.enter('slow', 2).length, 1)
})

test('from 128 slow endpoints on, a slow one leaves after a delivery; from 224 endpoints on, every one', async () => {
  const { places, enter } = await endpointsOf()
  const mustLeave = ([entered = assert.fail()]: ReturnType<typeof enter>) =>
    places.mustLeave(entered.turn, entered.webhook, NOW)
  const fast = enter('fast', 95)
  const slow = enter('slow', 127)
  assert.deepEqual([mustLeave(slow), mustLeave(fast)], [null, null])
  slow.push(...enter('slow', 1))
  assert.deepEqual([mustLeave(slow), mustLeave(fast)], [NOW, null])
  enter('new', 1)
  assert.deepEqual([mustLeave(slow), mustLeave(fast)], [NOW, NOW])
  places.leave(slow[1]?.turn ?? assert.fail())
  assert.deepEqual([mustLeave(slow), mustLeave(fast)], [null, null])
})

test('a process works on as many endpoints of one tenant as on those of many', () => {
  const places = new Places()
  const turns = Array.from({ length: 225 }, (_, at) =>
    places.enter(
      { tenantId: 'one', id: `wh_${at}`, failures: 0, isGuest: false, nextLookAt: null },
      NOW,
    ),
  )
  assert.deepEqual([typeof turns[223], turns[224]], ['object', NOW])
})

test('a process works on 128 endpoints of guests at most, and on 48 more that are known to be fast; while it does, one of these leaves after a delivery', async () => {
  for (const [kind, beside, max] of [
    ['new', 'fast', 128],
    ['slow', 'fast', 128],
    ['fast', 'new', 48],
    ['fast', 'slow', 48],
  ] as const) {
    const { places, next, enter } = await endpointsOf()
    const [other = assert.fail()] = enter(beside, 1, true)
    const [owned = assert.fail()] = enter(kind, 1)
    const guests = enter(kind, max - 1, true)
    const isLater = (at: number | null) => at !== null && at >= NOW + 5_000
    const [guest = assert.fail()] = guests
    assert.equal(isLater(places.mustLeave(guest.turn, guest.webhook, NOW)), false)
    assert.equal(enter(kind, 2, true).length, 1)
    assert.equal(typeof places.enter(next(kind, true), NOW), 'number')
    assert.equal(typeof places.enter(next(kind), NOW), 'object', 'of a tenant with an owner')
    assert.equal(isLater(places.mustLeave(guest.turn, guest.webhook, NOW)), true)
    assert.equal(places.mustLeave(other.turn, other.webhook, NOW), null)
    assert.equal(isLater(places.mustLeave(owned.turn, owned.webhook, NOW)), false)
    places.leave(guest.turn)
    assert.equal(enter(kind, 2, true).length, 1)
  }
})

test('a fast endpoint of a guest that becomes slow takes no place of the fast ones from then on', async () => {
  const { places, enter } = await endpointsOf()
  const guests = enter('fast', 48, true)
  assert.equal(enter('fast', 1, true).length, 0)
  for (const { turn, webhook } of guests) {
    assert.equal(places.mustLeave(turn, { ...webhook, failures: 1 }, NOW), null)
  }
  assert.equal(enter('fast', 100, true).length, 48)
})

test('endpoints of guests that can not enter or must leave are looked at again every 20 ms, from five seconds to ten minutes later', async () => {
  const { places, next, enter } = await endpointsOf()
  const [guest = assert.fail(), ...others] = enter('new', 127, true)
  // The 128th enters, and one more is refused, which takes the first time.
  assert.equal(enter('new', 2, true).length, 1)
  const refuse = (now = NOW) => places.enter(next('new', true), now)
  assert.deepEqual([refuse(), refuse()], [NOW + 5_020, NOW + 5_040])
  assert.equal(places.mustLeave(guest.turn, { ...guest.webhook, failures: 1 }, NOW), NOW + 5_060)
  const waiting = next('new', true)
  for (const [nextLookAt, at] of [
    [NOW + 5_060, NOW + 5_060],
    [NOW + 1, NOW + 1],
    [NOW, NOW + 5_080],
    [NOW + 3_600_000, NOW + 5_100],
  ] as const) {
    assert.equal(
      places.enter({ ...waiting, nextLookAt }, NOW),
      at,
      'one that waits takes no other time',
    )
  }
  assert.equal(refuse(NOW + 1_000), NOW + 6_000)
  const times = Array.from({ length: 29_800 }, () => refuse(NOW + 1_000))
  assert.deepEqual(
    [times.at(-101), times.at(-100), times.at(-1)],
    [NOW + 600_000, NOW + 600_020, NOW + 601_000],
  )
  assert.equal(others.length, 126)
})

test('of 100 open deliveries all guests together have 80 at most, also to endpoints that were fast', async (t) => {
  const { open, run, after, end } = scene(t)
  const known = Array.from({ length: 100 }, (_, each) => `guest-${each}`)
  for (const id of known) {
    const sent = run(id, id, { isGuest: true })
    await after(0)
    await end(id)
    await sent
  }
  for (const id of known) {
    void run(id, id, { isGuest: true })
  }
  for (let waited = 0; waited < 20; waited++) {
    await after(100)
  }
  assert.equal(open.size, 80)
  void run('another', 'another')
  await after(0)
  assert.ok(open.has('another'))
  await end(...known.slice(0, 20))
  await after(100)
  assert.equal(open.size, 81, 'those that waited follow')
})
