import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { newWebhook } from '../../../test/support/new-webhook.ts'
import { Unavailable } from '../../domain/api-error.ts'
import type { AccountId } from '../../domain/ids.ts'
import type { Progress, QueuedWebhook } from '../../domain/stores/stores.ts'
import { Keyring } from '../../domain/tokens/keyring.ts'
import { sealWebhookSecret, type Webhook, type WebhookRef } from '../../domain/webhooks/webhook.ts'
import { Deliverer } from './deliverer.ts'

const keyring = new Keyring([{ kid: 1, secret: Buffer.alloc(32, 1) }])
const random = (bytes: number): Uint8Array => new Uint8Array(bytes)

/** By the id of its tenant, or with more, as in `one:2`. */
const refOf = (name: string): WebhookRef => ({
  tenantId: name.split(':')[0] ?? '',
  id: `wh_${name}`,
})
const nameOf = ({ id }: WebhookRef): string => id.slice(3)

const webhookOf = (name: string): Webhook =>
  newWebhook(refOf(name), {
    sealed: sealWebhookSecret(keyring, refOf(name), 'whsec_new0', random),
  })

/** The endpoint of a tenant with such an id always has one event more. */
const isBehind = (tenantId: string): boolean => tenantId.startsWith('behind-')
const hangs = (tenantId: string): boolean => tenantId.startsWith('hangs-')
const SLOW = 'slow'
/** How long the endpoint of a tenant takes; null: as long as `state.response`. */
function responseMs(tenantId: string): number | null {
  if (isBehind(tenantId)) {
    return 2_800
  }
  if (tenantId === SLOW) {
    return 1_200
  }
  return hangs(tenantId) ? 15_000 : null
}
/** The endpoint of this guest answers at once, until `state.guestMs` is set. */
const isGuest = (tenantId: string): boolean => tenantId.startsWith('guest-')
/** Those with many endpoints are of one owner, others have an owner each. */
function ownerOf(name: string): AccountId | null {
  if (isGuest(name)) {
    return null
  }
  if (isBehind(name) || hangs(name)) {
    return 1 as AccountId
  }
  return Buffer.from(name).readUIntBE(0, Math.min(6, name.length)) as AccountId
}

