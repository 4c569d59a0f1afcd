import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { inspect } from 'node:util'
import { gzipSync } from 'node:zlib'
import type { SignIn } from '../../src/domain/login/identity-provider.ts'
import { Unavailable } from '../../src/domain/unavailable.ts'
import { type GoogleConfig, google } from '../../src/identity/google.ts'
import { manualTimeouts } from '../support/faults/manual-timeouts.ts'
import {
  ACCESS_TOKEN,
  ADA,
  CLIENT_ID,
  json,
  metadata,
  NONCE,
  type Script,
  type ScriptedProvider,
  scriptedProvider,
  tokens,
} from '../support/faults/scripted-provider.ts'
import { HANG_TIMEOUT_MS } from '../support/process/wait-until.ts'

const CLIENT_SECRET = 'client-secret-that-no-log-may-show'
const CODE_VERIFIER = 'verifier-that-no-log-may-show-000000000000000'
const CODE = 'code-that-no-log-may-show'
const MEGABYTE = 1024 * 1024
/** Longer than any of these tests takes, so that the speed of the machine decides none of them. */
const DEADLINE_MS = HANG_TIMEOUT_MS

const client = (issuer: string, change: Partial<GoogleConfig> = {}) =>
  google({ issuer, clientId: CLIENT_ID, clientSecret: CLIENT_SECRET, deadlineMs: DEADLINE_MS, ...change })

/** A provider callback with this query. */
const callback = (query: Readonly<Record<string, string>> = { code: CODE }) => ({
  state: 'the-state',
  nonce: NONCE,
  codeVerifier: CODE_VERIFIER,
  currentUrl: new URL(`https://gatehouse.example/callback?${new URLSearchParams({ state: 'the-state', ...query })}`),
})

const summary = (result: SignIn): string =>
  result.outcome === 'failed' ? `${result.stage}: ${result.errorCode}` : result.outcome

async function signInAgainst(
  t: TestContext,
  prepare: (provider: ScriptedProvider) => void,
  change: Partial<GoogleConfig> = {},
): Promise<{ readonly result: SignIn; readonly provider: ScriptedProvider }> {
  const provider = await scriptedProvider(t)
  prepare(provider)
  return { result: await client(provider.issuer, change).signIn(callback()), provider }
}

const silence: Script = () => undefined
const drip: Script = (_req, res) => {
  res.writeHead(200, { 'Content-Type': 'application/json' }).write('{')
  const timer = setInterval(() => res.write(' '), 20)
  res.on('close', () => clearInterval(timer))
}
const hangUp: Script = (req) => req.socket.destroy()
const htmlPage: Script = (_req, res) => res.writeHead(200, { 'Content-Type': 'text/html' }).end('<h1>Hello</h1>')
const htmlAsJson: Script = (_req, res) =>
  res.writeHead(200, { 'Content-Type': 'application/json' }).end('<h1>Hello</h1>')
const redirectTo =
  (status: number): Script =>
  (_req, res) =>
    res.writeHead(status, { Location: '/elsewhere' }).end()
const huge: Script = (_req, res) =>
  res.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify({ pad: 'x'.repeat(10 * MEGABYTE) }))
