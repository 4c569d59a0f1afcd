import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type TestContext, test } from 'node:test'
import type { ClientMetadata } from 'oidc-provider'
import { loadOidcProvider } from '../../../development/openid/load-oidc-provider.ts'
import { callbackPath } from '../../../src/domain/providers/provider.ts'
import { Browser } from '../../support/actors/browser.ts'
import { claim } from '../../support/actors/claim.ts'
import { providerOf, putProvider, testSignIn } from '../../support/actors/providers.ts'
import { world } from '../../support/world.ts'

const CLIENT = { client_id: 'gatehouse', client_secret: 'a-secret-of-the-stock-provider' }

/** oidc-provider with its default policy and its own pages; only the client, the claims and the accounts are set. */
async function stockProvider(
  t: TestContext,
  redirectUri: string,
  client: Partial<ClientMetadata>,
): Promise<string> {
  let listener: RequestListener = () => {}
  const server = createServer((req, res) => listener(req, res)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => server.close().closeAllConnections())
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const { Provider } = await loadOidcProvider()
  const provider = new Provider(issuer, {
    clients: [{ ...CLIENT, redirect_uris: [redirectUri], ...client }],
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
    findAccount: (_ctx, sub) => ({
      accountId: sub,
      claims: () => ({ sub, email: `${sub}@example.com`, email_verified: true, name: sub }),
    }),
  })
  listener = provider.callback()
  return issuer
}

async function scene(t: TestContext, client: Partial<ClientMetadata> = {}) {
  const service = await world(t, { through: 'port', realTime: true })
  const tenant = await service.agent.createTenant()
  const callback = service.baseUrl + callbackPath('oidc-acme', tenant.id)
  const issuer = await stockProvider(t, callback, client)
  const browser = () => new Browser({ origins: [service.baseUrl, issuer] })
  const owner = browser()
  await claim(tenant, owner)
  await putProvider(tenant, 'oidc-acme', { ...CLIENT, issuer, display_name: 'Acme' })
  return { service, tenant, owner, browser }
}

/** The pages of oidc-provider: any name signs in, then it asks for consent, and before that for a change of the account. */
async function signInAs(browser: Browser, login: string): Promise<void> {
  const { origin } = browser.page.url
  await browser.press('Sign-in', { login, password: 'x' })
  while (browser.page.url.origin === origin) {
    await browser.press('Continue')
  }
}

// proves C254
test('a client at a stock oidc-provider passes its test and signs users in, who can use another account', async (t) => {
  const { service, tenant, owner, browser } = await scene(t)
  const text = await testSignIn(service, tenant, owner, 'oidc-acme', () => signInAs(owner, 'owner'))
  assert.match(text, /The test sign-in worked/)
  const provider = await providerOf(tenant, 'oidc-acme')
  assert.equal(provider?.status, 'active')

  const user = browser()
  await user.open(provider?.login_url ?? '')
  await signInAs(user, 'ada')
  assert.match(user.page.text, /ada@example\.com/)
  // The provider has a session of Ada now, and asks again because of prompt=login.
  await user.press('Use another account')
  await signInAs(user, 'grace')
  await user.press('Continue')
  assert.deepEqual(
    (await tenant.users()).map(({ email }) => email),
    ['grace@example.com'],
  )
})

// proves C254
test('the page of a failed test shows what the provider says, on the project it is about only', async (t) => {
  const { service, tenant, owner } = await scene(t, { scope: 'openid' })
  const text = await testSignIn(service, tenant, owner, 'oidc-acme', async () => {})
  assert.match(text, /The test sign-in failed \(invalid_scope\)/)
  assert.match(text, /The provider says: “requested scope is not allowed/)
  assert.notEqual((await providerOf(tenant, 'oidc-acme'))?.status, 'active')

  const { url } = owner.page
  for (const [name, value] of [
    ['said', 'Call +1 555 0100'],
    ['proof', 'x'.repeat(43)],
  ] as const) {
    const forged = new URL(url)
    forged.searchParams.set(name, value)
    await owner.open(forged)
    assert.doesNotMatch(owner.page.text, /The provider says|555 0100/)
  }
  const other = await service.agent.createTenant()
  await claim(other, owner)
  await owner.open(url.href.replace(tenant.id, other.id))
  assert.match(owner.page.text, /The test sign-in failed/)
  assert.doesNotMatch(owner.page.text, /The provider says/)
})
