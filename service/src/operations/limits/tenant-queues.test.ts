import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { Unavailable } from '../../domain/api-error.ts'
import { TenantQueues } from './tenant-queues.ts'

/** Requests that end when the test calls `finish`, and a clock that the test advances. */
function pausedRequests(t: TestContext) {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  let time = 0
  const queues = new TenantQueues({ refresh: { alone: 4, beside: 2, pending: 1_000 } }, () => time)
  const running: { readonly name: string; finish(): void }[] = []
  const send = (tenant: string, request: number): Promise<string> =>
    queues.run('refresh', tenant, async () => {
      const name = `${tenant} ${request}`
      await new Promise<void>((resolve) => running.push({ name, finish: resolve }))
      return name
    })
  const pass = async (ms: number): Promise<void> => {
    time += ms
    t.mock.timers.tick(ms)
    await nextTurn()
  }
  const finish = async (name: string): Promise<void> => {
    const index = running.findIndex((each) => each.name === name)
    assert.notEqual(index, -1, `${name} is running`)
    running.splice(index, 1)[0]?.finish()
    await nextTurn()
  }
  return { send, finish, pass, names: () => running.map(({ name }) => name) }
}

const many = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1)

test('a request of another tenant runs at once, however many requests of one tenant wait', async (t) => {
  const { send, names } = pausedRequests(t)
  for (const request of many(900)) {
    void send('busy', request)
  }
  await nextTurn()
  assert.deepEqual(names(), ['busy 1', 'busy 2', 'busy 3', 'busy 4'])
  void send('other', 1)
  await nextTurn()
  assert.equal(names().at(-1), 'other 1')
})

test('beside another tenant, a backlog runs in a smaller share and rests as long as each request took', async (t) => {
  const { send, finish, pass, names } = pausedRequests(t)
  const other = send('other', 1)
  for (const request of many(9)) {
    void send('busy', request)
  }
  await nextTurn()
  assert.deepEqual(names(), ['other 1', 'busy 1', 'busy 2'])
  await finish('other 1')
  assert.equal(await other, 'other 1', 'a tenant without a backlog does not rest')
  await pass(10)
  await finish('busy 1')
  assert.deepEqual(names(), ['busy 2'], 'it rests')
  await pass(9)
  assert.deepEqual(names(), ['busy 2'])
  await pass(1)
  assert.deepEqual(names(), ['busy 2', 'busy 3'])
})

test('a backlog does not rest for the length of an outage', async (t) => {
  const { send, finish, pass, names } = pausedRequests(t)
  for (const request of many(9)) {
    void send('busy', request)
  }
  await pass(7_000)
  void send('other', 1)
  await nextTurn()
  for (const request of many(4)) {
    await finish(`busy ${request}`)
  }
  assert.deepEqual(names(), ['other 1'], 'it rests')
  await pass(50)
  assert.deepEqual(names(), ['other 1', 'busy 5', 'busy 6'])
})

test('a tenant that is alone again runs more of its backlog, in the order of arrival', async (t) => {
  const { send, finish, pass, names } = pausedRequests(t)
  void send('other', 1)
  for (const request of many(9)) {
    void send('busy', request)
  }
  await nextTurn()
  await finish('other 1')
  await pass(1_000)
  await finish('busy 1')
  assert.deepEqual(names(), ['busy 2', 'busy 3', 'busy 4', 'busy 5'])
})

test('a request that fails leaves its place to the next one', async () => {
  const queues = new TenantQueues({ start: { alone: 1, beside: 1, pending: 9 } })
  const failed = queues.run('start', 'one-two', () => Promise.reject(new Error('no')))
  const next = queues.run('start', 'one-two', async () => 'done')
  await assert.rejects(failed, /no/)
  assert.equal(await next, 'done')
})

test('a tenant with too many waiting requests gets 503, and other tenants do not', async (t) => {
  const { send, names } = pausedRequests(t)
  for (const request of many(1_000)) {
    void send('busy', request)
  }
  await assert.rejects(send('busy', 1_001), Unavailable)
  void send('other', 1)
  await nextTurn()
  assert.equal(names().at(-1), 'other 1')
})

test('requests of one kind do not wait for those of another kind of the same tenant', async () => {
  const share = { alone: 1, beside: 1, pending: 9 }
  const queues = new TenantQueues({ refresh: share, start: share })
  const held = Promise.withResolvers<void>()
  const start = queues.run('start', 'one-two', () => held.promise)
  assert.equal(await queues.run('refresh', 'one-two', async () => 'done'), 'done')
  held.resolve()
  await start
})