const gzipBomb: Script = (_req, res) =>
  res
    .writeHead(200, { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' })
    .end(gzipSync(JSON.stringify({ pad: ' '.repeat(10 * MEGABYTE) })))
const deep: Script = (_req, res) =>
  res.writeHead(200, { 'Content-Type': 'application/json' }).end(`${'['.repeat(30_000)}${']'.repeat(30_000)}`)

test('a valid provider response identifies the user', async (t) => {
  const { result, provider } = await signInAgainst(t, () => undefined)
  assert.deepEqual(result, {
    outcome: 'identified',
    profile: { issuer: provider.issuer, subject: '1815', email: ADA.email, name: ADA.name, picture: ADA.picture },
  })
})

test('a sign-in times out when the provider does not finish its response, at any endpoint', async (t) => {
  const deadlines = manualTimeouts(t, DEADLINE_MS)
  const expiringDeadline =
    (slow: Script): Script =>
    (req, res) => {
      slow(req, res)
      deadlines.expire()
    }
  for (const slow of [silence, drip].map(expiringDeadline)) {
    const exchange = await signInAgainst(t, ({ script }) => script('/token', slow))
    assert.equal(summary(exchange.result), 'token_exchange: timeout')
    const userinfo = await signInAgainst(t, ({ script }) => script('/userinfo', slow))
    assert.equal(summary(userinfo.result), 'userinfo: timeout')
  }
  const discovery = await signInAgainst(t, ({ script }) => script('/discovery', expiringDeadline(silence)))
  assert.equal(summary(discovery.result), 'token_exchange: timeout')
})

test('both calls of a sign-in share one deadline', async (t) => {
  const deadlines = manualTimeouts(t, DEADLINE_MS)
  const provider = await scriptedProvider(t)
  const identity = client(provider.issuer)
  assert.equal(summary(await identity.signIn(callback())), 'identified')

  const before = deadlines.count()
  let duringExchange = 0
  const response = json(tokens(provider.issuer))
  provider.script('/token', (req, res) => {
    duringExchange = deadlines.count()
    response(req, res)
  })
  provider.script('/userinfo', () => deadlines.expire())
  assert.equal(summary(await identity.signIn(callback())), 'userinfo: timeout')
  assert.equal(duringExchange, before + 1, 'the deadline starts before the first call')
  assert.equal(deadlines.count(), before + 1, 'the second call sets no deadline of its own')
})

test('provider redirects are not followed', async (t) => {
  for (const status of [301, 302, 307, 308]) {
    const exchange = await signInAgainst(t, ({ script }) => script('/token', redirectTo(status)))
    assert.equal(summary(exchange.result), 'token_exchange: redirected')
    const userinfo = await signInAgainst(t, ({ script }) => script('/userinfo', redirectTo(status)))
    assert.equal(summary(userinfo.result), 'userinfo: redirected')
    assert.ok(![...exchange.provider.requests, ...userinfo.provider.requests].includes('/elsewhere'))
  }
})

test('an unusable provider response fails the login with an error code', async (t) => {
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

test('a provider error keeps its OAuth error code if it is a valid one', async (t) => {
  const cases: [unknown, string][] = [
    ['invalid_grant', 'invalid_grant'],
    ['invalid_client', 'invalid_client'],
    ['<script>alert(1)</script>', 'provider_error'],
    ['Invalid Grant', 'provider_error'],
    ['x'.repeat(41), 'provider_error'],
    [7, 'provider_error'],
  ]
  for (const [error, errorCode] of cases) {
    const { result } = await signInAgainst(t, ({ script }) => script('/token', json({ error }, 400)))
    assert.equal(summary(result), `token_exchange: ${errorCode}`)
  }
  const { result } = await signInAgainst(t, ({ script }) =>
    script('/userinfo', (_req, res) =>
      res.writeHead(401, { 'WWW-Authenticate': 'Bearer error="invalid_token"' }).end(),
    ),
  )
  assert.equal(summary(result), 'userinfo: invalid_token')
})

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
    const { result } = await signInAgainst(t, ({ issuer, script }) => script('/token', json(tokens(issuer, fields))))
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
    const { result } = await signInAgainst(t, ({ script }) => script('/userinfo', json({ ...ADA, ...fields })))
    assert.equal(summary(result), `userinfo: ${errorCode}`, JSON.stringify(fields))
  }
  const sub = 'a\u0000b'
  const { result } = await signInAgainst(t, ({ issuer, script }) => {
    script('/token', json(tokens(issuer, { sub })))
    script('/userinfo', json({ ...ADA, sub }))
  })
  assert.equal(summary(result), 'userinfo: subject_invalid')
})

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

test('discovery is cached for all logins and retried after a failure', async (t) => {
  const provider = await scriptedProvider(t)
  const identity = client(provider.issuer)
  const start = () =>
    identity.authorizeUrl({ state: 's', nonce: 'n', codeVerifier: CODE_VERIFIER, redirectUri: 'https://a.example/' })

  provider.script('/discovery', json({}, 503))
  await assert.rejects(start(), Unavailable)
  assert.equal(summary(await identity.signIn(callback())), 'token_exchange: provider_error')
  assert.equal(provider.requests.length, 2)

  provider.script('/discovery', json(metadata(provider.issuer)))
  await Promise.all([start(), start(), start()])
  await start()
  assert.equal(summary(await identity.signIn(callback())), 'identified')
  assert.deepEqual(provider.requests.slice(2), ['/discovery', '/token', '/userinfo'])
})

test('a provider whose metadata names another issuer is rejected', async (t) => {
  const { result } = await signInAgainst(t, ({ script }) =>
    script('/discovery', json(metadata('https://evil.example'))),
  )
  assert.equal(summary(result), 'token_exchange: malformed_answer')
})

test('a provider without TLS is accepted on localhost only', async () => {
  for (const issuer of [
    'http://accounts.example',
    'http://localhost.evil.example',
    'http://10.0.0.1',
    'ftp://localhost',
  ]) {
    assert.throws(() => client(issuer), /must use https/, issuer)
  }
  for (const issuer of ['http://localhost:1', 'http://127.0.0.1:1', 'http://[::1]:1', 'https://accounts.example']) {
    client(issuer)
  }
  const issuer = 'https://accounts.example'
  const cleartext = { ...metadata(issuer), token_endpoint: 'http://accounts.example/token' }
  const identity = client(issuer, { fetch: async () => Response.json(cleartext) })
  assert.equal(summary(await identity.signIn(callback())), 'token_exchange: insecure_endpoint')
})

test('at most two hundred logins call the provider at once; more fail as busy until one finishes', async (t) => {
  const provider = await scriptedProvider(t)
  const waiting: (() => void)[] = []
  const response = json(tokens(provider.issuer))
  provider.script('/token', (req, res) => waiting.push(() => response(req, res)))
  const identity = client(provider.issuer)

  const admitted = Array.from({ length: 200 }, () => identity.signIn(callback()))
  assert.equal(summary(await identity.signIn(callback())), 'token_exchange: busy')

  while (waiting.length < 200) await new Promise((resolve) => setTimeout(resolve, 10))
  for (const respond of waiting) respond()
  assert.deepEqual(new Set((await Promise.all(admitted)).map(summary)), new Set(['identified']))
  provider.script('/token', response)
  assert.equal(summary(await identity.signIn(callback())), 'identified')
})

test('a logged provider failure contains no secret and no user data', async (t) => {
  const secrets = [CLIENT_SECRET, CODE_VERIFIER, CODE, ACCESS_TOKEN, NONCE, ADA.email]
  const faults: ((provider: ScriptedProvider) => void)[] = [
    ({ issuer, script }) => script('/token', json(tokens(issuer, { aud: 'another' }))),
    ({ issuer, script }) => script('/token', json({ ...tokens(issuer), token_type: 7 })),
    ({ issuer, script }) => script('/token', json({ ...tokens(issuer), error: 'invalid_grant' }, 400)),
    ({ script }) =>
      script('/token', (_req, res) =>
        res.writeHead(200, { 'Content-Type': 'application/json' }).end(`{"access_token":"${ACCESS_TOKEN}`),
      ),
    ({ script }) => script('/userinfo', json({ ...ADA, sub: 'another' })),
    ({ script }) => script('/userinfo', hangUp),
  ]
  for (const fault of faults) {
    const { result } = await signInAgainst(t, fault)
    assert.equal(result.outcome, 'failed')
    const shown = inspect(result, { depth: 20, showHidden: true })
    for (const secret of secrets) assert.ok(!shown.includes(secret), `${secret} in ${shown}`)
  }
})
