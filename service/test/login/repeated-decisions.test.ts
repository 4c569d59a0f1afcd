import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { Unavailable } from '../../src/domain/api-error.ts'
import type { Tenant } from '../support/actors/agent.ts'
import { type Browser, shownError } from '../support/actors/browser.ts'
import { csrfOf } from '../support/actors/csrf.ts'
import { codeQuery, exchange, newVerifier } from '../support/actors/login-code.ts'
import { ENGINES, type Engine, sqliteOnly } from '../support/postgres/engines.ts'
import { type World, world } from '../support/world.ts'

interface ConsentPage {
  readonly here: World
  readonly tenant: Tenant
  readonly user: Browser
  /** Presses a button of the page as it was shown: the same URL, cookie and CSRF token, in any browser. */
  press(
    decision: 'allow' | 'deny',
    options?: { readonly by?: Browser; readonly at?: World },
  ): Promise<Response>
}

/** A user who has signed in at Google and sees the consent page. */
async function consentPage(
  t: TestContext,
  engine: Engine,
  signIn = (user: Browser) => user.press('Ada Lovelace'),
  { env = {}, query = '?return_to=/notes' } = {},
): Promise<ConsentPage> {
  const here = await world(t, { engine, env })
  const tenant = await here.agent.createTenant()
  const user = here.browser()
  await user.open(tenant.loginUrl + query)
  await signIn(user)
  const { url } = user.page
  const csrf = csrfOf(user)
  return {
    here,
    tenant,
    user,
    async press(decision, { by = user, at = here } = {}) {
      const response = await by.request(new URL(url.pathname, at.agent.baseUrl), {
        method: 'POST',
        body: new URLSearchParams({ csrf, decision }),
        headers: { Accept: 'text/html' },
      })
      return shownError(by, response, at.agent.baseUrl)
    },
  }
}

const locationOf = (response: Response): string => {
  assert.equal(response.status, 303)
  return response.headers.get('location') ?? ''
}

async function assertOver(response: Response): Promise<void> {
  assert.deepEqual([response.status, response.headers.get('location')], [410, null])
  assert.match(
    await response.text(),
    /href="https:\/\/app\.example\.com\/"/,
    'the page leads back to the app',
  )
}

/** A browser with the cookies of another one, at any instance: a second press of the same browser. */
function sameBrowser({ here, user }: ConsentPage, at: World): Browser {
  const again = at.browser()
  for (const { name, value } of user.cookies.list()) {
    for (const origin of [here.baseUrl, at.agent.baseUrl]) {
      again.cookies.keep(new URL(origin), [`${name}=${value}; Path=/`])
    }
  }
  return again
}

test('the callback of a login whose social login was removed since says so', async (t) => {
  const here = await world(t)
  const tenant = await here.agent.createTenant()
  const user = here.browser()
  await user.open(tenant.loginUrl)
  t.mock.method(here.app.ctx.stores.resources, 'findActive', async () => null)
  await user.press('Ada Lovelace')
  assert.equal(user.page.status, 403)
})

test('a database that is out of reach at Continue ends no login, and a subject of 255 characters signs in', async (t) => {
  const subject = { email: 'ada@example.com', name: 'Ada', sub: 'x'.repeat(255) }
  const { here, press } = await consentPage(t, 'sqlite', (user) => user.press('Continue', subject))
  const away = () => Promise.reject(new Unavailable('away'))
  t.mock.method(here.app.ctx.stores, 'transaction', away, { times: 1 })
  assert.equal((await press('allow')).status, 503)
  assert.ok(new URL(locationOf(await press('allow'))).searchParams.has('access_token'))
})

