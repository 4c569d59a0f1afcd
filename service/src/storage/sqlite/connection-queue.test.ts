import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { ConnectionQueue } from './driver.ts'

test('callers use the connection one at a time, in the order in which they asked', async () => {
  const queue = new ConnectionQueue()
  const order: number[] = []
  let using = 0
  await Promise.all(
    [1, 2, 3, 4].map(async (caller) => {
      await queue.acquire()
      using += 1
      assert.equal(using, 1)
      order.push(caller)
      await nextTurn()
      using -= 1
      queue.passOn()
    }),
  )
  assert.deepEqual(order, [1, 2, 3, 4])
  assert.equal(queue.inUse, false)
})

test('a caller that asks just after the connection was passed on waits behind the one that got it', async () => {
  const queue = new ConnectionQueue()
  const order: string[] = []
  await queue.acquire()
  const second = queue.acquire().then(() => order.push('second'))
  queue.passOn()
  assert.equal(queue.inUse, true)
  const third = queue.acquire().then(() => order.push('third'))
  await second
  await nextTurn()
  assert.deepEqual(order, ['second'])
  queue.passOn()
  await third
  assert.deepEqual(order, ['second', 'third'])
})
