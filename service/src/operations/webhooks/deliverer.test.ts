import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { Unavailable } from '../../domain/api-error.ts'
import { Keyring } from '../../domain/tokens/keyring.ts'
import { sealWebhookSecret, type Webhook, type WebhookRef } from '../../domain/webhooks/webhook.ts'
import { Deliverer } from './deliverer.ts'

const keyring = new Keyring([{ kid: 1, secret: Buffer.alloc(32, 1) }])
const random = (bytes: number): Uint8Array => new Uint8Array(bytes)

const webhookOf = (tenantId: string): Webhook => ({
  ...{ tenantId, id: 'wh_1', url: 'https://app.example/hook', events: ['authorize'], cursor: 0, replay: null },
  sealed: sealWebhookSecret(keyring, { tenantId, id: 'wh_1' }, 'whsec_new0', random),
  ...{ previousSealed: null, previousUntil: null, disabledReason: null, failingSince: null, failures: 0 },
  ...{ leaseUntil: null, nextLookAt: null, createdAt: 0 },
})

/** A deliverer of tenants that have one endpoint each, with one event that waits. Time stands still between `pass`. */
function delivererOf(t: TestContext) {
  t.mock.timers.enable({ apis: ['setTimeout', 'setInterval', 'Date'], now: 1_800_000_000_000 })
  const state = {
    looks: 0,
    lookFails: null as Error | null,
    /** What a look waits for. */
    database: Promise.resolve(),
    /** The tenants that each look asked for. */
    asked: [] as (readonly string[])[],
    isLeasedElsewhere: false,
    leases: 0,
    sent: [] as string[],
    /** What a delivery waits for. */
    response: Promise.resolve(),
    aborted: false,
    warnings: [] as string[],
    cursors: new Map<string, number>(),
  }
  const now = (): number => Date.now()
  const stores = {
    tenants: { find: async () => ({ owner: { accountId: 1 }, suspension: null, pausedAt: null, endedAt: null }) },
    resources: { findActive: async (tenantId: string) => ({ tenantId }) },
    events: {
      page: async ({ tenantId }: WebhookRef) =>
        state.cursors.has(tenantId) ? [] : [{ id: 1, event: 'authorize', createdAt: now() - 7, tenantId }],
    },
    webhooks: { countRetries: async () => new Map() },
    webhookQueue: {
      listDue: async () => {
        state.looks += 1
        await state.database
        if (state.lookFails !== null) throw state.lookFails
        return []
      },
      listWanting: async (tenantIds: readonly string[]) => {
        state.asked.push(tenantIds)
        return tenantIds.map(webhookOf)
      },
      page: async () => [],
      lease: async ({ tenantId }: WebhookRef, _now: number, leaseUntil: number) => {
        state.leases += 1
        return state.isLeasedElsewhere ? null : { ...webhookOf(tenantId), leaseUntil }
      },
      dueRetries: async () => [],
      save: async ({ tenantId }: WebhookRef, _lease: number, { cursor }: { readonly cursor?: number }) => {
        if (cursor !== undefined) state.cursors.set(tenantId, cursor)
        return true
      },
    },
  }
  const webhooks = {
    eventBody: (tenantId: string) => tenantId,
    send: async ({ body }: { readonly body: string }, stop: AbortSignal) => {
      state.sent.push(body)
      const given = new Promise<never>((_, reject) => {
        stop.addEventListener('abort', () => {
          state.aborted = true
          reject(new Error('given up'))
        })
      })
      await Promise.race([state.response, given])
      return { status: 200, ms: 1, error: null, retryAfterMs: null }
    },
  }
  const counts = { webhookDeliveries: { delivered: 0, failed: 0, given_up: 0 } }
  const log = { warn: (message: string) => void state.warnings.push(message) }
  const deliverer = new Deliverer({ stores, webhooks, counts, keyring, random, now, log } as never)
  /** Lets this much time pass, and what it starts run. */
  const pass = async (ms: number): Promise<void> => {
    t.mock.timers.tick(ms)
    for (let turn = 0; turn < 5; turn++) await new Promise(setImmediate)
  }
  return { deliverer, state, pass }
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
  for (const tenantId of ['two', 'three']) deliverer.wake(tenantId, ['authorize'])
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
  assert.deepEqual(state.asked.at(-1), [], 'it is looked at once more, not after every later delivery')
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

test('endpoints beyond those that a process works on wait for a later look', async (t) => {
  const { deliverer, state, pass } = delivererOf(t)
  const { promise, resolve } = Promise.withResolvers<void>()
  state.response = promise
  deliverer.start()
  for (let at = 0; at < 300; at++) deliverer.wake(`t${at}`, ['authorize'])
  await pass(100)
  assert.equal(deliverer.backlog.endpoints, 256)
  resolve()
  await deliverer.settle()
  assert.deepEqual([state.sent.length, new Set(state.sent).size], [300, 300])
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
  for (let second = 0; second < 3; second++) await pass(1_000)
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
    t.mock.timers.reset()
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