/** A deliverer of tenants that have one endpoint each, with one event that waits, or `events`. Time stands still between `pass`. */
function delivererOf(t: TestContext) {
  t.mock.timers.enable({ apis: ['setTimeout', 'setInterval', 'Date'], now: 1_800_000_000_000 })
  t.mock.method(performance, 'now', () => Date.now())
  const state = {
    looks: 0,
    lookFails: null as Error | null,
    postponeFails: null as Error | null,
    postponed: [] as string[],
    /** What a look waits for. */
    database: Promise.resolve(),
    /** The tenants that each look asked for. */
    asked: [] as (readonly string[])[],
    isLeasedElsewhere: false,
    /** Another process takes an endpoint during its delivery, and sends the event as well. */
    losesLeases: false,
    leases: 0,
    sent: [] as string[],
    /** What a delivery waits for. */
    response: Promise.resolve(),
    aborted: false,
    warnings: [] as string[],
    cursors: new Map<string, number>(),
    events: new Map<string, number>(),
    guestMs: null as number | null,
    /** When endpoints that were left with something to get are due, or their lease ends. */
    due: new Map<string, number>(),
    leased: new Map<string, number>(),
    /** What the round through all endpoints finds. */
    round: [] as string[],
    /** The endpoints of tenants that have several. */
    endpoints: new Map<string, string[]>(),
  }
  const now = (): number => Date.now()
  const stored = (name: string): QueuedWebhook => ({
    ...webhookOf(name),
    owner: ownerOf(name),
    cursor: state.cursors.get(name) ?? 0,
    nextLookAt: state.due.get(name) ?? null,
    leaseUntil: state.leased.get(name) ?? null,
  })
  const setLease = (name: string, until: number): void => {
    state.due.set(name, until)
    state.leased.set(name, until)
  }
  const stores = {
    tenants: {
      find: async (tenantId: string) => ({
        owner: isGuest(tenantId) ? null : { accountId: 1 },
        suspension: null,
        pausedAt: null,
        endedAt: null,
        expiresAt: Infinity,
      }),
    },
    resources: { findActive: async (tenantId: string) => ({ tenantId }) },
    events: {
      page: async (
        { tenantId }: WebhookRef,
        { after, limit }: { readonly after: number; readonly limit: number },
      ) => {
        const newest =
          isBehind(tenantId) || hangs(tenantId) ? after + 1 : (state.events.get(tenantId) ?? 1)
        const ids = Array.from(
          { length: Math.max(0, Math.min(limit, newest - after)) },
          (_, at) => after + 1 + at,
        )
        return ids.map((id) => ({ id, event: 'authorize', createdAt: now() - 7, tenantId }))
      },
    },
    webhooks: { countRetries: async () => new Map() },
    webhookQueue: {
      listDue: async (_now: number, perOwner: number, limit: number) => {
        state.looks += 1
        await state.database
        if (state.lookFails !== null) {
          throw state.lookFails
        }
        const due = [...state.due]
          .filter(([, at]) => at <= now())
          .sort(([, one], [, other]) => one - other)
        const ofOwners = Map.groupBy(due, ([name]) => ownerOf(name))
        const listed = due.filter((each) =>
          ofOwners.get(ownerOf(each[0]))?.slice(0, perOwner).includes(each),
        )
        return listed.slice(0, limit).map(([name]) => stored(name))
      },
      listWanting: async (tenantIds: readonly string[]) => {
        state.asked.push(tenantIds)
        return tenantIds
          .flatMap((tenantId) => state.endpoints.get(tenantId) ?? [tenantId])
          .map(stored)
      },
      page: async () => state.round.map(stored),
      lease: async (ref: WebhookRef, _now: number, leaseUntil: number) => {
        state.leases += 1
        if (state.isLeasedElsewhere) {
          return null
        }
        setLease(nameOf(ref), leaseUntil)
        return stored(nameOf(ref))
      },
      setNextLook: async (ref: WebhookRef, until: number) => {
        if (state.postponeFails !== null) {
          throw state.postponeFails
        }
        state.postponed.push(nameOf(ref))
        state.due.set(nameOf(ref), until)
      },
      dueRetries: async () => [],
      save: async (ref: WebhookRef, _lease: number, { cursor, lease }: Progress) => {
        const name = nameOf(ref)
        if (cursor !== undefined) {
          state.cursors.set(name, cursor)
        }
        if (state.losesLeases) {
          return false
        }
        if ('until' in lease) {
          setLease(name, lease.until)
          return true
        }
        state.leased.delete(name)
        if (typeof lease.nextLookAt === 'number') {
          state.due.set(name, lease.nextLookAt)
        } else {
          state.due.delete(name)
        }
        return true
      },
    },
  }
  /** When slow endpoints respond. */
  const late = new Map<() => void, number>()
  const webhooks = {
    eventBody: (tenantId: string) => tenantId,
    send: async ({ body }: { readonly body: string }, stop: AbortSignal) => {
      stop.throwIfAborted()
      state.sent.push(body)
      const given = new Promise<never>((_, reject) => {
        stop.addEventListener('abort', () => {
          state.aborted = true
          reject(new Error('given up'))
        })
      })
      const { promise, resolve } = Promise.withResolvers<void>()
      const ms = isGuest(body) ? state.guestMs : responseMs(body)
      if (ms !== null) {
        late.set(resolve, now() + ms)
      }
      await Promise.race([ms === null ? state.response : promise, given])
      return { status: 200, ms: 1, error: null, retryAfterMs: null }
    },
  }
  const counts = { webhookDeliveries: { delivered: 0, failed: 0, given_up: 0 } }
  const log = { warn: (message: string) => void state.warnings.push(message) }
  const deliverer = new Deliverer({ stores, webhooks, counts, keyring, random, now, log } as never)
  /** Lets this much time pass, and what it starts run. */
  const pass = async (ms: number): Promise<void> => {
    t.mock.timers.tick(ms)
    for (const [respond, at] of late) {
      if (at <= now() && late.delete(respond)) {
        respond()
      }
    }
    for (let turn = 0; turn < 5; turn++) {
      await new Promise(setImmediate)
    }
  }
  const waitFor = async (ms: number): Promise<void> => {
    for (let waited = 0; waited < ms; waited += 500) {
      await pass(500)
    }
  }
  const startBesideBusyEndpoints = async (): Promise<void> => {
    for (let tenant = 0; tenant < 300; tenant++) {
      deliverer.wake(`behind-${tenant}`, ['authorize'])
    }
    await waitFor(20_000)
  }
  /** Gives up what is being sent. */
  const close = async (): Promise<void> => {
    const closed = deliverer.close()
    await pass(3_000)
    await closed
  }
  return { deliverer, state, pass, waitFor, startBesideBusyEndpoints, close }
}

