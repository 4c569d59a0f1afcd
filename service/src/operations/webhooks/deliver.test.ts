import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newWebhook } from '../../../test/support/new-webhook.ts'
import type { Progress } from '../../domain/stores/stores.ts'
import { Keyring } from '../../domain/tokens/keyring.ts'
import {
  type Delivery,
  FAILING_MAX,
  type SendResult,
  type UserMessage,
} from '../../domain/webhooks/delivery.ts'
import { sealWebhookSecret, type Webhook } from '../../domain/webhooks/webhook.ts'
import { type DeliveryContext, deliverTo } from './deliver.ts'
import type { Places, Turn } from './places.ts'
import { signingKeys } from './signing.ts'

const NOW = 1_800_000_000_000
const LEASE_MS = 30_000
const keyring = new Keyring([{ kid: 1, secret: Buffer.alloc(32, 1) }])
const random = (bytes: number): Uint8Array => new Uint8Array(bytes).fill(128)
const ref = { tenantId: 'one', id: 'wh_1' }
const sealed = (secret: string): Uint8Array => sealWebhookSecret(keyring, ref, secret, random)
const SECRET = sealed('whsec_new0')

const WEBHOOK = newWebhook(ref, { sealed: SECRET })

interface Scene {
  readonly webhook?: Partial<Webhook>
  /** How many events are in the history. */
  readonly events?: number
  readonly retries?: readonly { readonly eventId: number; readonly attempt: number }[]
  readonly statuses?: readonly (number | null)[]
  readonly retryAfterMs?: number
  /** What changes of the tenant during the first delivery. */
  readonly change?: object | null
  /** Whether another endpoint waits for the place. */
  readonly mustLeave?: boolean
  /** Whether another process has the lease meanwhile. */
  readonly isLost?: boolean
  readonly isClosing?: boolean
  readonly stop?: AbortSignal
  /** Thrown instead of a response. */
  readonly error?: Error
  readonly tenant?: object | null
  readonly messages?: readonly Partial<UserMessage>[]
}

/** Delivers the events of one endpoint, and returns what was sent and what was saved about the endpoint. */
async function delivered(scene: Scene) {
  const sent: Delivery[] = []
  const saved: { readonly lease: number; readonly progress: Progress }[] = []
  const behind: number[] = []
  const statuses = [...(scene.statuses ?? [])]
  const retries = [...(scene.retries ?? [])]
  const messages = [...(scene.messages ?? [])]
  const leases: number[] = []
  const took: number[] = []
  let { tenant } = scene
  const owned = { owner: { accountId: 1 }, suspension: null, pausedAt: null, endedAt: null }
  const history = Array.from({ length: scene.events ?? 1 }, (_, at) => ({
    id: at + 1,
    event: 'authorize',
    createdAt: NOW - 7,
  }))
  const counts = { webhookDeliveries: { delivered: 0, failed: 0, given_up: 0 } }
  const stores = {
    tenants: {
      find: async () => (tenant === undefined ? owned : tenant && { ...owned, ...tenant }),
    },
    userMessages: { due: async () => messages.splice(0) },
    users: { findRecord: async () => ({}) },
    removals: { requestedAt: async () => null },
    providerClients: { listCurrent: async () => [] },
    resources: { findActive: async () => ({}) },
    events: {
      page: async (_resource: unknown, { after, limit }: { after: number; limit: number }) =>
        history.filter(({ id }) => id > after).slice(0, limit),
      find: async (_resource: unknown, ids: number[]) =>
        history.filter(({ id }) => ids.includes(id)),
    },
    webhooks: { countRetries: async () => new Map() },
    webhookQueue: {
      lease: async (_ref: unknown, _now: number, leaseUntil: number) => {
        leases.push(leaseUntil - NOW)
        return { ...WEBHOOK, ...scene.webhook, leaseUntil: NOW + LEASE_MS }
      },
      dueRetries: async () => retries.splice(0),
      save: async (_webhook: Webhook, lease: number, progress: Progress) => {
        saved.push({ lease: lease - NOW, progress })
        return scene.isLost !== true
      },
    },
  }
  const webhooks = {
    eventBody: (_tenantId: string, event: object) => JSON.stringify(event),
    userBody: (_tenantId: string, message: object) => JSON.stringify(message),
    send: async (delivery: Delivery, stop: AbortSignal): Promise<SendResult> => {
      stop.throwIfAborted()
      if (scene.error !== undefined) {
        throw scene.error
      }
      sent.push(delivery)
      tenant = 'change' in scene ? scene.change : tenant
      const status = statuses.length === 0 ? 200 : (statuses.shift() ?? null)
      return {
        status,
        ms: 1,
        error: status === null ? 'unreachable' : null,
        retryAfterMs: scene.retryAfterMs ?? null,
      }
    },
  }
  const places = {
    atOnce: () => 1,
    mustLeave: () => scene.mustLeave ?? false,
    remember: (_webhook: Webhook, ms: number) => void took.push(ms),
  }
  const identity = { isIssuer: (issuer: string) => issuer === 'https://accounts.google.com' }
  const ctx = {
    now: () => NOW,
    random,
    keyring,
    stores,
    webhooks,
    counts,
    identity,
  } as unknown as DeliveryContext
  const outcome = await deliverTo(ctx, WEBHOOK, {
    places: places as unknown as Places,
    turn: {} as Turn,
    isClosing: () => scene.isClosing ?? false,
    stop: scene.stop ?? new AbortController().signal,
    behind: (ms) => void behind.push(ms),
  })
  return {
    outcome,
    sent,
    saved,
    last: saved.at(-1)?.progress,
    counts: counts.webhookDeliveries,
    behind,
    leases,
    took,
  }
}

