import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PROVIDERS } from '@gatehouse-auth/contract'
import { assertApiError } from '../../support/actors/api-error.ts'
import {
  activateProvider,
  EVERY_PROVIDER,
  ownedTenant,
  pressAtProvider,
  putProvider,
} from '../../support/actors/providers.ts'
import { world } from '../../support/world.ts'

/** An OpenID provider is shown with the host of its issuer. */
const labelOf = (name: (typeof EVERY_PROVIDER)[number]): string | RegExp =>
  name === 'oidc-acme' ? /Acme \(localhost:\d+\)/ : PROVIDERS[name].label

for (const name of EVERY_PROVIDER) {
  // proves C244
  test(`${name}: a user signs in with the owner's client, and the consent page and the events name the provider`, async (t) => {
    const service = await world(t)
    const owned = await ownedTenant(service)
    const { tenant } = owned
    const { login_url } = await activateProvider(service, owned, name)
    assert.deepEqual(await tenant.users(), [], 'a test sign-in stores no user')
    assert.deepEqual(await tenant.events(), [], 'and records no event')

    const browser = service.browser()
    await browser.open(login_url)
    await pressAtProvider(browser, 'Grace Hopper')
    const text = browser.page.text.replaceAll(/<\/?bdi>/g, '')
    const label = labelOf(name)
    const shown = typeof label === 'string' ? label : (label.exec(text)?.[0] ?? 'no label')
    assert.ok(text.includes(`Nothing else from your ${shown} account.`), text)
    assert.ok(text.includes(`Your ${shown} password stays with ${shown}.`), text)
    const callback = await browser.press('Continue')
    assert.equal(await tenant.isValid(callback.searchParams.get('access_token') ?? ''), true)

    const [user] = await tenant.users()
    assert.equal(user?.email, 'grace@example.com')
    assert.equal(user?.name, 'Grace Hopper')
    const listed = await tenant.manage('GET', '/api/social-login/users?include=identities')
    assert.equal(listed.json.users[0].identities[0].provider, name)
    const provider = name === 'google' ? {} : { provider: name }
    assert.deepEqual(
      (await tenant.events()).map(({ event, metadata }) => [event, metadata]),
      [
        ['login_started', provider],
        ['authorize', { new_user: true, ...provider }],
      ],
    )
  })
}

test('an issuer in another spelling is the same issuer: its users are named by the provider', async (t) => {
  const service = await world(t)
  const owned = await ownedTenant(service)
  const issuer = ` ${service.baseUrl.replace('http://localhost', 'HTTP://LocalHost')}/dev/oidc `
  const { login_url, ...provider } = await activateProvider(service, owned, 'oidc-acme', { issuer })
  assert.equal(provider.issuer, `${service.baseUrl}/dev/oidc`)
  const browser = service.browser()
  await browser.open(login_url)
  await browser.press('Ada Lovelace')
  await browser.press('Continue')
  const { json } = await owned.tenant.manage('GET', '/api/social-login/users?include=identities')
  assert.equal(json.users[0].identities[0].provider, 'oidc-acme')
})

// proves C247, S077
test('users of two providers with the same email address are two users', async (t) => {
  const service = await world(t)
  const { tenant } = await ownedTenant(service)
  await putProvider(tenant, 'github', { mode: 'shared' })
  await tenant.signIn(service.browser())
  const browser = service.browser()
  await browser.open(tenant.loginUrl.replace(/google$/, 'github'))
  await browser.press('Ada Lovelace')
  await browser.press('Continue')
  assert.deepEqual(
    (await tenant.users()).map(({ id, email }) => [id, email]),
    [
      [1, 'ada@example.com'],
      [2, 'ada@example.com'],
    ],
  )
})

