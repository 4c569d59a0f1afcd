import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { deliverTo } from '../../src/operations/webhooks/deliver.ts'
import { Places } from '../../src/operations/webhooks/places.ts'
import { stopTime } from '../support/clock.ts'

type Known = Parameters<Places['atOnce']>[0]

/** Deliveries that end when the test says so. */
function scene(t: TestContext) {
  const pass = stopTime(t)
  const places = new Places()
  const open = new Map<string, { tenantId: string; end(): void }>()
  const started: string[] = []
  const run = (tenantId: string, id: string, { failures = 0, isGuest = false } = {}): Promise<void> =>
    places.run({ tenantId, id, failures, isGuest }, () => {
      started.push(id)
      const { promise, resolve } = Promise.withResolvers<void>()
      open.set(id, { tenantId, end: resolve })
      return promise
    })
  /** Many deliveries at once, to `endpoints` endpoints of each of `tenants` tenants. */
  const burst = (tenants: number, endpoints: number, isGuest = false): void => {
    for (let tenant = 0; tenant < tenants; tenant++)
      for (let endpoint = 0; endpoint < endpoints; endpoint++)
        void run(`tenant-${tenant}`, `${tenant}-${endpoint}`, { isGuest })
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
    for (let waited = 0; waited < 500 && !started.includes('its-endpoint'); waited += 100) await after(100)
    assert.ok(started.includes('its-endpoint'))
    // Those that do not answer stay open, up to a bound.
    for (let waited = 0; waited < 10; waited++) await after(100)
    assert.equal(open.size, 80)
  })
}

