import { type CallbackErrorCode, callbackErrorOf } from './callback-error.ts'
import { readCallbackQuery } from './callback-query.ts'
import type { Client } from './client.ts'
import { GatehouseError, RateLimitedError, UnavailableError } from './errors.ts'
import { recallNonce } from './login-nonce.ts'
import { methodNotAllowed, redirect } from './redirect.ts'
import { locationOf } from './return-to.ts'
import type { RequestLike, TokenPair } from './types.ts'

export interface CallbackOptions {
  readonly client: Client
  /** Where the person goes when they were not on their way to anywhere. Default `/`. */
  readonly home?: string
  /** Where they go when it did not work, with `?error=<code>` and their `return_to`. Default: `home`. */
  readonly errorPath?: string
  /**
   * Refuse a sign-in that `startLogin` did not start in this browser. Default true. Turn it off only if you link to
   * `client.loginUrl()` directly; then a stranger can sign your visitors in to the stranger's account.
   */
  readonly requireNonce?: boolean
  /**
   * Trade the pair for a new one before it is stored, so that the pair in the browser's history, in proxies and in logs
   * is dead. Default false: it costs one auth event for each sign-in.
   */
  readonly rotateOnArrival?: boolean
  /** Hears of what went wrong at the service, for your log. */
  readonly onError?: (error: GatehouseError) => void
}

/**
 * Answers your callback: checks the tokens, stores them in cookies, and sends the browser on to a clean address. It is
 * always a redirect, never a page: tokens must not be in the address of anything that loads scripts or pictures.
 *
 * ```ts
 * app.get('/callback', (request) => handleCallback(request, { client, errorPath: '/sign-in-failed' }))
 * ```
 */
export async function handleCallback(request: RequestLike, options: CallbackOptions): Promise<Response> {
  const { client, home = '/', errorPath = home, requireNonce = true } = options
  if (request.method !== 'GET') return methodNotAllowed('GET')

  const { outcome, returnTo, nonce } = readCallbackQuery(request.url)
  const recalled = recallNonce(client.cookies, request, nonce)
  const failed = (error: CallbackErrorCode): Response =>
    redirect(errorLocation(errorPath, error, returnTo), recalled ?? [])

  if ('error' in outcome) return failed(outcome.error)
  if (requireNonce && recalled === null) return failed('nonce_mismatch')
  try {
    const tokens = await accept(outcome.tokens, options)
    if (tokens === null) return failed('invalid_tokens')
    const setCookies = [...client.cookies.store(request, tokens), ...(recalled ?? [])]
    return redirect(locationOf(returnTo ?? home), setCookies)
  } catch (error) {
    if (!(error instanceof GatehouseError)) throw error
    options.onError?.(error)
    return failed(callbackErrorOf(error))
  }
}

/** The pair to store, or null when it is not one of this project's. */
async function accept(tokens: TokenPair, options: CallbackOptions): Promise<TokenPair | null> {
  const { client, rotateOnArrival = false, onError } = options
  const isGood = async ({ accessToken }: TokenPair): Promise<boolean> => (await client.verify(accessToken)).valid
  if (!(await isGood(tokens))) return null
  if (!rotateOnArrival) return tokens
  try {
    return await client.refresh(tokens.refreshToken)
  } catch (error) {
    if (!(error instanceof RateLimitedError || error instanceof UnavailableError)) throw error
    onError?.(error)
    // Nobody is turned away for want of a precaution. Whether the pair was spent after all, the service knows.
    return (await isGood(tokens)) ? tokens : null
  }
}

function errorLocation(errorPath: string, error: CallbackErrorCode, returnTo: string | null): string {
  const url = new URL(locationOf(errorPath), 'https://app.invalid')
  url.searchParams.set('error', error)
  if (returnTo !== null) url.searchParams.set('return_to', returnTo)
  return url.pathname + url.search + url.hash
}
