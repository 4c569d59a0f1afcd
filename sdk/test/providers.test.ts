import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createGate } from '../src/adapters/gate.ts'
import {
  createClient,
  handleCallback,
  type ProviderName,
  relayProvider,
  startLogin,
} from '../src/index.ts'
import { APP, applySetCookies, browserRequest, createFixture } from './support/fixture.ts'
import { createScriptedClient, json } from './support/scripted-client.ts'

const client = createClient({
  baseUrl: 'https://login.example.com',
  tenantId: 'swift-fox-running-k3qd',
})

test('a login starts at the provider that the app or the link names, and at Google otherwise', async () => {
  const started = async (path: string, provider?: ProviderName): Promise<string> => {
    const options = provider === undefined ? { client } : { client, provider }
    const response = await startLogin(browserRequest(path), options)
    return new URL(response.headers.get('location') ?? '').pathname.split('/').at(-1) ?? ''
  }
  assert.equal(await started('/login'), 'google')
  assert.equal(await started('/login?provider=github'), 'github')
  assert.equal(await started('/login?provider=oidc-acme'), 'oidc-acme')
  assert.equal(await started('/login?provider=github', 'apple'), 'apple')
  assert.equal(await started('/login?provider=nope', 'apple'), 'apple')
  assert.match(client.loginUrl({ provider: 'microsoft' }), /\/microsoft$/)
  assert.throws(() => client.loginUrl({ provider: '../x' as ProviderName }), TypeError)
})

test('a link with an unknown provider is 400 and names the providers; the query of a guarded page is its own', async () => {
  // A link of a stranger: the name is part of a path of the service.
  for (const name of ['nope', '../../api/status', 'verify', 'oidc-', 'GitHub', '']) {
    const response = await startLogin(
      browserRequest(`/login?provider=${encodeURIComponent(name)}`),
      { client },
    )
    assert.deepEqual(
      [response.status, response.headers.get('cache-control')],
      [400, 'no-store'],
      name,
    )
    assert.deepEqual(response.headers.getSetCookie(), [])
    assert.match(
      await response.text(),
      /provider must be google, github, microsoft, apple, or oidc-/,
    )
  }
  const request = browserRequest('/notes?provider=nope')
  const { response: guarded } = await createGate({ client, protect: ['/notes'] }).pass(request)
  for (const response of [guarded, await startLogin(request, { client, returnHere: true })]) {
    assert.match(
      response?.headers.get('location') ?? '',
      /\/google\?.*return_to=%2Fnotes%3Fprovider%3Dnope/,
    )
  }
})

test('a relay sends the browser on to the service with the query untouched', () => {
  const query = '?code=4%2F0A&state=a.b&scope=email%20profile&x=%F0'
  const at = (provider: ProviderName) =>
    relayProvider(browserRequest(`/relay${query}`), { client, provider }).headers.get('location')
  assert.equal(at('google'), `https://login.example.com/auth/google/callback${query}`)
  assert.equal(
    at('oidc-acme'),
    `https://login.example.com/auth/oidc-acme/callback/swift-fox-running-k3qd${query}`,
  )
  const response = relayProvider(browserRequest('/relay?code=x'), { client, provider: 'google' })
  assert.deepEqual(
    [
      response.status,
      response.headers.get('cache-control'),
      response.headers.get('referrer-policy'),
    ],
    [303, 'no-store', 'no-referrer'],
  )
  const post = new Request(`${APP}/relay?code=x`, { method: 'POST' })
  assert.equal(relayProvider(post, { client, provider: 'google' }).status, 405)
  assert.throws(
    () => relayProvider(browserRequest('/relay'), { client, provider: '//evil' as ProviderName }),
    TypeError,
  )
})

test('providers lists what users can sign in with, and a login with one of them ends in the app', async (t) => {
  const fixture = await createFixture(t, {})
  const { service, tenant } = fixture
  assert.deepEqual(await fixture.client.providers(), [{ name: 'google', displayName: 'Google' }])
  await tenant.manage('PUT', '/api/social-login/providers/github', { mode: 'shared' })
  const [, github] = await fixture.client.providers()
  assert.deepEqual(github, { name: 'github', displayName: 'GitHub' })

  const redirectUri = `${APP}/callback`
  const started = await startLogin(browserRequest('/login?provider=github'), {
    client: fixture.client,
    redirectUri,
  })
  const browser = service.browser()
  await browser.open(started.headers.get('location') ?? '')
  await browser.press('Ada Lovelace')
  const callback = await browser.press('Continue')
  const cookies = applySetCookies(started.headers.getSetCookie())
  const response = await handleCallback(browserRequest(String(callback), cookies), {
    client: fixture.client,
  })
  assert.equal(response.headers.get('location'), '/')
  assert.ok(applySetCookies(response.headers.getSetCookie(), cookies).gh_access)
})

test('a provider that this version does not know is left out', async () => {
  const listed = [
    { name: 'google', display_name: 'Google', login_url: 'https://x' },
    { name: 'passkey', display_name: 'Passkey', login_url: 'https://x' },
  ]
  const { client: scripted, sent } = createScriptedClient([json({ providers: listed })])
  assert.deepEqual(await scripted.providers(), [{ name: 'google', displayName: 'Google' }])
  assert.deepEqual(
    sent.map(({ url }) => url.split('/').at(-1)),
    ['providers'],
  )
})