test('a deliverer looks every second, and 100 ms after an event, once for many', async (t) => {
  const { deliverer, state, pass } = delivererOf(t)
  deliverer.wake('one', ['authorize'])
  await pass(5_000)
  assert.equal(state.looks, 0, 'it has not started')
  deliverer.start()
  await pass(999)
  assert.equal(state.looks, 0)
  await pass(1)
  assert.deepEqual([state.looks, state.sent], [1, ['one']])
  for (const tenantId of ['two', 'three']) {
    deliverer.wake(tenantId, ['authorize'])
  }
  await pass(99)
  assert.equal(state.looks, 1)
  await pass(1)
  assert.deepEqual([state.looks, state.sent], [2, ['one', 'two', 'three']])
  deliverer.wake('four', ['authorize'])
  await pass(100)
  assert.deepEqual([state.looks, state.sent.at(-1)], [3, 'four'])
  await deliverer.close()
})

test('an endpoint gets the event that happens while it is being sent another, and no delivery twice', async (t) => {
  const { deliverer, state, pass } = delivererOf(t)
  const { promise, resolve } = Promise.withResolvers<void>()
  state.response = promise
  deliverer.start()
  deliverer.wake('one', ['authorize'])
  await pass(100)
  assert.deepEqual(deliverer.backlog, { endpoints: 1, lagMs: 7 })
  deliverer.wake('one', ['authorize'])
  await pass(100)
  assert.deepEqual(state.sent, ['one'])
  resolve()
  await pass(0)
  assert.deepEqual(deliverer.backlog, { endpoints: 0, lagMs: 0 })
  state.cursors.clear()
  await pass(1_000)
  assert.deepEqual(state.sent, ['one', 'one'])
  await pass(1_000)
  assert.deepEqual(
    state.asked.at(-1),
    [],
    'it is looked at once more, not after every later delivery',
  )
  await deliverer.close()
})

test('an endpoint that another process has is looked at after the next look', async (t) => {
  const { deliverer, state, pass } = delivererOf(t)
  state.isLeasedElsewhere = true
  deliverer.start()
  deliverer.wake('one', ['authorize'])
  await pass(100)
  state.isLeasedElsewhere = false
  await pass(900)
  assert.deepEqual(state.sent, [])
  await pass(1_000)
  assert.deepEqual(state.sent, ['one'])
  await deliverer.close()
})

test('while another instance has an endpoint, settle looks again and leaves the event loop free for it', async (t) => {
  const { deliverer, state } = delivererOf(t)
  let isLeasedElsewhere = true
  let looks = 0
  Object.defineProperty(state, 'isLeasedElsewhere', {
    get: () => {
      looks += 1
      // Otherwise a settle that never yields could not even time out.
      if (looks > 100) {
        void deliverer.close()
      }
      return isLeasedElsewhere
    },
  })
  deliverer.wake('one', ['authorize'])
  await deliverer.settle()
  assert.deepEqual([looks, state.sent], [1, []])
  // Woken once more beside the look that it waits for.
  deliverer.wake('one', ['authorize'])
  setImmediate(() => {
    isLeasedElsewhere = false
  })
  await deliverer.settle()
  assert.deepEqual(state.sent, ['one'])
  await deliverer.close()
})

test('endpoints beyond those that a process sends to wait for a place, and each gets its event', async (t) => {
  const { deliverer, state, pass } = delivererOf(t)
  const { promise, resolve } = Promise.withResolvers<void>()
  state.response = promise
  deliverer.start()
  for (let at = 0; at < 300; at++) {
    deliverer.wake(`t${at}`, ['authorize'])
  }
  await pass(100)
  assert.equal(deliverer.backlog.endpoints, 64)
  resolve()
  await deliverer.settle()
  assert.deepEqual([state.sent.length, new Set(state.sent).size], [300, 300])
  await deliverer.close()
})

test('settle delivers also to endpoints that are due again because others waited', async (t) => {
  const { deliverer, state } = delivererOf(t)
  for (let guest = 0; guest < 150; guest++) {
    state.due.set(`guest-${guest}`, 1)
    state.events.set(`guest-${guest}`, 20)
  }
  await deliverer.settle()
  assert.equal(state.sent.length, 150 * 20)
  await deliverer.close()
})

