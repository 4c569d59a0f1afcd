import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { Limiter } from './limiter.ts'

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
  const outcomes = await Promise.allSettled(
    [1, 2, 3].map((number) => limiter.run(() => Promise.reject(number))),
  )
  assert.deepEqual(
    outcomes.map((outcome) => outcome.status === 'rejected' && outcome.reason),
    [1, 2, 3],
  )
})

test('a limiter yields to the event loop while it runs a long queue of functions that never wait', async (t) => {
  let ms = 0
  t.mock.method(performance, 'now', () => ms)
  const limiter = new Limiter(4)
  const work = async (): Promise<void> => {
    ms += 1
  }
  const all = Promise.all(Array.from({ length: 400 }, () => limiter.run(work)))
  const turns: number[] = []
  let done = false
  const turn = (): void => {
    turns.push(ms)
    if (!done) {
      setImmediate(turn)
    }
  }
  setImmediate(turn)
  await all
  done = true
  assert.equal(ms, 400)
  const longest = Math.max(...[...turns, ms].map((at, index) => at - (turns[index - 1] ?? 0)))
  // Each of the four slots runs for 10 ms before it yields.
  assert.ok(longest <= 4 * 11, `${longest} ms without a turn: ${turns}`)
})
