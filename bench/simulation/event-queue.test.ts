import assert from 'node:assert/strict'
import { test } from 'node:test'
import { EventQueue } from './event-queue.ts'
import { Random } from './random.ts'

test('a thousand events happen in the order of their times, however they were planned', () => {
  const queue = new EventQueue()
  const random = new Random(1)
  const happened: number[] = []
  for (let index = 0; index < 1_000; index++) {
    const at = Math.floor(random.uniform() * 100)
    queue.after(at, () => happened.push(at))
  }
  queue.run(100)
  assert.equal(happened.length, 1_000)
  assert.deepEqual(
    happened,
    happened.toSorted((a, b) => a - b),
  )
})

test('of two things at one moment, what was planned first happens first', () => {
  const queue = new EventQueue()
  const happened: string[] = []
  queue.after(5, () => happened.push('first'))
  queue.after(5, () => happened.push('second'))
  queue.after(1, () => queue.after(4, () => happened.push('third')))
  queue.run(5)
  assert.deepEqual(happened, ['first', 'second', 'third'])
})

test('what an event plans happens too, and what lies behind the end waits for another run', () => {
  const queue = new EventQueue()
  const happened: number[] = []
  const tick = (): void => {
    happened.push(queue.now)
    queue.after(10, tick)
  }
  queue.after(0, tick)
  queue.run(25)
  assert.deepEqual(happened, [0, 10, 20])
  assert.deepEqual([queue.now, queue.size], [25, 1])
  queue.run(30)
  assert.deepEqual(happened, [0, 10, 20, 30])
})

test('the past cannot be planned', () => {
  assert.throws(() => new EventQueue().after(-1, () => {}), RangeError)
  assert.throws(() => new EventQueue().after(Number.NaN, () => {}), RangeError)
})
