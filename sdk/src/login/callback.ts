import type { Client } from '../client.ts'
import {
  GatehouseError,
  LoginNotStartedError,
  RateLimitedError,
  UnavailableError,
} from '../service/errors.ts'
import { newBind } from '../session/session-cookies.ts'
import type { RequestLike, TokenPair } from '../types.ts'
import { type CallbackErrorCode, callbackErrorOf, readCallbackError } from './callback-error.ts'
import { type CallbackQuery, readCallbackQuery } from './callback-query.ts'
import { errorPage } from './error-page.ts'
import { clearOnlyLogin, consumeNonce, consumeVerifier, exchangeKey } from './login-cookies.ts'
import { methodNotAllowed, redirect, toLocation } from './redirect.ts'
import { type LoginFlow, startLogin } from './start-login.ts'

export interface CallbackOptions {
  readonly client: Client
  /** Default `code`. The same for `startLogin`. */
  readonly flow?: LoginFlow | undefined
  /** The path to redirect to when there is no `return_to`. Default `/`. */
  readonly home?: string | undefined
  /**
   * Your own page for failed sign-ins: the path to redirect to, with `?error=<code>` and `return_to`. It must be open to
   * signed-out users. Default: a page of this package, at the URL of your callback, in the user's language.
   */
  readonly errorPath?: string | undefined
  /** The path of your login, for the button of that page. Default `/login`. */
  readonly loginPath?: string | undefined
  /** A page for signed-out users, for the link of that page. Default `/`; null: no link. */
  readonly startPath?: string | null | undefined
  /** The languages of that page and of the login, best first, such as `de-CH fr`. Default: those of the browser. */
  readonly uiLocales?: string | undefined
  /**
   * Reject a sign-in that `startLogin` did not start in this browser. Default true: the tokens of a direct link to
   * `client.loginUrl()` are ignored, and a login that this browser starts follows. false accepts them, which permits login
   * CSRF: an attacker can sign a visitor in to the attacker's account.
   */
  readonly requireNonce?: boolean | undefined
  /**
   * Refresh the pair before storing it, which revokes the pair in browser history, proxies and logs. Default false: it
   * costs one auth event per sign-in. Has no effect on the flow `code`, which has no pair in a URL.
   */
  readonly rotateOnCallback?: boolean | undefined
  /** Called with errors of the service, and with a login that `startLogin` did not start, for your log. */
  readonly onError?: (error: GatehouseError) => void
}

/** The parameter of our error page. Not `error`, which the service sends once, and which ends a login. */
const PAGE_PARAMETER = 'sign_in_error'

/**
 * Handles your callback: exchanges the code, or verifies the tokens, stores the pair in cookies, and redirects to a URL
 * without either. A code or tokens are never in the URL of a page: a page that loads other resources could leak it.
 *
 * @example
 * ```ts
 * import { createClient, handleCallback } from '@gatehouse-auth/sdk'
 *
 * const client = createClient({ baseUrl: 'https://login.example.com', tenantId: 'swift-fox-running-k3qd' })
 * const callback = (request: Request) => handleCallback(request, { client, errorPath: '/sign-in-failed' })
 * const response = await callback(new Request('https://app.example/auth/callback?error=access_denied'))
 * console.log(response.headers.get('location')) // /sign-in-failed?error=access_denied
 * ```
 */
export async function handleCallback(
  request: RequestLike,
  options: CallbackOptions,
): Promise<Response> {
  const callback = readServerCallback(request.url)
  const { outcome, returnTo } = callback
  const isPage = 'page' in outcome

  // HEAD must not use up a login.
  const isAllowed = request.method === 'GET' || (request.method === 'HEAD' && isPage)
  if (!isAllowed) {
    return methodNotAllowed('GET')
  }

  if (isPage) {
    return showError(request, options, outcome.page, returnTo)
  }

  if ('linked' in outcome) {
    return redirect(locationAfter(callback, options))
  }

  const login = consumeLogin(request, options.client, callback)
  if ('error' in outcome) {
    const cleared = login?.setCookies ?? clearOnlyLogin(options.client.cookies, request)
    return redirectToError(options, outcome.error, returnTo, cleared)
  }

  const cleared = login?.setCookies ?? []
  if (!isStarted(outcome, login, options)) {
    return ignoreCallback(request, options, callback, cleared)
  }

  try {
    return await signIn(request, options, callback, outcome, login)
  } catch (error) {
    if (!(error instanceof GatehouseError)) {
      throw error
    }
    options.onError?.(error)
    return redirectToError(options, callbackErrorOf(error), returnTo, cleared)
  }
}

