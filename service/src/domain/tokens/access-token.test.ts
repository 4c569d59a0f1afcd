import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SECRET_PREFIXES } from '@gatehouse-auth/contract'
import {
  isWithinValidity,
  readAccessToken,
  signAccessToken,
  type TokenSubject,
} from './access-token.ts'
import { Keyring } from './keyring.ts'
import { mintRefreshToken, readRefreshToken, SALT_BYTES } from './refresh-token.ts'

const MAC_BYTES = 20
const ISSUER = 'https://login.example.com'
const TENANT = 'swift-fox-running-k3qd7'
const keyring = new Keyring([{ kid: 1, secret: new Uint8Array(32).fill(1) }])
const subject: TokenSubject = {
  iss: ISSUER,
  tenant_id: TENANT,
  id: 1,
  email: 'ada@example.com',
  name: null,
  picture: null,
  sid: 1,
  gen: 1,
  rid: 1,
}
const sign = (changes: Partial<TokenSubject>): string =>
  signAccessToken(keyring, { ...subject, ...changes }, 0)
const read = (token: string) => readAccessToken(keyring, ISSUER, TENANT, token)

test('an access token is valid until it expires, and if it was issued at most a minute in the future', () => {
  const token = { iat: 1_000, exp: 4_600 }
  assert.equal(isWithinValidity(token, 4_599_999), true)
  assert.equal(isWithinValidity(token, 4_600_000), false)
  assert.equal(
    isWithinValidity(token, 940_000),
    true,
    'the clock of another instance is a minute ahead',
  )
  assert.equal(isWithinValidity(token, 939_999), false)
})

test('an access token contains a picture URL of at most 512 characters', () => {
  const picture = (length: number): string => 'https://img.example/'.padEnd(length, 'x')
  assert.equal(read(sign({ picture: picture(512) }))?.picture, picture(512))
  assert.equal(read(sign({ picture: picture(513) }))?.picture, null)
})

test('a token of more than 4096 characters is rejected before its signature is computed', () => {
  // With a header of this length, base64url can have exactly as many characters.
  const keyring = new Keyring([{ kid: 12, secret: new Uint8Array(32).fill(1) }])
  const named = (length: number): string =>
    signAccessToken(keyring, { ...subject, name: 'x'.repeat(length) }, 0)
  const read = (token: string) => readAccessToken(keyring, ISSUER, TENANT, token)
  const longest = Array.from({ length: 3_000 }, (_, index) => index).find(
    (length) => named(length).length === 4_096,
  )
  assert.ok(longest !== undefined)
  assert.notEqual(read(named(longest)), null)
  assert.equal(read(named(longest + 1)), null)
})

test('an authentic token with a claim twice is rejected', () => {
  const [head = '', body = ''] = sign({}).split('.')
  const json = Buffer.from(body, 'base64url').toString()
  const signed = (text: string): string => {
    const content = `${head}.${Buffer.from(text).toString('base64url')}`
    return `${content}.${keyring.derive(1, 'access-token|v1', TENANT)?.mac(content)}`
  }
  assert.equal(read(signed(json))?.id, 1)
  assert.equal(read(signed(json.replace('{', '{"id":2,'))), null)
  assert.equal(
    read(signed(json.replace('{', '{"\\u0069d":2,'))),
    null,
    'also if it is written otherwise',
  )
})

test('a refresh token of another version is rejected although its MAC fits', () => {
  const fields = { sessionId: 7, generation: 1, salt: new Uint8Array(SALT_BYTES) }
  const token = mintRefreshToken(keyring, TENANT, fields)
  assert.deepEqual(readRefreshToken(keyring, TENANT, token)?.sessionId, 7)
  const bytes = Buffer.from(token.slice(SECRET_PREFIXES.refreshToken.length), 'base64url')
  const body = bytes.subarray(0, bytes.length - MAC_BYTES)
  body.writeUInt8(2, 0)
  const mac = keyring
    .derive(1, 'refresh-token|v1')
    ?.macOf(`${TENANT}\0`, body)
    .subarray(0, MAC_BYTES)
  const other =
    SECRET_PREFIXES.refreshToken +
    Buffer.concat([body, mac ?? Buffer.alloc(0)]).toString('base64url')
  assert.equal(readRefreshToken(keyring, TENANT, other), null)
})
