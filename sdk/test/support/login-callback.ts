import assert from 'node:assert/strict'
import { type CallbackOptions, handleCallback, startLogin } from '../../src/index.ts'
import { APP, applySetCookies, browserRequest, type Fixture } from './fixture.ts'

export type Cookies = Readonly<Record<string, string>>

const PATHS = { home: '/home', errorPath: '/sign-in-failed' }

interface AtCallback {
  readonly callbackUrl: URL
  readonly cookies: Cookies
  /** The `Set-Cookie` lines of the start. */
  readonly startLines: readonly string[]
}

/** The two requests of an app's login, with these options. Without `flow`: in the default one. */
export const loginCallback = (login: Pick<CallbackOptions, 'flow' | 'home'> = {}) => ({
  /** A user starts a login and decides at the consent page. Returns the callback URL, which is not requested yet. */
  async signInUpToCallback(
    { service, client }: Fixture,
    path: string,
    decision = 'Continue',
  ): Promise<AtCallback> {
    service.clock.advance({ minutes: 1 })
    const redirectUri = `${APP}/callback`
    const started = await startLogin(browserRequest(path), { client, ...login, redirectUri })
    assert.equal(started.status, 303)
    const startLines = started.headers.getSetCookie()
    const browser = service.browser()
    await browser.open(started.headers.get('location') ?? '')
    await browser.press('Ada Lovelace')
    return {
      callbackUrl: await browser.press(decision),
      cookies: applySetCookies(startLines),
      startLines,
    }
  },

  async openCallback(
    { client }: Pick<Fixture, 'client'>,
    callbackUrl: URL | string,
    cookies: Cookies = {},
    options: Partial<CallbackOptions> = {},
  ): Promise<{ location: string | null; stored: Cookies; response: Response }> {
    const request = browserRequest(String(callbackUrl), cookies)
    const response = await handleCallback(request, { client, ...PATHS, ...login, ...options })
    assert.equal(await response.text(), '', 'a redirect without a body')
    assert.equal(response.headers.get('cache-control'), 'no-store')
    const to = response.headers.get('location') ?? ''
    assert.doesNotMatch(to, to.startsWith('/') ? /svc_|eyJ|gh_nonce/ : /svc_|eyJ/)
    const stored = applySetCookies(response.headers.getSetCookie(), cookies)
    return { location: response.headers.get('location'), stored, response }
  },
})
