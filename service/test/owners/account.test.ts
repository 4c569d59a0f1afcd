import assert from 'node:assert/strict'
import { test } from 'node:test'
import { endTenant } from '../../src/operations/tenants/end-tenant.ts'
import type { Browser } from '../support/actors/browser.ts'
import { claim, requestClaim } from '../support/actors/claim.ts'
import { csrfOf } from '../support/actors/csrf.ts'
import { ENGINES } from '../support/postgres/engines.ts'
import { world } from '../support/world.ts'

async function signInToAccount(baseUrl: string, browser: Browser, person = 'Ada Lovelace'): Promise<Browser> {
  await browser.open(`${baseUrl}/account`)
  await browser.press('Sign in with Google')
  await browser.press(person)
  return browser
}

for (const engine of ENGINES) {
  test(`[${engine}] an owner signs in, sees their projects, and signs out`, async (t) => {
    const { agent, browser, baseUrl, clock } = await world(t, { engine })
    const tenant = await agent.createTenant()
    await tenant.signIn(browser(), 'Grace Hopper')
    clock.advance({ minutes: 1 })
    await claim(tenant, browser())

    const owner = await signInToAccount(baseUrl, browser())
    assert.equal(owner.page.url.pathname, '/account')
    for (const seen of ['ada@example.com', tenant.id, 'Free tier']) assert.ok(owner.page.text.includes(seen), seen)
    await owner.open(`${baseUrl}/account/projects/${tenant.id}`)
    assert.ok(owner.page.text.includes('grace@example.com'))

    await owner.open(`${baseUrl}/account`)
    await owner.press('Sign out')
    assert.match(owner.page.text, /You’re signed out in this browser/)
    assert.equal((await owner.request(`${baseUrl}/account/insights/data`)).status, 401)
  })

  test(`[${engine}] every sign-in starts a new session and ends the browser's previous one`, async (t) => {
    const { browser, baseUrl } = await world(t, { engine })
    const owner = await signInToAccount(baseUrl, browser())
    const first = owner.cookies.header({ url: new URL(baseUrl), method: 'GET', sameSite: true }) ?? ''
    // Nothing offers it while signed in, but a link with the old cookie must not survive a new sign-in either.
    await owner
      .request(`${baseUrl}/account/sign-in`, { method: 'POST', body: new URLSearchParams({ next: '/account' }) })
      .then((response) => owner.open(response.headers.get('location') ?? ''))
    await owner.press('Ada Lovelace')
    const second = owner.cookies.header({ url: new URL(baseUrl), method: 'GET', sameSite: true }) ?? ''
    assert.notEqual(second, first)
    const stale = await browser().request(`${baseUrl}/account/insights/data`, { headers: { Cookie: first } })
    assert.equal(stale.status, 401)
    assert.equal((await owner.request(`${baseUrl}/account/insights/data`)).status, 200)
  })

  test(`[${engine}] signing out everywhere ends every session of the account`, async (t) => {
    const { browser, baseUrl } = await world(t, { engine })
    const [home, work] = [await signInToAccount(baseUrl, browser()), await signInToAccount(baseUrl, browser())]
    await home.press('Sign out everywhere')
    for (const each of [home, work]) {
      assert.equal((await each.request(`${baseUrl}/account/insights/data`)).status, 401)
    }
  })

  test(`[${engine}] an account session expires after 30 days without use, and after one year`, async (t) => {
    const { browser, baseUrl, clock } = await world(t, { engine })
    const owner = await signInToAccount(baseUrl, browser())
    const data = async (): Promise<number> => (await owner.request(`${baseUrl}/account/insights/data`)).status
    clock.advance({ days: 29 })
    assert.equal(await data(), 200)
    clock.advance({ days: 29 })
    assert.equal(await data(), 200)
    clock.advance({ days: 30, seconds: 1 })
    assert.equal(await data(), 401)

    await signInToAccount(baseUrl, owner)
    for (let day = 0; day < 360; day += 24) {
      assert.equal(await data(), 200)
      clock.advance({ days: 24 })
    }
    clock.advance({ days: 5, seconds: -1 })
    assert.equal(await data(), 200, 'in the last second of the year')
    clock.advance({ seconds: 1 })
    assert.equal(await data(), 401, 'however much it was used')
  })

  test(`[${engine}] insights contain exactly the fields that the specification allows`, async (t) => {
    const { agent, browser, baseUrl, clock } = await world(t, { engine })
    const tenant = await agent.createTenant()
    await tenant.signIn(browser(), 'Ada Lovelace', '?return_to=/secret-page')
    const failing = browser()
    clock.advance({ minutes: 1 })
    await failing.open(tenant.loginUrl)
    await failing.press('Userinfo fails')
    const owner = browser()
    await claim(tenant, owner, 'Grace Hopper')

    const response = await owner.request(`${baseUrl}/account/insights/data`)
    assert.equal(response.headers.get('cache-control'), 'no-store')
    const text = await response.text()
    const { account, projects } = JSON.parse(text)
    assert.deepEqual(Object.keys(account), ['email', 'tier', 'usage'])
    const [project] = projects
    assert.deepEqual(Object.keys(project), [
      'tenant_id',
      'created_at',
      'claimed_at',
      'users',
      'active_sessions',
      'activity',
      'daily',
    ])
    assert.deepEqual([project.users.total, project.active_sessions], [1, 1])
    assert.deepEqual(Object.keys(project.users.recent[0]), [
      'id',
      'email',
      'name',
      'picture',
      'first_seen',
      'last_seen',
    ])
    for (const entry of project.activity) {
      for (const field of Object.keys(entry)) {
        assert.ok(['event', 'user_id', 'email', 'created_at_ms', 'error_code'].includes(field), field)
      }
    }
    assert.equal(project.daily.length, 30)
    assert.equal(project.daily.at(-1).logins, 1)
    assert.equal(project.daily.at(-1).failures, 1)
    for (const hidden of [
      'secret-page',
      'stage',
      'svc_',
      'subject',
      'issuer',
      'redirect_uri',
      '127.0.0.1',
      'Mozilla',
    ]) {
      assert.ok(!text.includes(hidden), `insights must not tell ${hidden}`)
    }
  })

  test(`[${engine}] an owner cannot see, change or delete another owner's project`, async (t) => {
    const { agent, browser, baseUrl } = await world(t, { engine })
    const tenant = await agent.createTenant()
    const { access_token } = await tenant.signIn(browser())
    const ada = browser()
    await claim(tenant, ada)
    const grace = await signInToAccount(baseUrl, browser(), 'Grace Hopper')
    const csrf = csrfOf(grace)
    await grace.open(`${baseUrl}/account/projects/${tenant.id}`)
    assert.equal(grace.page.status, 404)
    for (const [path, field] of [
      ['keys', 'x'],
      ['delete', 'confirm'],
      ['sessions/end', 'session'],
    ] as const) {
      const body = new URLSearchParams({ csrf, [field]: field === 'confirm' ? tenant.id : '1' })
      const response = await grace.request(`${baseUrl}/account/projects/${tenant.id}/${path}`, { method: 'POST', body })
      assert.equal(response.status, 404, path)
    }
    assert.equal(await tenant.isValid(access_token), true)
    assert.equal((await tenant.status()).status, 'claimed')
  })

  test(`[${engine}] replaced keys work immediately, and the old ones for 24 more hours`, async (t) => {
    const { agent, browser, baseUrl, clock } = await world(t, { engine })
    const tenant = await agent.createTenant()
    const owner = browser()
    await claim(tenant, owner)
    await owner.press('Replace the keys')
    const key = /coh_management_key=(svc_man_\w+)/.exec(owner.page.text)?.[1] ?? ''
    const status = async (bearer: string): Promise<number> => (await tenant.call('GET', '/api/status', bearer)).status
    assert.deepEqual([await status(key), await status(tenant.key)], [200, 200])
    clock.advance({ hours: 23, minutes: 59, seconds: 59 })
    assert.deepEqual([await status(key), await status(tenant.key)], [200, 200])
    clock.advance({ seconds: 1 })
    assert.deepEqual([await status(key), await status(tenant.key)], [200, 401])
    await owner.open(`${baseUrl}/account/projects/${tenant.id}`)
    assert.ok(!owner.page.text.includes('svc_man_'), 'the new keys are shown once')
  })

  test(`[${engine}] an owner ends one user's session and no other`, async (t) => {
    const { agent, browser, baseUrl } = await world(t, { engine })
    const tenant = await agent.createTenant()
    const first = await tenant.signIn(browser(), 'Ada Lovelace')
    const second = await tenant.signIn(browser(), 'Grace Hopper')
    const owner = browser()
    await claim(tenant, owner, 'Alan Turing')
    await owner.open(`${baseUrl}/account/projects/${tenant.id}`)
    const sessions = [...owner.page.text.matchAll(/name="session" value="(\d+)"/g)].map((match) => match[1] ?? '')
    assert.equal(sessions.length, 2)
    const oldest = String(Math.min(...sessions.map(Number)))
    await owner.request(`${baseUrl}/account/projects/${tenant.id}/sessions/end`, {
      method: 'POST',
      body: new URLSearchParams({ csrf: csrfOf(owner), session: oldest }),
    })
    assert.deepEqual(
      [await tenant.isValid(first.access_token), await tenant.isValid(second.access_token)],
      [false, true],
    )
  })

  test(`[${engine}] deleting a project requires its typed name and removes everything`, async (t) => {
    const { agent, browser, baseUrl } = await world(t, { engine })
    const tenant = await agent.createTenant()
    const { access_token, refresh_token } = await tenant.signIn(browser())
    const owner = browser()
    await claim(tenant, owner)
    await owner.open(`${baseUrl}/account/projects/${tenant.id}`)
    await owner.press('Delete', { confirm: 'something else' })
    assert.equal(owner.page.status, 400)
    assert.equal(await tenant.isValid(access_token), true)

    await owner.press('Delete', { confirm: tenant.id })
    assert.match(owner.page.text, /Project deleted/)
    assert.equal((await tenant.edge('verify', { access_token })).status, 410)
    assert.equal((await tenant.edge('refresh', { refresh_token })).status, 410)
    assert.equal((await tenant.manage('GET', '/api/social-login/users')).json.error.code, 'tenantExpired')
    await owner.open(`${baseUrl}/account`)
    assert.ok(!owner.page.text.includes(tenant.id))
    assert.equal((await tenant.manage('POST', '/api/claim/url')).status, 410)
  })

  test(`[${engine}] the sweep does not end an expired guest that was claimed meanwhile`, async (t) => {
    const { agent, browser, clock, app } = await world(t, { engine })
    const tenant = await agent.createTenant()
    const { access_token } = await tenant.signIn(browser())
    const overdue = await app.ctx.stores.tenants.find(tenant.id)
    assert.ok(overdue)
    await claim(tenant, browser())
    clock.advance({ hours: 72 })
    await endTenant(app.ctx, overdue, 'overdue')
    assert.equal((await tenant.status()).status, 'claimed')
    assert.equal((await tenant.users()).length, 1)
    assert.equal((await tenant.edge('verify', { access_token })).json.valid, false, 'its hour has passed, nothing else')
  })

  test(`[${engine}] a guest ends after 72 hours, its data is deleted, and 30 days later it is unknown`, async (t) => {
    const { agent, browser, clock, app } = await world(t, { engine })
    const tenant = await agent.createTenant()
    const { access_token } = await tenant.signIn(browser())
    const claimRequest = await requestClaim(tenant)
    clock.advance({ hours: 72 })
    assert.equal((await tenant.status()).status, 'expired')
    assert.equal((await tenant.edge('verify', { access_token })).json.error.code, 'tenantExpired')
    await app.sweep()
    await app.sweep()
    assert.equal((await tenant.edge('verify', { access_token })).json.error.code, 'tenantExpired')
    assert.equal((await tenant.manage('GET', '/api/resources')).status, 410)
    assert.equal((await tenant.call('GET', '/api/wait?timeout=0', claimRequest.wait.token)).status, 401)
    clock.advance({ days: 29, hours: 23 })
    await app.sweep()
    assert.equal((await tenant.manage('GET', '/api/resources')).status, 410)
    clock.advance({ hours: 2 })
    await app.sweep()
    assert.equal((await tenant.manage('GET', '/api/resources')).status, 401)
    assert.equal((await tenant.edge('verify', { access_token: 'x' })).status, 404)
  })
}