/** Gets the pair, and stores it in the cookies of the session. */
async function signIn(
  request: RequestLike,
  options: CallbackOptions,
  callback: ServerCallback,
  outcome: SignedIn,
  login: StartedLogin | null,
): Promise<Response> {
  const cleared = login?.setCookies ?? []
  // A new one for each login: a value that was planted in this browser before must not bind the session.
  const bind = newBind()

  const tokens =
    'code' in outcome
      ? await exchange(options.client, outcome.code, login?.verifier ?? '')
      : await accept(outcome.tokens, bind, options)
  if (tokens === null) {
    return redirectToError(options, 'invalid_tokens', callback.returnTo, cleared)
  }

  const started = await options.client.storage.start(request, tokens, bind)
  return redirect(locationAfter(callback, options), [...started, ...cleared])
}

/** Where the browser goes on. */
const locationAfter = ({ returnTo }: ServerCallback, { home = '/' }: CallbackOptions): string =>
  toLocation(returnTo ?? home)

const redirectToError = (
  { errorPath }: CallbackOptions,
  error: CallbackErrorCode,
  returnTo: string | null,
  setCookies: readonly string[],
): Response => redirect(errorLocation(errorPath, error, returnTo), setCookies)

/** A login that this browser started. Its cookies are removed with the response. */
interface StartedLogin {
  /** Null for the flow `tokens`. */
  readonly verifier: string | null
  readonly setCookies: readonly string[]
}

function consumeLogin(
  request: RequestLike,
  { cookies }: Client,
  { outcome, nonce }: ServerCallback,
): StartedLogin | null {
  if ('code' in outcome) {
    return consumeVerifier(cookies, request, outcome.code)
  }

  const setCookies = consumeNonce(cookies, request, nonce)
  return setCookies && { verifier: null, setCookies }
}

/** Without a nonce to compare, tokens are accepted; otherwise only those of the flow that startLogin uses. */
function isStarted(
  outcome: ServerCallback['outcome'],
  login: StartedLogin | null,
  { requireNonce = true, flow = 'code' }: CallbackOptions,
): boolean {
  if ('code' in outcome) {
    return login !== null
  }
  return !requireNonce || (flow === 'tokens' && login !== null)
}

/** A reloaded callback, or one of very many tabs. The browser keeps its own session; what is in the URL is ignored. */
async function ignoreCallback(
  request: RequestLike,
  options: CallbackOptions,
  callback: ServerCallback,
  cleared: readonly string[],
): Promise<Response> {
  const { isAlive, setCookies } = await refreshSession(request, options)
  if (isAlive) {
    return redirect(locationAfter(callback, options), setCookies)
  }

  if ('code' in callback.outcome || callback.nonce !== null) {
    return redirectToError(options, 'nonce_mismatch', callback.returnTo, cleared)
  }

  options.onError?.(new LoginNotStartedError())
  // Never twice: this login returns with a code or a nonce, also to a browser that rejects cookies.
  return startLogin(request, { ...options, callbackPath: new URL(request.url).pathname })
}

/** Signed-in users, who wanted to use another account or reload the page, go on: the page says that they aren't. */
async function showError(
  request: RequestLike,
  options: CallbackOptions,
  error: CallbackErrorCode,
  returnTo: string | null,
): Promise<Response> {
  const { home = '/', loginPath = '/login', startPath = '/', uiLocales } = options
  const { isAlive, setCookies } = await refreshSession(request, options)
  if (isAlive) {
    return redirect(toLocation(returnTo ?? home), setCookies)
  }

  const query = returnTo === null ? '' : `?${new URLSearchParams({ return_to: returnTo })}`
  const start = startPath === null ? null : toLocation(startPath)
  const response = await errorPage(request, {
    error,
    signIn: toLocation(loginPath) + query,
    start,
    uiLocales,
  })
  for (const line of setCookies) {
    response.headers.append('Set-Cookie', line)
  }
  return response
}

