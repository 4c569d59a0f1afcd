import assert from 'node:assert/strict'
import { test } from 'node:test'
import { WEBHOOK_RETRIES_MAX, type WebhookKind } from '@gatehouse-auth/contract'
import { newWebhook } from '../../../test/support/new-webhook.ts'
import { REMOVAL_MS } from '../../domain/accounts/person.ts'
import type { QueuedWebhook, Resource } from '../../domain/stores/stores.ts'
import type { UserMessage } from '../../domain/webhooks/delivery.ts'
import type { Webhook, WebhookRef } from '../../domain/webhooks/webhook.ts'
import type { Context } from '../context.ts'
import { type Messages, nextMessages } from './messages.ts'
import { Outbox } from './outbox.ts'

const NOW = 1_800_000_000_000
const resource = { id: 1 } as unknown as Resource

const webhookOf = (tenantId: string, changes: Partial<Webhook> = {}): QueuedWebhook => ({
  owner: null,
  ...newWebhook({ tenantId, id: 'wh_1' }, changes),
})

interface Scene {
  /** Those that want what `wake` names. */
  readonly webhooks?: readonly Webhook[]
  readonly due?: readonly Webhook[]
  /** How many endpoints the round finds. */
  readonly others?: number
  readonly hasNoResource?: boolean
  readonly hasNoEvents?: boolean
  readonly hasMessages?: boolean
}

function outboxOf(scene: Scene) {
  const pages: [string, number][] = []
  const asked: (readonly string[])[] = []
  const state = { now: NOW, fails: false }
  /** How many endpoints are checked for news at once. */
  const limits = { checked: 0 }
  let checking = 0
  const others = Array.from({ length: scene.others ?? 0 }, (_, at) =>
    webhookOf(`t${String(at).padStart(4, '0')}`),
  )
  const stores = {
    webhookQueue: {
      listDue: async () => {
        if (state.fails) {
          throw new Error('no database')
        }
        return scene.due ?? []
      },
      listWanting: async (tenantIds: readonly string[], kinds: readonly WebhookKind[]) => {
        asked.push(tenantIds)
        return (scene.webhooks ?? []).filter(
          ({ tenantId, events }) =>
            tenantIds.includes(tenantId) && events.some((kind) => kinds.includes(kind)),
        )
      },
      page: async (after: WebhookRef, limit: number) => {
        pages.push([after.tenantId, limit])
        return others.filter(({ tenantId }) => tenantId > after.tenantId).slice(0, limit)
      },
    },
    resources: {
      findActive: async () => {
        limits.checked = Math.max(limits.checked, ++checking)
        await new Promise(setImmediate)
        checking -= 1
        return scene.hasNoResource ? null : resource
      },
    },
    events: { page: async () => (scene.hasNoEvents ? [] : [{ id: 1 }]) },
    userMessages: { due: async () => (scene.hasMessages ? [{}] : []) },
  }
  const outbox = new Outbox({ stores, now: () => state.now } as unknown as Context)
  const next = async (isRunning = false): Promise<string[]> =>
    (await outbox.next(() => isRunning)).map(({ tenantId }) => tenantId)
  return { outbox, next, pages, asked, state, limits }
}

test('an event wakes the endpoints of its tenant that want its kind, once', async () => {
  const webhooks = [webhookOf('one'), webhookOf('two', { events: ['logout'] }), webhookOf('three')]
  const { outbox, next } = outboxOf({ webhooks })
  assert.equal(outbox.hasNews, false)
  outbox.wake('one', ['login_started'])
  outbox.wake('one', ['authorize'])
  outbox.wake('two', ['authorize'])
  outbox.wake('three', ['logout'])
  assert.equal(outbox.hasNews, true)
  assert.deepEqual(await next(), ['one'])
  assert.equal(outbox.hasNews, false)
  assert.deepEqual(await next(), [])
})

test('500 tenants are looked at together, and 10,000 wait; the round finds the others', async () => {
  const { outbox, next, asked } = outboxOf({})
  for (let at = 0; at < 10_001; at++) {
    outbox.wake(`t${at}`, ['authorize'])
  }
  while (outbox.hasNews) {
    await next()
  }
  assert.deepEqual([asked.length, new Set(asked.map(({ length }) => length))], [20, new Set([500])])
})

test('what a failed look was about is looked at after the next one', async () => {
  const { outbox, next, state } = outboxOf({ webhooks: [webhookOf('one')] })
  outbox.wake('one', ['authorize'])
  state.fails = true
  await assert.rejects(next(), /no database/)
  state.fails = false
  assert.deepEqual(await next(), [])
  assert.equal(outbox.hasNews, true)
  assert.deepEqual(await next(), ['one'])
})

test('an endpoint that is due and has news is found once', async () => {
  const { outbox, next } = outboxOf({
    webhooks: [webhookOf('one')],
    due: [webhookOf('one'), webhookOf('two')],
  })
  outbox.wake('one', ['authorize'])
  assert.deepEqual(await next(), ['one', 'two'])
})

