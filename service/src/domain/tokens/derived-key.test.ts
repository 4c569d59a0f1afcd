import assert from 'node:assert/strict'
import { createHmac, randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { DerivedKey, Keyring } from './keyring.ts'

const secret = randomBytes(32)

// RFC 4231, test case 2.
const RFC_KEY = Buffer.from('Jefe')
const RFC_TEXT = 'what do ya want for nothing?'
const RFC_MAC = '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843'

test('the MAC of a text, alone or with bytes after it, is HMAC-SHA-256', () => {
  const key = new DerivedKey(RFC_KEY)
  assert.equal(key.mac(RFC_TEXT), Buffer.from(RFC_MAC, 'hex').toString('base64url'))
  assert.equal(key.macOf('what do ya ', Buffer.from('want for nothing?')).toString('hex'), RFC_MAC)
})

test('a key ring needs a master key, and derives nothing from one that it does not have', () => {
  assert.throws(() => new Keyring([]), /at least one key/)
  const keyring = new Keyring([{ kid: 1, secret }])
  assert.equal(keyring.derive(2, 'purpose'), null)
  assert.throws(() => keyring.mac('purpose', 'text', 2), /No master key 2/)
})

// proves S029
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
      assert.notEqual(made, createHmac('sha256', secret).update(text).digest('base64url'))
    }
  }
})
