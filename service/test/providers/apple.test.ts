import assert from 'node:assert/strict'
import { generateKeyPairSync, verify } from 'node:crypto'
import { test } from 'node:test'
import { apple } from '../../src/identity/providers/apple.ts'
import { CLIENT_ID } from '../support/faults/scripted-provider.ts'
import { openIdResponses, returned, scriptedFetch, summary } from './scripted-fetch.ts'

const ISSUER = 'https://appleid.apple.com'
const NOW = Date.parse('2026-11-16T12:00:00Z')
const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const key = {
  clientId: CLIENT_ID,
  teamId: 'TEAM123456',
  keyId: 'KEY1234567',
  privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
}
const ada = { sub: '001.ada', email: 'relay@privaterelay.appleid.com' }

function client(claims: Readonly<Record<string, unknown>>) {
  const { fetch, sent } = scriptedFetch(openIdResponses(ISSUER, { claims }))
  return { provider: apple({ ...key, now: () => NOW, fetch }), sent }
}

test('Apple gets a client secret of five minutes, signed by the key of the team, and no code verifier', async () => {
  const { provider, sent } = client({ ...ada, email_verified: 'true' })
  assert.equal(summary(await provider.signIn(returned('apple'))), `${ISSUER} 001.ada ${ada.email}`)
  const form = new URLSearchParams(await sent.at(-1)?.text())
  const [header = '', payload = '', signature = ''] = (form.get('client_secret') ?? '').split('.')
  const decoded = [header, payload].map((part) =>
    JSON.parse(Buffer.from(part, 'base64url').toString()),
  )
  assert.deepEqual(decoded, [
    { alg: 'ES256', kid: 'KEY1234567' },
    { iss: 'TEAM123456', iat: NOW / 1000, exp: NOW / 1000 + 300, aud: ISSUER, sub: CLIENT_ID },
  ])
  const signed = Buffer.from(`${header}.${payload}`)
  const options = { key: publicKey, dsaEncoding: 'ieee-p1363' as const }
  assert.ok(verify('sha256', signed, options, Buffer.from(signature, 'base64url')))
  assert.equal(form.get('code_verifier'), null)
  assert.ok(!form.toString().includes('PRIVATE'))
})

test('the response comes as a form, with the name and email address', async () => {
  const { provider } = client({})
  const url = await provider.authorizeUrl({
    ...returned('apple'),
    redirectUri: 'https://gatehouse.example/auth/apple/callback',
  })
  assert.equal(url.searchParams.get('response_mode'), 'form_post')
  assert.equal(url.searchParams.get('scope'), 'openid name email')
  assert.equal(url.searchParams.get('code_challenge'), null)
})

test('email_verified is a boolean or a text, and "false" is not true', async () => {
  for (const verified of [true, 'true']) {
    const { provider } = client({ ...ada, email_verified: verified })
    assert.equal((await provider.signIn(returned('apple'))).outcome, 'identified')
  }
  for (const unverified of [false, 'false', undefined, 1, 'yes']) {
    const { provider } = client({ ...ada, email_verified: unverified })
    assert.equal(summary(await provider.signIn(returned('apple'))), 'userinfo: email_unverified')
  }
})

test('the name beside the response is displayed, and identifies no one', async () => {
  const { provider } = client({ ...ada, email_verified: true })
  const named = await provider.signIn({ ...returned('apple'), displayName: 'Ada\u202e Lovelace' })
  assert.deepEqual(named.outcome === 'identified' && [named.profile.subject, named.profile.name], [
    '001.ada',
    'Ada Lovelace',
  ])
})

test('Cancel at Apple is a denial, and no code is exchanged', async () => {
  const { provider, sent } = client(ada)
  const response = returned('apple', { error: 'user_cancelled_authorize' })
  assert.deepEqual(await provider.signIn(response), { outcome: 'denied' })
  assert.deepEqual(
    sent.map(({ method }) => method),
    ['GET'],
  )
})
