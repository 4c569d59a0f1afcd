import assert from 'node:assert/strict'
import { createHmac, randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { DerivedKey, Keyring } from './keyring.ts'

const secret = randomBytes(32)
const key = new DerivedKey(secret)
const byNode = (text: string, bytes = new Uint8Array()): Buffer =>
  createHmac('sha256', secret).update(text).update(bytes).digest()

const TEXTS = [
  '',
  'a',
  'a'.repeat(450),
  'ÿ'.repeat(300),
  '日本'.repeat(99),
  '🦊'.repeat(77),
  '\0|\0',
  '\ud800',
]
/** Around the size of the shared buffer, where Node's own HMAC takes over. */
const LONG = [4_095, 4_096, 4_097, 12_288, 12_289, 100_000].flatMap((size) => [
  'a'.repeat(size),
  '日'.repeat(size),
])

test('the MAC of a text is HMAC-SHA-256, for any characters and any length', () => {
  for (const text of [...TEXTS, ...LONG, ...TEXTS]) {
    assert.equal(key.mac(text), byNode(text).toString('base64url'))
  }
})

test('the MAC of a text with bytes is HMAC-SHA-256 of both', () => {
  for (const text of [...TEXTS, ...LONG, ...TEXTS]) {
    for (const size of [0, 24, 12_000, 13_000]) {
      const bytes = randomBytes(size)
      assert.deepEqual(key.macOf(text, bytes), byNode(text, bytes))
    }
  }
})

test('keys that are used in turn do not mix', () => {
  const other = new DerivedKey(new Uint8Array(32))
  const first = key.mac('text')
  assert.notEqual(other.mac('text'), first)
  assert.equal(key.mac('text'), first)
})

test('a key has at most one block of 64 bytes', () => {
  const longest = randomBytes(64)
  const byNode = createHmac('sha256', longest).update('text').digest('base64url')
  assert.equal(new DerivedKey(longest).mac('text'), byNode)
  assert.throws(() => new DerivedKey(new Uint8Array(65)), /longer key/)
})

test('a key ring needs a master key, and derives nothing from one that it does not have', () => {
  assert.throws(() => new Keyring([]), /at least one key/)
  const keyring = new Keyring([{ kid: 1, secret }])
  assert.equal(keyring.derive(2, 'purpose'), null)
  assert.throws(() => keyring.mac('purpose', 'text', 2), /No master key 2/)
})

test('each purpose, subject and master key has a key of its own, and none is the master key', () => {
  const other = { kid: 2, secret: randomBytes(32) }
  const keyring = new Keyring([{ kid: 1, secret }, other])
  const secretOf = (kid: number, purpose: string, subject?: string): string =>
    Buffer.from(keyring.derive(kid, purpose, subject)?.secret ?? []).toString('hex')
  const derived = [1, 2].flatMap((kid) => [
    secretOf(kid, 'hash'),
    secretOf(kid, 'check'),
    secretOf(kid, 'hash', 'one-tenant'),
    secretOf(kid, 'hash', 'another-tenant'),
  ])
  const masters = [secret, other.secret].map((each) => each.toString('hex'))
  assert.equal(new Set([...derived, ...masters]).size, 10)
  assert.notEqual(
    keyring.hash('management', 'x'),
    keyring.hash('application', 'x'),
    'a hash of one kind is none of another',
  )
  for (const made of [
    keyring.hash('management', 'x'),
    keyring.mac('purpose', 'x'),
    keyring.check(1),
  ]) {
    for (const text of ['x', 'management\0x', 'gatehouse']) {
      assert.notEqual(made, byNode(text).toString('base64url'))
    }
  }
})
