import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { Batches } from './batches.ts'

/** Statements that are answered when the test says so. */
function heldBack() {
  const sent: { readonly items: readonly number[]; response(): void }[] = []
  const batches = new Batches<number, number>(
    (item) => item,
    (items) => new Promise((resolve) => sent.push({ items, response: () => resolve(items) })),
  )
  return { sent, batches }
}

const numbers = (from: number, count: number): number[] => Array.from({ length: count }, (_, index) => from + index)

test('those who come in one turn of the event loop go in one statement, and each gets its own answer', async () => {
  const { sent, batches } = heldBack()
  const responses = Promise.all(numbers(0, 5).map((item) => batches.add(item)))
  await nextTurn()
  assert.deepEqual(
    sent.map(({ items }) => items),
    [[0, 1, 2, 3, 4]],
  )
  sent[0]?.response()
  assert.deepEqual(await responses, [0, 1, 2, 3, 4])
})

test('whoever comes when nothing is on its way goes at the end of the turn, also alone', async () => {
  const { sent, batches } = heldBack()
  void batches.add(7)
  await nextTurn()
  assert.deepEqual(sent[0]?.items, [7])
})

test('a few wait for the statement before theirs, and eight do not', async () => {
  const { sent, batches } = heldBack()
  void batches.add(0)
  await nextTurn()
  for (const item of numbers(1, 3)) void batches.add(item)
  await nextTurn()
  assert.equal(sent.length, 1)
  for (const item of numbers(4, 5)) void batches.add(item)
  await nextTurn()
  assert.deepEqual(sent[1]?.items, numbers(1, 8))
  for (const item of numbers(9, 20)) void batches.add(item)
  await nextTurn()
  assert.equal(sent.length, 2, 'no more than two are on their way')
  sent[0]?.response()
  await nextTurn()
  assert.deepEqual(sent[2]?.items, numbers(9, 20))
})

test('one who waits behind a statement that is held up goes without it after a moment', async () => {
  const { sent, batches } = heldBack()
  void batches.add(0)
  await nextTurn()
  const second = batches.add(1)
  await nextTurn()
  assert.equal(sent.length, 1)
  while (sent.length === 1) await nextTurn()
  assert.deepEqual(sent[1]?.items, [1])
  sent[1]?.response()
  assert.equal(await second, 1)
})

test('two with the same key never share a statement, and thirty-two is the most', async () => {
  const { sent, batches } = heldBack()
  for (const item of [1, 1, ...numbers(2, 40)]) void batches.add(item)
  await nextTurn()
  assert.deepEqual(sent[0]?.items, numbers(1, 32))
  assert.deepEqual(sent[1]?.items, [1, ...numbers(33, 9)])
})
