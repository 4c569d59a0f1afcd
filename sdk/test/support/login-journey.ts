import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { Browser } from '../../../service/test/support/actors/browser.ts'
import {
  accessibilityViolations,
  openChromiumPage,
} from '../../../service/test/support/actors/chromium-page.ts'
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
  /**
   * A recipe without our SDK. Its callback shows the error page for a token pair in the URL, where that of our SDK starts a
   * login, and has one code, `expired`, for every login that this browser can't finish.
   */
  readonly withoutSdk?: true
}

/** The texts of an app that renders the page after a failed sign-in itself. */
export interface OwnTexts {
  readonly signIn: string
  readonly denied: string
  readonly failed: string
  readonly over: string
}

export const NOTES = { page: '/notes?page=2', shows: /Notes of (<!-- -->)?ada@example\.com/ }

/** The recipe for plain Node: a public page, which also says why a sign-in failed. */
export const GREETING = { login: '/login', page: '/', shows: /Hello, Ada Lovelace/ }

export const GREETING_TEXTS: OwnTexts = {
  signIn: 'Sign in with Google',
  denied: 'You did not agree to sign in, so nothing was shared.',
  failed: 'The sign-in failed, or this app does not accept the account that you chose.',
  over: 'This sign-in was not started in this browser, or it took too long.',
}

/** A script gets 401 instead of the login on another origin, and an outage is 503 for everyone with a session. */
export async function checkGuards(
  fixture: Fixture,
  { url, page: path, login }: App,
): Promise<void> {
  const page = url + path
  if (login === undefined) {
    const refused = await fetch(page, {
      headers: { Accept: 'application/json' },
      redirect: 'manual',
    })
    assert.deepEqual([refused.status, refused.headers.get('location')], [401, null])
    assert.match(await refused.text(), /"code":"signedOut".*"login":"\/login"/)
  }

  await fixture.service.stop()
  const { id } = fixture.tenant
  const cookie = { Cookie: `gh_${id}_access=a; gh_${id}_refresh=r` }
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
  const browser = new Browser({
    origins: [service.baseUrl, url],
    transport,
    now: service.clock.now,
  })
  const tokenCookies = (): Readonly<Record<string, string>> =>
    Object.fromEntries(
      browser.cookies
        .list()
        .filter(({ name }) => name.startsWith(`gh_${tenant.id}_`))
        .map(({ name, value }) => [name.replace(`_${tenant.id}`, ''), value]),
    )
  const openPage = async (): Promise<void> => {
    const opened = await browser.open(url + page)
    assert.equal(opened.href, url + page, browser.page.text)
    assert.match(browser.page.text, shows)
    const { headers } = browser.page
    assert.match(headers.get('cache-control') ?? '', /no-store/, 'a page of a signed-in user')
    assert.match(headers.get('content-type') ?? '', /^text\//, 'not a download')
  }

  await browser.open(url + (login ?? page))
  await browser.press('Ada Lovelace')
  const opened = await browser.press('Continue')
  assert.equal(opened.href, url + page, 'the requested page, with no token in the URL')
  assert.match(browser.page.text, shows)
  const first = tokenCookies()
  assert.deepEqual(
    Object.keys(first).sort(),
    ['gh_access', 'gh_refresh'],
    'the cookie of the login is removed',
  )
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
    browser.cookies.keep(new URL(url), [
      `gh_${tenant.id}_refresh=${refreshToken}; Path=/; Max-Age=2592000`,
    ])
    await openPage()
    events.push('token_refreshed', 'token_refreshed')
  }

  // Logout also works with an expired access token.
  expireAccessTokens()
  if (browser.page.text.includes('Sign out</button>')) {
    await browser.press('Sign out')
  } else {
    await browser.request(`${url}/logout`, {
      method: 'POST',
      headers: { Origin: url },
      body: new URLSearchParams(),
    })
  }
  assert.deepEqual(tokenCookies(), {}, 'all token cookies are removed')
  events.push('logout')
  await browser.open(url + page)
  assert.doesNotMatch(browser.page.text, shows)
  if (login === undefined) {
    events.push('login_started')
  }
  assert.deepEqual(await tenant.eventKinds(), events)
}

/**
 * In Chromium: a user cancels, then is blocked, another is not allowed, the provider fails, and a login expires. Each time the user learns why, on
 * a page whose URL has no code, and signs in again from there. `own`: the texts of an app that renders the page itself.
 */
