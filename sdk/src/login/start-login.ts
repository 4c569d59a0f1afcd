import type { Client } from '../client.ts'
import { GatehouseError } from '../service/errors.ts'
import { isPlainLoopback } from '../session/session-cookies.ts'
import type { RequestLike } from '../types.ts'
import { newNonce, newVerifier, storeNonce, storeVerifier, withNonce } from './login-cookies.ts'
import {
  isProviderName,
  PROVIDER_RULE,
  type ProviderName,
  requireProviderName,
} from './provider.ts'
import {
  isOfAnotherOrigin,
  methodNotAllowed,
  otherOrigin,
  redirect,
  requireReturnTo,
  returnToProblem,
  toLocation,
} from './redirect.ts'

/**
 * How tokens reach your app. `code`, the default: the callback gets a one-time code that only the browser that started the
 * login can use, and the server exchanges it. `tokens`: the tokens are in the URL of the callback.
 */
export type LoginFlow = 'code' | 'tokens'

export interface StartLoginOptions {
  readonly client: Client
  /** Default `code`. The same for `handleCallback`. */
  readonly flow?: LoginFlow | undefined
  /** The path to continue at after the login. Default: `return_to` in this request's query, else `home`. */
  readonly returnTo?: string | undefined
  /** Continue at the URL of this request. For pages that require a signed-in user. */
  readonly returnHere?: boolean | undefined
  /** The path to continue at when there is no valid `returnTo`. Default: the `home` of `handleCallback`. */
  readonly home?: string | undefined
  /** Default: `provider` in this request's query, else `google`. An unknown name in the query gets 400. */
  readonly provider?: ProviderName | undefined
  /** Overrides the client's `redirectUri`, and `callbackPath`. */
  readonly redirectUri?: string | undefined
  /**
   * The path of your callback, such as `/auth/callback`. The login then returns to the origin of this request, if its
   * callback is registered. Without it, and without a `redirectUri`, it returns to the first registered callback.
   */
  readonly callbackPath?: string | undefined
  /** The e-mail address of the account to use. */
  readonly loginHint?: string | undefined
  /** `select_account`, the default, shows the account chooser each time; `auto` lets the provider decide. */
  readonly prompt?: 'select_account' | 'auto' | undefined
  /** The languages of the user, best first, such as `de-CH fr`. Default: those of the browser. */
  readonly uiLocales?: string | undefined
}

/**
 * Handles your `/login`: redirects to the login URL and sets the cookie by which `handleCallback` checks that this browser
 * started the login. A `return_to` that leads to another site is replaced by `home`.
 *
 * @example
 * ```ts
 * import { createClient, startLogin } from '@gatehouse-auth/sdk'
 *
 * const client = createClient({ baseUrl: 'https://login.example.com', tenantId: 'swift-fox-running-k3qd' })
 * // <a href="/login?return_to=/notes/7">Sign in</a>, <a href="/login?provider=github">Sign in with GitHub</a>
 * const response = await startLogin(new Request('https://app.example/login?return_to=/notes/7'), { client })
 * console.log(response.status) // 303
 * ```
 */
export async function startLogin(
  request: RequestLike,
  options: StartLoginOptions,
): Promise<Response> {
  const { client, loginHint, prompt, uiLocales } = options
  const redirectUri =
    options.redirectUri ?? client.redirectUri ?? callbackUrl(request, options.callbackPath)
  // The query of a page that requires a user is the app's own.
  const provider = options.provider ?? (options.returnHere ? undefined : providerParameter(request))
  if (provider === null) {
    return unknownProvider()
  }
  // An invitation counts for the person who opens its link, so the link leads here and carries it on.
  const invitation = new URL(request.url).searchParams.get('invitation') ?? undefined
  const given = {
    provider,
    loginHint,
    prompt,
    uiLocales,
    invitation,
    ...(redirectUri === undefined ? {} : { redirectUri }),
  }
  const wanted =
    options.returnTo ?? (options.returnHere ? currentPath(request) : returnToParameter(request))
  const home = options.home === undefined ? null : requireReturnTo(options.home)
  if (options.flow === 'tokens') {
    const nonce = newNonce()
    const returnTo = validWithNonce(wanted, nonce) ?? withNonce(home, nonce)
    return redirect(
      client.loginUrl({ returnTo, ...given }),
      storeNonce(client.cookies, request, nonce),
    )
  }
  const login = await newVerifier()
  const returnTo =
    (wanted !== null && returnToProblem(wanted) === null ? wanted : home) ?? undefined
  const location = client.loginUrl({ returnTo, codeChallenge: login.challenge, ...given })
  return redirect(location, storeVerifier(client.cookies, request, login))
}