for (const [crowd, of] of [
  ['behind', 'one owner that take 2.8 s and are always behind'],
  ['hangs', 'one owner that do not answer'],
  ['guest', 'guests that do not answer'],
] as const) {
  // proves S012, S060
  test(`beside 300 endpoints of ${of}, each of three endpoints of another owner gets an event within 500 ms`, async (t) => {
    const { deliverer, state, pass, waitFor, close } = delivererOf(t)
    state.guestMs = 15_000
    const names = ['three:1', 'three:2', 'three:3']
    state.endpoints.set('three', names)
    deliverer.start()
    for (let tenant = 0; tenant < 300; tenant++) {
      deliverer.wake(`${crowd}-${tenant}`, ['authorize'])
    }

    // While they are new, when they are known to be slow, and long after that.
    for (const [round, waitMs] of [500, 20_000, 60_000].entries()) {
      await waitFor(waitMs)
      state.events.set('three', round + 1)
      deliverer.wake('three', ['authorize'])
      for (let waited = 0; waited < 500; waited += 100) {
        await pass(100)
      }
      const cursors = names.map((name) => state.cursors.get(name))
      assert.deepEqual(cursors, [round + 1, round + 1, round + 1])
    }
    assert.deepEqual(state.warnings, [])
    await close()
  })
}

// proves S012
test('beside 300 endpoints of one owner that are always behind, a slow endpoint of another gets its turn, a fast one all its events, and each of them its own', async (t) => {
  const { deliverer, state, waitFor, startBesideBusyEndpoints, close } = delivererOf(t)
  const countOf = (name: string): number => state.sent.filter((each) => each === name).length
  deliverer.start()
  for (const name of [SLOW, 'fast']) {
    deliverer.wake(name, ['authorize'])
  }
  await waitFor(2_000)
  assert.deepEqual(state.sent, [SLOW, 'fast'])
  await startBesideBusyEndpoints()
  for (const [name, events] of [
    [SLOW, 2],
    ['fast', 81],
  ] as const) {
    state.events.set(name, events)
    deliverer.wake(name, ['authorize'])
  }
  await waitFor(1_000)
  assert.deepEqual([countOf(SLOW), countOf('fast')], [2, 81])
  await waitFor(200_000)
  assert.equal(new Set(state.sent.filter(isBehind)).size, 300)
  assert.deepEqual(state.warnings, [])
  await close()
})

// proves S012
test('3,000 endpoints of guests that are always behind do not hide a due retry of an owner, and each gets its turn', async (t) => {
  const { deliverer, state, waitFor, close } = delivererOf(t)
  state.guestMs = 2_800
  for (let guest = 0; guest < 3_000; guest++) {
    state.events.set(`guest-${guest}`, 1_000)
    state.due.set(`guest-${guest}`, 1)
  }
  deliverer.start()
  await waitFor(20_000)
  state.due.set('one', Date.now())
  await waitFor(1_500)
  assert.ok(state.sent.includes('one'))
  const before = new Set(state.sent).size
  await waitFor(300_000)
  assert.ok(new Set(state.sent).size > before + 800, `${before}, then ${new Set(state.sent).size}`)
  await close()
})

test('an endpoint that finds a hundred of its owner waiting is due from now on, unless it is due already', async (t) => {
  const { deliverer, state, pass, close } = delivererOf(t)
  state.guestMs = 15_000
  deliverer.start()
  for (const guests of [16, 100]) {
    for (let guest = 0; guest < guests; guest++) {
      deliverer.wake(`guest-${guest}-of-${guests}`, ['authorize'])
    }
    await pass(100)
  }
  assert.equal(deliverer.backlog.endpoints, 16)
  assert.deepEqual(state.postponed, [])

  const now = Date.now()
  state.due.set('guest-due', now - 1)
  state.due.set('guest-later', now + 3_600_000)
  for (const name of ['guest-new', 'guest-due', 'guest-later']) {
    deliverer.wake(name, ['authorize'])
  }
  await pass(100)
  assert.deepEqual(state.postponed, ['guest-new', 'guest-later'])
  assert.equal(state.due.get('guest-new'), Date.now())
  await close()
})

