import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { Keyring } from '../tokens/keyring.ts'
import { readIdTokenHint } from './id-token-hint.ts'
import { generateRsaKey, sealSigningKey, signJwt } from './signing-key.ts'

const keyring = new Keyring([{ kid: 1, secret: new Uint8Array(32).fill(1) }])
const EXPECTED = { issuer: 'https://login.example.com/edge/auth/a', audience: 'a' }
const CLAIMS = { iss: EXPECTED.issuer, aud: 'a', sub: 'a|1', sid: 's', exp: 0 }

// proves S138
test('a hint is an ID token of this issuer for this client, with user and session, also an expired one', async () => {
  const pair = await generateRsaKey()
  const { publicKey } = sealSigningKey(keyring, 'a', pair, { random: randomBytes, now: 0 })
  const key = { publicKey, privateKey: pair.privateKey }
  const read = async (claims: object) =>
    readIdTokenHint(await signJwt(key, claims), { ...EXPECTED, keys: [publicKey] })

  assert.deepEqual(await read(CLAIMS), { sub: 'a|1', sid: 's' })
  for (const wrong of [
    { iss: 'https://login.example.com/edge/auth/b' },
    { iss: undefined },
    { aud: 'b' },
    { aud: ['a'] },
    { sub: undefined },
    { sub: 1 },
    { sid: undefined },
  ]) {
    assert.equal(await read({ ...CLAIMS, ...wrong }), null, JSON.stringify(wrong))
  }
  assert.equal(await read({ ...CLAIMS, padding: 'x'.repeat(8_192) }), null, 'a longer one is none')
  const token = await signJwt(key, CLAIMS)
  assert.equal(readIdTokenHint(token, { ...EXPECTED, keys: [] }), null)
})
