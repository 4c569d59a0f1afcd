import assert from 'node:assert/strict'
import { test } from 'node:test'
import { mePaths } from '../../src/http/me/paths.ts'
import { signInToAccount } from '../support/actors/account.ts'
import { openMe, pressOnMe, shownApp } from '../support/actors/me.ts'
import { textOf } from '../support/actors/page-checks.ts'
import { assertPageSecurity } from '../support/actors/page-security.ts'
import { everyRow } from '../support/postgres/database-rows.ts'
import { ENGINES } from '../support/postgres/engines.ts'
import { withinTwoSeconds } from '../support/process/wait-until.ts'
import { world } from '../support/world.ts'

const logoutsOf = (events: readonly { event: string; metadata: unknown; email: string | null }[]) =>
  events
    .filter(({ event }) => event === 'logout')
    .map(({ metadata, email }) => ({ metadata, email }))

for (const engine of ENGINES) {
  // proves C344
  test(`[${engine}] a person sees the apps they signed in to, with hosts, times and sessions, and creates no account`, async (t) => {
    const service = await world(t, { engine })
    const { agent, browser, baseUrl, clock } = service
    const notes = await agent.createTenant([
      'https://notes.example.com/callback',
      'https://*.notes.example.com/cb',
    ])
    const shop = await agent.createTenant(['https://shop.example.com/callback'])
    const other = await agent.createTenant(['https://other.example.com/callback'])
    await notes.signIn(browser())
    clock.advance({ hours: 3 })
    await notes.signIn(browser())
    await shop.signIn(browser())
    await other.signIn(browser(), 'Grace Hopper')
    const ada = await openMe(browser(), baseUrl)
    const text = textOf(ada.page.text)
    assert.match(text, /Ada Lovelace ada@example\.com/)
    const shown = shownApp(ada, notes.id) ?? ''
    assert.match(shown, /notes\.example\.com \*\.notes\.example\.com/)
    assert.match(shown, /First used 3 hours ago .* Last used 2 minutes ago/)
    assert.match(
      shown,
      /Sessions Last used 2 minutes ago Signed in 2 minutes ago.*Last used 3 hours ago Signed in 3 hours ago/,
    )
    assert.match(shown, /Temporary app/)
    assert.match(shownApp(ada, shop.id) ?? '', /shop\.example\.com/)
    assert.equal(shownApp(ada, other.id), null)
    assert.ok(!shown.includes(notes.id), 'the host is enough')
    assert.doesNotMatch(text, /other\.example\.com|grace/)
    const rows = await everyRow(service)
    assert.deepEqual(rows.accounts, [])
    assert.deepEqual(rows.account_sessions, [])
    assertPageSecurity('/me', ada.page, 200)
  })

  // proves C347
  test(`[${engine}] a person signs out of one app: its tokens end at every instance, the app gets a logout with reason person`, async (t) => {
    const here = await world(t, { engine })
    const there = await world(t, { like: here })
    const [notes, shop] = [await here.agent.createTenant(), await here.agent.createTenant()]
    const phone = await notes.signIn(here.browser())
    const laptop = await notes.signIn(here.browser())
    const grace = await notes.signIn(here.browser(), 'Grace Hopper')
    const kept = await shop.signIn(here.browser())
    const ada = await openMe(here.browser(), here.baseUrl)
    for (const { id } of [notes, shop]) {
      assert.ok(shownApp(ada, id)?.includes(id), 'apps at one host are told apart by id')
    }
    assert.equal(await pressOnMe(ada, mePaths.signOut, notes.id), '/me?done=signed-out')
    assert.match(textOf(ada.page.text), /You’re signed out of the app/)
    assert.match(shownApp(ada, notes.id) ?? '', /You’re not signed in/)
    for (const { access_token, refresh_token } of [phone, laptop]) {
      assert.equal(await notes.isValid(access_token), false)
      const elsewhere = notes.at(there.agent)
      await withinTwoSeconds(
        'ended at the other instance',
        async () => !(await elsewhere.isValid(access_token)),
      )
      await notes.assertRefreshRejected(refresh_token, 'invalidRefreshToken')
    }
    assert.equal(
      await notes.isValid(grace.access_token),
      true,
      'another user of the app stays signed in',
    )
    assert.equal(
      await shop.isValid(kept.access_token),
      true,
      'another app of the person keeps its session',
    )
    const ended = { metadata: { reason: 'person' }, email: 'ada@example.com' }
    assert.deepEqual(logoutsOf(await notes.events()), [ended, ended])
    assert.deepEqual(logoutsOf(await shop.events()), [])
    const audit = async () =>
      (await notes.manage('GET', '/api/audit')).json.actions.filter(
        ({ actor }: { actor: string }) => actor === 'person',
      )
    assert.deepEqual(
      (await audit()).map(({ action, target }: { action: string; target: string }) => [
        action,
        target,
      ]),
      [['user.sessions_ended', 'user:1']],
    )
    await pressOnMe(ada, mePaths.signOut, notes.id)
    assert.equal((await audit()).length, 1, 'a repeated press adds nothing to the audit')
  })

  // proves C347, ASVS 7.5.2
  test(`[${engine}] a person signs out everywhere, also of a paused app, and can sign in again`, async (t) => {
    const { agent, browser, baseUrl, clock } = await world(t, { engine })
    const apps = [
      await agent.createTenant(),
      await agent.createTenant(),
      await agent.createTenant(),
    ]
    const pairs = []
    for (const app of apps) {
      pairs.push(await app.signIn(browser()))
    }
    const grace = await apps[0]?.signIn(browser(), 'Grace Hopper')
    await apps[1]?.manage('POST', '/api/test-status', { status: 'paused' })
    const ada = await openMe(browser(), baseUrl)
    assert.equal(
      await pressOnMe(ada, mePaths.signOutEverywhere, ''),
      '/me?done=signed-out-everywhere',
    )
    for (const [index, app] of apps.entries()) {
      assert.equal(shownApp(ada, app.id)?.includes('You’re not signed in'), true)
      if (index !== 1) {
        assert.equal(await app.isValid(pairs[index]?.access_token ?? ''), false)
      }
    }
    assert.equal(await apps[0]?.isValid(grace?.access_token ?? ''), true)
    clock.advance({ minutes: 1 })
    const again = await apps[0]?.signIn(browser())
    assert.equal(await apps[0]?.isValid(again?.access_token ?? ''), true)
  })

  // proves C349, S017, ASVS 8.2.2
  test(`[${engine}] one person can neither see nor change the data of another, and a repeated or made-up request changes nothing`, async (t) => {
    const service = await world(t, { engine })
    const { agent, browser, baseUrl } = service
    const tenant = await agent.createTenant()
    const grace = await tenant.signIn(browser(), 'Grace Hopper')
    const ada = await openMe(browser(), baseUrl)
    const before = await everyRow(service)
    // Ada's page has no form with a token as long as she has no app: the one of "Sign out of this page" is the same.
    for (const action of [
      mePaths.signOut,
      mePaths.signOutEverywhere,
      mePaths.remove,
      mePaths.keep,
    ]) {
      for (const app of [tenant.id, 'no-such-app', '', `${tenant.id}' or 1=1`]) {
        await pressOnMe(ada, action, app)
      }
    }
    assert.deepEqual(await everyRow(service), before)
    assert.equal(await tenant.isValid(grace.access_token), true)
    assert.doesNotMatch(ada.page.text, /grace/i)
  })

  // proves C349, S017, ASVS 8.2.2
  test(`[${engine}] a session on /me is no account session, an account session opens no /me, and it ends after 30 minutes`, async (t) => {
    const service = await world(t, { engine })
    const { agent, browser, baseUrl, clock, app } = service
    await (await agent.createTenant()).signIn(browser())
    const ada = await openMe(browser(), baseUrl)
    const account = await signInToAccount(baseUrl, browser())
    const secretOf = (each: typeof ada, name: string) =>
      each.cookies.list().find((cookie) => cookie.name === name)?.value
    const me = secretOf(ada, 'gatehouse_me') ?? assert.fail('no cookie of /me')
    const owner = secretOf(account, 'gatehouse_account') ?? assert.fail('no cookie of the account')
    assert.equal(secretOf(ada, 'gatehouse_account'), undefined)
    assert.equal(secretOf(account, 'gatehouse_me'), undefined)
    const shows = async (path: string, cookie: string): Promise<string> =>
      (await agent.call('GET', path, { headers: { Accept: 'text/html', Cookie: cookie } })).text
    assert.match(await shows('/me', `gatehouse_me=${me}`), /Sign out of this page/)
    assert.match(await shows('/account', `gatehouse_account=${owner}`), /Your projects/)
    assert.doesNotMatch(
      await shows('/me', `gatehouse_me=${owner}; gatehouse_account=${owner}`),
      /Sign out of this page/,
    )
    assert.doesNotMatch(
      await shows('/account', `gatehouse_account=${me}; gatehouse_me=${me}`),
      /Your projects/,
    )

    clock.advance({ minutes: 29 })
    assert.match(await shows('/me', `gatehouse_me=${me}`), /Sign out of this page/)
    clock.advance({ minutes: 1 })
    assert.doesNotMatch(
      await shows('/me', `gatehouse_me=${me}`),
      /Sign out of this page/,
      'use does not extend it',
    )
    await app.sweep()
    assert.deepEqual((await everyRow(service)).me_sessions, [])
  })
}

