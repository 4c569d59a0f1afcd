import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import {
  ADA,
  CLIENT_ID,
  json,
  type Script,
  scriptedProvider,
  tokens,
} from '../support/faults/scripted-provider.ts'
import { slow } from '../support/tags.ts'
import { CODE, callback, client, hangUp, signInAgainst, summary } from './provider-client.ts'

const MEGABYTE = 1024 * 1024

const htmlPage: Script = (_req, res) =>
  res.writeHead(200, { 'Content-Type': 'text/html' }).end('<h1>Hello</h1>')
const htmlAsJson: Script = (_req, res) =>
  res.writeHead(200, { 'Content-Type': 'application/json' }).end('<h1>Hello</h1>')
const redirectTo =
  (status: number): Script =>
  (_req, res) =>
    res.writeHead(status, { Location: '/elsewhere' }).end()
const huge: Script = (_req, res) =>
  res
    .writeHead(200, { 'Content-Type': 'application/json' })
    .end(JSON.stringify({ pad: 'x'.repeat(10 * MEGABYTE) }))
const gzipBomb: Script = (_req, res) =>
  res
    .writeHead(200, { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' })
    .end(gzipSync(JSON.stringify({ pad: ' '.repeat(10 * MEGABYTE) })))
const deep: Script = (_req, res) =>
  res
    .writeHead(200, { 'Content-Type': 'application/json' })
    .end(`${'['.repeat(30_000)}${']'.repeat(30_000)}`)

test('a valid provider response identifies the user', async (t) => {
  const { result, provider } = await signInAgainst(t, () => undefined)
  assert.deepEqual(result, {
    outcome: 'identified',
    profile: {
      issuer: provider.issuer,
      subject: '1815',
      email: ADA.email,
      name: ADA.name,
      picture: ADA.picture,
    },
    hostedDomain: null,
  })
})

test('userinfo decides about the profile, also when the ID token has all of it', async (t) => {
  const { sub: _, ...profile } = ADA
  const { result, provider } = await signInAgainst(t, (provider) => {
    provider.script('/token', json(tokens(provider.issuer, profile)))
    provider.script('/userinfo', json({ ...ADA, email_verified: false }))
  })
  assert.equal(summary(result), 'userinfo: email_unverified')
  assert.ok(provider.requests.includes('/userinfo'))
})

test('an unusable provider response fails the login with an error code', {
  skip: slow,
}, async (t) => {
  const cases: [Script, string][] = [
    [huge, 'answer_too_large'],
    // The request accepts no compression, so a compressed response is not decompressed.
    [gzipBomb, 'malformed_answer'],
    [htmlPage, 'malformed_answer'],
    [htmlAsJson, 'malformed_answer'],
    [deep, 'malformed_answer'],
    [json([]), 'malformed_answer'],
    [json(null), 'malformed_answer'],
    [json({}), 'malformed_answer'],
    [json({ error: 'server_error' }, 500), 'provider_error'],
    [(_req, res) => res.writeHead(429).end(), 'provider_error'],
    [(_req, res) => res.writeHead(204).end(), 'provider_error'],
    [hangUp, 'unreachable'],
  ]
  for (const [script, errorCode] of cases) {
    const exchange = await signInAgainst(t, (provider) => provider.script('/token', script))
    assert.equal(summary(exchange.result), `token_exchange: ${errorCode}`)
    const userinfo = await signInAgainst(t, (provider) => provider.script('/userinfo', script))
    assert.equal(summary(userinfo.result), `userinfo: ${errorCode}`)
    // RFC 6749, section 4.1.2: the provider may revoke all tokens when a code is used twice.
    assert.equal(userinfo.provider.requests.filter((path) => path === '/token').length, 1)
  }
})

test('a provider error keeps its code if it is in the documented list, and is provider_error otherwise', async (t) => {
  const cases: [unknown, string][] = [
    ['invalid_grant', 'invalid_grant'],
    ['invalid_client', 'invalid_client'],
    ['<script>alert(1)</script>', 'provider_error'],
    ['Invalid Grant', 'provider_error'],
    ['made_up_by_the_provider', 'provider_error'],
    ['constructor', 'provider_error'],
    ['admin_policy_enforced', 'admin_policy_enforced'],
    [7, 'provider_error'],
  ]
  for (const [error, errorCode] of cases) {
    const { result } = await signInAgainst(t, ({ script }) =>
      script('/token', json({ error }, 400)),
    )
    assert.equal(summary(result), `token_exchange: ${errorCode}`)
  }
  const { result } = await signInAgainst(t, ({ script }) =>
    script('/userinfo', (_req, res) =>
      res.writeHead(401, { 'WWW-Authenticate': 'Bearer error="invalid_token"' }).end(),
    ),
  )
  assert.equal(summary(result), 'userinfo: invalid_token')
})

test('provider redirects are not followed', async (t) => {
  for (const status of [301, 302, 307, 308]) {
    const exchange = await signInAgainst(t, ({ script }) => script('/token', redirectTo(status)))
    assert.equal(summary(exchange.result), 'token_exchange: redirected')
    const userinfo = await signInAgainst(t, ({ script }) => script('/userinfo', redirectTo(status)))
    assert.equal(summary(userinfo.result), 'userinfo: redirected')
    assert.ok(
      ![...exchange.provider.requests, ...userinfo.provider.requests].includes('/elsewhere'),
    )
  }
})

// proves S079, ASVS 10.5.1
test('an ID token with a wrong nonce, audience, issuer or expiry is rejected', async (t) => {
  const cases: [Record<string, unknown>, string][] = [
    [{ nonce: 'another' }, 'invalid_id_token'],
    [{ nonce: undefined }, 'malformed_answer'],
    [{ aud: 'another' }, 'invalid_id_token'],
    [{ aud: [CLIENT_ID, 'another'] }, 'invalid_id_token'],
    [{ iss: 'https://evil.example' }, 'invalid_id_token'],
    [{ exp: 1 }, 'invalid_id_token'],
    [{ sub: 1815 }, 'malformed_answer'],
    [{ sub: undefined }, 'malformed_answer'],
  ]
  for (const [fields, errorCode] of cases) {
    const { result } = await signInAgainst(t, ({ issuer, script }) =>
      script('/token', json(tokens(issuer, fields))),
    )
    assert.equal(summary(result), `token_exchange: ${errorCode}`, JSON.stringify(fields))
  }
  const without = await signInAgainst(t, ({ issuer, script }) =>
    script('/token', json({ ...tokens(issuer), id_token: undefined })),
  )
  assert.equal(summary(without.result), 'token_exchange: malformed_answer')
})

test('a userinfo response with a missing, different or unverified identity is rejected', async (t) => {
  const cases: [Record<string, unknown>, string][] = [
    [{ sub: 'another' }, 'subject_mismatch'],
    [{ sub: 1815 }, 'malformed_answer'],
    [{ sub: undefined }, 'malformed_answer'],
    [{ sub: '' }, 'malformed_answer'],
    [{ email: undefined }, 'email_missing'],
    [{ email: 7 }, 'email_missing'],
    [{ email_verified: 'true' }, 'email_unverified'],
    [{ email_verified: false }, 'email_unverified'],
    [{ email_verified: undefined }, 'email_unverified'],
    [{ email: 'ada@example.com@evil.example' }, 'email_invalid'],
    [{ email: 'ada\u0000@example.com' }, 'email_invalid'],
  ]
  for (const [fields, errorCode] of cases) {
    const { result } = await signInAgainst(t, ({ script }) =>
      script('/userinfo', json({ ...ADA, ...fields })),
    )
    assert.equal(summary(result), `userinfo: ${errorCode}`, JSON.stringify(fields))
  }
  const sub = 'a\u0000b'
  const { result } = await signInAgainst(t, ({ issuer, script }) => {
    script('/token', json(tokens(issuer, { sub })))
    script('/userinfo', json({ ...ADA, sub }))
  })
  assert.equal(summary(result), 'userinfo: subject_invalid')
})

// proves ASVS 10.2.2
test('state, issuer and error of the provider callback are checked before the code is sent', async (t) => {
  const cases: [Record<string, string>, string][] = [
    [{ error: 'access_denied' }, 'denied'],
    [{ error: 'access_denied', state: 'another' }, 'token_exchange: malformed_answer'],
    [{ error: 'temporarily_unavailable' }, 'token_exchange: temporarily_unavailable'],
    [{ error: '"><script>' }, 'token_exchange: provider_error'],
    [{ code: CODE, state: 'another' }, 'token_exchange: malformed_answer'],
    [{ code: CODE, iss: 'https://evil.example' }, 'token_exchange: malformed_answer'],
    [{}, 'token_exchange: malformed_answer'],
  ]
  const provider = await scriptedProvider(t)
  const identity = client(provider.issuer)
  for (const [query, expected] of cases) {
    assert.equal(summary(await identity.signIn(callback(query))), expected, JSON.stringify(query))
  }
  assert.deepEqual(provider.requests, ['/discovery'])
})

// proves S013, S050
test('the Workspace of an account is the hd claim of the ID token: neither the callback query nor userinfo sets it', async (t) => {
  const hostedDomainOf = async (
    claims: Record<string, unknown>,
    query: Record<string, string> = {},
  ): Promise<string | null | undefined> => {
    const provider = await scriptedProvider(t)
    provider.script('/token', json(tokens(provider.issuer, claims)))
    provider.script('/userinfo', json({ ...ADA, hd: 'userinfo.example' }))
    const result = await client(provider.issuer).signIn(callback({ code: CODE, ...query }))
    return result.outcome === 'identified' ? result.hostedDomain : undefined
  }
  assert.equal(await hostedDomainOf({}, { hd: 'example.com' }), null)
  assert.equal(await hostedDomainOf({ hd: 'example.com' }, { hd: 'other.example' }), 'example.com')
  for (const hd of [true, 1, ['example.com'], { toString: 'example.com' }]) {
    assert.equal(await hostedDomainOf({ hd }), null)
  }
})
