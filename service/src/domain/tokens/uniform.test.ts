import assert from 'node:assert/strict'
import { test } from 'node:test'
import { uniform } from './random-text.ts'

/** Cycles through all byte values. */
function everyByte(): (count: number) => Uint8Array {
  let next = 0
  return (count) => Uint8Array.from({ length: count }, () => next++ % 256)
}

// proves ASVS 7.2.3
test('uniformly distributed bytes give uniformly distributed numbers', () => {
  for (const size of [2, 28, 62, 128, 133, 169, 256]) {
    const limit = 256 - (256 % size)
    const counts = new Map<number, number>()
    for (const number of uniform(limit, size, everyByte())) {
      counts.set(number, (counts.get(number) ?? 0) + 1)
    }
    assert.deepEqual(
      [...counts.keys()].sort((a, b) => a - b),
      Array.from({ length: size }, (_, index) => index),
    )
    assert.deepEqual(new Set(counts.values()), new Set([limit / size]), `size ${size}`)
  }
})

test('a byte beyond the last whole multiple of the size is drawn again', () => {
  const bytes = [255, 248, 247, 0]
  assert.deepEqual(
    uniform(2, 62, (count) => Uint8Array.from(bytes.splice(0, count))),
    [247 % 62, 0],
  )
})

test('a broken random source throws instead of looping endlessly', () => {
  assert.throws(() => uniform(1, 62, () => Uint8Array.of(255)), /broken/)
  assert.throws(() => uniform(1, 62, () => new Uint8Array()), /broken/)
})
