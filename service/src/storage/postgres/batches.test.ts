import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { Batches } from './batches.ts'

/** Statements that return when the test calls `finish`. */
function pausedStatements() {
  const sent: { readonly items: readonly number[]; finish(): void }[] = []
  const batches = new Batches<number, number>(
    (item) => item,
    (items) => new Promise((resolve) => sent.push({ items, finish: () => resolve(items) })),
  )
  return { sent, batches }
}

const numbers = (from: number, count: number): number[] =>
  Array.from({ length: count }, (_, index) => from + index)

test('items added in one turn of the event loop share a statement, and each gets its own result', async () => {
  const { sent, batches } = pausedStatements()
  const results = Promise.all(numbers(0, 5).map((item) => batches.add(item)))
  await nextTurn()
  assert.deepEqual(
    sent.map(({ items }) => items),
    [[0, 1, 2, 3, 4]],
  )
  sent[0]?.finish()
  assert.deepEqual(await results, [0, 1, 2, 3, 4])
})

test('an item is sent at the end of the turn if no statement runs, even alone', async () => {
  const { sent, batches } = pausedStatements()
  void batches.add(7)
  await nextTurn()
  assert.deepEqual(sent[0]?.items, [7])
})

test('fewer than eight items wait for the running statement, and eight start a second one', async () => {
  const { sent, batches } = pausedStatements()
  void batches.add(0)
  await nextTurn()
  for (const item of numbers(1, 3)) {
    void batches.add(item)
  }
  await nextTurn()
  assert.equal(sent.length, 1)
  for (const item of numbers(4, 5)) {
    void batches.add(item)
  }
  await nextTurn()
  assert.deepEqual(sent[1]?.items, numbers(1, 8))
  for (const item of numbers(9, 20)) {
    void batches.add(item)
  }
  await nextTurn()
  assert.equal(sent.length, 2, 'no more than two statements run at a time')
  sent[0]?.finish()
  await nextTurn()
  assert.deepEqual(sent[2]?.items, numbers(9, 20))
})

test('an item waits at most a few milliseconds behind a statement that is blocked', async () => {
  const { sent, batches } = pausedStatements()
  void batches.add(0)
  await nextTurn()
  const second = batches.add(1)
  await nextTurn()
  assert.equal(sent.length, 1)
  while (sent.length === 1) {
    await nextTurn()
  }
  assert.deepEqual(sent[1]?.items, [1])
  sent[1]?.finish()
  assert.equal(await second, 1)
})

test('two items with the same key never share a statement, and a statement has at most 32 items', async () => {
  const { sent, batches } = pausedStatements()
  for (const item of [1, 1, ...numbers(2, 40)]) {
    void batches.add(item)
  }
  await nextTurn()
  assert.deepEqual(sent[0]?.items, numbers(1, 32))
  assert.deepEqual(sent[1]?.items, [1, ...numbers(33, 9)])
})
