import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Limiter } from './limiter.ts'

const busyFor = (ms: number): void => {
  for (const end = performance.now() + ms; performance.now() < end; );
}

test('no more than it may run at once, and they begin in the order in which they came', async () => {
  const few = new Limiter(3)
  let running = 0
  let most = 0
  const began: number[] = []
  await Promise.all(
    Array.from({ length: 20 }, (_, number) =>
      few.run(async () => {
        began.push(number)
        most = Math.max(most, ++running)
        await new Promise((resolve) => setTimeout(resolve, 1))
        running -= 1
      }),
    ),
  )
  assert.equal(most, 3)
  assert.deepEqual(began, [...began.keys()])
})

test('one that fails gives its turn on like the others', async () => {
  const few = new Limiter(1)
  const outcomes = await Promise.allSettled([1, 2, 3].map((number) => few.run(() => Promise.reject(number))))
  assert.deepEqual(
    outcomes.map((outcome) => outcome.status === 'rejected' && outcome.reason),
    [1, 2, 3],
  )
})

test('a long row of those that never wait is interrupted, so that everybody else has a turn', async () => {
  const few = new Limiter(4)
  const all = Promise.all(Array.from({ length: 400 }, () => few.run(async () => busyFor(1))))
  let done = false
  let turns = 0
  const count = (): void => {
    turns += 1
    if (!done) setImmediate(count)
  }
  setImmediate(count)
  await all
  done = true
  assert.ok(turns >= 10, `${turns} turns in 400 ms`)
})