test('each event is sent, moves the cursor and extends the lease; with none left, the lease ends', async () => {
  const { outcome, sent, saved, counts, behind, leases, took } = await delivered({
    events: 2,
    webhook: { failures: 1, failingSince: 1 },
  })
  assert.deepEqual(leases, [LEASE_MS])
  assert.deepEqual(
    sent.map(({ id }) => id),
    ['msg_one_1', 'msg_one_2'],
  )
  assert.deepEqual(
    saved.map(({ lease, progress: { cursor, failures, failingSince, lease: next } }) => [
      ...[lease, cursor, failures, failingSince],
      ...Object.values(next),
    ]),
    [
      [LEASE_MS, 1, 0, null, NOW + LEASE_MS],
      [LEASE_MS, 2, 0, null, NOW + LEASE_MS],
      [LEASE_MS, undefined, 0, null, 'next-retry'],
    ],
  )
  assert.deepEqual(counts, { delivered: 2, failed: 0, given_up: 0 })
  assert.deepEqual(behind, [7, 7])
  assert.deepEqual(took, [1, 1])
  assert.equal(outcome, 'done')
})

test('an endpoint that fails gets nothing more until its back-off, or its Retry-After, has passed', async () => {
  const failed = await delivered({
    events: 2,
    statuses: [500],
    webhook: { failures: 1, failingSince: NOW - 1 },
  })
  assert.equal(failed.sent.length, 1)
  assert.deepEqual([failed.last?.failures, failed.last?.failingSince], [2, NOW - 1])
  assert.deepEqual(failed.last?.lease, { nextLookAt: NOW + 10_000 })
  assert.deepEqual(failed.last?.retries, [{ eventId: 1, attempt: 1, dueAt: NOW + 5_004 }])
  assert.deepEqual(failed.last?.settled, [])
  assert.deepEqual(failed.counts, { delivered: 0, failed: 1, given_up: 0 })
  const later = await delivered({ statuses: [null], retryAfterMs: 60_000 })
  assert.deepEqual([later.last?.failures, later.last?.failingSince], [1, NOW])
  assert.deepEqual(later.last?.lease, { nextLookAt: NOW + 60_000 })
})

test('the tenth failure of a delivery is its last', async () => {
  const { last, counts } = await delivered({
    retries: [{ eventId: 1, attempt: 9 }],
    statuses: [500],
  })
  assert.deepEqual([last?.retries, last?.settled], [[], [1]])
  assert.deepEqual(counts, { delivered: 0, failed: 0, given_up: 1 })
})

test('a retry of an event that is gone is settled, and says nothing about the endpoint', async () => {
  const failing = { failures: 3, failingSince: NOW - FAILING_MAX }
  const { sent, saved } = await delivered({
    events: 0,
    retries: [{ eventId: 7, attempt: 1 }],
    webhook: failing,
  })
  const [{ progress } = assert.fail('it is saved')] = saved
  assert.deepEqual([sent.length, progress.settled], [0, [7]])
  assert.deepEqual(
    [progress.failures, progress.failingSince, progress.disabledReason],
    [3, NOW - FAILING_MAX, undefined],
  )
})

test('an endpoint is disabled by 410, and after five days without a success', async () => {
  const reasonFor = async (status: number, failingFor: number) => {
    const failingSince = NOW - failingFor
    return (await delivered({ events: 2, statuses: [status], webhook: { failingSince } })).last
      ?.disabledReason
  }
  assert.equal(await reasonFor(410, 0), 'gone')
  assert.equal(await reasonFor(500, FAILING_MAX - 1), undefined)
  assert.equal(await reasonFor(500, FAILING_MAX), 'failing')
  assert.equal(await reasonFor(200, FAILING_MAX), undefined)
})

