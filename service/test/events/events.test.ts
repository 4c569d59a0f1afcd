import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type AuthEvent, EVENTS_PAGE_DEFAULT } from '@gatehouse-auth/contract'
import { loggedOut, loginStarted, type NewAuthEvent } from '../../src/domain/events/auth-event.ts'
import type { ApiResponse, Tenant } from '../support/actors/agent.ts'
import { assertApiError, problemPaths } from '../support/actors/api-error.ts'
import { claim } from '../support/actors/claim.ts'
import { stopTime } from '../support/clock.ts'
import { isPending } from '../support/faults/held-disk.ts'
import { ENGINES } from '../support/postgres/engines.ts'
import { appendEvent } from '../support/postgres/storage.ts'
import { waitUntil } from '../support/process/wait-until.ts'
import { type World, world } from '../support/world.ts'

const PATH = '/api/social-login/events'

/** Appends events directly to the store. */
async function write(
  { app }: World,
  tenant: Tenant,
  events: readonly NewAuthEvent[],
): Promise<void> {
  await app.ctx.stores.transaction(async (stores) => {
    const resource = await stores.resources.findActive(tenant.id)
    assert.ok(resource)
    for (const event of events) {
      await appendEvent(stores, resource, event)
    }
  })
}

const started = (now: number): NewAuthEvent =>
  loginStarted({ redirectUri: 'https://a.example/cb', returnTo: null, provider: 'google' }, now)
const idsOf = (response: ApiResponse): number[] =>
  response.json.events.map(({ id }: AuthEvent) => id)

