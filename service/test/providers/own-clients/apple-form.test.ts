import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Tenant } from '../../support/actors/agent.ts'
import type { Browser } from '../../support/actors/browser.ts'
import { activateProvider, ownedTenant, pressAtProvider } from '../../support/actors/providers.ts'
import { ENGINES } from '../../support/postgres/engines.ts'
import { type World, world } from '../../support/world.ts'

const PATH = '/auth/apple/callback'

const post = (service: World, browser: Browser, fields: Record<string, string>) =>
  browser.request(service.baseUrl + PATH, {
    method: 'POST',
    headers: { Origin: 'https://appleid.apple.com', 'Sec-Fetch-Site': 'cross-site' },
    body: new URLSearchParams(fields),
  })

async function signIn(service: World, tenant: Tenant, user: string): Promise<void> {
  service.clock.advance({ minutes: 1 })
  const browser = service.browser()
  await browser.open(tenant.loginUrl.replace(/google$/, 'apple'))
  await pressAtProvider(browser, user)
  assert.equal((await browser.press('Continue')).searchParams.get('error'), null)
}

for (const engine of ENGINES) {
  test(`[${engine}] the name that Apple sends once is kept, and a later sign-in without it does not erase it`, async (t) => {
    const service = await world(t, { engine })
    const owned = await ownedTenant(service)
    const { tenant } = owned
    await activateProvider(service, owned, 'apple')
    for (let time = 0; time < 2; time++) {
      await signIn(service, tenant, 'Grace Hopper')
    }
    assert.deepEqual(
      (await tenant.users()).map(({ email, name }) => [email, name]),
      [['grace@example.com', 'Grace Hopper']],
    )
  })
}

// proves C261
test('the form that Apple posts needs no cookie, and becomes a redirect with code, state and error only', async (t) => {
  const service = await world(t)
  const browser = service.browser()
  const user = JSON.stringify({
    name: { firstName: 'Grace', lastName: 'Hopper' },
    email: 'grace@example.com',
  })
  const response = await post(service, browser, {
    code: 'c&1',
    state: 's',
    id_token: 'token',
    user,
    error: 'access_denied',
  })
  assert.equal(response.status, 303)
  assert.equal(
    response.headers.get('location'),
    `${service.baseUrl}${PATH}?code=c%261&state=s&error=access_denied`,
  )
  assert.equal(await response.text(), '')
  const [cookie = ''] = response.headers.getSetCookie()
  assert.match(
    cookie,
    /^gatehouse_apple_name=[\w-]{22}\.[\w-]+; Max-Age=60; Path=\/auth\/apple\/callback; HttpOnly; SameSite=Lax$/,
  )
  assert.equal(response.headers.getSetCookie().length, 1)
  for (const bad of ['not json', '{"name":7}', '{"name":{"firstName":{}}}', 'null']) {
    const ignored = await post(service, browser, { state: 's', user: bad })
    assert.deepEqual([ignored.status, ignored.headers.getSetCookie()], [303, []], bad)
  }
})

test('the cookie of Apple’s form has the parts of the name that are text, up to 200 characters, and is deleted by the redirect', async (t) => {
  const service = await world(t)
  const browser = service.browser()
  for (const [name, kept] of [
    [{ firstName: 'Grace', lastName: 'Hopper' }, 'Grace Hopper'],
    [{ firstName: {}, lastName: 'Hopper' }, 'Hopper'],
    [{ firstName: ' ', lastName: 'Hopper' }, 'Hopper'],
    [{ firstName: 'x'.repeat(201) }, 'x'.repeat(200)],
  ] as const) {
    const response = await post(service, browser, { state: 's', user: JSON.stringify({ name }) })
    const value =
      /^gatehouse_apple_name=[^.]*\.([\w-]*);/.exec(
        response.headers.getSetCookie()[0] ?? '',
      )?.[1] ?? ''
    assert.equal(Buffer.from(value, 'base64url').toString(), kept)
  }
  const callback = await browser.request(`${service.baseUrl}${PATH}?state=s`)
  assert.match(
    callback.headers.getSetCookie().join(),
    /gatehouse_apple_name=; Max-Age=0; Path=\/auth\/apple\/callback/,
  )
})

// proves S084
test('an oversized, repeated or other form at a callback is refused', async (t) => {
  const service = await world(t)
  const browser = service.browser()
  assert.equal((await post(service, browser, { user: 'x'.repeat(70_000) })).status, 413)
  const twice = await browser.request(service.baseUrl + PATH, {
    method: 'POST',
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    body: 'state=a&state=b',
  })
  assert.equal(twice.status, 400)
  const json = await browser.request(service.baseUrl + PATH, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: '{}',
  })
  assert.equal(json.status, 415)
  for (const name of ['google', 'github', 'microsoft']) {
    const other = await browser.request(`${service.baseUrl}/auth/${name}/callback`, {
      method: 'POST',
      body: new URLSearchParams({ state: 's' }),
    })
    assert.equal(other.status, 405, name)
  }
})

// proves S084
test('a form of another site cannot name the user of the next sign-in', async (t) => {
  const service = await world(t)
  const owned = await ownedTenant(service)
  const { tenant } = owned
  await activateProvider(service, owned, 'apple')
  await signIn(service, tenant, 'Grace Hopper')
  service.clock.advance({ minutes: 1 })
  const browser = service.browser()
  const user = JSON.stringify({ name: { firstName: 'Mallory' } })
  await post(service, browser, { state: 'made-up', user })
  await browser.open(tenant.loginUrl.replace(/google$/, 'apple'))
  await pressAtProvider(browser, 'Grace Hopper')
  await browser.press('Continue')
  assert.deepEqual(
    (await tenant.users()).map(({ name }) => name),
    ['Grace Hopper'],
  )
})
