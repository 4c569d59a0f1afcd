import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { Keyring } from './keyring.ts'
import { seal, unseal } from './secret.ts'

const old = { kid: 1, secret: randomBytes(32) }
const fresh = { kid: 2, secret: randomBytes(32) }
const keyring = new Keyring([old])

test('a sealed text can only be opened with its context', () => {
  const sealed = seal(keyring, 'tenant one', 'svc_man_secret, ünïcode', randomBytes)
  assert.equal(unseal(keyring, 'tenant one', sealed), 'svc_man_secret, ünïcode')
  assert.equal(unseal(keyring, 'tenant two', sealed), null)
  assert.equal(unseal(keyring, '', sealed), null)
  assert.ok(!Buffer.from(sealed).includes('secret'))
  assert.equal(unseal(keyring, 'x', seal(keyring, 'x', '', randomBytes)), '')
})

test('sealing the same text twice gives different bytes', () => {
  const once = seal(keyring, 'x', 'text', randomBytes)
  assert.notDeepEqual(seal(keyring, 'x', 'text', randomBytes), once)
})

test('altered, truncated or extended sealed bytes do not open', () => {
  const sealed = seal(keyring, 'x', 'text', randomBytes)
  for (let index = 0; index < sealed.length; index++) {
    const altered = Uint8Array.from(sealed)
    altered[index] = (altered[index] ?? 0) ^ 1
    assert.equal(unseal(keyring, 'x', altered), null, `byte ${index}`)
  }
  for (let length = 0; length < sealed.length; length++) {
    assert.equal(unseal(keyring, 'x', sealed.slice(0, length)), null)
  }
  assert.equal(unseal(keyring, 'x', Uint8Array.from([...sealed, 0])), null)
})

test('a sealed text opens as long as its master key is in the ring', () => {
  const sealed = seal(keyring, 'x', 'text', randomBytes)
  const rotated = new Keyring([fresh, old])
  assert.equal(unseal(rotated, 'x', sealed), 'text')
  assert.equal(unseal(new Keyring([fresh]), 'x', sealed), null)
  assert.equal(unseal(new Keyring([{ kid: 1, secret: randomBytes(32) }]), 'x', sealed), null)
  assert.equal(unseal(keyring, 'x', seal(rotated, 'x', 'text', randomBytes)), null)
})
