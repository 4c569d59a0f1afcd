import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Refusal } from '@gatehouse-auth/contract'
import type { z } from 'zod'
import { sweep } from '../../src/operations/sweep.ts'
import type { Tenant } from '../support/actors/agent.ts'
import { claim } from '../support/actors/claim.ts'
import { ENGINES } from '../support/postgres/engines.ts'
import { world } from '../support/world.ts'

const refusalsOf = async (tenant: Tenant): Promise<z.infer<typeof Refusal>[]> =>
  (await tenant.manage('GET', '/api/social-login/refusals')).json.refusals

const start = (query: string): string => `?${new URLSearchParams({ redirect_uri: query })}`

for (const engine of ENGINES) {
  // proves C184, S053
  test(`[${engine}] a redirect_uri that is not registered is listed with the closest one and the fix, once for all of its kind`, async (t) => {
    const { agent, browser, clock } = await world(t, { engine })
    const tenant = await agent.createTenant()
    const first = clock.now()
    for (const path of ['callbak?note=secret', 'call', 'other?user=ada']) {
      await browser().open(tenant.loginUrl + start(`https://app.example.com/${path}`))
      clock.advance({ seconds: 1 })
      assert.equal((await refusalsOf(tenant)).length, 1, 'written, and still one kind')
    }
    await browser().open(`${tenant.loginUrl}?return_to=https://elsewhere.example.com`)
    const [returnTo, redirect, ...others] = await refusalsOf(tenant)
    assert.deepEqual(others, [])
    assert.equal(returnTo?.code, 'invalidReturnTo')
    assert.deepEqual(redirect, {
      step: 'start',
      code: 'invalidRedirectUri',
      count: 3,
      first_at_ms: first,
      last_at_ms: first + 2_000,
      sent: 'https://app.example.com/other',
      closest: 'https://app.example.com/callback',
      differs: 'path',
      meaning: redirect?.meaning,
      fix: 'Send redirect_uri=https://app.example.com/callback, or add https://app.example.com/other to the registered URLs (`provision --add`; POST /api/resources/social-login replaces the whole list).',
    })
    const { text } = await tenant.manage('GET', '/api/status')
    assert.match(text, /"recent_refusals":\[\{"step":"start","code":"invalidReturnTo"/)
    assert.doesNotMatch(text, /secret|ada|elsewhere/)
  })

  // proves C184
  test(`[${engine}] a failure after Google, an expired attempt and another browser are listed; a sign-in and a cancellation are not`, async (t) => {
    const { agent, browser, clock } = await world(t, { engine })
    const tenant = await agent.createTenant()
    await tenant.signIn(browser())
    clock.advance({ minutes: 1 })
    const canceling = browser()
    await canceling.open(tenant.loginUrl)
    await canceling.press('Cancel')
    assert.deepEqual(await refusalsOf(tenant), [])

    clock.advance({ minutes: 1 })
    const failing = browser()
    await failing.open(tenant.loginUrl)
    await failing.press('Userinfo fails')
    clock.advance({ minutes: 1 })
    const late = browser()
    await late.open(tenant.loginUrl)
    clock.advance({ minutes: 11 })
    await late.press('Ada Lovelace')
    clock.advance({ minutes: 1 })
    const begun = await agent.call('GET', `/edge/auth/${tenant.id}/google`)
    const state = new URL(begun.headers.get('location') ?? '').searchParams.get('state')
    await browser().open(`${agent.baseUrl}/auth/google/callback?code=x&state=${state}`)
    assert.deepEqual(
      (await refusalsOf(tenant)).map(({ step, code, count }) => `${step} ${code} ${count}`),
      ['callback loginOtherBrowser 1', 'callback loginOver 1', 'callback provider_error 1'],
    )
  })

  // proves C184, S016, S052
  test(`[${engine}] strangers can't fill it: a refusal per host is one of a few kinds, and they end after 24 hours`, async (t) => {
    const { agent, app, clock } = await world(t, {
      engine,
      env: { TRUSTED_PROXIES: '127.0.0.0/8' },
    })
    const tenant = await agent.createTenant()
    const other = await agent.createTenant()
    for (let n = 0; n < 60; n++) {
      await agent.call(
        'GET',
        `/edge/auth/${tenant.id}/google${start(`https://h${n}.example.org:${n + 1}/${n}`)}`,
      )
    }
    await agent.call(
      'GET',
      `/edge/auth/no-such-tenant-${'x'.repeat(5)}/google${start('https://a.example')}`,
    )
    const kinds = await refusalsOf(tenant)
    assert.ok(kinds.length <= 5, JSON.stringify(kinds))
    assert.equal(
      kinds.reduce((sum, { count }) => sum + count, 0),
      60,
    )
    assert.deepEqual(await refusalsOf(other), [])
    clock.advance({ hours: 24, seconds: 1 })
    assert.deepEqual(await refusalsOf(tenant), [])
    await agent.call('GET', `/edge/auth/${tenant.id}/google${start('https://h1.example.org/1')}`)
    assert.equal((await refusalsOf(tenant))[0]?.count, 1, 'counting starts again')
    clock.advance({ hours: 25 })
    await sweep(app.ctx)
    assert.deepEqual(await app.ctx.stores.refusals.list(tenant.id, 0, 50), [])
  })
}

// proves S053
test('a blocked user, an account outside the lists and a limit are listed, each with its fix and without the user', async (t) => {
  const { agent, browser, clock } = await world(t)
  const tenant = await agent.createTenant()
  await tenant.signIn(browser())
  await tenant.manage('POST', '/api/social-login/users/1/block')
  const attempt = async (): Promise<void> => {
    clock.advance({ minutes: 1 })
    const visitor = browser()
    await visitor.open(tenant.loginUrl)
    await visitor.press('Ada Lovelace')
  }
  await attempt()
  await tenant.manage('PATCH', '/api/social-login/settings', { allowed_domains: ['other.example'] })
  await attempt()
  clock.advance({ minutes: 1 })
  for (let start = 0; start < 4; start++) {
    await browser().open(tenant.loginUrl)
  }
  const refusals = await refusalsOf(tenant)
  assert.deepEqual(
    refusals.map(({ step, code, count, fix }) => [
      step,
      code,
      count,
      /unblock|settings|Retry-After/.exec(fix)?.[0],
    ]),
    [
      ['start', 'rateLimited', 1, 'Retry-After'],
      ['callback', 'not_allowed', 1, 'settings'],
      ['callback', 'user_blocked', 1, 'unblock'],
    ],
  )
  assert.doesNotMatch(JSON.stringify(refusals), /ada|@/i)
})

test('a wrong prompt, response_type or challenge is listed with its fix, and not for a tenant that does not exist', async (t) => {
  const { agent, browser } = await world(t)
  const tenant = await agent.createTenant()
  const challenge = 'x'.repeat(43)
  for (const query of [
    'prompt=none',
    'response_type=token',
    'response_type=code',
    `response_type=code&code_challenge=${challenge}&code_challenge_method=plain`,
    `response_type=code&code_challenge=short&code_challenge_method=S256`,
    'login_hint='.padEnd(2_000, 'x'),
  ]) {
    for (const url of [tenant.loginUrl, tenant.loginUrl.replace(tenant.id, 'no-such-tenant')]) {
      assert.ok((await browser().request(`${url}?${query}`)).status >= 400)
    }
  }
  const listed = (await refusalsOf(tenant)).map(({ step, code, count, differs, fix }) => [
    step,
    code,
    count,
    differs,
    fix,
  ])
  assert.deepEqual(
    listed.map((each) => each.slice(0, 4)).sort(),
    [
      ['start', 'invalidRequest', 3, 'code_challenge'],
      ['start', 'invalidRequest', 1, 'prompt'],
      ['start', 'invalidRequest', 1, 'response_type'],
    ].sort(),
  )
  const fixes = Object.fromEntries(listed.map(([, , , differs, fix]) => [differs, fix]))
  assert.match(String(fixes.prompt), /select_account or auto/)
  assert.match(String(fixes.response_type), /response_type=code with code_challenge/)
  assert.match(String(fixes.code_challenge), /code_challenge_method=S256.*plain is refused/)
  assert.deepEqual(await tenant.events(), [], 'nothing was counted')

  const early = await agent.createTenant(null)
  await browser().request(`${tenant.loginUrl.replace(tenant.id, early.id)}?prompt=none`)
  await early.provision(['https://app.example.com/callback'])
  assert.deepEqual(await refusalsOf(early), [], 'it had no social login')
})

test('the status shows the three newest kinds at once, and of an expired guest none', async (t) => {
  const { agent, clock } = await world(t)
  const tenant = await agent.createTenant()
  clock.advance({ hours: 71 })
  const queries = [
    'return_to=//x',
    'redirect_uri=https://one.example/callback',
    'redirect_uri=http://app.example.com/callback',
    'redirect_uri=https://app.example.com/other',
  ]
  for (const [index, query] of queries.entries()) {
    await agent.call('GET', `/edge/auth/${tenant.id}/google?${query}`)
    clock.advance({ seconds: 1 })
    const { resources, recent_refusals = [] } = await tenant.status()
    assert.deepEqual([resources.length, recent_refusals.length], [1, Math.min(index + 1, 3)], query)
  }
  clock.advance({ hours: 1 })
  const { status, resources, recent_refusals = [] } = await tenant.status()
  assert.deepEqual([status, resources, recent_refusals], ['expired', [], []])
})

// proves S016, S054
test('the fix does not tell an agent to register the URL of a stranger', async (t) => {
  const { agent, browser } = await world(t)
  const tenant = await agent.createTenant()
  const fixOf = async (url: string): Promise<string | undefined> => {
    await browser().open(tenant.loginUrl + start(url))
    return (await refusalsOf(tenant)).find(({ sent }) => sent === url)?.fix
  }
  const change = 'Send redirect_uri=https://app.example.com/callback'
  assert.equal(
    await fixOf('https://evil.example/callback'),
    `${change}. Register https://evil.example/callback only if your app runs there: anyone can send a login link with a URL of their own.`,
  )
  for (const own of ['http://localhost:3000/callback', 'https://app.example.com/$(id)']) {
    const list = '`provision --add`; POST /api/resources/social-login replaces the whole list'
    assert.equal(await fixOf(own), `${change}, or add ${own} to the registered URLs (${list}).`)
  }
})

test("the owner sees refused sign-ins and their fix on the project's page, and so does no other account", async (t) => {
  const { agent, browser, baseUrl } = await world(t)
  const tenant = await agent.createTenant()
  const [owner, other] = [browser(), browser()]
  await claim(tenant, owner)
  await claim(await agent.createTenant(), other, 'Grace Hopper')
  await browser().open(tenant.loginUrl + start('https://app.example.com/calback?user=ada'))
  const page = `${baseUrl}/account/projects/${tenant.id}`
  await owner.open(page)
  assert.match(
    owner.page.text,
    /https:\/\/app\.example\.com\/calback<\/code>[\s\S]*Send redirect_uri=https:/,
  )
  assert.doesNotMatch(owner.page.text, /user=ada/)
  await other.open(page)
  assert.equal(other.page.status, 404)
})

test('refusals stay when a development service deletes all users, also those that are not stored yet', async (t) => {
  const { agent, browser, clock } = await world(t)
  const tenant = await agent.createTenant()
  await browser().open(tenant.loginUrl + start('https://app.example.com/other'))
  clock.advance({ seconds: 1 })
  assert.equal((await tenant.manage('DELETE', '/api/social-login/users')).status, 200)
  assert.deepEqual(
    (await refusalsOf(tenant)).map(({ code }) => code),
    ['invalidRedirectUri'],
  )
})

test('refusals are listed while the guest is paused, which is one of them', async (t) => {
  const { agent, app, browser } = await world(t)
  const tenant = await agent.createTenant()
  await app.ctx.stores.tenants.pause(tenant.id, 'lifetime_events', app.ctx.now())
  app.ctx.directory.invalidate(tenant.id)
  await browser().open(tenant.loginUrl)
  const [refusal] = await refusalsOf(tenant)
  assert.equal(refusal?.code, 'tenantPaused')
})
