import assert from 'node:assert/strict'
import { test } from 'node:test'
import { messagesIn } from '../../src/http/pages/languages/language.ts'
import type { Tenant } from '../support/actors/agent.ts'
import { type Browser, type Page, shownError } from '../support/actors/browser.ts'
import { openClaim, requestClaim } from '../support/actors/claim.ts'
import { csrfOf } from '../support/actors/csrf.ts'
import { HOSTILE, textOf } from '../support/actors/page-checks.ts'
import { activateProvider, ownedTenant } from '../support/actors/providers.ts'
import { type World, world } from '../support/world.ts'

const CALLBACK = 'https://notes.example.com/callback'
const de = await messagesIn('de')
const GERMAN = { 'Accept-Language': 'de-CH,de;q=0.9,en;q=0.1' }
const FRENCH = { 'Accept-Language': 'fr' }

/** The `<html>` tag, and the text of the page. */
const shown = ({ text }: Pick<Page, 'text'>): { tag: string; words: string } => ({
  tag: /<html[^>]*>/.exec(text)?.[0] ?? '',
  words: textOf(text.replaceAll(/<\/?b>/g, '')),
})

function assertGerman(browser: Browser, words: RegExp): void {
  const page = shown(browser.page)
  assert.equal(page.tag, '<html lang="de">', page.words)
  assert.match(page.words, words)
}

const setUp = async (at: World): Promise<Tenant> => at.agent.createTenant([CALLBACK])

// proves C236
test('the consent page is in the language of the browser, and works in it', async (t) => {
  const at = await world(t)
  const tenant = await setUp(at)
  const person = at.browser(GERMAN)
  await person.open(tenant.loginUrl)
  await person.press('Ada Lovelace')
  assertGerman(person, /Bei notes\.example\.com anmelden\?/)
  assert.equal(person.page.url.search, '')
  assert.equal(person.page.headers.get('cache-control'), 'no-store')
  const landed = await person.press('Weiter')
  assert.equal(landed.origin + landed.pathname, CALLBACK)
  assert.ok(landed.searchParams.has('access_token'))
})

// proves C237
test('ui_locales of the login link decides until the end of the login: consent, another account, errors', async (t) => {
  const at = await world(t)
  const tenant = await setUp(at)
  const person = at.browser(FRENCH)
  await person.open(`${tenant.loginUrl}?ui_locales=de-CH%20fr`)
  await person.press('Ada Lovelace')
  assertGerman(person, /Ada Lovelace/)
  await person.press('Anderes Konto verwenden')
  await person.press('Grace Hopper')
  assertGerman(person, /Grace Hopper/)
  const consent = person.page.url
  const csrf = csrfOf(person)
  await person.press('Weiter')
  await person.open(consent)
  assertGerman(person, /Dieser Anmeldevorgang ist beendet/)
  const pressed = await person.request(consent, {
    method: 'POST',
    headers: { Accept: 'text/html', 'Sec-Fetch-Site': 'same-origin' },
    body: new URLSearchParams({ csrf, decision: 'other' }),
  })
  const shown = await shownError(person, pressed)
  assert.equal(shown.status, 410)
  assert.match(await shown.text(), /<html lang="de">/)
})

// proves C237
test('the error page of the callback is in the language of the login link', async (t) => {
  const at = await world(t)
  const tenant = await setUp(at)
  const person = at.browser()
  await person.open(`${tenant.loginUrl}?ui_locales=de`)
  const started = await person.request(`${tenant.loginUrl}?ui_locales=de`, {
    headers: { Accept: 'text/html' },
  })
  const state = new URL(started.headers.get('location') ?? '').searchParams.get('state') ?? ''
  const stranger = at.browser(FRENCH)
  await stranger.open(`${at.baseUrl}/auth/google/callback?code=x&state=${state}`)
  assert.equal(stranger.page.status, 403)
  assertGerman(stranger, /Diese Anmeldung gehört zu einem anderen Browser/)
})

// proves C237
test('the language in the state can’t be changed on the way', async (t) => {
  const at = await world(t)
  const tenant = await setUp(at)
  const person = at.browser()
  const started = await person.request(`${tenant.loginUrl}?ui_locales=de`, {
    headers: { Accept: 'text/html' },
  })
  const state = new URL(started.headers.get('location') ?? '').searchParams.get('state') ?? ''
  assert.match(state, /\.de$/)
  for (const other of [
    state.replace(/\.de$/, '.pl'),
    state.replace(/\.de$/, ''),
    `${state}.de`,
    `${state}.`,
  ]) {
    await person.open(`${at.baseUrl}/auth/google/callback?code=x&state=${other}`)
    assert.equal(person.page.status, 403, other)
  }
  assert.deepEqual(await tenant.eventKinds(), ['login_started'])
})

// proves C240
test('an OpenID provider gets the well-formed languages; GitHub and Apple, which have no such parameter, get none', async (t) => {
  const at = await world(t)
  const owned = await ownedTenant(at)
  const location = async (provider: string): Promise<URL> => {
    await activateProvider(at, owned, provider)
    const query = `ui_locales=${encodeURIComponent('sv de-CH "x" a&prompt=none')}`
    const response = await at
      .browser()
      .request(`${at.baseUrl}/edge/auth/${owned.tenant.id}/${provider}?${query}`)
    assert.equal(response.status, 302, await response.text())
    return new URL(response.headers.get('location') ?? '')
  }
  for (const [provider, expected] of [
    ['google', 'sv de-CH'],
    ['microsoft', 'sv de-CH'],
    ['github', null],
    ['apple', null],
  ] as const) {
    const { searchParams } = await location(provider)
    assert.equal(searchParams.get('ui_locales'), expected, provider)
    assert.notEqual(searchParams.get('prompt'), 'none')
  }
})

