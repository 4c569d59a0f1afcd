import assert from 'node:assert/strict'
import { test } from 'node:test'
import { NAMED_PROVIDERS } from '@gatehouse-auth/contract'
import { Browser } from '../../support/actors/browser.ts'
import { claim } from '../../support/actors/claim.ts'
import {
  activateProvider,
  ownClient,
  ownedTenant,
  putProvider,
  testSignIn,
} from '../../support/actors/providers.ts'
import { listen } from '../../support/transport/listen.ts'
import { type World, world } from '../../support/world.ts'

type Owned = Awaited<ReturnType<typeof ownedTenant>>

/** The URL at which the provider's response would arrive, instead of going there. */
async function responseOf(service: World, browser: Browser, loginUrl: string): Promise<URL> {
  const start = await browser.request(loginUrl)
  const atProvider = new Browser({ origins: [service.baseUrl] })
  await atProvider.open(start.headers.get('location') ?? '')
  const arrived = await atProvider.press('Ada Lovelace')
  return arrived
}

// proves S076
test('a response that arrives at the callback of another provider is refused and consumes nothing (mix-up)', async (t) => {
  const service = await world(t)
  const owned = await ownedTenant(service)
  const { tenant } = owned
  await putProvider(tenant, 'github', { mode: 'shared' })
  const { login_url } = await activateProvider(service, owned, 'oidc-acme')
  const browser = service.browser()
  const start = await browser.request(login_url)
  const state = new URL(start.headers.get('location') ?? '').searchParams.get('state') ?? ''
  const wrong = NAMED_PROVIDERS.map((name) => `/auth/${name}/callback`)
  for (const path of [
    ...wrong,
    '/auth/oidc-other/callback/x',
    `/auth/oidc-acme/callback/${tenant.id}x`,
  ]) {
    const response = await browser.request(`${service.baseUrl}${path}?code=stolen&state=${state}`)
    assert.equal(response.status, 403, path)
    assert.equal(response.headers.get('location'), null)
  }
  assert.deepEqual(await tenant.eventKinds(), ['login_started'])
  const atProvider = await browser.open(start.headers.get('location') ?? '')
  assert.ok(atProvider.pathname.startsWith('/dev/oidc'))
  await browser.press('Ada Lovelace')
  assert.equal(
    (await browser.press('Continue')).searchParams.get('error'),
    null,
    'the login itself still works',
  )
})

// proves S076
test('a hostile OpenID provider gets no code of another app whose provider has the same name', async (t) => {
  const service = await world(t)
  const apps = [await ownedTenant(service), await ownedTenant(service)]
  const [honest, hostile] = [
    await activateProvider(service, apps[0] as Owned, 'oidc-acme'),
    await activateProvider(service, apps[1] as Owned, 'oidc-acme'),
  ]
  assert.notEqual(
    honest.redirect_uri,
    hostile.redirect_uri,
    'each has one of its own (RFC 9700, section 4.4)',
  )

  // The hostile provider does not show its own page: it sends the browser to the honest one, with the state of its login.
  const browser = service.browser()
  const begun = new URL((await browser.request(hostile.login_url)).headers.get('location') ?? '')
  const state = begun.searchParams.get('state') ?? ''
  const response = await browser.request(
    `${honest.redirect_uri}?code=code-of-the-honest-one&state=${state}`,
  )
  assert.equal(response.status, 403)
  assert.deepEqual(await apps[0]?.tenant.eventKinds(), [])
  assert.deepEqual(await apps[1]?.tenant.eventKinds(), ['login_started'], 'no code was exchanged')
})

