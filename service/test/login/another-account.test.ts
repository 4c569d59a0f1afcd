import assert from 'node:assert/strict'
import { test } from 'node:test'
import { STARTS_PER_MINUTE_PER_ADDRESS } from '@gatehouse-auth/contract'
import { minuteStart } from '../../src/domain/limits/counter.ts'
import { LOGIN_START_LIMIT } from '../../src/operations/limits/limit-requests.ts'
import { CALLBACK } from '../support/actors/agent.ts'
import { type Browser, shownError } from '../support/actors/browser.ts'
import { csrfOf } from '../support/actors/csrf.ts'
import { codeQuery, exchange, newVerifier } from '../support/actors/login-code.ts'
import { textOf } from '../support/actors/page-checks.ts'
import {
  activateProvider,
  EVERY_PROVIDER,
  ownedTenant,
  pressAtProvider,
} from '../support/actors/providers.ts'
import { everyRow } from '../support/postgres/database-rows.ts'
import { ENGINES } from '../support/postgres/engines.ts'
import { world } from '../support/world.ts'

/** Presses "Use another account" of the open consent page, without following the redirect. */
const pressOther = (
  person: Browser,
  csrf = csrfOf(person),
  { url } = person.page,
): Promise<Response> =>
  person.request(url, {
    method: 'POST',
    headers: { Accept: 'text/html', 'Sec-Fetch-Site': 'same-origin' },
    body: new URLSearchParams({ csrf, decision: 'other' }),
  })