test('leaving /me ends its session and no other, and signing in again replaces the previous one', async (t) => {
  const service = await world(t)
  const { agent, browser, baseUrl } = service
  const tenant = await agent.createTenant()
  const pair = await tenant.signIn(browser())
  const ada = await openMe(browser(), baseUrl)
  const first = (await everyRow(service)).me_sessions
  await ada.press('Sign out of this page')
  assert.match(textOf(ada.page.text), /You’re signed out of this page\..*Sign in with Google/)
  assert.deepEqual((await everyRow(service)).me_sessions, [])
  assert.equal(await tenant.isValid(pair.access_token), true)
  await openMe(ada, baseUrl)
  await ada.request(`${baseUrl}${mePaths.signIn}`, {
    method: 'POST',
    headers: { 'Sec-Fetch-Site': 'same-origin' },
  })
  const again = (await everyRow(service)).me_sessions
  assert.equal(again?.length, 1)
  assert.notDeepEqual(again, first)
})

test('a sign-in to /me that was cancelled, repeated or started in another browser opens nothing', async (t) => {
  const service = await world(t)
  const { browser, baseUrl } = service
  const ada = browser()
  await ada.open(`${baseUrl}/me`)
  await ada.press('Sign in with Google')
  await ada.press('Cancel')
  assert.match(textOf(ada.page.text), /You’re not signed in/)
  assert.deepEqual((await everyRow(service)).me_sessions, [])
  assert.equal((await ada.request(`${baseUrl}/me`)).status, 200)
  assert.equal(
    ada.cookies.list().some(({ name }) => name === 'gatehouse_me'),
    false,
  )
})

// proves C344
test('apps that have ended or were deleted are not on /me', async (t) => {
  const { agent, browser, baseUrl, clock } = await world(t)
  const [expired, removed] = [await agent.createTenant(), await agent.createTenant()]
  await expired.signIn(browser())
  clock.advance({ hours: 71 })
  const later = await agent.createTenant()
  await later.signIn(browser())
  await removed.signIn(browser())
  await removed.manage('DELETE', '/api/resources/social-login')
  clock.advance({ hours: 2 })
  const ada = await openMe(browser(), baseUrl)
  assert.equal(shownApp(ada, expired.id), null)
  assert.equal(shownApp(ada, removed.id), null)
  assert.notEqual(shownApp(ada, later.id), null)
})