test('an endpoint whose time could not be stored is logged, and the round through all endpoints finds it', async (t) => {
  const { deliverer, state, pass, waitFor, close } = delivererOf(t)
  state.guestMs = 15_000
  deliverer.start()
  for (const guests of [16, 100]) {
    for (let guest = 0; guest < guests; guest++) {
      deliverer.wake(`guest-${guest}-of-${guests}`, ['authorize'])
    }
    await pass(100)
  }

  for (const [error, warnings] of [
    [new Unavailable('out of reach'), 0],
    [new Error('the disk is full'), 1],
  ] as const) {
    state.postponeFails = error
    deliverer.wake('guest-new', ['authorize'])
    await pass(100)
    assert.equal(state.warnings.length, warnings)
  }
  assert.equal(state.due.has('guest-new'), false)

  state.postponeFails = null
  state.guestMs = null
  state.round = ['guest-new']
  await waitFor(90_000)
  assert.ok(state.sent.includes('guest-new'))
  await close()
})

test('an endpoint that another process takes during a delivery leaves its place to others', async (t) => {
  const { deliverer, state, pass } = delivererOf(t)
  state.losesLeases = true
  deliverer.start()
  for (let at = 0; at < 300; at++) {
    deliverer.wake(`t${at}`, ['authorize'])
  }
  await pass(100)
  await deliverer.settle()
  assert.deepEqual([state.sent.length, new Set(state.sent).size], [300, 300])
  assert.deepEqual(deliverer.backlog, { endpoints: 0, lagMs: 0 })
  assert.deepEqual(state.warnings, [])
  await deliverer.close()
})

test('a look that fails is logged, unless the database is out of reach, and the next one finds what it was about', async (t) => {
  const { deliverer, state, pass } = delivererOf(t)
  deliverer.start()
  deliverer.wake('one', ['authorize'])
  for (const [error, warnings] of [
    [new Unavailable('out of reach'), 0],
    [new Error('a bug'), 1],
  ] as const) {
    state.lookFails = error
    await pass(1_000)
    assert.equal(state.warnings.length, warnings)
  }
  state.lookFails = null
  await pass(1_000)
  await pass(1_000)
  assert.deepEqual(state.sent, ['one'])
  await deliverer.close()
})

test('a deliverer that closes waits three seconds for what it sends, gives it up, and looks for nothing more', async (t) => {
  const { deliverer, state, pass } = delivererOf(t)
  state.response = new Promise(() => undefined)
  deliverer.start()
  deliverer.wake('one', ['authorize'])
  await pass(100)
  deliverer.wake('two', ['authorize'])
  const closed = deliverer.close()
  await pass(2_999)
  assert.deepEqual([state.looks, state.aborted], [1, false])
  await pass(1)
  await closed
  assert.deepEqual([state.looks, state.aborted, state.sent, state.warnings], [1, true, ['one'], []])
  await deliverer.settle()
  assert.equal(state.looks, 1)
})

test('while the database does not answer a look, no other one begins', async (t) => {
  const { deliverer, state, pass } = delivererOf(t)
  const { promise, resolve } = Promise.withResolvers<void>()
  state.database = promise
  deliverer.start()
  for (let second = 0; second < 3; second++) {
    await pass(1_000)
  }
  assert.equal(state.looks, 1)
  resolve()
  await pass(0)
  await pass(1_000)
  assert.equal(state.looks, 2)
  await deliverer.close()
})

test('of a look that ends after the deliverer closed nothing is leased, and its failure is not logged', async (t) => {
  for (const error of [null, new Error('the database is closed')]) {
    const { deliverer, state, pass } = delivererOf(t)
    const { promise, resolve } = Promise.withResolvers<void>()
    state.database = promise
    state.lookFails = error
    deliverer.start()
    deliverer.wake('one', ['authorize'])
    await pass(100)
    await deliverer.close()
    resolve()
    await pass(0)
    assert.deepEqual([state.looks, state.leases, state.warnings], [1, 0, []])
    // All mocks: one of a mock would be restored to the first one.
    t.mock.reset()
  }
})

test('a closed deliverer leaves no timer that keeps the process from ending', async (t) => {
  const { deliverer, pass } = delivererOf(t)
  let fired = 0
  for (const name of ['setTimeout', 'setInterval'] as const) {
    const original = globalThis[name]
    const counting = (callback: () => void, ms: number) =>
      original(() => {
        fired += 1
        callback()
      }, ms)
    t.mock.method(globalThis, name, counting as never)
  }
  deliverer.start()
  await pass(1_000)
  assert.equal(fired, 1)
  deliverer.wake('one', ['authorize'])
  await deliverer.close()
  await pass(10_000)
  assert.equal(fired, 1)
})