for (const engine of ENGINES) {
  // proves C224
  test(`[${engine}] Use another account leads back to the chooser; it stays one login, and the app gets the second user only`, async (t) => {
    const { agent, browser } = await world(t, { engine })
    const tenant = await agent.createTenant()
    const person = browser()
    const verifier = newVerifier()
    await person.open(
      `${tenant.loginUrl}${codeQuery(verifier)}&return_to=/notes&prompt=auto&login_hint=ada@example.com`,
    )
    await person.press('Ada Lovelace')
    const first = person.page.url
    const chooser = await person.press('Use another account')
    assert.match(chooser.pathname, /^\/dev\/google\//)
    await person.press('Grace Hopper')
    assert.match(textOf(person.page.text), /Grace Hopper grace@example\.com/)
    assert.doesNotMatch(person.page.text, /ada@example\.com/)
    assert.notEqual(person.page.url.pathname, first.pathname)
    const old = await person.request(first, { headers: { Accept: 'text/html' } })
    assert.equal(old.status, 410, 'the first page has ended')
    const landed = await person.press('Continue')
    assert.equal(landed.searchParams.get('return_to'), '/notes')
    assert.equal(
      (await exchange(tenant, { code: landed.searchParams.get('code') ?? '', verifier })).status,
      200,
    )
    const users = await tenant.users()
    assert.deepEqual(
      users.map(({ email }) => email),
      ['grace@example.com'],
    )
    assert.deepEqual(await tenant.eventKinds(), ['login_started', 'authorize'])
  })

  // proves C225
  test(`[${engine}] a second press of Use another account gets the same redirect, and the first response alone counts`, async (t) => {
    const { agent, browser, app } = await world(t, { engine })
    const tenant = await agent.createTenant()
    const person = browser()
    await person.open(tenant.loginUrl)
    await person.press('Ada Lovelace')
    const csrf = csrfOf(person)
    // Both have found the attempt identified before the first one restarts it.
    const { attempts } = app.ctx.stores
    const { find } = attempts
    const both = Promise.withResolvers<void>()
    let found = 0
    t.mock.method(attempts, 'find', async (...args: Parameters<typeof find>) => {
      const attempt = await find(...args)
      found += 1
      if (found === 2) {
        both.resolve()
      }
      await both.promise
      return attempt
    })
    const answers = await Promise.all([pressOther(person, csrf), pressOther(person, csrf)])
    const later = await pressOther(person, csrf)
    const locations = [...answers, later].map((answer) => answer.headers.get('location'))
    assert.deepEqual(
      [...answers, later].map(({ status }) => status),
      [303, 303, 303],
    )
    assert.equal(new Set(locations).size, 1)
    const url = new URL(locations[0] ?? '')
    assert.equal(url.searchParams.get('prompt'), 'select_account')
    assert.equal(url.searchParams.has('login_hint'), false)
    await person.open(url)
    await person.press('Grace Hopper')
    assert.equal(
      (await pressOther(person, csrf)).status,
      403,
      'the token of the first page is not one of the second',
    )
    assert.ok((await person.press('Continue')).searchParams.has('access_token'))
    assert.deepEqual(await tenant.eventKinds(), ['login_started', 'authorize'])
  })

  test(`[${engine}] a second press of Use another account that arrives after the other account was chosen ends nothing, and leads to no chooser`, async (t) => {
    const { agent, browser, app } = await world(t, { engine })
    const tenant = await agent.createTenant()
    const person = browser()
    await person.open(tenant.loginUrl)
    await person.press('Ada Lovelace')
    const [csrf, page] = [csrfOf(person), person.page]
    const { stores } = app.ctx
    const { transaction } = stores
    // The second press has found the attempt identified before the first one restarts it.
    const { mock } = t.mock.method(
      stores,
      'transaction',
      async (...args: Parameters<typeof transaction>) => {
        mock.restore()
        await person.press('Use another account')
        await person.press('Grace Hopper')
        return transaction(...args)
      },
    )
    const second = await pressOther(person, csrf, page)
    // Back to the page that was pressed, which is over, and not to the chooser once more.
    assert.deepEqual([second.status, second.headers.get('location')], [303, page.url.pathname])
    assert.equal((await person.request(page.url, { headers: { Accept: 'text/html' } })).status, 410)
    assert.ok((await person.press('Continue')).searchParams.has('access_token'))
    assert.deepEqual(
      (await tenant.users()).map(({ email }) => email),
      ['grace@example.com'],
    )
    assert.deepEqual(await tenant.eventKinds(), ['login_started', 'authorize'])
  })

  // proves C225
  test(`[${engine}] a refused press of Use another account consumes nothing: without its token, from another site or browser, or while the provider is out of reach`, async (t) => {
    const service = await world(t, { engine })
    const { agent, browser, app } = service
    const tenant = await agent.createTenant()
    const person = browser()
    await person.open(tenant.loginUrl)
    await person.press('Ada Lovelace')
    const { url } = person.page
    const csrf = csrfOf(person)
    const attempts = async () => (await everyRow(service)).login_attempts
    const before = await attempts()
    const body = new URLSearchParams({ csrf, decision: 'other' })
    const post = (from: Browser, headers: Record<string, string>, form = body): Promise<Response> =>
      from.request(url, {
        method: 'POST',
        headers: { Accept: 'text/html', ...headers },
        body: form,
      })
    const stranger = browser()
    await stranger.open(tenant.loginUrl)
    const own = { 'Sec-Fetch-Site': 'same-origin' }
    const refusals = [
      await post(person, own, new URLSearchParams({ csrf: 'x', decision: 'other' })),
      await post(person, { 'Sec-Fetch-Site': 'cross-site', Origin: 'https://evil.example' }),
      await post(stranger, own),
    ]
    assert.deepEqual(
      refusals.map(({ status }) => status),
      [403, 403, 403],
    )
    t.mock.method(app.ctx.identity, 'authorizeUrl', async () => {
      throw new Error('no network')
    })
    assert.equal((await post(person, own)).status, 503)
    t.mock.restoreAll()
    const [kept] = (before ?? []).filter(({ stage }) => stage === 'identified')
    const [now] = ((await attempts()) ?? []).filter(({ stage }) => stage === 'identified')
    assert.deepEqual(now, kept)
    assert.ok((await person.press('Continue')).searchParams.has('access_token'))
    assert.equal(
      (await shownError(person, await post(person, own))).status,
      410,
      'not after the decision',
    )
  })
}

test('Use another account counts for its address, a second press does not, and the login lasts ten more minutes', async (t) => {
  const { agent, browser, app, clock } = await world(t)
  const { ctx } = app
  const tenant = await agent.createTenant()
  const consentPage = async () => {
    const person = browser()
    await person.open(tenant.loginUrl)
    await person.press('Ada Lovelace')
    const { page } = person
    return {
      person,
      press: () => pressOther(person, csrfOf({ page }), page),
      id: page.url.pathname.slice(-22),
    }
  }
  const [{ person, press, id }, neighbor] = [await consentPage(), await consentPage()]
  const identified = await ctx.stores.attempts.find(id, ctx.now())
  clock.advance({ minutes: 9 })
  const scope = `${LOGIN_START_LIMIT.scope}:${ctx.keyring.hash('source', '127.0.0.1')}` as const
  const counter = { scope, window: 'minute', start: minuteStart(ctx.now()) } as const
  await ctx.stores.transaction(({ counters }) =>
    counters.spend(counter, STARTS_PER_MINUTE_PER_ADDRESS - 1, null),
  )
  assert.deepEqual([(await press()).status, (await press()).status], [303, 303])
  const refused = (await neighbor.press()).headers.get('location') ?? ''
  const waiting = await neighbor.person.request(new URL(refused, neighbor.person.page.url), {
    headers: { Accept: 'text/html' },
  })
  assert.deepEqual([waiting.status, waiting.headers.has('retry-after')], [429, true])
  const chooser = (await press()).headers.get('location') ?? ''
  clock.advance({ minutes: 9, seconds: 59 })
  await person.open(chooser)
  await person.press('Grace Hopper')
  const refusedWith = async () => (await shownError(person, await press())).status
  assert.equal(await refusedWith(), 410, 'the second account waits for a decision')
  // As if this press had begun before the first one.
  t.mock.method(ctx.stores.attempts, 'find', async () => identified, { times: 1 })
  assert.equal(await refusedWith(), 410)
  const page = () => person.request(person.page.url, { headers: { Accept: 'text/html' } })
  assert.equal((await page()).status, 200)
  clock.advance({ seconds: 1 })
  assert.equal((await page()).status, 410)
})

for (const provider of EVERY_PROVIDER) {
  // proves C224
  test(`${provider}: Use another account starts the same provider and client again`, async (t) => {
    const service = await world(t)
    const owned = await ownedTenant(service, [CALLBACK])
    const { login_url } = await activateProvider(service, owned, provider)
    service.clock.advance({ minutes: 1 })
    const person = service.browser()
    await person.open(login_url)
    await pressAtProvider(person, 'Ada Lovelace')
    const reached = await person.press('Use another account')
    assert.match(reached.pathname, new RegExp(`^/dev/${provider.split('-')[0]}/`))
    await pressAtProvider(person, 'Grace Hopper')
    const landed = await person.press('Continue')
    assert.ok(landed.searchParams.has('access_token'), landed.href)
    const [user, ...others] = await owned.tenant.users()
    assert.match(user?.email ?? '', /grace/)
    assert.deepEqual(others, [])
  })
}
