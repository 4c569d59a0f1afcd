import assert from 'node:assert/strict'
import { test } from 'node:test'
import { signInToAccount } from '../support/actors/account.ts'
import { claim } from '../support/actors/claim.ts'
import { everyRow } from '../support/postgres/database-rows.ts'
import { ENGINES } from '../support/postgres/engines.ts'
import { world } from '../support/world.ts'

test('a name of Object.prototype as `done` shows no message on the account page', async (t) => {
  const { browser, baseUrl } = await world(t)
  const visitor = browser()
  const main = async (query: string): Promise<string> => {
    await visitor.open(`${baseUrl}/account${query}`)
    assert.equal(visitor.page.status, 200, query)
    return visitor.page.text
  }
  const plain = await main('')
  for (const name of ['constructor', 'toString', '__proto__', 'hasOwnProperty', 'unknown']) {
    assert.equal(await main(`?done=${name}`), plain, name)
  }
  assert.match(await main('?done=signed-out'), /You’re signed out in this browser/)
})

for (const engine of ENGINES) {
  // proves C073, ASVS 7.4.4
  test(`[${engine}] an owner signs in, sees their projects, and signs out`, async (t) => {
    const { agent, browser, baseUrl, clock } = await world(t, { engine })
    const tenant = await agent.createTenant()
    await tenant.signIn(browser(), 'Grace Hopper')
    clock.advance({ minutes: 1 })
    await claim(tenant, browser())

    const owner = await signInToAccount(baseUrl, browser())
    assert.equal(owner.page.url.pathname, '/account')
    for (const text of ['ada@example.com', tenant.id, 'Free tier']) {
      assert.ok(owner.page.text.includes(text), text)
    }
    await owner.open(`${baseUrl}/account/projects/${tenant.id}`)
    assert.ok(owner.page.text.includes('grace@example.com'))

    await owner.open(`${baseUrl}/account`)
    await owner.press('Sign out')
    assert.match(owner.page.text, /You’re signed out in this browser/)
    assert.equal((await owner.request(`${baseUrl}/account/insights/data`)).status, 401)
  })

  // proves ASVS 7.2.4
  test(`[${engine}] every sign-in starts a new session and ends the browser's previous one`, async (t) => {
    const { browser, baseUrl } = await world(t, { engine })
    const owner = await signInToAccount(baseUrl, browser())
    const first =
      owner.cookies.header({ url: new URL(baseUrl), method: 'GET', sameSite: true }) ?? ''
    // The pages offer no sign-in while signed in, but a new sign-in must still end the old session.
    await owner
      .request(`${baseUrl}/account/sign-in`, {
        method: 'POST',
        body: new URLSearchParams({ next: '/account' }),
      })
      .then((response) => owner.open(response.headers.get('location') ?? ''))
    await owner.press('Ada Lovelace')
    const second =
      owner.cookies.header({ url: new URL(baseUrl), method: 'GET', sameSite: true }) ?? ''
    assert.notEqual(second, first)
    const stale = await browser().request(`${baseUrl}/account/insights/data`, {
      headers: { Cookie: first },
    })
    assert.equal(stale.status, 401)
    assert.equal((await owner.request(`${baseUrl}/account/insights/data`)).status, 200)
  })

  // proves ASVS 7.5.2
  test(`[${engine}] signing out everywhere ends every session of the account`, async (t) => {
    const { browser, baseUrl } = await world(t, { engine })
    const [home, work] = [
      await signInToAccount(baseUrl, browser()),
      await signInToAccount(baseUrl, browser()),
    ]
    await home.press('Sign out everywhere')
    for (const each of [home, work]) {
      assert.equal((await each.request(`${baseUrl}/account/insights/data`)).status, 401)
    }
  })

  // proves ASVS 7.3.1, ASVS 7.3.2
  test(`[${engine}] an account session expires after 30 days without use, and after one year`, async (t) => {
    const { browser, baseUrl, clock } = await world(t, { engine })
    const owner = await signInToAccount(baseUrl, browser())
    const data = async (): Promise<number> =>
      (await owner.request(`${baseUrl}/account/insights/data`)).status
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
    assert.equal(await data(), 401, 'use does not extend a session beyond a year')
  })

  // proves C074
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
        assert.ok(
          ['event', 'user_id', 'email', 'created_at_ms', 'error_code'].includes(field),
          field,
        )
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
      assert.ok(!text.includes(hidden), `insights must not contain ${hidden}`)
    }
  })
}

test('the account page names the browser and the system of each session, and stores nothing else of them', async (t) => {
  const here = await world(t)
  const { browser, baseUrl } = here
  const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'
  await signInToAccount(baseUrl, browser({ 'User-Agent': firefox }))
  const other = await signInToAccount(baseUrl, browser({ 'User-Agent': 'my-agent <b>/1.0' }))
  assert.match(other.page.text, /Firefox on Linux.*Last used/s)
  assert.match(other.page.text, /Unknown browser.*Last used/s)
  const stored = (await everyRow(here)).account_sessions?.map(({ device }) => device)
  assert.deepEqual(stored, ['Firefox on Linux', null])
})
