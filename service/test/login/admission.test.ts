import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Tenant } from '../support/actors/agent.ts'
import { assertApiError } from '../support/actors/api-error.ts'
import type { Browser } from '../support/actors/browser.ts'
import { pressAtProvider, putProvider } from '../support/actors/providers.ts'
import { databaseOf, everyRow } from '../support/postgres/database-rows.ts'
import { ENGINES } from '../support/postgres/engines.ts'
import { raw } from '../support/postgres/storage.ts'
import { slow } from '../support/tags.ts'
import { world } from '../support/world.ts'

const SETTINGS = '/api/social-login/settings'

/** Chooses this account at Google. Returns the `error` of the callback, or null if the consent page is shown. */
async function choose(tenant: Tenant, browser: Browser, user: string): Promise<string | null> {
  await browser.open(tenant.loginUrl)
  return (await browser.press(user)).searchParams.get('error')
}

for (const engine of ENGINES) {
  // proves C182, S013, S050
  test(`[${engine}] a domain admits the accounts of its Workspace; an address at that domain is not enough`, async (t) => {
    const service = await world(t, { engine })
    const { agent, browser, clock } = service
    const tenant = await agent.createTenant()
    await tenant.manage('PATCH', SETTINGS, { allowed_domains: ['Example.com'] })
    // Ada's address is at example.com, but her account is a consumer account.
    assert.equal(await choose(tenant, browser(), 'Ada Lovelace'), 'login_failed')
    assert.doesNotMatch(
      JSON.stringify(await everyRow(service)),
      /ada@example|Lovelace/,
      'nothing of her is stored',
    )
    clock.advance({ minutes: 1 })
    assert.equal(await choose(tenant, browser(), 'Grace Hopper'), null)

    const events = await tenant.events()
    const failed = events.find(({ event }) => event === 'login_failed')
    assert.deepEqual(failed?.metadata, { stage: 'userinfo', error_code: 'not_allowed' })
    assert.equal(failed?.user_id, null)
    assert.equal(failed?.email, null)
    assert.deepEqual(await tenant.users(), [], 'no user is stored before consent')
  })

  // proves C182
  test(`[${engine}] an address is admitted in any case, besides the domains; an empty list admits every account again`, async (t) => {
    const { agent, browser, clock } = await world(t, { engine })
    const tenant = await agent.createTenant()
    const lists = {
      allowed_domains: ['other.example'],
      allowed_emails: ['ADA@example.com', 'ada@example.com'],
    }
    const { json } = await tenant.manage('PATCH', SETTINGS, lists)
    assert.deepEqual(json.allowed_emails, ['ada@example.com'])
    assert.equal(await choose(tenant, browser(), 'Ada Lovelace'), null)
    clock.advance({ minutes: 1 })
    assert.equal(await choose(tenant, browser(), 'Grace Hopper'), 'login_failed')
    await tenant.manage('PATCH', SETTINGS, { allowed_domains: [], allowed_emails: [] })
    clock.advance({ minutes: 1 })
    assert.equal(await choose(tenant, browser(), 'Alan Turing'), null)
  })

  for (const [name, settings, code] of [
    ['is closed', { admission: 'invited', allowed_emails: ['boss@example.com'] }, 'not_invited'],
    ['admits only addresses in a list', { allowed_emails: ['boss@example.com'] }, 'not_allowed'],
  ] as const) {
    // proves S094
    test(`[${engine}] a project that ${name} while the consent page of a stranger is open gets no user and no event but login_failed`, async (t) => {
      const { agent, browser, clock } = await world(t, { engine })
      const tenant = await agent.createTenant()
      const person = browser()
      assert.equal(await choose(tenant, person, 'Ada Lovelace'), null)
      await tenant.manage('PATCH', SETTINGS, settings)
      clock.advance({ minutes: 8 })
      const url = await person.press('Continue')
      assert.deepEqual([...url.searchParams], [['error', 'login_failed']])
      assert.deepEqual(await tenant.users(), [])
      assert.deepEqual(await tenant.eventKinds(), ['login_started', 'login_failed'])
      const [failed] = await tenant.events('&event=login_failed')
      assert.deepEqual(failed?.metadata, { stage: 'userinfo', error_code: code })
    })
  }

  test(`[${engine}] a login in progress from the previous release, which stored no Workspace, isn't checked again`, {
    skip: slow,
  }, async (t) => {
    const here = await world(t, { engine })
    const tenant = await here.agent.createTenant()
    const person = here.browser()
    assert.equal(await choose(tenant, person, 'Ada Lovelace'), null)
    await raw(databaseOf(here), 'update login_attempts set hosted_domain = null')
    await tenant.manage('PATCH', SETTINGS, {
      admission: 'invited',
      allowed_emails: ['boss@example.com'],
    })
    assert.notEqual((await person.press('Continue')).searchParams.get('access_token'), null)
  })

  // proves S094
  test(`[${engine}] a list that is set while a consent page is open applies to users too, and to each by its Workspace as Google reported it`, async (t) => {
    const { agent, browser, clock } = await world(t, { engine })
    const tenant = await agent.createTenant()
    await tenant.signIn(browser())
    clock.advance({ minutes: 1 })
    const [ada, grace] = [browser(), browser()]
    assert.equal(await choose(tenant, ada, 'Ada Lovelace'), null)
    assert.equal(await choose(tenant, grace, 'Grace Hopper'), null)
    await tenant.manage('PATCH', SETTINGS, { allowed_domains: ['example.com'] })
    assert.equal(
      (await ada.press('Continue')).searchParams.get('error'),
      'login_failed',
      'a consumer account',
    )
    assert.notEqual(
      (await grace.press('Continue')).searchParams.get('access_token'),
      null,
      'an account of the Workspace',
    )
    await tenant.manage('PATCH', SETTINGS, { admission: 'invited', allowed_domains: [] })
    clock.advance({ minutes: 1 })
    await tenant.signIn(browser())
    assert.deepEqual(
      (await tenant.users()).map(({ email }) => email),
      ['ada@example.com', 'grace@example.com'],
      'who is a user stays one in a closed project',
    )
  })

  // proves S095
  test(`[${engine}] an identity that is removed while its consent page is open signs in as no new user`, async (t) => {
    const { agent, browser, baseUrl, clock } = await world(t, { engine })
    const tenant = await agent.createTenant()
    await putProvider(tenant, 'github', { mode: 'shared' })
    await tenant.signIn(browser())
    const github = async () => {
      clock.advance({ minutes: 1 })
      const person = browser()
      await person.open(`${baseUrl}/edge/auth/${tenant.id}/github`)
      await pressAtProvider(person, 'Grace Hopper')
      return person
    }
    await (await github()).press('Continue')
    assert.equal(
      (await tenant.manage('POST', '/api/social-login/users/1/merge', { from: 2 })).status,
      200,
    )
    const open = await github()
    await tenant.manage('DELETE', '/api/social-login/users/1/identities/github')
    await open.press('Continue')
    assert.deepEqual([open.page.status, (await tenant.users()).map(({ id }) => id)], [410, [1]])
  })
}