for (const { tenants, endpoints, isGuest, of } of SCENES) {
  test(`beside ${tenants * endpoints} endpoints of ${of} that answer after 2.8 s, a delivery of another tenant ends within 500 ms, and a fast endpoint is sent as much as before`, async (t) => {
    const { places, after } = scene(t)
    let now = 0
    const open = new Set<{ readonly until: number; answer(): void }>()
    const deliver = (tenantId: string, id: string, ms: number): Promise<void> =>
      places.run({ tenantId, id, failures: 0, isGuest: isGuest && tenantId.startsWith('slow') }, () => {
        const { promise, resolve } = Promise.withResolvers<void>()
        open.add({ until: now + ms, answer: resolve })
        return promise
      })
    const pass = async (): Promise<void> => {
      now += 20
      for (const delivery of open) {
        if (delivery.until > now) continue
        open.delete(delivery)
        delivery.answer()
      }
      await after(20)
    }
    let sent = 0
    const keepSending = async (tenantId: string, id: string, ms: number): Promise<never> => {
      for (;;) {
        await deliver(tenantId, id, ms)
        if (id === 'fast') sent += 1
      }
    }
    /** Deliveries of the busy tenant within five seconds. */
    const throughput = async (): Promise<number> => {
      const before = sent
      for (let waited = 0; waited < 5_000; waited += 20) await pass()
      return sent - before
    }
    void keepSending('busy', 'fast', 20)
    const alone = await throughput()

    for (let tenant = 0; tenant < tenants; tenant++)
      for (let endpoint = 0; endpoint < endpoints; endpoint++)
        void keepSending(`slow-${tenant}`, `${tenant}-${endpoint}`, 2_800)
    // While they are new, when they are known to be slow, and long after that.
    for (let round = 0; round < 6; round++) {
      let waited = 0
      let isDelivered = false
      void deliver(`another-${round}`, `another-${round}`, 60).then(() => {
        isDelivered = true
      })
      for (; !isDelivered; waited += 20) await pass()
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
  for (let waited = 0; waited < 20; waited++) await after(100)
  assert.equal(open.size, 80)
  for (let other = 0; other < 30; other++) void run(`other-${other}`, `other-${other}`)
  for (let waited = 0; waited < 20; waited++) await after(100)
  assert.equal(open.size, 90)
  for (const id of known) void run(id, id)
  for (let waited = 0; waited < 20; waited++) await after(100)
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
  for (const ms of [2_800, 2_800]) await deliver(ms)
  assert.equal(places.atOnce(webhook), 1)
  for (const ms of [100, 100, 100]) await deliver(ms)
  assert.equal(places.atOnce(webhook), 8, 'it is fast again')
  assert.equal(places.atOnce({ ...webhook, failures: 1 }), 1, 'one that fails')

  // Endpoints that fail hold their places until they answer, and are not more than sixteen.
  started.length = 0
  for (let each = 0; each < 40; each++) void run(`failing-${each}`, `failing-${each}`, { failures: 1 })
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

test('a process works on 256 endpoints at most, and from 64 on one of each tenant', async (t) => {
  const { places, run, after, end } = scene(t)
  const entered = (tenantId: string, endpoints: number, failures = 0): number =>
    Array.from({ length: endpoints }, () => places.enter({ tenantId, id: tenantId, failures })).filter(
      (lookAfter) => lookAfter === null,
    ).length
  const known = Array.from({ length: 33 }, (_, each) => `fast-${each}`)
  const [fast, failing] = [
    { id: 'fast-0', failures: 0 },
    { id: 'failing', failures: 1 },
  ]
  for (const id of known) {
    const sent = run(id, id)
    await after(0)
    await end(id)
    await sent
  }
  assert.equal(entered('one', 200), 64)
  assert.equal(entered('two', 5), 1)
  assert.equal(places.enter({ tenantId: 'two', id: 'two', failures: 0 }), 5_000)
  places.leave('two')
  assert.equal(entered('two', 5), 1)
  for (let other = 0; other < 126; other++) assert.equal(entered(`other-${other}`, 2), 1)
  assert.equal(places.mustLeave(failing, false), null)
  assert.equal(entered('the-last-that-fails', 1, 1), 1)
  assert.deepEqual([places.mustLeave(failing, false), places.mustLeave(fast, false)], [0, null])
  assert.equal(entered('one-more-that-fails', 1, 1), 0, 'from 192 on, none that is slow or fails')
  for (let other = 126; other < 157; other++) assert.equal(entered(`other-${other}`, 2), 1)
  assert.equal(places.mustLeave(fast, false), null)
  assert.equal(entered('other-157', 2), 1)
  assert.equal(entered('one-more', 1), 0, 'from 224 on, only those that are known to be fast')
  assert.equal(places.mustLeave(fast, false), 0)
  for (const id of known.slice(1)) assert.equal(entered(id, 2), 1)
  assert.equal(entered(known[0] ?? '', 1), 0)
  places.leave('one')
  assert.equal(entered(known[0] ?? '', 1), 1)
})

test('a process works on 128 endpoints of guests at most, and on 48 more that are known to be fast; while it does, one of these leaves after a delivery', async (t) => {
  const { places, run, after, end } = scene(t)
  const [fast, other] = ['fast', 'new'].map((id) => ({ id, failures: 0 }) as const) as [Known, Known]
  const sent = run('fast', 'fast')
  await after(0)
  await end('fast')
  await sent
  for (const [endpoint, beside, max] of [
    [other, fast, 128],
    [fast, other, 48],
  ] as const) {
    const { promise, resolve } = Promise.withResolvers<boolean>()
    const working = Array.from({ length: max - 1 }, () => places.ofGuest(endpoint, () => promise))
    assert.equal(places.mustLeave(endpoint, true), null)
    working.push(places.ofGuest(endpoint, () => promise))
    assert.equal(await places.ofGuest(endpoint, assert.fail), 5_000)
    assert.equal(await places.ofGuest(beside, async () => 'of another kind'), 'of another kind')
    const leave = [places.mustLeave(endpoint, true), places.mustLeave(endpoint, false), places.mustLeave(beside, true)]
    assert.deepEqual(leave, [5_000, null, null])
    resolve(true)
    assert.ok((await Promise.all(working)).every((done) => done === true))
    assert.equal(await places.ofGuest(endpoint, async () => 'one more'), 'one more')
    assert.equal(places.mustLeave(endpoint, true), null)
  }
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
  for (const id of known) void run(id, id, { isGuest: true })
  for (let waited = 0; waited < 20; waited++) await after(100)
  assert.equal(open.size, 80)
  void run('another', 'another')
  await after(0)
  assert.ok(open.has('another'))
  await end(...known.slice(0, 20))
  await after(100)
  assert.equal(open.size, 81, 'those that waited follow')
})

test('an endpoint of a guest is looked at again after five seconds if the process works on too many of guests', async () => {
  const NOW = 1_000_000
  const postponed: unknown[] = []
  const deliver = (owner: object | null, ofGuest: () => Promise<unknown>) => {
    const tenant = { owner, expiresAt: NOW + 1, pausedAt: null, suspension: null }
    const webhookQueue = {
      lease: async () => null,
      postpone: async (ref: { id: string }, until: number) => void postponed.push([ref.id, until - NOW]),
    }
    const ctx = { now: () => NOW, stores: { tenants: { find: async () => tenant }, webhookQueue } }
    return deliverTo(ctx as never, { tenantId: 'one', id: 'endpoint', failures: 0 }, { places: { ofGuest } } as never)
  }
  assert.equal(await deliver(null, async () => 5_000), true)
  assert.deepEqual(postponed, [['endpoint', 5_000]])
  assert.equal(await deliver(null, async () => false), false)
  assert.equal(await deliver({ accountId: 1, tier: 'free' }, assert.fail), false, 'leased elsewhere')
  assert.equal(postponed.length, 1)
})