// proves C245
test('a guest signs users in with a shared client of this service, and a provider that is not switched on is refused', async (t) => {
  const service = await world(t)
  const tenant = await service.agent.createTenant()
  const github = tenant.loginUrl.replace(/google$/, 'github')
  const refused = await service.agent.call('GET', new URL(github).pathname)
  assertApiError(refused, 'providerNotEnabled')
  const browser = service.browser()
  await browser.open(github)
  assert.equal(browser.page.status, 403)
  assert.match(browser.page.text, /The app doesn’t offer this sign-in/)
  assert.deepEqual(await tenant.events(), [])
  const { refusals } = (await tenant.manage('GET', '/api/social-login/refusals')).json
  assert.equal(refusals[0].code, 'providerNotEnabled')
  assert.match(refusals[0].fix, /PUT \/api\/social-login\/providers/)

  const provider = await putProvider(tenant, 'github', { mode: 'shared' })
  assert.deepEqual([provider.mode, provider.status, provider.client_id], ['shared', 'active', null])
  await browser.open(provider.login_url)
  await browser.press('Ada Lovelace')
  const callback = await browser.press('Continue')
  assert.equal(await tenant.isValid(callback.searchParams.get('access_token') ?? ''), true)
})

// proves C246
test('an unknown provider has no login page and no callback', async (t) => {
  const service = await world(t)
  const tenant = await service.agent.createTenant()
  for (const name of [
    'facebook',
    'oidc',
    'oidc-a',
    'oidc-A_B',
    `oidc-${'x'.repeat(21)}`,
    'GitHub',
  ]) {
    assertApiError(
      await service.agent.call('GET', `/edge/auth/${tenant.id}/${name}`),
      'providerNotFound',
    )
    const browser = service.browser()
    await browser.open(`${service.baseUrl}/auth/${name}/callback?code=x&state=y`)
    assert.equal(browser.page.status, 404)
  }
  for (const path of ['/auth/oidc-acme/callback', `/auth/google/callback/${tenant.id}`]) {
    const browser = service.browser()
    await browser.open(`${service.baseUrl}${path}?code=x&state=y`)
    assert.equal(browser.page.status, 404, path)
  }
  for (const act of ['token', 'verify', 'refresh', 'logout', 'id-token']) {
    const response = await service.agent.call('GET', `/edge/auth/${tenant.id}/${act}`)
    assertApiError(response, 'methodNotAllowed')
    assert.equal(response.headers.get('allow'), 'POST, OPTIONS')
  }
  assert.deepEqual(await tenant.events(), [])
})

// proves C248
test('users of other providers are admitted by their email address only, never by allowed_domains', async (t) => {
  const service = await world(t)
  const { tenant } = await ownedTenant(service)
  await putProvider(tenant, 'github', { mode: 'shared' })
  await tenant.manage('PATCH', '/api/social-login/settings', {
    allowed_domains: ['example.com'],
    allowed_emails: ['grace@example.com'],
  })
  const outcomes: (string | null)[] = []
  for (const user of ['Ada Lovelace', 'Grace Hopper']) {
    service.clock.advance({ minutes: 1 })
    const browser = service.browser()
    await browser.open(tenant.loginUrl.replace(/google$/, 'github'))
    const reached = await browser.press(user)
    outcomes.push(reached.searchParams.get('error'))
  }
  assert.deepEqual(outcomes, ['login_failed', null])
  assert.deepEqual(await tenant.eventKinds(), ['login_started', 'login_failed', 'login_started'])
  assert.equal((await tenant.events())[1]?.metadata.error_code, 'not_allowed')
})

// proves C249
test('an app lists what its users can sign in with, without a key, and pending providers are not in the list', async (t) => {
  const service = await world(t)
  const owned = await ownedTenant(service)
  const { tenant } = owned
  const list = async () =>
    (await service.agent.call('GET', `/edge/auth/${tenant.id}/providers`)).json.providers.map(
      ({ name, display_name, login_url }: Record<string, string>) => [
        name,
        display_name,
        login_url?.split('/').at(-1),
      ],
    )
  assert.deepEqual(await list(), [['google', 'Google', 'google']])
  await activateProvider(service, owned, 'oidc-acme')
  service.clock.advance({ minutes: 1 })
  await putProvider(tenant, 'microsoft', { mode: 'shared' })
  await putProvider(tenant, 'github', {
    client_id: 'Ov23liExample0000000',
    client_secret: 'a-secret-of-mine',
  })
  assert.deepEqual(await list(), [
    ['google', 'Google', 'google'],
    ['oidc-acme', 'Acme', 'oidc-acme'],
    ['microsoft', 'Microsoft', 'microsoft'],
  ])
})
