import { type CookieOptions, sessionCookies } from '../session/session-cookies.ts'
import type { TokenPair } from '../types.ts'

/** A cookie as Playwright's `context.addCookies` takes it. */
export interface SessionCookie {
  name: string
  value: string
  url: string
  httpOnly: boolean
  secure: boolean
  sameSite: 'Lax'
}

export interface SessionCookiesOptions {
  /** The address of your app. */
  readonly url: string
  /** The `cookies` option of your client, if it has one. */
  readonly cookies?: CookieOptions | undefined
}

/**
 * The cookies of a signed-in browser, as your app's callback would set them. For apps that keep the pair in cookies.
 *
 * @example
 * ```ts
 * import { createTestSession, sessionCookiesFor } from '@gatehouse/sdk/testing'
 *
 * const service = { baseUrl: 'http://localhost:8787', managementKey: process.env.GATEHOUSE_KEY ?? '' }
 * const { tokens } = await createTestSession(service, { email: 'ada@example.com' })
 * const cookies = sessionCookiesFor(tokens, { url: 'http://localhost:3000' })
 * // await context.addCookies(cookies)
 * console.log(cookies[0]?.name) // gh_access
 * ```
 */
export function sessionCookiesFor(tokens: TokenPair, { url, cookies }: SessionCookiesOptions): SessionCookie[] {
  // With the cookie that binds the browser: a client without a secret ignores it.
  const lines = sessionCookies(cookies, true).store({ url }, tokens)
  return lines.map((line) => {
    const [pair = '', ...attributes] = line.split('; ')
    const equals = pair.indexOf('=')
    return {
      name: pair.slice(0, equals),
      value: pair.slice(equals + 1),
      url: new URL(url).origin,
      httpOnly: attributes.includes('HttpOnly'),
      secure: attributes.includes('Secure'),
      sameSite: 'Lax',
    }
  })
}