// proves C259, S081
test('a relay brings the response of the same browser only, and the exchange names the URL of the relay', async (t) => {
  const redirect_uri = 'http://localhost:4321/relay'
  const service = await world(t, { through: 'port' })
  const owned = await ownedTenant(service, ['http://localhost/callback'])
  const { tenant, owner } = owned
  await putProvider(tenant, 'google', { ...ownClient(service.baseUrl, 'google'), redirect_uri })
  const relayed = (arrived: URL) =>
    new URL(arrived.search, `${service.baseUrl}/auth/google/callback`)

  await owner.open(`${service.baseUrl}/account/projects/${tenant.id}/settings/providers`)
  const arrived = await owner.press('Test sign-in').then(() => owner.press('Ada Lovelace'))
  assert.equal(
    arrived.origin + arrived.pathname,
    redirect_uri,
    'the provider sends the browser to the app',
  )
  await owner.open(relayed(arrived))
  assert.match(owner.page.text, /The test sign-in worked/)

  const browser = service.browser()
  const back = relayed(await responseOf(service, browser, tenant.loginUrl))
  const foreign = service.browser()
  await foreign.open(back)
  assert.equal(foreign.page.status, 403, 'another browser')
  await foreign.request(tenant.loginUrl)
  await foreign.open(back)
  assert.equal(foreign.page.status, 403, 'another browser with a login of its own')
  await browser.open(back)
  const callback = await browser.press('Continue')
  assert.equal(await tenant.isValid(callback.searchParams.get('access_token') ?? ''), true)
})

// proves S080
test('a discovery document cannot lead this service into the private network', async (t) => {
  const asked: string[] = []
  let metadata = {}
  const { port } = await listen(t, (request, response) => {
    asked.push(request.url ?? '')
    response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(metadata))
  })
  const issuer = `http://localhost:${port}`
  const service = await world(t)
  const { tenant } = await ownedTenant(service)
  for (const token_endpoint of [
    'http://169.254.169.254/token',
    'https://10.0.0.1/token',
    'https://[::1]/token',
  ]) {
    metadata = {
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint,
      jwks_uri: `${issuer}/jwks`,
    }
    await putProvider(tenant, 'oidc-acme', { ...ownClient('', 'oidc-acme'), issuer })
    const tested = await tenant.manage('POST', '/api/social-login/providers/oidc-acme/test', {})
    assert.equal(tested.json.accepted, false)
    assert.match(tested.json.error_code, /^(unreachable|insecure_endpoint)$/)
  }
  assert.deepEqual([...new Set(asked)], ['/.well-known/openid-configuration'])
})

// proves S086
test('only the owner who started a test sign-in can finish it', async (t) => {
  const service = await world(t)
  const { tenant, owner } = await ownedTenant(service)
  const provider = await putProvider(tenant, 'github', ownClient(service.baseUrl, 'github'))
  await owner.open(`${service.baseUrl}/account/projects/${tenant.id}/settings/providers`)
  await owner.press('Test sign-in')
  const atProvider = owner.page.url.href
  // The same browser, but its owner has signed out meanwhile.
  const url = new URL(service.baseUrl)
  const cookies = owner.cookies.header({ url, method: 'GET', sameSite: true }) ?? ''
  const signedOut = service.browser()
  signedOut.cookies.keep(url, [`${/gatehouse_browser=[^;]+/.exec(cookies)?.[0]}; Path=/`])
  await signedOut.open(atProvider)
  await signedOut.press('Ada Lovelace')
  assert.equal(signedOut.page.status, 403)
  // Or another account has signed in there.
  const stranger = service.browser()
  await claim(await service.agent.createTenant(), stranger, 'Grace Hopper')
  const strangers = stranger.cookies.header({ url, method: 'GET', sameSite: true }) ?? ''
  signedOut.cookies.keep(url, [`${/gatehouse_account=[^;]+/.exec(strangers)?.[0]}; Path=/`])
  await signedOut.open(atProvider)
  await signedOut.press('Ada Lovelace')
  assert.equal(signedOut.page.status, 404)
  const status = async () =>
    (await tenant.manage('GET', '/api/social-login/providers')).json.providers.find(
      ({ name }: { name: string }) => name === 'github',
    ).status
  assert.equal(await status(), provider.status)
  assert.match(await testSignIn(service, tenant, owner, 'github'), /The test sign-in worked/)
  assert.equal(await status(), 'active')
})