// proves C183, S051
test('the login link passes hints to Google: the address, the prompt and the only allowed domain', async (t) => {
  const { agent, clock, logLines } = await world(t)
  const tenant = await agent.createTenant()
  const start = async (query = ''): Promise<URLSearchParams> => {
    clock.advance({ minutes: 1 })
    const response = await agent.call('GET', `/edge/auth/${tenant.id}/google${query}`)
    assert.equal(response.status, 302, response.text)
    return new URL(response.headers.get('location') ?? '').searchParams
  }
  const plain = await start()
  assert.deepEqual(
    [plain.get('prompt'), plain.get('login_hint'), plain.get('hd')],
    ['select_account', null, null],
  )
  const hinted = await start('?login_hint=grace%40example.com&prompt=auto')
  assert.deepEqual([hinted.get('prompt'), hinted.get('login_hint')], [null, 'grace@example.com'])
  assert.ok(!logLines.join('\n').includes('grace@'), 'the hint is not logged')
  assert.ok(!JSON.stringify(await tenant.events()).includes('grace@'), 'the hint is not stored')

  await tenant.manage('PATCH', SETTINGS, { allowed_domains: ['example.com'] })
  assert.equal((await start()).get('hd'), 'example.com')
  await tenant.manage('PATCH', SETTINGS, { allowed_domains: ['example.com', 'other.example'] })
  assert.equal((await start()).get('hd'), '*')
})

// proves S051
test('a hint that is too long and an unknown prompt are rejected, and nothing is counted', async (t) => {
  const { agent } = await world(t)
  const tenant = await agent.createTenant()
  for (const query of [
    `?login_hint=${'x'.repeat(255)}`,
    '?prompt=none',
    '?prompt=consent',
    '?prompt=',
  ]) {
    const headers = { Accept: 'application/json' }
    assertApiError(
      await agent.call('GET', `/edge/auth/${tenant.id}/google${query}`, { headers }),
      'invalidRequest',
    )
  }
  assert.deepEqual(await tenant.events(), [])
})

test('an invalid domain or address is 400 with its position, and the lists are bounded', async (t) => {
  const { agent } = await world(t)
  const tenant = await agent.createTenant()
  for (const body of [
    { allowed_domains: ['example.com', 'https://example.com'] },
    { allowed_domains: ['*.example.com'] },
    { allowed_domains: ['localhost'] },
    { allowed_domains: ['\u212aiosk.example'] },
    { allowed_emails: ['ada'] },
    { allowed_emails: ['a@b@c.d'] },
    { allowed_domains: Array.from({ length: 51 }, (_, n) => `d${n}.example`) },
    { allowed_emails: Array.from({ length: 501 }, (_, n) => `u${n}@example.com`) },
  ]) {
    assertApiError(await tenant.manage('PATCH', SETTINGS, body), 'invalidRequest')
  }
  const { json } = await tenant.manage('PATCH', SETTINGS, {
    allowed_domains: ['example.com', 'no domain'],
  })
  assert.deepEqual(
    json.error.details.problems.map(({ path }: { path: string }) => path),
    ['allowed_domains[1]'],
  )
  const most = Array.from(
    { length: 500 },
    (_, n) => `${n}${'x'.repeat(60)}@${'y'.repeat(60)}.example.com`,
  )
  assert.equal((await tenant.manage('PATCH', SETTINGS, { allowed_emails: most })).status, 200)
})

test('with prompt=auto the development Google still lets the user choose', async (t) => {
  const { agent, browser, clock } = await world(t)
  const tenant = await agent.createTenant()
  const user = browser()
  await tenant.signIn(user)
  clock.advance({ minutes: 2 })
  await user.open(`${tenant.loginUrl}?prompt=auto`)
  await user.press('Grace Hopper')
  assert.match(user.page.text, /grace@example\.com/)
})