// proves C239
test('an error at the start says what to do in German; the developer’s part and JSON are in English', async (t) => {
  const at = await world(t)
  const tenant = await setUp(at)
  const wrong = `${tenant.loginUrl}?redirect_uri=https%3A%2F%2Fevil.example%2F`
  const person = at.browser(GERMAN)
  await person.open(wrong)
  assert.equal(person.page.status, 400)
  assertGerman(person, /Die App hat Sie mit einer Rückkehradresse hierher geschickt/)
  assert.match(
    person.page.text,
    /<div lang="en" dir="ltr">.*https:\/\/evil\.example\/ is not a registered callback URL/s,
  )
  const json = await person.request(wrong, { headers: { Accept: 'application/json' } })
  const english = await at.browser().request(wrong, { headers: { Accept: 'application/json' } })
  const message = async (response: Response) =>
    ((await response.json()) as { error: { message: string } }).error.message
  assert.equal(await message(json), await message(english))
})

// proves C238
test('a claim is in the language that the link asks for, until its result', async (t) => {
  const at = await world(t)
  const tenant = await setUp(at)
  const request = await requestClaim(tenant)
  const person = at.browser(FRENCH)
  await person.open(`${request.approval_url}?ui_locales=de`)
  assertGerman(person, new RegExp(de.claim.code))
  await person.press(de.site.continueWith('Google'))
  await person.press('Ada Lovelace')
  assertGerman(person, new RegExp(de.claim.manage.slice(0, 20)))
  await person.press(de.claim.approve)
  assertGerman(person, new RegExp(de.claimed.title))
})

// proves C238
test('a claim is in the language of the browser, and so are its errors', async (t) => {
  const at = await world(t)
  const request = await requestClaim(await setUp(at))
  const person = at.browser(GERMAN)
  await person.open(request.approval_url)
  assertGerman(person, new RegExp(de.claim.unaskedClose.slice(0, 20)))
  await person.open(`${at.baseUrl}/c/unknown`)
  assertGerman(person, /Dieser Übernahmelink ist ungültig/)
  const english = at.browser()
  await openClaim(english, request)
  assert.match(shown(english.page).words, /Keep this project\?/)
})

// proves C238
test('/me is in the language of the browser or of ui_locales, and its buttons keep it', async (t) => {
  const at = await world(t)
  const tenant = await setUp(at)
  await tenant.signIn(at.browser())
  const { me, site } = de
  const person = at.browser(FRENCH)
  await person.open(`${at.baseUrl}/me?ui_locales=de`)
  assertGerman(person, new RegExp(site.yourData))
  await person.press(site.signInWith('Google'))
  await person.press('Ada Lovelace')
  assert.equal(person.page.url.pathname, '/me')
  assertGerman(person, new RegExp(me.firstUsed))
  await person.press(me.signOut)
  assertGerman(person, new RegExp(me.done['signed-out'].slice(0, 20)))
  const other = at.browser(GERMAN)
  await other.open(`${at.baseUrl}/me`)
  assertGerman(other, new RegExp(me.question.slice(0, 20)))
})

// proves C243
test('Arabic pages are written from right to left; hosts and codes are not', async (t) => {
  const at = await world(t)
  const tenant = await setUp(at)
  const person = at.browser({ 'Accept-Language': 'ar-EG' })
  await person.open(tenant.loginUrl)
  await person.press('Ada Lovelace')
  assert.equal(shown(person.page).tag, '<html lang="ar" dir="rtl">')
  assert.match(
    person.page.text,
    /<span class="host"><span dir="ltr">notes\.<b>example\.com<\/b><\/span>/,
  )
})

// proves C241
test('an unknown or malformed language is English, and nothing of it is on the page or sent to the provider', async (t) => {
  const at = await world(t)
  const tenant = await setUp(at)
  for (const wish of ['sv', HOSTILE, 'de'.repeat(5_000), '__proto__', 'de\r\nX-Injected: 1']) {
    at.clock.advance({ minutes: 2 })
    const person = at.browser()
    const query = `?ui_locales=${encodeURIComponent(wish)}`
    const started = await person.request(tenant.loginUrl + query, {
      headers: { Accept: 'text/html' },
    })
    assert.equal(started.status, 302, wish.slice(0, 20))
    assert.equal(started.headers.get('x-injected'), null)
    const sent = new URL(started.headers.get('location') ?? '').searchParams.get('ui_locales')
    assert.equal(sent, wish === 'sv' ? 'sv' : null)
    await person.open(`${at.baseUrl}/me${query}`)
    assert.equal(shown(person.page).tag, '<html lang="en">')
    assert.doesNotMatch(person.page.text, /ui_locales|alert\(1\)|dede/)
  }
})

test('pages for owners and developers and their error pages stay English in a German browser', async (t) => {
  const at = await world(t)
  const person = at.browser(GERMAN)
  await person.open(`${at.baseUrl}/account`)
  await person.press('Sign in with Google')
  await person.press('Ada Lovelace')
  for (const [path, status] of [
    ['/', 200],
    ['/docs', 200],
    ['/privacy', 200],
    ['/account', 200],
    ['/account/projects/none', 404],
  ] as const) {
    await person.open(at.baseUrl + path)
    assert.equal(person.page.status, status, path)
    assert.equal(shown(person.page).tag, '<html lang="en">', path)
  }
})