/**
 * The callback at the address that the user sees. The service redirects to it only if it is registered, so a forged `Host`
 * header leads nowhere else. Plain http can be registered for loopback addresses only: any other address is https, also
 * where a proxy ends TLS and the app sees http.
 */
function callbackUrl(request: RequestLike, path: string | undefined): string | undefined {
  if (path === undefined) {
    return undefined
  }
  return `${isPlainLoopback(request) ? 'http' : 'https'}://${new URL(request.url).host}${path}`
}

/** null: not the name of a provider. */
function providerParameter({ url }: RequestLike): ProviderName | undefined | null {
  const name = new URL(url).searchParams.get('provider')
  if (name === null) {
    return undefined
  }
  return isProviderName(name) ? name : null
}

/** A wrong link of the app: another provider than the user pressed would be a surprise. */
const unknownProvider = (): Response =>
  new Response(`The address of this sign-in is wrong: ${PROVIDER_RULE}`, {
    status: 400,
    headers: {
      'Content-Type': 'text/plain; charset=utf-8',
      'Cache-Control': 'no-store',
      'X-Robots-Tag': 'noindex',
    },
  })

const returnToParameter = ({ url }: RequestLike): string | null =>
  new URL(url).searchParams.get('return_to')

/** null for methods other than GET: a redirect cannot repeat them after the login. */
function currentPath({ url, method }: RequestLike): string | null {
  const { pathname, search } = new URL(url)
  return method === 'GET' ? pathname + search : null
}

function validWithNonce(wanted: string | null, nonce: string): string | null {
  if (wanted === null || returnToProblem(wanted) !== null) {
    return null
  }
  const returnTo = withNonce(wanted, nonce)
  return returnToProblem(returnTo) === null ? returnTo : null
}

export interface LogoutOptions {
  readonly client: Client
  /** The path to redirect to after the logout. Default `/`. */
  readonly home?: string | undefined
  /** Other origins whose pages may sign users out. All others get 403. */
  readonly trustedOrigins?: readonly string[] | undefined
  /** Called when the service could not end the session. The cookies are removed in any case. */
  readonly onError?: (error: GatehouseError) => void
}

/**
 * Handles your `/logout`: ends the session, removes the cookies, and redirects to `home`. POST only, so that links and
 * images cannot sign a user out. A POST of a page of another origin is 403.
 *
 * @example
 * ```ts
 * import { createClient, handleLogout } from '@gatehouse-auth/sdk'
 *
 * const client = createClient({ baseUrl: 'https://login.example.com', tenantId: 'swift-fox-running-k3qd' })
 * // <form method="post" action="/logout"><button>Sign out</button></form>
 * const response = await handleLogout(new Request('https://app.example/logout', { method: 'POST' }), { client })
 * console.log(response.headers.get('location')) // /
 * ```
 */
export async function handleLogout(
  request: RequestLike,
  options: LogoutOptions,
): Promise<Response> {
  const { client, home = '/', trustedOrigins, onError } = options
  if (request.method !== 'POST') {
    return methodNotAllowed('POST')
  }
  if (isOfAnotherOrigin(request, trustedOrigins)) {
    return otherOrigin()
  }
  const { refreshToken } = await client.storage.read(request)
  if (refreshToken !== null) {
    try {
      await client.logout(refreshToken)
    } catch (error) {
      if (!(error instanceof GatehouseError)) {
        throw error
      }
      onError?.(error)
    }
  }
  return redirect(toLocation(home), await client.storage.clear(request))
}

export interface RelayOptions {
  readonly client: Pick<Client, 'baseUrl' | 'tenantId'>
  readonly provider: ProviderName
}

/**
 * Handles the `redirect_uri` of your own client at a provider: redirects the browser on to the service, with the query
 * untouched. The provider's page then shows the domain of your app. The query works once and only in the browser that
 * started the login; don't log it.
 *
 * @example
 * ```ts
 * import { createClient, relayProvider } from '@gatehouse-auth/sdk'
 *
 * const client = createClient({ baseUrl: 'https://login.example.com', tenantId: 'swift-fox-running-k3qd' })
 * const request = new Request('https://app.example/auth/google/relay?code=x&state=y')
 * const response = relayProvider(request, { client, provider: 'google' })
 * console.log(response.headers.get('location')) // https://login.example.com/auth/google/callback?code=x&state=y
 * ```
 */
export function relayProvider(
  { url, method }: RequestLike,
  { client, provider }: RelayOptions,
): Response {
  const name = requireProviderName(provider)
  if (method !== 'GET') {
    return methodNotAllowed('GET')
  }
  const tenant = name.startsWith('oidc-') ? `/${client.tenantId}` : ''
  return redirect(`${client.baseUrl}/auth/${name}/callback${tenant}${new URL(url).search}`)
}
