import assert from 'node:assert/strict'
import { test } from 'node:test'
import { oidc } from '../../src/identity/providers/oidc.ts'
import { publicFetch } from '../../src/identity/public-https.ts'
import { metadata, scriptedProvider, tokens } from '../support/faults/scripted-provider.ts'
import { PUBLIC_ADDRESS, publicSite } from '../support/transport/public-site.ts'
import { CLIENT, openIdResponses, returned, scriptedFetch, summary } from './scripted-fetch.ts'

const ISSUER = 'https://client.example'
const REQUEST = {
  redirectUri: `${ISSUER}/callback`,
  state: 'state',
  nonce: 'nonce',
  codeVerifier: 'v'.repeat(43),
}
const ada = { sub: 'ada', email: 'ada@example.com', email_verified: true, name: 'Ada Lovelace' }

test('a provider without userinfo is read from its ID token', async () => {
  const { userinfo_endpoint: _, ...withoutUserinfo } = metadata(ISSUER)
  const { fetch } = scriptedFetch({
    ...openIdResponses(ISSUER, { claims: ada }),
    [`${ISSUER}/.well-known/openid-configuration`]: withoutUserinfo,
  })
  const result = await oidc({ ...CLIENT, issuer: ISSUER, fetch }).signIn(returned('oidc-acme'))
  assert.equal(summary(result), `${ISSUER} ada ada@example.com`)
})

test('an issuer without https is refused, except on this machine', () => {
  const { fetch } = scriptedFetch({})
  for (const issuer of ['http://client.example', 'http://10.0.0.1', 'ftp://localhost']) {
    assert.throws(() => oidc({ ...CLIENT, issuer, fetch }), /must use https/)
  }
  for (const issuer of [ISSUER, 'http://localhost:8787', 'http://127.0.0.1']) {
    oidc({ ...CLIENT, issuer, fetch })
  }
})

// proves C254
test('select_account is sent to a provider that announces it; others get login if the link asks for a chooser', async () => {
  for (const [supported, expected] of [
    [
      { prompt_values_supported: ['none', 'login', 'select_account'] },
      ['select_account', 'select_account', null],
    ],
    [{ prompt_values_supported: ['none', 'login'] }, [null, 'login', null]],
    [{ prompt_values_supported: 'select_account' }, [null, 'login', null]],
    [{}, [null, 'login', null]],
  ] as const) {
    const { fetch } = scriptedFetch({
      [`${ISSUER}/.well-known/openid-configuration`]: { ...metadata(ISSUER), ...supported },
    })
    const provider = oidc({ ...CLIENT, issuer: ISSUER, fetch })
    const prompts = [undefined, 'select_account', 'auto'] as const
    const sent = prompts.map(async (prompt) =>
      (await provider.authorizeUrl({ ...REQUEST, hints: { prompt } })).searchParams.get('prompt'),
    )
    assert.deepEqual(await Promise.all(sent), expected)
  }
})

// proves S002
test('email_verified must be the boolean true', async () => {
  for (const email_verified of [false, 'true', undefined]) {
    const { fetch } = scriptedFetch({
      ...openIdResponses(ISSUER, { claims: { sub: 'ada' } }),
      [`${ISSUER}/userinfo`]: { ...ada, email_verified },
    })
    const result = await oidc({ ...CLIENT, issuer: ISSUER, fetch }).signIn(returned('oidc-acme'))
    assert.equal(summary(result), 'userinfo: email_unverified')
  }
})

test('an issuer is reached on the public internet only, and so are the endpoints that it names', async (t) => {
  const secret = await scriptedProvider(t)
  const site = await publicSite(
    t,
    (req, res) => {
      const body =
        req.url === '/.well-known/openid-configuration'
          ? { ...metadata(ISSUER), token_endpoint: 'https://metadata.internal.example/latest' }
          : tokens(ISSUER)
      res.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(body))
    },
    async (name) =>
      name === 'client.example' ? PUBLIC_ADDRESS : [{ address: '169.254.169.254', family: 4 }],
  )
  const fetch = publicFetch(64 * 1024, { loopback: false, network: site.network })

  const named = await oidc({ ...CLIENT, issuer: ISSUER, fetch }).signIn(returned('oidc-acme'))
  assert.equal(summary(named), 'token_exchange: unreachable')
  assert.deepEqual(
    site.requests,
    ['GET /.well-known/openid-configuration'],
    'nothing was sent to the internal address',
  )

  const local = await oidc({ ...CLIENT, issuer: secret.issuer, fetch }).signIn(
    returned('oidc-acme'),
  )
  assert.equal(summary(local), 'token_exchange: unreachable')
  assert.deepEqual(secret.requests, [])
  const rebound = await oidc({
    ...CLIENT,
    issuer: 'https://metadata.internal.example',
    fetch,
  }).signIn(returned('oidc-acme'))
  assert.equal(summary(rebound), 'token_exchange: unreachable')
})

test('the check of a client tells invalid_client from an accepted one', async () => {
  const check = (error: string) => {
    const { fetch } = scriptedFetch(openIdResponses(ISSUER, {}))
    const failing: typeof globalThis.fetch = async (input, init) =>
      String(input).endsWith('/token')
        ? Response.json({ error }, { status: 400 })
        : fetch(input, init)
    return oidc({ ...CLIENT, issuer: ISSUER, fetch: failing }).checkClient(
      'https://gatehouse.example/callback',
    )
  }
  assert.deepEqual(await check('invalid_grant'), { accepted: true })
  assert.deepEqual(await check('invalid_client'), { accepted: false, errorCode: 'invalid_client' })
  assert.deepEqual(await check('unauthorized_client'), {
    accepted: false,
    errorCode: 'unauthorized_client',
  })
})

test('a client is checked at a provider that names its issuer in every response', async () => {
  const { fetch } = scriptedFetch({
    ...openIdResponses(ISSUER, {}),
    [`${ISSUER}/.well-known/openid-configuration`]: {
      ...metadata(ISSUER),
      authorization_response_iss_parameter_supported: true,
    },
  })
  const failing: typeof globalThis.fetch = async (input, init) =>
    String(input).endsWith('/token')
      ? Response.json({ error: 'invalid_grant' }, { status: 400 })
      : fetch(input, init)
  const provider = oidc({ ...CLIENT, issuer: ISSUER, fetch: failing })
  assert.deepEqual(await provider.checkClient('https://gatehouse.example/callback'), {
    accepted: true,
  })
})
