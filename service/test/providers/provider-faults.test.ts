import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inspect } from 'node:util'
import { Unavailable } from '../../src/domain/api-error.ts'
import { manualTimeouts } from '../support/faults/manual-timeouts.ts'
import {
  ACCESS_TOKEN,
  ADA,
  json,
  metadata,
  NONCE,
  type Script,
  type ScriptedProvider,
  scriptedProvider,
  tokens,
} from '../support/faults/scripted-provider.ts'
import { HANG_TIMEOUT_MS, waitUntil } from '../support/process/wait-until.ts'
import { slow } from '../support/tags.ts'
import {
  CLIENT_SECRET,
  CODE,
  CODE_VERIFIER,
  callback,
  client,
  DEADLINE_MS,
  hangUp,
  signInAgainst,
  summary,
} from './provider-client.ts'

const silence: Script = () => undefined
const drip: Script = (_req, res) => {
  res.writeHead(200, { 'Content-Type': 'application/json' }).write('{')
  const timer = setInterval(() => res.write(' '), 20)
  res.on('close', () => clearInterval(timer))
}

/** A 101 is noticed at once. If it isn't, only the deadline of the call would end it: the test fails before that. */
const UNNOTICED_MS = 10_000

/** Node's client never ends a request whose response is 101 when it has no `upgrade` listener. */
const SWITCHING =
  'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: nothing\r\n\r\n'
const switchProtocols: Script = (req) => void req.socket.write(SWITCHING)
const switchProtocolsWithoutUpgrade: Script = (req) =>
  void req.socket.write('HTTP/1.1 101 Switching\r\n\r\n')

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
  const discovery = await signInAgainst(t, ({ script }) =>
    script('/discovery', expiringDeadline(silence)),
  )
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

for (const script of [switchProtocols, switchProtocolsWithoutUpgrade]) {
  test(`a 101 response of any provider endpoint fails the login immediately (${script.name})`, {
    timeout: UNNOTICED_MS,
  }, async (t) => {
    for (const [path, stage] of [
      ['/token', 'token_exchange'],
      ['/userinfo', 'userinfo'],
      ['/discovery', 'token_exchange'],
    ] as const) {
      const provider = await scriptedProvider(t)
      provider.script(path, script)
      const identity = client(provider.issuer)
      const result = await identity.signIn(callback())
      assert.deepEqual(
        result.outcome === 'failed' && [result.stage, result.errorCode],
        [stage, 'unreachable'],
        path,
      )
    }
  })
}

test('discovery is cached for all logins and retried after a failure', async (t) => {
  const provider = await scriptedProvider(t)
  const identity = client(provider.issuer)
  const start = () =>
    identity.authorizeUrl({
      state: 's',
      nonce: 'n',
      codeVerifier: CODE_VERIFIER,
      redirectUri: 'https://a.example/',
    })

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

test('a failed discovery is retried at the next login', { timeout: HANG_TIMEOUT_MS }, async (t) => {
  const provider = await scriptedProvider(t)
  provider.script('/discovery', switchProtocols)
  const identity = client(provider.issuer)
  assert.equal((await identity.signIn(callback())).outcome, 'failed')
  provider.script('/discovery', json(metadata(provider.issuer)))
  assert.equal((await identity.signIn(callback())).outcome, 'identified')
})

// proves ASVS 10.2.2
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
  for (const issuer of [
    'http://localhost:1',
    'http://127.0.0.1:1',
    'http://[::1]:1',
    'https://accounts.example',
  ]) {
    client(issuer)
  }
  const issuer = 'https://accounts.example'
  const cleartext = { ...metadata(issuer), token_endpoint: 'http://accounts.example/token' }
  const identity = client(issuer, { fetch: async () => Response.json(cleartext) })
  assert.equal(summary(await identity.signIn(callback())), 'token_exchange: insecure_endpoint')
})

test('at most two hundred logins call the provider at once; more fail as busy until one finishes', {
  skip: slow,
}, async (t) => {
  const provider = await scriptedProvider(t)
  const waiting: (() => void)[] = []
  const response = json(tokens(provider.issuer))
  provider.script('/token', (req, res) => waiting.push(() => response(req, res)))
  const identity = client(provider.issuer)

  const admitted = Array.from({ length: 200 }, () => identity.signIn(callback()))
  assert.equal(summary(await identity.signIn(callback())), 'token_exchange: busy')

  await waitUntil('all of them wait for the provider', () => waiting.length === 200)
  for (const respond of waiting) {
    respond()
  }
  assert.deepEqual(new Set((await Promise.all(admitted)).map(summary)), new Set(['identified']))
  provider.script('/token', response)
  assert.equal(summary(await identity.signIn(callback())), 'identified')
})

test('a logged provider failure contains no secret and no user data', async (t) => {
  const secrets = [CLIENT_SECRET, CODE_VERIFIER, CODE, ACCESS_TOKEN, NONCE, ADA.email]
  const faults: ((provider: ScriptedProvider) => void)[] = [
    ({ issuer, script }) => script('/token', json(tokens(issuer, { aud: 'another' }))),
    ({ issuer, script }) => script('/token', json({ ...tokens(issuer), token_type: 7 })),
    ({ issuer, script }) =>
      script('/token', json({ ...tokens(issuer), error: 'invalid_grant' }, 400)),
    ({ script }) =>
      script('/token', (_req, res) =>
        res
          .writeHead(200, { 'Content-Type': 'application/json' })
          .end(`{"access_token":"${ACCESS_TOKEN}`),
      ),
    ({ script }) => script('/userinfo', json({ ...ADA, sub: 'another' })),
    ({ script }) => script('/userinfo', hangUp),
  ]
  for (const fault of faults) {
    const { result } = await signInAgainst(t, fault)
    assert.equal(result.outcome, 'failed')
    const shown = inspect(result, { depth: 20, showHidden: true })
    for (const secret of secrets) {
      assert.ok(!shown.includes(secret), `${secret} in ${shown}`)
    }
  }
})
