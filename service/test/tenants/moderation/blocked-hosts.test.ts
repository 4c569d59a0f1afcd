import assert from 'node:assert/strict'
import { test } from 'node:test'
import { blockHost, unblockHost } from '../../../src/operations/tenants/blocked-hosts.ts'
import { signInToAccount } from '../../support/actors/account.ts'
import { assertApiError } from '../../support/actors/api-error.ts'
import { csrfOf } from '../../support/actors/csrf.ts'
import { textOf } from '../../support/actors/page-checks.ts'
import { pressAtProvider, putProvider } from '../../support/actors/providers.ts'
import { ENGINES } from '../../support/postgres/engines.ts'
import { world } from '../../support/world.ts'

const JSON_ONLY = { headers: { Accept: 'application/json' } }

for (const engine of ENGINES) {
  // proves C356, S044
  test(`[${engine}] no callback URL can be registered on a blocked host or below it, and the others stay as they were`, async (t) => {
    const { agent, app } = await world(t, { engine })
    const tenant = await agent.createTenant(['https://good.example/cb'])
    assert.equal(await blockHost(app.ctx, 'evil.example', 'Phishing.'), true)
    assert.equal(await blockHost(app.ctx, 'evil.example', 'Again.'), false)
    for (const url of [
      'https://evil.example/cb',
      'https://app.evil.example/cb',
      'https://*.evil.example/cb',
    ]) {
      const urls = ['https://good.example/new', url]
      const refused = await tenant.manage('POST', '/api/resources/social-login', {
        callback_urls: urls,
      })
      assertApiError(refused, 'callbackHostBlocked')
      assert.deepEqual(refused.json.error.details, { host: 'evil.example' })
      const both = {
        resources: ['social-login'],
        configurations: { 'social-login': { callback_urls: urls } },
      }
      assertApiError(await tenant.manage('POST', '/api/resources', both), 'callbackHostBlocked')
    }
    const listed = (await tenant.manage('GET', '/api/resources')).json.resources
    assert.deepEqual(
      listed[0].callback_urls,
      ['https://good.example/cb'],
      'a refusal changes nothing',
    )
    await tenant.provision(['https://notevil.example/cb', 'https://evil.example.org/cb'])
    assert.deepEqual(
      (await app.ctx.stores.blockedHosts.list()).map(({ reason }) => reason),
      ['Phishing.'],
    )
    assert.equal(await unblockHost(app.ctx, 'evil.example'), true)
    assert.equal(await unblockHost(app.ctx, 'evil.example'), false)
    await tenant.provision(['https://evil.example/cb'])
  })

  // proves C356, S044
  test(`[${engine}] logins to a blocked host stop, also those that have begun, and other hosts of the app keep working`, async (t) => {
    const { agent, app, browser } = await world(t, { engine })
    const tenant = await agent.createTenant(['https://evil.example/cb', 'https://good.example/cb'])
    await tenant.manage('PUT', '/api/social-login/providers/github', { mode: 'shared' })
    const good = `${tenant.loginUrl}?redirect_uri=${encodeURIComponent('https://good.example/cb')}`
    const person = browser()
    await person.open(tenant.loginUrl)
    await person.press('Ada Lovelace')
    await blockHost(app.ctx, 'evil.example', 'Phishing.')

    await person.press('Continue')
    assert.equal(person.page.status, 403)
    assert.match(person.page.text, /You can’t sign in to this app/)
    for (const provider of ['google', 'github']) {
      const start = await agent.call('GET', `/edge/auth/${tenant.id}/${provider}`, JSON_ONLY)
      assertApiError(start, 'callbackHostBlocked')
    }
    const { refusals } = (await tenant.manage('GET', '/api/social-login/refusals')).json
    assert.deepEqual(
      refusals.map(({ step, code, count }: Record<string, unknown>) => [step, code, count]),
      [['start', 'callbackHostBlocked', 2]],
    )
    assert.match(refusals[0].fix, /another host/)
    assert.equal(
      (await tenant.manage('GET', '/api/social-login/users')).json.users.length,
      0,
      'no user was signed in',
    )

    const other = browser()
    await other.open(good)
    await other.press('Ada Lovelace')
    assert.equal((await other.press('Continue')).host, 'good.example')
    await unblockHost(app.ctx, 'evil.example')
    await tenant.signIn(browser())
  })

  test(`[${engine}] the page of an expired login leads to no host that was blocked since`, async (t) => {
    const { agent, app, browser, clock } = await world(t, { engine })
    const tenant = await agent.createTenant(['https://evil.example/cb'])
    const person = browser()
    await person.open(tenant.loginUrl)
    await person.press('Ada Lovelace')
    await blockHost(app.ctx, 'evil.example', 'Phishing.')
    clock.advance({ minutes: 11 })
    await person.press('Continue')
    assert.equal(person.page.status, 403)
    assert.doesNotMatch(person.page.text, /href="https:\/\/evil\.example/)
  })

  // proves C356, S044
  test(`[${engine}] a Cancel at the provider and a link redirect to no host that was blocked since, and change nothing`, async (t) => {
    const { agent, app, browser, clock } = await world(t, { engine })
    const tenant = await agent.createTenant(['https://evil.example/cb'])
    await putProvider(tenant, 'github', { mode: 'shared' })
    const person = browser()
    const { access_token } = await tenant.signIn(person)
    clock.advance({ minutes: 1 })
    const link = async () =>
      (await tenant.edge('link', { access_token, provider: 'github' })).json.link_url
    const [opened, unopened] = [await link(), await link()]
    const assertRefused = () => {
      assert.deepEqual(
        [person.page.status, person.page.url.host],
        [403, new URL(agent.baseUrl).host],
      )
      assert.doesNotMatch(person.page.text, /href="https:..evil/)
    }
    const afterBlock = async (open: string, answer: () => Promise<unknown>) => {
      await person.open(open)
      await blockHost(app.ctx, 'evil.example', 'Phishing.')
      await answer()
      assertRefused()
      await unblockHost(app.ctx, 'evil.example')
      clock.advance({ minutes: 1 })
    }
    await afterBlock(tenant.loginUrl, () => person.press('Cancel'))
    await afterBlock(opened, () => pressAtProvider(person, 'Cancel'))
    await blockHost(app.ctx, 'evil.example', 'Phishing.')
    await person.open(unopened)
    assertRefused()
    assert.deepEqual(await tenant.eventKinds(), ['login_started', 'authorize', 'login_started'])
  })

  // proves S044
  test(`[${engine}] a decision that is sent again after its host was blocked redirects nowhere`, async (t) => {
    const { agent, app, browser } = await world(t, { engine })
    const tenant = await agent.createTenant(['https://evil.example/cb'])
    const person = browser()
    await person.open(tenant.loginUrl)
    await person.press('Ada Lovelace')
    const { url } = person.page
    const body = new URLSearchParams({ csrf: csrfOf(person), decision: 'allow' })
    const press = async () =>
      (await person.request(url, { method: 'POST', body })).headers.get('location') ?? ''
    const first = await press()
    assert.match(first, /^https:\/\/evil\.example\/cb\?access_token=/)
    assert.equal(await press(), first)
    await blockHost(app.ctx, 'evil.example', 'Phishing.')
    assert.doesNotMatch(await press(), /evil|token/)
  })

  // proves S044
  test(`[${engine}] a project of the console has no callback URL on a blocked host: the form says so, and nothing is created`, async (t) => {
    const { app, browser, baseUrl } = await world(t, { engine })
    await blockHost(app.ctx, 'evil.example', 'Phishing.')
    const owner = await signInToAccount(baseUrl, browser())
    await owner.open(`${baseUrl}/account/new-project`)
    await owner.press('Create project', {
      name: 'Shop',
      callback_urls: 'https://login.evil.example/cb',
    })
    assert.equal(owner.page.status, 403)
    assert.match(
      textOf(owner.page.text),
      /The operator of this service blocked the host evil\.example/,
    )
    assert.match(
      owner.page.text,
      /https:\/\/login\.evil\.example\/cb/,
      'the form keeps what was entered',
    )
    const [account] = await app.ctx.stores.accounts.findByEmail('ada@example.com')
    assert.deepEqual(await app.ctx.stores.ownership.ownedBy(account?.id ?? 0), [])
  })
}
