import assert from 'node:assert/strict'
import { Browser } from '../../../service/test/support/actors/browser.ts'
import { overHttp, type Transport } from '../../../service/test/support/transport/http-transport.ts'
import type { Fixture } from './fixture.ts'

export interface App {
  readonly url: string
  /** A page that requires a signed-in user. Its query must survive the login. */
  readonly page: string
  readonly shows: RegExp
  /** The login path, if the page does not redirect to it. */
  readonly login?: string
  readonly transport?: Transport
}

export const NOTES = { page: '/notes?page=2', shows: /Notes of (<!-- -->)?ada@example\.com/ }

/** A script gets 401 instead of the login on another origin, and an outage is 503 for everyone with a session. */
export async function checkGuards(fixture: Fixture, url: string): Promise<void> {
  const page = url + NOTES.page
  const refused = await fetch(page, { headers: { Accept: 'application/json' }, redirect: 'manual' })
  assert.deepEqual([refused.status, refused.headers.get('location')], [401, null])
  assert.match(await refused.text(), /"code":"signedOut".*"login":"\/login"/)

  await fixture.service.stop()
  const cookie = { Cookie: 'gh_access=a; gh_refresh=r' }
  for (const headers of [{ Accept: 'application/json' }, { Accept: 'text/html' }]) {
    const unknown = await fetch(page, { headers: { ...cookie, ...headers }, redirect: 'manual' })
    assert.equal(unknown.status, 503, await unknown.text())
    assert.deepEqual(unknown.headers.getSetCookie(), [], 'the user stays signed in')
  }
}

/**
 * Signs a user in through the app, refreshes an expired session, loses a refresh race, and signs out. Asserts the cookies
 * at each step and the service's events at the end.
 */
export async function runLoginJourney(fixture: Fixture, app: App): Promise<void> {
  const { service, tenant, otherClient, expireAccessTokens } = fixture
  const { url, page, shows, login, transport = overHttp } = app
  const events = ['login_started', 'authorize', 'token_refreshed']
  const browser = new Browser({ origins: [service.baseUrl, url], transport, now: service.clock.now })
  const tokenCookies = (): Readonly<Record<string, string>> =>
    Object.fromEntries(
      browser.cookies
        .list()
        .filter(({ name }) => name.startsWith('gh_'))
        .map(({ name, value }) => [name, value]),
    )
  const openPage = async (): Promise<void> => {
    const opened = await browser.open(url + page)
    assert.equal(opened.href, url + page, browser.page.text)
    assert.match(browser.page.text, shows)
  }

  await browser.open(url + (login ?? page))
  await browser.press('Ada Lovelace')
  const opened = await browser.press('Continue')
  assert.equal(opened.href, url + page, 'the requested page, with no token in the URL')
  assert.match(browser.page.text, shows)
  const first = tokenCookies()
  assert.deepEqual(Object.keys(first).sort(), ['gh_access', 'gh_refresh'], 'the cookie of the login is removed')
  await openPage()
  assert.deepEqual(tokenCookies(), first, 'a valid pair is not refreshed')

  expireAccessTokens()
  await openPage()
  const second = tokenCookies()
  assert.deepEqual(Object.keys(second).sort(), ['gh_access', 'gh_refresh'])
  assert.notEqual(second.gh_refresh, first.gh_refresh)

  if (login === undefined) {
    // Another process of the app refreshes first, and its cookies have not reached the browser yet.
    service.clock.advance({ minutes: 1 })
    const { refreshToken } = await otherClient().refresh(second.gh_refresh ?? '')
    const superseded = await browser.request(url + page)
    assert.equal(superseded.status, 307)
    assert.equal(new URL(superseded.headers.get('location') ?? '', url).href, url + page)
    browser.cookies.keep(new URL(url), [`gh_refresh=${refreshToken}; Path=/; Max-Age=2592000`])
    await openPage()
    events.push('token_refreshed', 'token_refreshed')
  }

  // Logout also works with an expired access token.
  expireAccessTokens()
  if (browser.page.text.includes('Sign out</button>')) await browser.press('Sign out')
  else await browser.request(`${url}/logout`, { method: 'POST', headers: { Origin: url }, body: new URLSearchParams() })
  assert.deepEqual(tokenCookies(), {}, 'all token cookies are removed')
  events.push('logout')
  await browser.open(url + page)
  assert.doesNotMatch(browser.page.text, shows)
  if (login === undefined) events.push('login_started')
  assert.deepEqual(await tenant.eventKinds(), events)
}
