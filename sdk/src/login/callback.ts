import type { Client } from '../client.ts'
import { GatehouseError, LoginNotStartedError, RateLimitedError, UnavailableError } from '../service/errors.ts'
import { newBind } from '../session/session-cookies.ts'
import type { RequestLike, TokenPair } from '../types.ts'
import { type LoginCode, readServerCallback } from './callback-code.ts'
import { type CallbackErrorCode, callbackErrorOf } from './callback-error.ts'
import type { LoginFlow } from './login-flow.ts'
import { consumeNonce } from './login-nonce.ts'
import { consumeVerifier, exchangeKey } from './login-verifier.ts'
import { methodNotAllowed, redirect } from './redirect.ts'
import { toLocation } from './return-to.ts'

export interface CallbackOptions {
  readonly client: Client
  /** Default `code`. The same for `startLogin`. */
  readonly flow?: LoginFlow
  /** The path to redirect to when there is no `return_to`. Default `/`. */
  readonly home?: string
  /** The path to redirect to on an error, with `?error=<code>` and `return_to`. Default: `home`. */
  readonly errorPath?: string
  /**
   * Reject a sign-in that `startLogin` did not start in this browser. Default true. Turn it off only if you link to
   * `client.loginUrl()` directly, which ends with tokens in the URL; this permits login CSRF: an attacker can sign a visitor
   * in to the attacker's account.
   */
  readonly requireNonce?: boolean
  /**
   * Refresh the pair before storing it, which revokes the pair in browser history, proxies and logs. Default false: it
   * costs one auth event per sign-in. Has no effect on the flow `code`, which has no pair in a URL.
   */
  readonly rotateOnCallback?: boolean
  /** Called with errors of the service, and with a login that `startLogin` did not start, for your log. */
  readonly onError?: (error: GatehouseError) => void
}

/**
 * Handles your callback: exchanges the code, or verifies the tokens, stores the pair in cookies, and redirects to a URL
 * without either. The response is always a redirect, never a page: a page that loads other resources could leak its URL.
 *
 * @example
 * ```ts
 * import { createClient, handleCallback } from '@gatehouse/sdk'
 *
 * const client = createClient({ baseUrl: 'https://login.example.com', tenantId: 'swift-fox-running-k3qd' })
 * const callback = (request: Request) => handleCallback(request, { client, errorPath: '/sign-in-failed' })
 * const response = await callback(new Request('https://app.example/auth/callback?error=access_denied'))
 * console.log(response.headers.get('location')) // /sign-in-failed?error=access_denied
 * ```
 */
export async function handleCallback(request: RequestLike, options: CallbackOptions): Promise<Response> {
  const { client, home = '/', errorPath = home, requireNonce = true, flow = 'code' } = options
  if (request.method !== 'GET') return methodNotAllowed('GET')

  const { outcome, returnTo, nonce } = readServerCallback(request.url)
  const login =
    'code' in outcome
      ? consumeVerifier(client.cookies, request, outcome.code)
      : { verifier: null, setCookies: consumeNonce(client.cookies, request, nonce) }
  const clearCookies = login?.setCookies ?? null
  const failed = (error: CallbackErrorCode): Response =>
    redirect(errorLocation(errorPath, error, returnTo), clearCookies ?? [])

  if ('error' in outcome) return failed(outcome.error)
  // Without a nonce to compare, tokens are accepted; otherwise only those of the flow that startLogin uses.
  const isStarted = 'code' in outcome ? login !== null : !requireNonce || (flow === 'tokens' && clearCookies !== null)
  if (!isStarted) {
    // A reloaded callback, or one of very many tabs. The browser keeps its own session; what is in the URL is ignored.
    if (await isSignedIn(request, options)) return redirect(toLocation(returnTo ?? home))
    if ('code' in outcome || nonce !== null) return failed('nonce_mismatch')
    options.onError?.(new LoginNotStartedError())
    return failed('login_not_started')
  }
  try {
    // A new one for each login: a value that was planted in this browser before must not bind the session.
    const bind = newBind()
    const tokens =
      'code' in outcome
        ? await exchange(client, outcome.code, login?.verifier ?? '')
        : await accept(outcome.tokens, bind, options)
    if (tokens === null) return failed('invalid_tokens')
    const setCookies = [...(await client.storage.start(request, tokens, bind)), ...(clearCookies ?? [])]
    return redirect(toLocation(returnTo ?? home), setCookies)
  } catch (error) {
    if (!(error instanceof GatehouseError)) throw error
    options.onError?.(error)
    return failed(callbackErrorOf(error))
  }
}

/** The pair comes from the service itself, so it needs no verification. */
const exchange = async (client: Client, { code }: LoginCode, verifier: string): Promise<TokenPair> =>
  client.exchange({ code, verifier, idempotencyKey: await exchangeKey(verifier) })

async function isSignedIn(request: RequestLike, { client, onError }: CallbackOptions): Promise<boolean> {
  try {
    return (await client.session(request)).status === 'signedIn'
  } catch (error) {
    if (!(error instanceof GatehouseError)) throw error
    onError?.(error)
    return false
  }
}

/** The pair to store, or null when the pair is not valid for this tenant. */
async function accept(tokens: TokenPair, bind: string, options: CallbackOptions): Promise<TokenPair | null> {
  const { client, rotateOnCallback = false, onError } = options
  const isValid = async ({ accessToken }: TokenPair): Promise<boolean> => (await client.verify(accessToken)).valid
  if (!(await isValid(tokens))) return null
  if (!rotateOnCallback) return tokens
  try {
    return await client.refresh(tokens.refreshToken, { bind })
  } catch (error) {
    if (!(error instanceof RateLimitedError || error instanceof UnavailableError)) throw error
    onError?.(error)
    // A failed rotation must not fail the sign-in. Verify again: the refresh may have succeeded without a response.
    return (await isValid(tokens)) ? tokens : null
  }
}

function errorLocation(errorPath: string, error: CallbackErrorCode, returnTo: string | null): string {
  const url = new URL(toLocation(errorPath), 'https://app.invalid')
  url.searchParams.set('error', error)
  if (returnTo !== null) url.searchParams.set('return_to', returnTo)
  return url.pathname + url.search + url.hash
}