test('an endpoint that gives its place to another one is due again at once', async () => {
  const { outcome, sent, last } = await delivered({ events: 2, mustLeave: true })
  assert.deepEqual([outcome, sent.length], ['more', 1])
  assert.deepEqual(last?.lease, { nextLookAt: NOW })
})

test('what another process has sent meanwhile is not counted, and nothing more is sent', async () => {
  const { sent, saved, counts } = await delivered({ events: 2, isLost: true })
  assert.deepEqual([sent.length, saved.length, counts.delivered], [1, 1, 0])
})

test('a process that stops gives the lease back at once, and says nothing about what it was sending', async () => {
  for (const stopped of [{ isClosing: true }, { stop: AbortSignal.abort() }]) {
    const { sent, saved, last } = await delivered({ events: 2, ...stopped })
    assert.deepEqual([sent.length, saved.length], [0, 1])
    assert.deepEqual(
      [last?.lease, last?.attempts, last?.cursor],
      [{ nextLookAt: NOW }, [], undefined],
    )
  }
})

test('an endpoint whose secret cannot be read is disabled and gets nothing', async () => {
  const { sent, last } = await delivered({ webhook: { sealed: new Uint8Array(40) } })
  assert.deepEqual([sent.length, last?.disabledReason], [0, 'secret_unreadable'])
})

test('the secret of before signs until its time has come', () => {
  const keysWith = (previousUntil: number | null) =>
    signingKeys(
      { keyring, now: () => NOW },
      { ...WEBHOOK, previousSealed: sealed('whsec_old0'), previousUntil },
    )?.map((key) => Buffer.from(key).toString('base64'))
  assert.deepEqual(keysWith(NOW + 1), ['new0', 'old0'])
  assert.deepEqual(keysWith(NOW), ['new0'])
  assert.deepEqual(keysWith(null), ['new0'])
})

test('an endpoint of a tenant that is paused, suspended or gone gets nothing, and is looked at again after a minute', async () => {
  for (const tenant of [null, { pausedAt: 1 }, { suspension: { at: 1 } }]) {
    const { sent, saved, last } = await delivered({ tenant })
    assert.deepEqual([sent.length, saved.length], [0, 1], JSON.stringify(tenant))
    assert.deepEqual(last?.lease, { nextLookAt: NOW + 60_000 })
  }
})

test('an endpoint of a tenant that is paused, suspended or deleted during a delivery gets no further one', async () => {
  for (const change of [null, { pausedAt: 1 }, { suspension: { at: 1 } }]) {
    const { sent, saved, last } = await delivered({ events: 2, change })
    assert.deepEqual([sent.length, saved.length], [1, 2], JSON.stringify(change))
    assert.deepEqual(last?.lease, { nextLookAt: NOW + 60_000 })
  }
})

test('an error that is not the end of the process says nothing about the deliveries, and keeps the lease', async () => {
  await assert.rejects(delivered({ error: new Error('a bug') }), /a bug/)
})

test('a range that is sent again moves on with each delivery, and ends', async () => {
  const { sent, saved } = await delivered({
    events: 3,
    webhook: { cursor: 3, replay: { after: 0, until: 2 } },
  })
  assert.deepEqual(
    sent.map(({ id }) => id),
    ['msg_one_1', 'msg_one_2'],
  )
  assert.deepEqual(
    saved.map(({ progress: { replayAfter } }) => replayAfter),
    [1, null, undefined],
  )
})

test('a message about a user is settled when it is delivered or given up, and otherwise sent again', async () => {
  const message = { kind: 'user.created', userId: 7, at: 5, version: 1, email: null } as const
  const resultOf = async (status: number, attempt: number) => {
    const events = ['user.created'] as const
    const scene = { messages: [{ ...message, attempt }], statuses: [status], webhook: { events } }
    const { sent, saved, counts } = await delivered(scene)
    assert.equal(sent[0]?.id, 'msg_one_user_created_7_5_1')
    const { messageRetries = [], settledMessages = [], attempts = [] } = saved[0]?.progress ?? {}
    assert.deepEqual(
      attempts.map(({ type, eventId }) => [type, eventId]),
      [['user.created', null]],
    )
    return [messageRetries.map((each) => each.attempt), settledMessages.length, counts]
  }
  assert.deepEqual(await resultOf(200, 0), [[], 1, { delivered: 1, failed: 0, given_up: 0 }])
  assert.deepEqual(await resultOf(500, 0), [[1], 0, { delivered: 0, failed: 1, given_up: 0 }])
  assert.deepEqual(await resultOf(500, 9), [[], 1, { delivered: 0, failed: 0, given_up: 1 }])
})
