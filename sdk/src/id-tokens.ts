/** ID tokens of a page that stores its tokens itself. Apart from `browser`, which is loaded by apps that need none. */

import type { BrowserSession } from './browser.ts'
import { type CoreClientOptions, createCoreClient } from './core-client.ts'
import { recordOf } from './encoding.ts'
import { InvalidAccessTokenError } from './service/errors.ts'
import { EXCHANGE_ERRORS } from './service/exchange.ts'
import { type ApiCall, authPathOf, createApiCall, mismatch } from './service/read-response.ts'
import { type Clock, RETRY_ONCE, systemClock, withRetry } from './service/send.ts'

/** An ID token for this audience, by default the first of the settings; null while signed out. */
export type IdTokens = (audience?: string) => Promise<string | null>

export interface IdTokensOptions extends CoreClientOptions {
  /** The session whose user the tokens name. */
  readonly session: Pick<BrowserSession, 'accessToken' | 'refresh'>
}

/**
 * A function that returns ID tokens, which databases and other systems verify by themselves. Call it whenever you need one:
 * concurrent calls share one request, and a token is kept until a minute before its end.
 *
 * @example
 * ```ts
 * import { browserSession } from '@gatehouse/sdk/browser'
 * import { idTokens } from '@gatehouse/sdk/id-tokens'
 *
 * const settings = { baseUrl: 'https://login.example.com', tenantId: 'swift-fox-running-k3qd' }
 * const idToken = idTokens({ ...settings, session: browserSession(settings) })
 * const token = await idToken('my-database')
 * ```
 */
export function idTokens({ session, ...options }: IdTokensOptions): IdTokens {
  const { send } = createCoreClient(options, null, EXCHANGE_ERRORS)
  const idTokenFor = createIdTokens(createApiCall(send, authPathOf(options.tenantId)))
  return async (audience) => {
    const accessToken = await session.accessToken()
    if (accessToken === null) return null
    try {
      return (await idTokenFor(accessToken, audience)).idToken
    } catch (error) {
      if (!(error instanceof InvalidAccessTokenError)) throw error
      // Revoked since another tab stored it, or the session has ended.
      const pair = await session.refresh()
      return pair === null ? null : (await idTokenFor(pair.accessToken, audience)).idToken
    }
  }
}

/** For sessions on a server, and for pages. */
export type IdTokenFor = (accessToken: string, audience?: string) => Promise<IssuedIdToken>

export function createIdTokens(call: ApiCall): IdTokenFor {
  const shared = shareIdTokens()
  return (accessToken, audience) =>
    shared(`${audience ?? ''} ${accessToken}`, async () => {
      const body = { access_token: accessToken, audience }
      const response = await withRetry(RETRY_ONCE, systemClock, () => call('id-token', body))
      const issued = readIdToken(response.json)
      if (issued === null) throw mismatch(response)
      return issued
    })
}

export interface IssuedIdToken {
  readonly idToken: string
  /** In seconds, from now on. */
  readonly expiresIn: number
}

/** null if these are not the fields of a response with an ID token. */
export function readIdToken(json: unknown): IssuedIdToken | null {
  const { id_token: idToken, expires_in: expiresIn } = recordOf(json)
  return typeof idToken === 'string' && typeof expiresIn === 'number' ? { idToken, expiresIn } : null
}

/** A token is not handed out in its last minute: it would expire on the way. */
const LAST_SECONDS = 60
const KEPT_MAX = 1_000

interface Shared {
  readonly issued: Promise<IssuedIdToken>
  readonly started: number
  until: number
}

/** Shares one request among concurrent calls with the same key, and its token among later ones. */
export function shareIdTokens(
  clock: Pick<Clock, 'now'> = systemClock,
): (key: string, load: () => Promise<IssuedIdToken>) => Promise<IssuedIdToken> {
  const kept = new Map<string, Shared>()
  const load = (key: string, request: () => Promise<IssuedIdToken>): Shared => {
    if (kept.size >= KEPT_MAX) kept.clear()
    const shared: Shared = { issued: request(), started: clock.now(), until: Number.POSITIVE_INFINITY }
    kept.set(key, shared)
    shared.issued.then(
      ({ expiresIn }) => (shared.until = shared.started + (expiresIn - LAST_SECONDS) * 1_000),
      () => (shared.until = 0),
    )
    return shared
  }
  return async (key, request) => {
    const known = kept.get(key)
    const { issued, started } = known !== undefined && clock.now() < known.until ? known : load(key, request)
    const { idToken, expiresIn } = await issued
    return { idToken, expiresIn: expiresIn - Math.ceil((clock.now() - started) / 1_000) }
  }
}

/** The claims of a token, unverified: for display only. */
export function claimsOf(token: string): Readonly<Record<string, unknown>> {
  const [, payload = ''] = token.split('.')
  const bytes = Uint8Array.from(atob(payload.replaceAll('-', '+').replaceAll('_', '/')), (text) => text.charCodeAt(0))
  return recordOf(JSON.parse(new TextDecoder().decode(bytes)))
}
