import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { base62Of, randomBase62 } from './random-text.ts'

test('base62 encodes the most significant digit first, padded to the width', () => {
  const cases = [
    [0, 6, '000000'],
    [61, 6, '00000z'],
    [62, 6, '000010'],
    [0xffffffff, 6, '4gfFC3'],
    [62 ** 6 - 1, 6, 'zzzzzz'],
  ] as const
  for (const [value, width, text] of cases) {
    assert.equal(base62Of(value, width), text)
  }
  assert.throws(() => base62Of(62 ** 6, 6), RangeError)
})

test('random base62 has the requested length and uses the whole alphabet', () => {
  const text = randomBase62(10_000, randomBytes)
  assert.match(text, /^[0-9A-Za-z]{10000}$/)
  assert.equal(new Set(text).size, 62)
})