test('all endpoints are looked at once a minute, 100 at a time', async () => {
  const { next, pages, state } = outboxOf({ others: 150 })
  assert.equal((await next()).length, 100)
  assert.equal((await next()).length, 50)
  state.now += 59_999
  assert.deepEqual(await next(), [])
  assert.deepEqual(pages, [
    ['', 100],
    ['t0099', 100],
  ])
  state.now += 1
  assert.equal((await next()).length, 100)
})

test('a round of one page is read once a minute, and four endpoints are checked at once', async () => {
  const { next, pages, limits } = outboxOf({ others: 50 })
  assert.deepEqual([(await next()).length, await next(), pages.length], [50, [], 1])
  assert.deepEqual(limits, { checked: 4 })
})

test('a round that ends with a full page ends with an empty one', async () => {
  const { next, pages } = outboxOf({ others: 100 })
  assert.deepEqual([(await next()).length, await next(), await next()], [100, [], []])
  assert.equal(pages.length, 2)
})

test('an endpoint that fails gets no news before its back-off ends', async () => {
  for (const [changes, isFound] of [
    [{ failures: 1, nextLookAt: NOW + 1 }, false],
    [{ failures: 1, nextLookAt: NOW }, true],
    [{ failures: 1, nextLookAt: null }, true],
    [{ failures: 0, nextLookAt: NOW + 1 }, true],
  ] as const) {
    const { outbox, next } = outboxOf({ webhooks: [webhookOf('one', changes)] })
    outbox.wake('one', ['authorize'])
    assert.deepEqual(await next(), isFound ? ['one'] : [], JSON.stringify(changes))
    assert.equal(outbox.hasNews, false)
  }
})

test('an endpoint of another process is looked at again later; one of this process or without a lease has news now', async () => {
  for (const [leaseUntil, isRunning, isFound] of [
    [NOW + 1, false, false],
    [NOW + 1, true, true],
    [NOW, false, true],
    [null, false, true],
  ] as const) {
    const { outbox, next } = outboxOf({ webhooks: [webhookOf('one', { leaseUntil })] })
    outbox.wake('one', ['authorize'])
    assert.deepEqual(await next(isRunning), isFound ? ['one'] : [])
    assert.deepEqual(await next(true), [], 'not at the next look')
    assert.deepEqual(await next(true), isFound ? [] : ['one'])
  }
})

test('an endpoint has news if its history or its messages about users have some, and never without a social login', async () => {
  const both = ['authorize', 'user.created'] as const
  for (const [scene, events, isFound] of [
    [{}, ['authorize'], true],
    [{ hasNoResource: true, hasMessages: true }, both, false],
    [{ hasNoEvents: true }, both, false],
    [{ hasNoEvents: true, hasMessages: true }, both, true],
    [{ hasNoEvents: true, hasMessages: true }, ['authorize'], false],
    [{}, ['user.created'], false],
    [{ hasMessages: true }, ['user.created'], true],
  ] as const) {
    const { outbox, next } = outboxOf({ ...scene, webhooks: [webhookOf('one', { events })] })
    outbox.wake('one', events)
    assert.deepEqual(await next(), isFound ? ['one'] : [], JSON.stringify([scene, events]))
  }
})

interface Waiting {
  readonly webhook?: Partial<Webhook>
  readonly resource?: Resource | null
  /** The ids of the history. */
  readonly history?: readonly number[]
  readonly retries?: readonly { readonly eventId: number; readonly attempt: number }[]
  readonly waitingRetries?: number
  readonly messages?: readonly Partial<UserMessage>[]
  /** Users that exist, and since when each waits to be removed. */
  readonly users?: Readonly<Record<number, number | null>>
}

async function messagesOf(waiting: Waiting, limit = 2): Promise<Messages | null> {
  const history = (waiting.history ?? []).map((id) => ({ id, createdAt: NOW - id }))
  const webhook = webhookOf('one', waiting.webhook)
  const stores = {
    webhookQueue: { dueRetries: async () => waiting.retries ?? [] },
    webhooks: { countRetries: async () => new Map([[webhook.id, waiting.waitingRetries ?? 0]]) },
    events: {
      page: async (_resource: unknown, { after, limit: most }: { after: number; limit: number }) =>
        history.filter(({ id }) => id > after).slice(0, most),
      find: async (_resource: unknown, ids: readonly number[]) =>
        history.filter(({ id }) => ids.includes(id)),
    },
    userMessages: { due: async () => waiting.messages ?? [] },
    users: {
      findRecord: async (_resource: unknown, id: number) =>
        id in (waiting.users ?? {}) ? { user: { id } } : null,
    },
    removals: {
      requestedAt: async (_resource: unknown, id: number) => waiting.users?.[id] ?? null,
    },
    providerClients: { listCurrent: async () => [] },
  }
  const ctx = {
    stores,
    now: () => NOW,
    identity: { isIssuer: (issuer: string) => issuer === 'https://accounts.google.com' },
  } as unknown as Context
  return nextMessages(
    ctx,
    webhook,
    waiting.resource === undefined ? resource : waiting.resource,
    limit,
  )
}

