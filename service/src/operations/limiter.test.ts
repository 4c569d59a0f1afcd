import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { Limiter } from './limiter.ts'

const busyFor = (ms: number): void => {
  for (const end = performance.now() + ms; performance.now() < end; );
}

test('a limiter runs at most its number of functions at a time, in FIFO order', async () => {
  const limiter = new Limiter(3)
  let running = 0
  let most = 0
  const started: number[] = []
  await Promise.all(
    Array.from({ length: 20 }, (_, number) =>
      limiter.run(async () => {
        started.push(number)
        most = Math.max(most, ++running)
        await nextTurn()
        running -= 1
      }),
    ),
  )
  assert.equal(most, 3)
  assert.deepEqual(started, [...started.keys()])
})

test('a limiter starts the next function after one that rejects', async () => {
  const limiter = new Limiter(1)
  const outcomes = await Promise.allSettled([1, 2, 3].map((number) => limiter.run(() => Promise.reject(number))))
  assert.deepEqual(
    outcomes.map((outcome) => outcome.status === 'rejected' && outcome.reason),
    [1, 2, 3],
  )
})

test('a limiter yields to the event loop while it runs a long queue of functions that never wait', async () => {
  const limiter = new Limiter(4)
  const all = Promise.all(Array.from({ length: 100 }, () => limiter.run(async () => busyFor(1))))
  let done = false
  let turns = 0
  const count = (): void => {
    turns += 1
    if (!done) setImmediate(count)
  }
  setImmediate(count)
  await all
  done = true
  assert.ok(turns >= 5, `${turns} turns in 100 ms`)
})
