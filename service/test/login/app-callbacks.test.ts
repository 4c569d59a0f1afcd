import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertApiError, problemPaths } from '../support/actors/api-error.ts'
import { codeQuery, exchange, newVerifier, signInForCode } from '../support/actors/login-code.ts'
import { redirectUriQuery, startLogin } from '../support/actors/login-start.ts'
import { ENGINES } from '../support/postgres/engines.ts'
import { slow } from '../support/tags.ts'
import { world } from '../support/world.ts'

// Callbacks of installed apps: private-use schemes (RFC 8252, section 7.1).

const APP = 'com.example.app:/oauth/callback'
const SITE = 'https://app.example.com/cb'
const toApp = `&redirect_uri=${encodeURIComponent(APP)}`

for (const engine of ENGINES) {
  // proves C050
  test(`[${engine}] a user signs in to an installed app, which gets a code at its scheme and exchanges it`, async (t) => {
    const { agent, browser } = await world(t, { engine })
    const tenant = await agent.createTenant([SITE])
    const { json: provisioned } = await tenant.provision([SITE, APP])
    assert.deepEqual(provisioned.callback_urls, [SITE, APP])
    assert.equal(provisioned.warnings?.length, 1)
    const login = await signInForCode(
      tenant,
      browser(),
      'Ada Lovelace',
      `${toApp}&return_to=/notes`,
    )
    const { href, searchParams } = login.callbackUrl
    assert.ok(href.startsWith(`${APP}?code=svc_ac_`), href.slice(0, 40))
    assert.deepEqual([...searchParams.keys()], ['code', 'return_to'])
    const { status, json } = await exchange(tenant, login)
    assert.equal(status, 200)
    assert.equal(await tenant.isValid(json.access_token), true)
    assert.deepEqual(await tenant.eventKinds(), ['login_started', 'authorize'])
  })

  // proves S127
  test(`[${engine}] the operator's block of a domain stops its apps: at registration, at the start and at consent`, async (t) => {
    const here = await world(t, { engine })
    const { agent, browser, app } = here
    const tenant = await agent.createTenant(['com.evil.app:/cb', SITE])
    const user = browser()
    await user.open(tenant.loginUrl + codeQuery(newVerifier()))
    await user.press('Ada Lovelace')
    await app.ctx.stores.blockedHosts.add('evil.com', 'phishing', app.ctx.now())
    await user.press('Continue')
    assert.equal(user.page.status, 403)
    assertApiError(await startLogin(here, tenant, codeQuery(newVerifier())), 'callbackHostBlocked')
    const refused = await tenant.manage('POST', '/api/resources/social-login', {
      callback_urls: ['com.evil.other:/cb'],
    })
    assertApiError(refused, 'callbackHostBlocked')
  })
}

// proves C050, S122
test('a login to an installed app without a challenge is refused: no token goes to a scheme', async (t) => {
  const here = await world(t)
  const { agent, browser } = here
  const tenant = await agent.createTenant([APP])
  for (const query of ['', redirectUriQuery(APP)]) {
    assertApiError(await startLogin(here, tenant, query), 'codeChallengeRequired')
  }
  const { json } = await tenant.manage('GET', '/api/social-login/refusals')
  assert.match(json.refusals[0].fix, /code_challenge_method=S256/)
  assert.deepEqual(await tenant.eventKinds(), [])
  // A denial is told to the app, too.
  const user = browser()
  await user.open(tenant.loginUrl + codeQuery(newVerifier()))
  await user.press('Ada Lovelace')
  assert.equal((await user.press('Cancel')).href, `${APP}?error=access_denied`)
})

// proves S126
test('the consent page names the scheme, not a host, and shows no brand for a host behind the scheme', {
  skip: slow,
}, async (t) => {
  const { agent, browser } = await world(t)
  const disguised = 'com.example.app://accounts.google.com/cb'
  const tenant = await agent.createTenant([disguised])
  const user = browser()
  await user.open(tenant.loginUrl + codeQuery(newVerifier()))
  await user.press('Ada Lovelace')
  assert.match(user.page.text, /<h1>Sign in to an app on this device\?<\/h1>/)
  assert.match(user.page.text, /<span dir="ltr">com\.example\.app:<\/span>/)
  assert.doesNotMatch(user.page.text, /accounts\.google\.com/)
  const policy = user.page.headers.get('content-security-policy') ?? ''
  assert.match(policy, /form-action 'self' com\.example\.app:;/)
  assert.doesNotMatch(policy, /form-action[^;]* https?:( |;)/)
  // A page about a login that is over offers no link into an app.
  await user.press('Continue')
  const over = await user.request(user.page.url)
  assert.equal(over.status, 410)
  assert.doesNotMatch(await over.text(), /com\.example\.app/)
})

// proves S125
test("a scheme that is not registered is refused, and the fix does not recommend a stranger's", {
  skip: slow,
}, async (t) => {
  const here = await world(t)
  const tenant = await here.agent.createTenant([APP])
  const query = (uri: string): string =>
    `${codeQuery(newVerifier())}&redirect_uri=${encodeURIComponent(uri)}`
  for (const [uri, differs] of [
    ['com.evil.app:/oauth/callback', 'scheme'],
    ['com.example.app://evil.example/oauth/callback', 'path'],
    ['javascript:alert(1)', undefined],
    ['https://evil.example/oauth/callback', 'host'],
  ] as const) {
    const response = await startLogin(here, tenant, query(uri))
    assert.equal(assertApiError(response, 'invalidRedirectUri')?.differs, differs, uri)
    assert.equal(response.headers.get('location'), null)
  }
  const { json } = await tenant.manage('GET', '/api/social-login/refusals')
  const evil = json.refusals.find(({ sent }: { sent: string }) => sent?.startsWith('com.evil.app'))
  assert.match(evil.fix, /Register com\.evil\.app:\/oauth\/callback only if your app runs there/)
})

test('a callback that is no site and no app is refused with its place in the list', async (t) => {
  const { agent } = await world(t)
  const tenant = await agent.createTenant([SITE])
  const urls = [SITE, 'myapp://cb', 'javascript:alert(1)', 'com.example.app:cb']
  const refused = await tenant.manage('POST', '/api/resources/social-login', {
    callback_urls: urls,
  })
  assert.deepEqual(problemPaths(refused), [
    'callback_urls[1]',
    'callback_urls[2]',
    'callback_urls[3]',
  ])
})
