/** ID tokens of a page that stores its tokens itself. Apart from `browser`, which is loaded by apps that need none. */

import type { BrowserSession } from './browser.ts'
import { type CoreClientOptions, createCoreClient } from './core-client.ts'
import { InvalidAccessTokenError } from './service/errors.ts'
import { createIdTokens, EXCHANGE_ERRORS } from './service/exchange.ts'
import { authPathOf, createApiCall } from './service/read-response.ts'

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
 * import { browserSession } from '@gatehouse-auth/sdk/browser'
 * import { idTokens } from '@gatehouse-auth/sdk/id-tokens'
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
    if (accessToken === null) {
      return null
    }
    try {
      return (await idTokenFor(accessToken, audience)).idToken
    } catch (error) {
      if (!(error instanceof InvalidAccessTokenError)) {
        throw error
      }
      // Revoked since another tab stored it, or the session has ended.
      const pair = await session.refresh()
      return pair === null ? null : (await idTokenFor(pair.accessToken, audience)).idToken
    }
  }
}
