import type { Client } from '../client.ts'
import { unavailablePage } from '../login/error-page.ts'
import { type GatehouseError, RateLimitedError, UnavailableError } from '../service/errors.ts'
import { localTools } from '../service/local-tools.ts'
import { parseCookies } from '../session/cookies.ts'
import type { RequestLike } from '../types.ts'

/**
 * True if the browser will show the response as a page. A script's `fetch` is not a navigation: it can neither follow a
 * redirect to the login on another origin nor show it.
 *
 * @example
 * ```ts
 * import { isNavigation } from '@gatehouse-auth/sdk'
 *
 * const fetched = new Request('https://app.example/api/notes', { headers: { Accept: 'application/json' } })
 * console.log(isNavigation(fetched)) // false
 * ```
 */
export function isNavigation({ headers }: Pick<RequestLike, 'headers'>): boolean {
  const mode = headers.get('sec-fetch-mode')
  if (mode !== null) {
    return mode === 'navigate'
  }
  if (headers.get('x-requested-with') !== null) {
    return false
  }
  const accept = headers.get('accept') ?? ''
  return accept.includes('text/html') || !accept.includes('json')
}

const SUBRESOURCES: readonly (string | null)[] = [
  'script',
  'style',
  'image',
  'font',
  'audio',
  'video',
  'manifest',
  'worker',
]

/** True for a file that a page loads, which is the same for every user. Requests of scripts are not among them. */
export const isSubresource = ({ headers }: Pick<RequestLike, 'headers'>): boolean =>
  SUBRESOURCES.includes(headers.get('sec-fetch-dest'))

/** 400 for a request target that a router could read in another way than the guard. */
export const unreadableTarget = (): Response =>
  new Response('The URL of this request is not valid, so it was not handled.', {
    status: 400,
    headers: { 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'no-store' },
  })

/** 401 for a script: the page decides how to ask the user to sign in. */
export const signedOutAnswer = (login: string): Response =>
  problem(401, { code: 'signedOut', message: 'Sign in first.', retryable: false, login })

/** An API error of the app itself, for a script. */
function problem(status: number, error: object, headers: Record<string, string> = {}): Response {
  return Response.json({ error }, { status, headers: { ...headers, 'Cache-Control': 'no-store' } })
}

const STILL_SIGNED_IN =
  'Your session cannot be checked right now. You are still signed in. Please try again in a moment.'
const UNREACHABLE = 'The sign-in service cannot be reached. Please try again later.'

/** For a protected page of Astro or SvelteKit that is rendered at build time. */
export const prerenderedError = (path: string): Error =>
  new Error(
    `${path} needs a signed-in user, but is rendered when you build: everyone would see the same page. Add to it: export const prerender = false`,
  )

/** By base URL and tenant, not by client: in a worker, each request creates a client. */
const settings = new Map<string, 'work' | 'reported'>()

const keyOf = ({ baseUrl, tenantId }: Client): string => `${baseUrl} ${tenantId}`

/** A session was verified, so base URL and tenant are right. */
export const noteSuccess = (client: Client): unknown => settings.set(keyOf(client), 'work')

/**
 * 503 for a session that cannot be checked: a page, or JSON for a script. It is never a sign-out: the cookies stay. Says that
 * the user is signed in only if the failure is temporary and the browser has a session.
 */
export async function unavailableAnswer(
  request: RequestLike,
  error: GatehouseError,
  { client, uiLocales }: { readonly client: Client; readonly uiLocales?: string | undefined },
): Promise<Response> {
  const isSignedIn = !isSettingsError(error, client) && hasSession(request, client)
  const isBusy = error instanceof UnavailableError || error instanceof RateLimitedError
  const headers: Record<string, string> = isBusy
    ? { 'Retry-After': String(error.retryAfterSeconds ?? 5) }
    : {}
  if (isNavigation(request)) {
    return unavailablePage(request, { isSignedIn, headers, uiLocales })
  }
  const message = isSignedIn ? STILL_SIGNED_IN : UNREACHABLE
  return problem(503, { code: error.code, message, retryable: error.retryable }, headers)
}

/** One line in the log of the app for wrong settings, until they work. An outage is not logged: it ends by itself. */
export function reportSettings(error: GatehouseError, client: Client): void {
  const key = keyOf(client)
  if (!isSettingsError(error, client) || settings.get(key) === 'reported') {
    return
  }
  settings.set(key, 'reported')
  const { baseUrl, tenantId } = client
  // The package is not at a wrong base URL.
  const service =
    error.code.startsWith('tenant') || error.code === 'notProvisioned' ? baseUrl : '<your service>'
  // The message may contain text of a server that is not Gatehouse.
  const message = error.message.replaceAll(/[\p{C}\s]+/gu, ' ')
  // biome-ignore lint/suspicious/noConsole: without onError, the console is the log of the app
  console.error(
    `Gatehouse: ${message} This app uses ${baseUrl} (base_url, GATEHOUSE_URL) and ${tenantId} (tenant_id, GATEHOUSE_TENANT). To check them, run: ${localTools(service)} doctor`,
  )
}

const SETTINGS_ERRORS: readonly string[] = [
  'tenantNotFound',
  'tenantExpired',
  'notProvisioned',
  'unexpectedResponse',
]

/** No response at all is an outage if these settings have worked before; a 5xx status always is. */
const isSettingsError = (error: GatehouseError, client: Client): boolean =>
  error instanceof UnavailableError
    ? error.reason !== 'status' && settings.get(keyOf(client)) !== 'work'
    : SETTINGS_ERRORS.includes(error.code)

function hasSession(request: Pick<RequestLike, 'headers' | 'url'>, { cookies }: Client): boolean {
  const sent = parseCookies(request.headers.get('cookie'))
  const { access, refresh, session } = cookies.names(request)
  return [access, refresh, session].some((name) => sent.has(name))
}
