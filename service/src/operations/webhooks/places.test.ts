import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Places } from './places.ts'

const endpoint = (id: number) => ({ tenantId: 'one', id: `wh_${id}`, failures: 0, isGuest: false })

test('a delivery that gave up its place and ends lets the next one of its tenant start', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const places = new Places()
  const ends: (() => void)[] = []
  const running: Promise<void>[] = []
  const settled = () => new Promise(setImmediate)
  for (let id = 0; id < 81; id++) {
    running.push(places.run(endpoint(id), () => new Promise<void>((end) => void ends.push(end))))
    await settled()
    t.mock.timers.tick(100)
  }
  assert.equal(ends.length, 80, 'one tenant has at most 80 open deliveries')
  ends[0]?.()
  await settled()
  assert.equal(ends.length, 81)
  for (const end of ends) {
    end()
  }
  await Promise.all(running)
})

test('a process remembers how fast the last 10,000 endpoints were that it delivered to', async (t) => {
  t.mock.method(performance, 'now', () => 0)
  const places = new Places()
  const deliver = (id: number): Promise<void> => places.run(endpoint(id), async () => undefined)
  for (let id = 0; id < 10_000; id++) {
    await deliver(id)
  }
  const isKnown = (id: number): boolean => places.atOnce(endpoint(id)) > 1
  assert.deepEqual(
    [isKnown(0), isKnown(1), isKnown(9_999), isKnown(10_000)],
    [true, true, true, false],
  )
  await deliver(0)
  await deliver(10_000)
  assert.deepEqual([isKnown(0), isKnown(1), isKnown(2), isKnown(10_000)], [true, false, true, true])
})

test('an endpoint that answers after a second is slow, and gets one delivery at a time', async (t) => {
  for (const [ms, atOnce] of [
    [999, 8],
    [1_000, 1],
  ] as const) {
    let now = 0
    t.mock.method(performance, 'now', () => now)
    const places = new Places()
    await places.run(endpoint(1), async () => {
      now += ms
    })
    assert.equal(places.atOnce(endpoint(1)), atOnce)
    t.mock.restoreAll()
  }
})