for (const engine of ENGINES) {
  test(`[${engine}] pressing Continue again within a minute redirects to the app with the same pair, and signs in once`, async (t) => {
    const { here, tenant, press } = await consentPage(t, engine)
    const first = locationOf(await press('allow'))
    here.clock.advance({ seconds: 59 })
    assert.equal(locationOf(await press('allow')), first)

    const { searchParams } = new URL(first)
    assert.equal(searchParams.get('return_to'), '/notes')
    assert.equal(await tenant.isValid(searchParams.get('access_token') ?? ''), true)
    await tenant.refresh(searchParams.get('refresh_token') ?? '')
    assert.equal((await tenant.users()).length, 1)
    assert.deepEqual(await tenant.eventKinds(), ['login_started', 'authorize', 'token_refreshed'])
    assert.equal((await tenant.status()).usage.events_lifetime.used, 3)
  })

  // proves C061, S003
  test(`[${engine}] ten concurrent presses of Continue all redirect to the app with the same pair, and sign in once`, async (t) => {
    const { tenant, press } = await consentPage(t, engine)
    const responses = await Promise.all(Array.from({ length: 10 }, () => press('allow')))
    const locations = new Set(responses.map(locationOf))
    assert.equal(locations.size, 1)
    const [location = ''] = locations
    assert.equal(
      await tenant.isValid(new URL(location).searchParams.get('access_token') ?? ''),
      true,
    )
    assert.deepEqual(await tenant.eventKinds(), ['login_started', 'authorize'])
    assert.equal((await tenant.status()).usage.events_lifetime.used, 2)
  })

  test(`[${engine}] pressing Cancel again within a minute redirects to the app with access_denied, and is recorded once`, async (t) => {
    const { tenant, press } = await consentPage(t, engine)
    const responses = await Promise.all([press('deny'), press('deny'), press('deny')])
    const denied = 'https://app.example.com/callback?error=access_denied&return_to=%2Fnotes'
    assert.deepEqual(responses.map(locationOf), [denied, denied, denied])
    assert.deepEqual(await tenant.users(), [])
    assert.deepEqual(await tenant.eventKinds(), ['login_started', 'consent_denied'])
  })

  test(`[${engine}] a login that failed at Continue fails the same way when Continue is pressed again`, async (t) => {
    const { tenant, press } = await consentPage(t, engine, (user) =>
      user.press('Continue', { email: 'ada@example.com', name: 'Ada', sub: 'x'.repeat(256) }),
    )
    const failed = 'https://app.example.com/callback?error=login_failed&return_to=%2Fnotes'
    assert.equal(locationOf(await press('allow')), failed)
    assert.equal(locationOf(await press('allow')), failed)
    assert.deepEqual(await tenant.users(), [])
    assert.deepEqual(await tenant.eventKinds(), ['login_started', 'login_failed'])
  })

  test(`[${engine}] another decision, another browser, another CSRF token and a press after a minute are refused`, async (t) => {
    const page = await consentPage(t, engine)
    const { here, tenant, user, press } = page
    await press('allow')
    await assertOver(await press('deny'))

    const stranger = here.browser()
    assert.equal(
      (await press('allow', { by: stranger })).status,
      403,
      'a browser without the cookie',
    )
    await stranger.open(tenant.loginUrl)
    assert.equal(
      (await press('allow', { by: stranger })).status,
      403,
      'a browser with the cookie of another login',
    )
    const forged = await user.request(user.page.url, {
      method: 'POST',
      body: new URLSearchParams({ csrf: 'x'.repeat(43), decision: 'allow' }),
    })
    assert.deepEqual([forged.status, forged.headers.get('location')], [410, null])

    here.clock.advance({ seconds: 60 })
    await assertOver(await press('allow'))
    assert.equal((await tenant.users()).length, 1)
    assert.deepEqual(await tenant.eventKinds(), ['login_started', 'authorize', 'login_started'])
  })

  test(`[${engine}] pressing Cancel and then Continue does not sign in`, async (t) => {
    const { tenant, press } = await consentPage(t, engine)
    await press('deny')
    await assertOver(await press('allow'))
    assert.deepEqual(await tenant.users(), [])
    assert.deepEqual(await tenant.eventKinds(), ['login_started', 'consent_denied'])
  })

  test(`[${engine}] after a logout or a refresh, pressing Continue again returns no tokens and ends no session`, async (t) => {
    const loggedOut = await consentPage(t, engine)
    const ended = new URL(locationOf(await loggedOut.press('allow'))).searchParams
    await loggedOut.tenant.edge('logout', { refresh_token: ended.get('refresh_token') })
    await assertOver(await loggedOut.press('allow'))
    assert.equal(await loggedOut.tenant.isValid(ended.get('access_token') ?? ''), false)
    assert.deepEqual(await loggedOut.tenant.eventKinds(), ['login_started', 'authorize', 'logout'])

    const refreshed = await consentPage(t, engine)
    const spent = new URL(locationOf(await refreshed.press('allow'))).searchParams
    const next = await refreshed.tenant.refresh(spent.get('refresh_token') ?? '')
    await assertOver(await refreshed.press('allow'))
    assert.equal(
      await refreshed.tenant.isValid(next.access_token),
      true,
      'the app keeps its session',
    )
    assert.deepEqual(await refreshed.tenant.eventKinds(), [
      'login_started',
      'authorize',
      'token_refreshed',
    ])
  })

  test(`[${engine}] a callback URL that was removed gets no pair from a second press`, async (t) => {
    const { tenant, press } = await consentPage(t, engine)
    await press('allow')
    await tenant.provision(['https://other.example.com/callback'])
    const refused = await press('allow')
    assert.deepEqual([refused.status, refused.headers.get('location')], [400, null])
  })

  test(`[${engine}] Continue pressed at the last moment of a login can be repeated for a minute, and is then deleted`, async (t) => {
    const { here, press } = await consentPage(t, engine)
    here.clock.advance({ minutes: 9, seconds: 59 })
    const first = locationOf(await press('allow'))
    here.clock.advance({ seconds: 59 })
    await here.app.sweep()
    assert.equal(locationOf(await press('allow')), first)
    here.clock.advance({ seconds: 1 })
    await here.app.sweep()
    assert.equal((await press('allow')).status, 410)
  })
}

test('with a new master key, pressing Continue again redirects with the same code', async (t) => {
  const keys = `1:${'A'.repeat(43)}`
  const verifier = newVerifier()
  const page = await consentPage(t, 'sqlite', undefined, {
    env: { SERVICE_KEYS: keys },
    query: codeQuery(verifier),
  })
  const first = locationOf(await page.press('allow'))
  await page.here.stop()
  const rotated = await world(t, {
    like: page.here,
    env: { SERVICE_KEYS: `2:${'B'.repeat(43)},${keys}` },
  })
  const again = await page.press('allow', { by: sameBrowser(page, rotated), at: rotated })
  assert.equal(locationOf(again), first)
  const code = new URL(first).searchParams.get('code') ?? ''
  assert.equal((await exchange(page.tenant.at(rotated.agent), { code, verifier })).status, 200)
})

test('two presses of Continue at two instances redirect to the app with the same pair, and sign in once', {
  skip: sqliteOnly,
}, async (t) => {
  const page = await consentPage(t, 'postgres')
  const { here, tenant, press } = page
  const other = await world(t, { like: here })
  const again = sameBrowser(page, other)
  const responses = await Promise.all([
    press('allow'),
    press('allow', { by: again, at: other }),
    press('allow'),
  ])
  const locations = responses.map(locationOf)
  assert.equal(new Set(locations).size, 1)
  assert.equal(locationOf(await press('allow', { by: again, at: other })), locations[0])
  assert.equal((await tenant.users()).length, 1)
  assert.deepEqual(await tenant.eventKinds(), ['login_started', 'authorize'])
})
