import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Browser } from '../support/actors/browser.ts'
import { CLIENT_ID, json, scriptedProvider, tokens } from '../support/faults/scripted-provider.ts'
import { type World, world } from '../support/world.ts'

/** A browser in which a test has set the cookie. */
function browserOf(service: World, person: string): Browser {
  const browser = service.browser()
  browser.cookies.keep(new URL(service.baseUrl), [`gatehouse_dev_person=${person}; Path=/`])
  return browser
}

const FAILURES = [
  ['deny', 'access_denied', 'consent_denied', { by: 'provider' }],
  [
    'token_exchange',
    'login_failed',
    'login_failed',
    { stage: 'token_exchange', error_code: 'invalid_grant' },
  ],
  ['userinfo', 'login_failed', 'login_failed', { stage: 'userinfo', error_code: 'provider_error' }],
  [
    'email_unverified',
    'login_failed',
    'login_failed',
    { stage: 'userinfo', error_code: 'email_unverified' },
  ],
  [
    'user_upsert',
    'login_failed',
    'login_failed',
    { stage: 'user_upsert', error_code: 'subject_too_long' },
  ],
] as const

// proves C389
test('with the cookie gatehouse_dev_person the login link alone signs that user in', async (t) => {
  const service = await world(t)
  const tenant = await service.agent.createTenant()
  await tenant.signIn(service.browser(), 'Ada Lovelace')

  for (const person of ['ada@example.com', 'new%2Bperson%40example.com']) {
    service.clock.advance({ minutes: 1 })
    const callback = await browserOf(service, person).open(`${tenant.loginUrl}?return_to=/notes`)
    assert.equal(callback.origin, 'https://app.example.com')
    assert.equal(callback.searchParams.get('return_to'), '/notes')
    assert.equal(await tenant.isValid(callback.searchParams.get('access_token') ?? ''), true)
  }
  assert.deepEqual(
    (await tenant.users()).map(({ email, name }) => [email, name]),
    [
      ['ada@example.com', 'Ada Lovelace'],
      ['new+person@example.com', null],
    ],
    'a sample user is the same user as on the page',
  )
  assert.deepEqual(await tenant.eventKinds(), Array(3).fill(['login_started', 'authorize']).flat())
})

test('an unreadable cookie gatehouse_dev_person decides nothing on the consent page', async (t) => {
  const service = await world(t)
  const tenant = await service.agent.createTenant()
  const browser = service.browser()
  await browser.open(tenant.loginUrl)
  await browser.press('Ada Lovelace')
  browser.cookies.keep(new URL(service.baseUrl), ['gatehouse_dev_person=%; Path=/'])
  const page = await browser.request(browser.page.url, { headers: { Accept: 'text/html' } })
  assert.deepEqual([page.status, await tenant.users()], [200, []])
})

// proves C389
test('the cookie gatehouse_dev_person chooses every way in which a login can fail', async (t) => {
  const service = await world(t)
  const tenant = await service.agent.createTenant()
  for (const [outcome, error, event, metadata] of FAILURES) {
    service.clock.advance({ minutes: 1 })
    const callback = await browserOf(service, `grace@example.com|${outcome}`).open(tenant.loginUrl)
    assert.equal(callback.search, `?error=${error}`, outcome)
    const last = (await tenant.events()).at(-1)
    assert.deepEqual([last?.event, last?.metadata], [event, metadata], outcome)
  }
  assert.deepEqual(await tenant.users(), [])
})

test('an invalid value of gatehouse_dev_person is a 400 that names the valid ones', async (t) => {
  const service = await world(t)
  const tenant = await service.agent.createTenant()
  for (const person of ['ada', 'ada@example.com|sleep', 'ada@example.com|deny|deny', '']) {
    service.clock.advance({ minutes: 1 })
    const browser = browserOf(service, person)
    await browser.open(tenant.loginUrl)
    assert.equal(browser.page.status, 400, person)
    assert.match(
      browser.page.text,
      /gatehouse_dev_person must be an email address.*deny, token_exchange/,
    )
  }
  assert.deepEqual(await tenant.eventKinds(), Array(4).fill('login_started'))
  assert.deepEqual(await tenant.users(), [])
})

// proves C398
test('with a real Google the cookie gatehouse_dev_person is ignored: the user sees the consent page', async (t) => {
  const provider = await scriptedProvider(t)
  const service = await world(t, {
    env: {
      GOOGLE_CLIENT_ID: CLIENT_ID,
      GOOGLE_CLIENT_SECRET: 'secret',
      GOOGLE_ISSUER: provider.issuer,
    },
  })
  const tenant = await service.agent.createTenant()
  const browser = browserOf(service, 'mallory@example.com')
  const request = (await browser.open(tenant.loginUrl)).searchParams
  provider.script('/token', json(tokens(provider.issuer, { nonce: request.get('nonce') })))
  const back = new URL('/auth/google/callback', service.baseUrl)
  back.search = new URLSearchParams({ code: 'x', state: request.get('state') ?? '' }).toString()
  await browser.open(back)
  assert.equal(browser.page.status, 200)
  assert.match(browser.page.text, /ada@example\.com/)
  assert.doesNotMatch(browser.page.text, /mallory/)
  assert.deepEqual(await tenant.eventKinds(), ['login_started'])
  assert.deepEqual(await tenant.users(), [])
})
