import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { isTenantId, mintTenantId, WORDS } from './tenant-id.ts'

const [ADJECTIVES = [], ANIMALS = [], VERBS = []] = WORDS

test('a tenant id is three words and five random characters', () => {
  for (let round = 0; round < 1_000; round++) {
    const id = mintTenantId(randomBytes)
    const [adjective = '', animal = '', verb = '', tail = '', ...more] = id.split('-')
    assert.ok(
      ADJECTIVES.includes(adjective) && ANIMALS.includes(animal) && VERBS.includes(verb),
      id,
    )
    assert.match(tail, /^[2-9b-df-hjkmnp-tv-z]{5}$/)
    assert.deepEqual(more, [])
    assert.ok(isTenantId(id), id)
  }
})

test('there are more than 2^40 tenant ids', () => {
  assert.ok(ADJECTIVES.length * ANIMALS.length * VERBS.length * 28 ** 5 > 2 ** 40)
})

test('each word list has at least 128 distinct short words, and the longest tenant id has at most 40 characters', () => {
  for (const words of WORDS) {
    assert.ok(words.length >= 128 && words.length <= 256)
    assert.equal(new Set(words).size, words.length)
    for (const word of words) {
      assert.match(word, /^[a-z]{2,9}$/)
    }
  }
  for (const verb of VERBS) {
    assert.match(verb, /ing$/)
  }
  const longest = WORDS.map((words) => Math.max(...words.map((word) => word.length)))
  assert.ok(longest.reduce((sum, length) => sum + length + 1, 5) <= 40)
})

test('a tenant id is lower-case words joined by single hyphens, at most 40 characters', () => {
  const cases: readonly (readonly [text: string, valid: boolean])[] = [
    ['swift-fox-running-k3qd', true],
    ['a-b', true],
    ['2-3', true],
    [`${'a'.repeat(38)}-b`, true],
    [`${'a'.repeat(39)}-b`, false],
    ['', false],
    ['swift', false],
    ['swift-', false],
    ['-swift', false],
    ['swift--fox', false],
    ['Swift-fox', false],
    ['swift_fox', false],
    ['swift-fox\n', false],
    ['swift-f\u00f6x', false],
    ['swift-fox/../x', false],
    ['__proto__', false],
  ]
  for (const [text, valid] of cases) {
    assert.equal(isTenantId(text), valid, JSON.stringify(text))
  }
})
