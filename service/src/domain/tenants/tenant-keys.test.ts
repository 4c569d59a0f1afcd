import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { mintTenantKey, readTenantKey, TENANT_KEY_KINDS } from './tenant-keys.ts'

const zeros = (count: number): Uint8Array => new Uint8Array(count)

// proves C024
test('a tenant key is a prefix for its kind, 36 random characters and a checksum', () => {
  assert.match(mintTenantKey('management', randomBytes), /^svc_man_[0-9A-Za-z]{42}$/)
  assert.match(mintTenantKey('application', randomBytes), /^svc_app_[0-9A-Za-z]{42}$/)
})

test('the format of tenant keys does not change, so that issued keys keep working', () => {
  assert.equal(
    mintTenantKey('management', zeros),
    'svc_man_0000000000000000000000000000000000000u3wBW',
  )
  assert.equal(
    mintTenantKey('application', zeros),
    'svc_app_0000000000000000000000000000000000002KyLDM',
  )
})

test('a minted tenant key is recognized with its kind', () => {
  for (const kind of TENANT_KEY_KINDS) {
    for (let round = 0; round < 100; round++) {
      const key = mintTenantKey(kind, randomBytes)
      assert.deepEqual(readTenantKey(key), { kind, key })
    }
  }
})

test('no two tenant keys are the same', () => {
  assert.equal(
    new Set(Array.from({ length: 1_000 }, () => mintTenantKey('management', randomBytes))).size,
    1_000,
  )
})

test('a tenant key with any one character changed, missing or added is rejected', () => {
  const key = mintTenantKey('management', randomBytes)
  for (let at = 0; at < key.length; at++) {
    const other = key[at] === 'x' ? 'y' : 'x'
    assert.equal(
      readTenantKey(`${key.slice(0, at)}${other}${key.slice(at + 1)}`),
      null,
      `changed at ${at}`,
    )
    assert.equal(readTenantKey(`${key.slice(0, at)}${key.slice(at + 1)}`), null, `missing at ${at}`)
    assert.equal(
      readTenantKey(`${key.slice(0, at)}${other}${key.slice(at)}`),
      null,
      `added at ${at}`,
    )
  }
})

test('text that resembles a tenant key is rejected', () => {
  const key = mintTenantKey('management', randomBytes)
  const wrong = [
    '',
    'svc_man_',
    'Bearer',
    key.toUpperCase(),
    key.replace('svc_man_', 'svc_app_'),
    key.replace('svc_man_', 'svc_rt_'),
    ` ${key}`,
    `${key}\n`,
    `${key}\u0000`,
    `${key}${key}`,
    `svc_man_${'\uff10'.repeat(42)}`,
    'x'.repeat(100_000),
  ]
  for (const raw of wrong) {
    assert.equal(readTenantKey(raw), null, JSON.stringify(raw.slice(0, 60)))
  }
})