/** The ids of the events, with the number of the attempt. */
const eventsOf = (messages: Messages | null) =>
  messages?.items.map((item) => [item.kind === 'event' ? item.event.id : 0, item.attempt])

test('retries are sent first, and those of events that are gone are only settled', async () => {
  const retries = [1, 2].map((eventId) => ({ eventId, attempt: 3 }))
  const found = await messagesOf({ retries, history: [2, 3] })
  assert.deepEqual([eventsOf(found), found?.vanished, found?.moves], [[[2, 4]], [1], {}])
  const without = await messagesOf({ retries, history: [2, 3], resource: null })
  assert.deepEqual([eventsOf(without), without?.vanished], [[], [1, 2]])
})

test('new events move the cursor to the last that is sent, and say when the oldest happened', async () => {
  const found = await messagesOf({ history: [1, 2, 3, 4], webhook: { cursor: 1 } })
  assert.deepEqual(
    [eventsOf(found), found?.moves, found?.since],
    [
      [
        [2, 1],
        [3, 1],
      ],
      { cursor: 3 },
      NOW - 2,
    ],
  )
  assert.equal(await messagesOf({ history: [1], webhook: { cursor: 1 } }), null)
  assert.equal(await messagesOf({ history: [1], webhook: { events: ['user.created'] } }), null)
  assert.equal(
    await messagesOf({ history: [1], resource: null }),
    null,
    'without a social login nothing is new',
  )
})

test('new events wait in the history while 1,000 retries wait', async () => {
  assert.deepEqual(
    eventsOf(await messagesOf({ history: [1], waitingRetries: WEBHOOK_RETRIES_MAX - 1 })),
    [[1, 1]],
  )
  assert.equal(await messagesOf({ history: [1], waitingRetries: WEBHOOK_RETRIES_MAX }), null)
})

test('the rest of a range waits while 1,000 retries wait', async () => {
  const scene = { history: [1, 2], webhook: { cursor: 2, replay: { after: 0, until: 1 } } }
  assert.deepEqual(
    eventsOf(await messagesOf({ ...scene, waitingRetries: WEBHOOK_RETRIES_MAX - 1 })),
    [[1, 1]],
  )
  assert.equal(await messagesOf({ ...scene, waitingRetries: WEBHOOK_RETRIES_MAX }), null)
})

test('a range is sent again up to its end, page by page', async () => {
  const history = [1, 2, 3, 4, 5]
  const rangeOf = async (after: number, until: number) => {
    const found = await messagesOf({ history, webhook: { cursor: 5, replay: { after, until } } })
    return [eventsOf(found)?.map(([id]) => id), found?.moves]
  }
  assert.deepEqual(await rangeOf(0, 5), [[1, 2], { replayAfter: 2 }])
  assert.deepEqual(await rangeOf(0, 2), [[1, 2], { replayAfter: null }])
  assert.deepEqual(await rangeOf(0, 1), [[1], { replayAfter: null }])
  assert.deepEqual(await rangeOf(4, 9), [[5], { replayAfter: null }])
  assert.deepEqual(await rangeOf(5, 9), [[], { replayAfter: null }])
  const kinds = await messagesOf({
    history,
    webhook: { events: ['user.created'], replay: { after: 0, until: 5 } },
  })
  assert.deepEqual([kinds?.items, kinds?.moves], [[], { replayAfter: null }])
})

test('a message about a user shows the user of now; it is dropped if the user is gone, the request withdrawn or the kind not wanted', async () => {
  const all = ['user.created', 'user.updated', 'user.removal_requested', 'user.deleted'] as const
  const message = (kind: (typeof all)[number], userId: number) => ({ kind, userId, attempt: 4 })
  const outcomeOf = async (
    each: ReturnType<typeof message>,
    events: readonly WebhookKind[] = all,
  ) => {
    const found = await messagesOf({
      messages: [each],
      webhook: { events },
      users: { 1: null, 2: NOW - 7 },
    })
    const [item] = found?.items ?? []
    if (item === undefined || item.kind !== 'message') {
      return found?.dropped.length === 1 ? 'dropped' : found
    }
    return [item.attempt, item.user === null ? 'no user' : item.user.removalDueAt]
  }
  assert.deepEqual(await outcomeOf(message('user.created', 1)), [5, null])
  assert.deepEqual(await outcomeOf(message('user.removal_requested', 2)), [5, NOW - 7 + REMOVAL_MS])
  assert.equal(await outcomeOf(message('user.removal_requested', 1)), 'dropped')
  assert.equal(await outcomeOf(message('user.updated', 3)), 'dropped')
  assert.deepEqual(await outcomeOf(message('user.deleted', 3)), [5, 'no user'])
  assert.deepEqual(
    await outcomeOf(message('user.deleted', 1)),
    [5, 'no user'],
    'of an earlier user with this id',
  )
  assert.equal(await outcomeOf(message('user.created', 1), ['user.deleted']), 'dropped')
  assert.equal(
    await outcomeOf(message('user.created', 1), ['authorize']),
    null,
    'an endpoint for events reads none',
  )
  assert.equal(await messagesOf({ messages: [], webhook: { events: all } }), null)
})
