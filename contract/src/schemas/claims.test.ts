import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CLAIM_LIST_MAX, CLAIMS_MAX_BYTES } from '../limits.ts'
import { Claims, RESERVED_CLAIMS } from './claims.ts'

const isAccepted = (claims: unknown): boolean => Claims.safeParse(claims).success
const sized = (bytes: number) => ({ x: 'é'.repeat((bytes - 8) / 2) })

test('claims are strings, finite numbers, booleans and lists of strings, of at most 1 KiB in UTF-8', () => {
  const most = Array<string>(CLAIM_LIST_MAX).fill('x')
  for (const value of ['', 'Zoë 😀', 0, -0.5, true, false, [], most]) {
    assert.ok(isAccepted({ role: value }), String(value))
  }
  for (const value of [
    null,
    {},
    [1],
    [['a']],
    [...most, 'x'],
    Number.NaN,
    Number.POSITIVE_INFINITY,
  ]) {
    assert.ok(!isAccepted({ role: value }), JSON.stringify(value))
  }
  assert.ok(isAccepted(sized(CLAIMS_MAX_BYTES)))
  assert.ok(!isAccepted(sized(CLAIMS_MAX_BYTES + 2)))
  for (const claims of [null, [], 'x', 1]) {
    assert.ok(!isAccepted(claims))
  }
})

test('claims have no text that jsonb of PostgreSQL rejects: no control character and no lone surrogate', () => {
  for (const text of ['NUL \u0000', 'lone \ud800', '\u007f', 'a\nb']) {
    assert.ok(!isAccepted({ role: text }), JSON.stringify(text))
    assert.ok(!isAccepted({ role: [text] }), JSON.stringify(text))
  }
})

test('a claim has a short name in lower case, and none that a token, OpenID Connect or our access token uses', () => {
  for (const name of ['role', 'roles', 'groups', 'plan', 'a_1', 'a'.repeat(40)]) {
    assert.ok(isAccepted({ [name]: 'x' }), name)
  }
  for (const name of ['Role', '1a', '_a', 'a-b', 'a.b', 'rôle', 'https://x', '', 'a'.repeat(41)]) {
    assert.ok(!isAccepted(JSON.parse(`{"${name}":"x"}`)), name)
  }
  for (const name of RESERVED_CLAIMS) {
    assert.ok(!isAccepted({ [name]: 'x' }), name)
  }
  for (const name of [
    'iss',
    'sub',
    'aud',
    'exp',
    'sid',
    'email',
    'email_verified',
    'scope',
    'tenant_id',
    'cnf',
  ]) {
    assert.ok(RESERVED_CLAIMS.has(name), name)
  }
})