for (const engine of ENGINES) {
  // proves C071, C133
  test(`[${engine}] events are listed in ascending order after "after", 50 by default and 500 at most, with a link to the next page`, async (t) => {
    const service = await world(t, { engine })
    const tenant = await service.agent.createTenant()
    await write(service, tenant, Array(620).fill(started(service.clock.now())))
    const list = (query: string) => tenant.manage('GET', PATH + query)

    const first = await list('')
    assert.equal(idsOf(first).length, EVENTS_PAGE_DEFAULT)
    assert.deepEqual(Object.keys(first.json.events[0]), [
      'id',
      'event',
      'user_id',
      'email',
      'redirect_uri',
      'return_to',
      'metadata',
      'created_at_ms',
    ])
    const most = idsOf(await list('?limit=500'))
    assert.equal(most.length, 500)
    assert.deepEqual(
      most,
      [...most].sort((a, b) => a - b),
    )
    assert.deepEqual(idsOf(first), most.slice(0, 50))
    assert.deepEqual(idsOf(await list(`?after=${most[9]}&limit=3`)), most.slice(10, 13))
    assert.deepEqual(idsOf(await list(`?after=${most.at(-1)}&limit=500`)).length, 120)

    const seen: number[] = []
    for (
      let next: string | undefined = '?after=0&limit=200&event=login_started';
      next !== undefined;
    ) {
      const response = await list(next)
      seen.push(...idsOf(response))
      next = /^<[^>]+(\?[^>]+)>; rel="next"$/.exec(response.headers.get('link') ?? '')?.[1]
    }
    assert.equal(seen.length, 620)
    assert.equal(new Set(seen).size, 620)
    for (const after of [seen.at(-1), '9'.repeat(15)]) {
      assert.deepEqual(idsOf(await list(`?after=${after}`)), [])
    }
  })

  // proves C315
  test(`[${engine}] the first authorize of a user has metadata.new_user, later ones do not`, async (t) => {
    const { agent, browser } = await world(t, { engine })
    const tenant = await agent.createTenant()
    await tenant.signIn(browser())
    await tenant.signIn(browser())
    await tenant.signIn(browser(), 'Grace Hopper')
    const authorizations = await tenant.events('&event=authorize')
    assert.deepEqual(
      authorizations.map(({ user_id, metadata }) => [user_id, metadata]),
      [
        [1, { new_user: true }],
        [1, {}],
        [2, { new_user: true }],
      ],
    )
  })

  // proves C072
  test(`[${engine}] events can be filtered by user and by kind`, async (t) => {
    const service = await world(t, { engine })
    const tenant = await service.agent.createTenant()
    const ada = await tenant.signIn(service.browser(), 'Ada Lovelace')
    await tenant.signIn(service.browser(), 'Grace Hopper')
    service.clock.advance({ minutes: 1 })
    await tenant.refresh(ada.refresh_token)
    const [first, second] = (await tenant.users()).map(({ id }) => id)
    const kinds = async (query: string): Promise<unknown[]> =>
      (await tenant.events(query)).map(({ event, user_id }) => [event, user_id])
    assert.deepEqual(await kinds(`&user_id=${first}`), [
      ['authorize', first],
      ['token_refreshed', first],
    ])
    assert.deepEqual(await kinds('&event=authorize'), [
      ['authorize', first],
      ['authorize', second],
    ])
    assert.deepEqual(await kinds(`&event=authorize&user_id=${second}`), [['authorize', second]])
    assert.deepEqual(await kinds('&event=login_started'), [
      ['login_started', null],
      ['login_started', null],
    ])
    for (const none of ['&event=logout', '&user_id=0', `&user_id=${'9'.repeat(15)}`]) {
      assert.deepEqual(await kinds(none), [], none)
    }
    const other = await service.agent.createTenant()
    assert.deepEqual(await other.events(`&user_id=${first}`), [])
  })

  test(`[${engine}] a long poll for events returns immediately if there are any, otherwise as soon as one is recorded`, async (t) => {
    const service = await world(t, { engine })
    const [tenant, other] = [await service.agent.createTenant(), await service.agent.createTenant()]
    await write(service, tenant, [started(service.clock.now())])
    stopTime(t)
    const [known] = idsOf(await tenant.manage('GET', `${PATH}?wait=25`))

    const polls = t.mock.method(service.app.ctx.signals, 'poll').mock
    const waiting = tenant.manage('GET', `${PATH}?after=${known}&wait=25&event=logout`)
    const hasPolled = async (times: number): Promise<void> => {
      await waitUntil(`it has polled ${times} times`, () => polls.callCount() === times)
      await polls.calls.at(-1)?.result
      assert.ok(await isPending(waiting))
    }
    await hasPolled(1)
    await write(service, other, [started(service.clock.now())])
    await hasPolled(1)
    await write(service, tenant, [started(service.clock.now())])
    await hasPolled(2)
    await write(service, tenant, [
      loggedOut({ id: 7, email: 'ada@example.com' }, 'user', service.clock.now()),
    ])
    const { json } = await waiting
    assert.deepEqual(
      json.events.map(({ event, user_id }: AuthEvent) => [event, user_id]),
      [['logout', 7]],
    )
  })

  test(`[${engine}] a long poll without an event returns an empty list, and ends when its client or the service goes away`, async (t) => {
    const service = await world(t, { through: 'port', engine })
    const tenant = await service.agent.createTenant()
    const { signals } = service.app.ctx
    const pass = stopTime(t)
    const withoutEvent = tenant.manage('GET', `${PATH}?wait=25`)
    const itWaits = () => waitUntil('it waits', () => signals.waiting === 1)
    await itWaits()
    pass(24_999)
    assert.ok(await isPending(withoutEvent))
    await itWaits()
    pass(1)
    assert.deepEqual((await withoutEvent).json, { events: [] })

    const responses = () =>
      service.logLines.filter((line) => line.includes(`"route":"${PATH}"`)).length
    const before = responses()
    const disconnect = new AbortController()
    const request = fetch(`${service.agent.baseUrl}${PATH}?wait=25`, {
      headers: { Authorization: `Bearer ${tenant.key}` },
      signal: disconnect.signal,
    })
    await waitUntil('the second one waits', () => signals.waiting === 1)
    disconnect.abort()
    await assert.rejects(request)
    await waitUntil('the abandoned request ends', () => responses() === before + 1)
    assert.equal(signals.waiting, 0)

    const last = tenant.manage('GET', `${PATH}?wait=25`)
    await waitUntil('the last one waits', () => signals.waiting === 1)
    const stopping = service.stop()
    assert.deepEqual((await last).json, { events: [] })
    service.app.server.closeIdleConnections()
    await stopping
    assert.ok(!service.logLines.join('').includes('"level":50'))
  })

  // proves C374
  test(`[${engine}] the sweep keeps all events, and with EVENT_RETENTION_DAYS removes older ones and no count`, async (t) => {
    const keeping = await world(t, { engine })
    const removing = await world(t, { like: keeping, env: { EVENT_RETENTION_DAYS: '30' } })
    const { agent, browser, clock, app } = keeping
    const tenant = await agent.createTenant()
    await claim(tenant, browser())
    await write(keeping, tenant, [started(clock.now()), started(clock.now())])
    clock.advance({ days: 29 })
    await write(keeping, tenant, [started(clock.now())])
    clock.advance({ days: 1, minutes: 1 })
    const ids = async () => idsOf(await tenant.manage('GET', PATH))
    const total = async () => {
      const resource = await app.ctx.stores.resources.findActive(tenant.id)
      assert.ok(resource)
      return (await app.ctx.stores.events.daily(resource, '')).reduce(
        (sum, { count }) => sum + count,
        0,
      )
    }
    const before = await ids()
    assert.equal(await total(), before.length)
    await app.sweep()
    assert.deepEqual(await ids(), before)
    await removing.app.sweep()
    assert.deepEqual(await ids(), before.slice(-1))
    assert.equal(await total(), before.length)
    await write(keeping, tenant, [started(clock.now())])
    assert.deepEqual(await ids(), [before.length, before.length + 1])
  })
}

// proves C171
test('an invalid events query is rejected with the path of each problem', async (t) => {
  const service = await world(t)
  const tenant = await service.agent.createTenant()
  for (const [query, ...paths] of [
    ['limit=501', 'limit'],
    ['limit=0', 'limit'],
    ['limit=', 'limit'],
    ['limit=-1', 'limit'],
    ['limit=abc', 'limit'],
    ['after=-1', 'after'],
    ['after=1.5', 'after'],
    [`after=${'9'.repeat(30)}`, 'after'],
    ['user_id=ada', 'user_id'],
    ['event=signed_in', 'event'],
    ['event=', 'event'],
    ['event=AUTHORIZE', 'event'],
    ['event=authorize&event=logout', 'event'],
    ['after=0&after=0', 'after'],
    ['wait=26', 'wait'],
    ['wait=-1', 'wait'],
    ['since=1', 'since'],
    ['limit=501&event=x&foo=1', 'limit', 'event', 'foo'],
  ] as const) {
    assert.deepEqual(problemPaths(await tenant.manage('GET', `${PATH}?${query}`)), paths, query)
  }
  assertApiError(
    await (await service.agent.createTenant(null)).manage('GET', PATH),
    'notProvisioned',
  )
  assert.deepEqual(await tenant.eventKinds(), [])
})