interface LoginCode {
  readonly code: string
  /** Names the cookie with the verifier. */
  readonly hint: string
}

/** What a successful login returns with. */
type SignedIn = { readonly tokens: TokenPair } | { readonly code: LoginCode }

interface ServerCallback extends Omit<CallbackQuery, 'outcome'> {
  readonly outcome:
    | SignedIn
    | { readonly error: CallbackErrorCode }
    /** `session.link` has succeeded at this provider. The user stays signed in as before. */
    | { readonly linked: string }
    /** Not a callback: the user opens our page about this error. */
    | { readonly page: CallbackErrorCode }
}

const CODE = /^svc_ac_([\w-]{8})_[\w-]{43}$/

/** The query of a callback that may have a one-time code. Here, not in callback-query.ts: pages without a server have no codes. */
function readServerCallback(url: string): ServerCallback {
  const callback = readCallbackQuery(url)
  const query = new URL(url).searchParams

  const page = query.get(PAGE_PARAMETER)
  if (page !== null) {
    return { ...callback, outcome: { page: readCallbackError(page)?.code ?? 'login_failed' } }
  }

  if (query.has('error')) {
    return callback
  }

  const linked = query.get('linked')
  if (linked !== null && !query.has('code') && !query.has('access_token')) {
    return { ...callback, outcome: { linked } }
  }

  const codes = query.getAll('code')
  if (codes.length === 0) {
    return callback
  }

  const code = readCode(codes)
  return { ...callback, outcome: code === null ? { error: 'invalid_tokens' } : { code } }
}

/** The only code in the query; null if there are several, or if it isn't one. */
function readCode(codes: readonly string[]): LoginCode | null {
  const [only = ''] = codes
  const [code, hint] = CODE.exec(only) ?? []
  if (codes.length > 1 || code === undefined || hint === undefined) {
    return null
  }
  return { code, hint }
}

/** The pair comes from the service itself, so it needs no verification. */
const exchange = async (
  client: Client,
  { code }: LoginCode,
  verifier: string,
): Promise<TokenPair> =>
  client.exchange({ code, verifier, idempotencyKey: await exchangeKey(verifier) })

/** Refreshed, because an expired access token does not end a session. A superseded one is alive, in another process. */
async function refreshSession(
  request: RequestLike,
  { client, onError }: CallbackOptions,
): Promise<{ readonly isAlive: boolean; readonly setCookies: readonly string[] }> {
  const setCookies: string[] = []
  try {
    const { status } = await client.session(request, {
      refresh: true,
      setCookie: (line) => setCookies.push(line),
    })
    return { isAlive: status !== 'signedOut', setCookies }
  } catch (error) {
    if (!(error instanceof GatehouseError)) {
      throw error
    }
    onError?.(error)
    return { isAlive: false, setCookies: [] }
  }
}

/** The pair to store, or null when the pair is not valid for this tenant. */
async function accept(
  tokens: TokenPair,
  bind: string,
  options: CallbackOptions,
): Promise<TokenPair | null> {
  const { client, rotateOnCallback = false, onError } = options
  const verified = await client.verify(tokens.accessToken)
  if (!verified.valid) {
    return null
  }

  if (!rotateOnCallback) {
    return tokens
  }

  try {
    return await client.refresh(tokens.refreshToken, { bind })
  } catch (error) {
    if (!(error instanceof RateLimitedError || error instanceof UnavailableError)) {
      throw error
    }
    onError?.(error)

    // A failed rotation must not fail the sign-in. Verify again: the refresh may have succeeded without a response.
    const verifiedAgain = await client.verify(tokens.accessToken)
    return verifiedAgain.valid ? tokens : null
  }
}

/** Without an `errorPath`: relative, so that the path stays the one that the browser shows. */
function errorLocation(
  errorPath: string | undefined,
  error: CallbackErrorCode,
  returnTo: string | null,
): string {
  const url = new URL(toLocation(errorPath ?? '/'), 'https://app.invalid')
  url.searchParams.set(errorPath === undefined ? PAGE_PARAMETER : 'error', error)
  if (returnTo !== null) {
    url.searchParams.set('return_to', returnTo)
  }
  return errorPath === undefined ? url.search : url.pathname + url.search + url.hash
}