export async function checkSignInErrors(
  t: TestContext,
  { service, tenant }: Pick<Fixture, 'service' | 'tenant'>,
  { url, page: path, shows, login = path, withoutSdk }: App,
  own?: OwnTexts,
): Promise<void> {
  const { page, checkLayout, browserErrors } = await openChromiumPage(t, 390)
  const texts = own ?? {
    signIn: 'Sign in again',
    denied: 'You cancelled the sign-in, so nothing was shared with this app.',
    failed: 'The sign-in failed, or this app doesn’t accept the account that you chose.',
    over: 'This sign-in took too long, was already used, or was started in another browser.',
  }
  // Not the first registered callback, where a login without redirect_uri would end.
  const callback = `${url}/auth/callback`
  await tenant.provision(['https://app.example/auth/callback', callback])
  const name = `${t.name.replaceAll(/\W+/g, '-').slice(0, 60)}`
  const start = async (): Promise<void> => {
    service.clock.advance({ minutes: 1 })
    await page.goto(url + login)
  }
  const press = (label: string): Promise<void> => page.getByRole('button', { name: label }).click()
  const learns = async (text: string, code: string): Promise<void> => {
    await page.getByText(text).waitFor()
    const { origin, searchParams } = new URL(page.url())
    assert.equal(origin, url)
    assert.deepEqual(
      [searchParams.get('error') ?? searchParams.get('sign_in_error'), searchParams.get('code')],
      [code, null],
    )
    const names = (await page.context().cookies(url)).map((cookie) => cookie.name)
    assert.deepEqual(
      names.filter((each) => each.startsWith('gh_')),
      [],
      'no cookie of the login is left',
    )
    if (own !== undefined) {
      return
    }
    await checkLayout(`${name}-${code}`)
    assert.deepEqual(await accessibilityViolations(page), [])
    assert.equal(
      await page.locator('meta[name=viewport]').count(),
      1,
      'a phone shrinks a page without it',
    )
    assert.equal(
      await page.getByRole('link', { name: 'Go to the start page' }).getAttribute('href'),
      '/',
    )
  }

  await start()
  await press('Ada Lovelace')
  await press('Cancel')
  await learns(texts.denied, 'access_denied')
  service.clock.advance({ minutes: 1 })
  await page.getByRole('link', { name: texts.signIn }).click()
  await press('Ada Lovelace')
  await press('Continue')
  await page.waitForURL(url + path)
  assert.match(await page.content(), shows)

  // The only user so far. Blocking ends their session, too.
  const [user] = await tenant.users()
  assert.equal(
    (await tenant.manage('POST', `/api/social-login/users/${user?.id}/block`)).status,
    200,
  )
  await page.context().clearCookies({ name: /^gh_/ })
  await start()
  await press('Ada Lovelace')
  await learns(texts.failed, 'login_failed')

  const allowed = await tenant.manage('PATCH', '/api/social-login/settings', {
    allowed_emails: ['grace@example.com'],
  })
  assert.equal(allowed.status, 200, allowed.text)
  await start()
  await press('Alan Turing')
  await learns(texts.failed, 'login_failed')

  await start()
  await press('Token exchange fails')
  await learns(texts.failed, 'login_failed')

  await start()
  await press('Grace Hopper')
  await page.getByRole('button', { name: 'Continue' }).waitFor()
  // As in a browser that has removed the cookie of the login.
  await page.context().clearCookies({ name: /^gh_\S+_login_/ })
  await press('Continue')
  await learns(texts.over, withoutSdk ? 'expired' : 'nonce_mismatch')

  // The login link that the service prints. Its tokens are ignored, and a login of this browser follows.
  service.clock.advance({ minutes: 1 })
  await page.goto(`${tenant.loginUrl}?redirect_uri=${encodeURIComponent(callback)}`)
  await press('Grace Hopper')
  await press('Continue')
  if (withoutSdk) {
    await learns(texts.over, 'expired')
  }
  service.clock.advance({ minutes: 1 })
  if (withoutSdk) {
    await page.getByRole('link', { name: texts.signIn }).click()
  }
  await press('Grace Hopper')
  await press('Continue')
  const opens = withoutSdk ? '/' : new URL(path, url).pathname
  await page.waitForURL((opened) => opened.origin === url && opened.pathname === opens)
  assert.deepEqual(browserErrors, [])
}
