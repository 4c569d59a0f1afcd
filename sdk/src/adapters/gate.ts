import { type Client, createClient } from '../client.ts'
import { type CallbackOptions, handleCallback } from '../login/callback.ts'
import {
  isOfAnotherOrigin,
  methodNotAllowed,
  otherOrigin,
  preflightAnswer,
  redirect,
} from '../login/redirect.ts'
import { handleLogout, startLogin } from '../login/start-login.ts'
import { GatehouseError } from '../service/errors.ts'
import { issueIdToken } from '../session/read-session.ts'
import { type ReadSession, redirectToRetry, type Session } from '../session/session.ts'
import type { RequestLike, User } from '../types.ts'
import {
  isNavigation,
  isSubresource,
  noteSuccess,
  reportSettings,
  signedOutAnswer,
  unavailableAnswer,
  unreadableTarget,
} from './answers.ts'

/** The options of every adapter. */
export interface GatehouseOptions
  extends Omit<CallbackOptions, 'client' | 'loginPath' | 'startPath'> {
  /**
   * Default: `createClient()`, with the settings of the environment or of `.service`. Frameworks that import your code to
   * build it create it at the first request, the others at once. A function is called at the first request, once.
   */
  readonly client?: Client | (() => Client) | undefined
  /** Paths that need a signed-in user, with everything below them, such as `['/notes']`. A pattern throws: `/notes/*`. */
  readonly protect?: readonly string[] | undefined
  /**
   * Other origins whose pages may send POST, PUT, PATCH and DELETE requests with the cookies of a session, such as
   * `['https://admin.example.com']`. All others get 403. Their CORS preflights are answered on protected paths; the responses
   * need CORS headers of your app.
   */
  readonly trustedOrigins?: readonly string[] | undefined
  /** The path to redirect to after the logout. Default `/`. */
  readonly afterLogout?: string | undefined
  /** Default `/login`, `/auth/callback`, `/logout` and `/auth/session`. */
  readonly paths?: Partial<GatehousePaths> | undefined
}

export interface GatehousePaths {
  readonly login: string
  readonly callback: string
  readonly logout: string
  /** The session as JSON, for the page's scripts: `{ status, user }`; with `?id_token=<audience>` also an ID token. */
  readonly session: string
}

const PATHS: GatehousePaths = {
  login: '/login',
  callback: '/auth/callback',
  logout: '/logout',
  session: '/auth/session',
}

/** The app handles the request with this session and these cookies, or the response is ready. */
type Passage =
  | { readonly response: Response }
  | (Additions & { readonly response: null; readonly session: Session })

/** What the response of the app gets besides. */
export interface Additions {
  readonly setCookies: readonly string[]
  /**
   * `no-store` for a page or data of a signed-in user, unless the app sets its own: the next user of a browser or a cache must not see
   * it. With `setCookies` it is `no-store` in any case, unless the app's own is as strict.
   */
  readonly cacheControl: 'no-store' | null
}

/** What a framework knows of a request besides. */
export interface View {
  /** Path and query as the browser shows them, where the framework's request has others. */
  readonly path?: string
  /** The origin as the framework knows it, where its request has another. */
  readonly origin?: string
  /**
   * What the framework chooses a route by: its own path, or the pattern of the route. `protect` is compared with these as well,
   * because a framework may read a request target in another way than this package.
   */
  readonly routed?: readonly (string | null | undefined)[]
  /** Where the router is mounted that runs the adapter: see `checkMount`. */
  readonly mount?: string | undefined
  /**
   * `page`: redirect to the login. `script`: 401. `data`: the framework's own script, which follows a redirect inside the
   * app. Default: by the headers.
   */
  readonly kind?: 'page' | 'script' | 'data'
}

/** A request as the gate reads it. */
interface Seen {
  /** With the URL that the browser shows, and with the one of `paths` that its path is. */
  readonly request: RequestLike
  readonly path: string
  /** Path and query as the browser shows them. */
  readonly shown: string
  readonly needsUser: boolean
  /** A file that a page loads is usually cached and the same for every user: the next page or script refreshes. Not in `protect`. */
  readonly isShared: boolean
  readonly kind: View['kind']
}

export interface Gate {
  readonly paths: GatehousePaths
  /** The one of `paths` that this path is, or null. */
  ownPath(path: string): string | null
  client(): Client
  isProtected(path: string): boolean
  /** Throws if no path at or below `mount` is in `protect`: the developer wrote the paths as the router sees them. */
  checkMount(mount: string): void
  pass(request: RequestLike, view?: View): Promise<Passage>
  /** The answer to a request that needs a user and has none, for a guard of one route: the login, or 401 for a script. */
  refuse(request: RequestLike): Promise<Response>
}

/**
 * What every adapter does: login, callback, logout, the session of all other requests, and protected paths.
 *
 * Throws for a pattern in `protect`, which would match no path and leave its pages open. Throws if `errorPath` needs a
 * signed-in user: who cancels would go straight back to the login, and never learn why. It throws instead of showing the
 * default page, because a developer who wrote that path expects it to be shown.
 */
export function createGate(options: GatehouseOptions): Gate {
  const { protect = [], home = '/', afterLogout = '/', errorPath } = options
  const paths = { ...PATHS, ...options.paths }
  const given = options.client ?? (() => createClient())
  let client = typeof given === 'function' ? null : given
  const getClient = (): Client => (client ??= typeof given === 'function' ? given() : given)
  const onError = options.onError ?? ((error: GatehouseError) => reportSettings(error, getClient()))
  const prefixes = protect.map(prefixOf)
  const isProtected = (path: string): boolean =>
    spellingsOf(path).some((each) => prefixes.some((prefix) => isBelow(each, prefix)))

  const checkMount = (mount: string): void => {
    const place = plainOf(mount).replace(/\/$/, '')
    const canMatch = prefixes.some((prefix) => isBelow(prefix, place) || isBelow(place, prefix))
    if (prefixes.length > 0 && !canMatch) {
      throw new TypeError(
        `protect has "${protect[0]}", but this router is mounted at "${place}": no request that it receives has such a path, so its pages would be open. Write whole paths, such as "${place}${prefixes[0]}", or install gatehouse() for the whole app.`,
      )
    }
  }

  // Frameworks can add a slash to every path: `trailingSlash` of Next.js, SvelteKit and Astro.
  const ownPath = (path: string): string | null =>
    Object.values(paths).find((own) => own.replace(/\/$/, '') === path.replace(/\/$/, '')) ?? null
  const [errorPage = ''] = errorPath?.split(/[?#]/) ?? []
  const guardedErrorPath = (where: string): TypeError =>
    new TypeError(
      `errorPath is ${errorPage}, which signed-out users can't open: it ${where}. Choose another path, or leave errorPath out to show the page of @gatehouse-auth/sdk.`,
    )
  if (errorPage !== '' && (isProtected(errorPage) || ownPath(errorPage) !== null)) {
    throw guardedErrorPath('is in protect or in paths')
  }
  // After a logout users are signed out, so that page is for them, unless every path is protected.
  const startPath =
    [afterLogout, '/'].find((path) => !isProtected(path.split(/[?#]/)[0] ?? '')) ?? null

  async function answer(request: RequestLike, path: string): Promise<Response | null> {
    const given = {
      ...options,
      client: getClient(),
      onError,
      callbackPath: paths.callback,
      loginPath: paths.login,
      startPath,
    }
    if (path === paths.login) {
      return request.method === 'GET' ? startLogin(request, given) : methodNotAllowed('GET')
    }
    if (path === paths.callback) {
      return handleCallback(request, given)
    }
    if (path === paths.logout) {
      return handleLogout(request, { ...given, home: afterLogout })
    }
    return null
  }

  async function pass(received: RequestLike, view: View = {}): Promise<Passage> {
    if (!URL.canParse(received.url)) {
      return { response: unreadableTarget() }
    }
    const seen = read(received, view)
    const { request, path } = seen
    if (view.mount !== undefined && ownPath(path) === null) {
      checkMount(view.mount)
    }

    const ready = (await answer(request, path)) ?? (await refuseOtherOrigin(request))
    if (ready !== null) {
      return { response: ready }
    }
    return passToApp(seen)
  }

  /** Reads the session that the app gets, and refreshes it. */
  async function passToApp(seen: Seen): Promise<Passage> {
    const { request, isShared } = seen
    const setCookies: string[] = []
    const found = await readSession(request, { refresh: !isShared, setCookies })
    if (found instanceof Response) {
      return { response: found }
    }
    // An expired session that was only read.
    const session: Session = found.user === null ? { ...found, status: 'signedOut' } : found
    const isPrivate = session.user !== null && !isShared
    const additions: Additions = { setCookies, cacheControl: isPrivate ? 'no-store' : null }

    const response = await respond(seen, session)
    if (response !== null) {
      return { response: withAdditions(response, additions) }
    }
    return { response, session, ...additions }
  }

  function read(received: RequestLike, view: View): Seen {
    const shown = view.path ?? targetOf(received.url)
    const [sent = '/'] = shown.split('?')
    const path = ownPath(sent) ?? sent
    const origin = view.origin ?? new URL(received.url).origin
    const { method, headers } = received
    const request = { method, headers, url: origin + path + shown.slice(sent.length) }
    const needsUser = [path, ...(view.routed ?? [])].some((each) => isProtected(each ?? ''))
    const isShared = isSubresource(request) && !needsUser
    return { request, path, shown, needsUser, isShared, kind: view.kind }
  }

  /** The response to a request with this session; null if the app handles it. */
  async function respond(seen: Seen, session: Session): Promise<Response | null> {
    const { request, path, shown, needsUser, kind } = seen
    if (path === paths.session) {
      return sessionResponse(request, session)
    }
    return session.user === null && needsUser ? loginAnswer(request, shown, kind) : null
  }

  /** 403 for a request that a page of another origin sent with the cookies of a session. */
  async function refuseOtherOrigin(request: RequestLike): Promise<Response | null> {
    if (!isOfAnotherOrigin(request, options.trustedOrigins)) {
      return null
    }
    // Read only: the cookies of a refresh would be lost with the 403.
    const session = await orUnavailable(request, () => getClient().session(request))
    if (session instanceof Response) {
      return session
    }
    return session.status === 'signedOut' ? null : otherOrigin()
  }

  /** The session, or the response to a request whose session cannot be read. */
  async function readSession(
    request: RequestLike,
    { refresh, setCookies }: { readonly refresh: boolean; readonly setCookies: string[] },
  ): Promise<Session | ReadSession | Response> {
    const setCookie = (line: string): unknown => setCookies.push(line)
    const found = await orUnavailable<Session | ReadSession>(request, () =>
      refresh ? getClient().session(request, { refresh, setCookie }) : getClient().session(request),
    )
    if (!(found instanceof Response) && found.status === 'superseded') {
      return redirectToRetry(request)
    }
    return found
  }

  async function sessionResponse(request: RequestLike, session: Session): Promise<Response> {
    try {
      return await sessionAnswer(session, new URL(request.url).searchParams)
    } catch (error) {
      return failed(request, error)
    }
  }

  async function orUnavailable<Read extends Session | ReadSession>(
    request: RequestLike,
    read: () => Promise<Read>,
  ): Promise<Read | Response> {
    try {
      const session = await read()
      if (session.user !== null) {
        noteSuccess(getClient())
      }
      return session
    } catch (error) {
      return failed(request, error)
    }
  }

  async function failed(request: RequestLike, error: unknown): Promise<Response> {
    if (!(error instanceof GatehouseError)) {
      throw error
    }
    onError(error)
    return unavailableAnswer(request, error, { client: getClient(), uiLocales: options.uiLocales })
  }

  async function loginAnswer(
    request: RequestLike,
    shown: string,
    given: View['kind'],
  ): Promise<Response> {
    const preflight = preflightAnswer(request, options.trustedOrigins)
    if (preflight !== null) {
      return preflight
    }
    const kind = given ?? (isNavigation(request) ? 'page' : 'script')
    if (kind === 'script') {
      return signedOutAnswer(paths.login)
    }
    const returnTo = request.method === 'GET' ? shown : home
    if (kind === 'data') {
      return redirect(`${paths.login}?${new URLSearchParams({ return_to: returnTo })}`)
    }
    return startLogin(request, {
      ...options,
      client: getClient(),
      callbackPath: paths.callback,
      returnTo,
      // The query is that of the page.
      provider: 'google',
    })
  }

  async function refuse(request: RequestLike): Promise<Response> {
    const { pathname, search } = new URL(request.url)
    if (pathname === errorPage) {
      throw guardedErrorPath('needs a user')
    }
    return loginAnswer(request, pathname + search, undefined)
  }

  return { paths, ownPath, client: getClient, isProtected, checkMount, pass, refuse }
}

/**
 * Path and query of an absolute URL, as they are. `new URL` would resolve dot segments, but Express, Fastify and h3 choose a
 * route by the request target as it was sent: `/notes/../x` is below `/notes` for them.
 */
export function targetOf(url: string): string {
  const target = url.replace(/^[a-z][a-z\d+.-]*:\/\/[^/?#\\]*/i, '')
  return target.startsWith('/') ? target : `/${target}`
}

const PATTERN = /[*:()[\]?#^]/

/** An entry of `protect` as the paths of requests are compared with it. Throws if it would match none of them. */
function prefixOf(entry: string): string {
  if (entry.startsWith('/') && !PATTERN.test(entry)) {
    return resolve(plainOf(entry)).toLowerCase().replace(/\/$/, '')
  }
  const [literal = ''] = targetOf(entry.replace(/^\^/, '').replaceAll(/\/\([\w-]+\)/g, '')).split(
    PATTERN,
  )
  const prefix = literal.replace(/[/.$]+$/, '') || '/'
  throw new TypeError(
    `protect has "${entry}", which matches no path. It takes paths that start with "/", each with everything below it, and no patterns. Use "${prefix}".`,
  )
}

/** Fastify can take a semicolon for the start of the query. */
const isBelow = (path: string, prefix: string): boolean =>
  path === prefix || path.startsWith(`${prefix}/`) || path.startsWith(`${prefix};`)

const DECODED_AT_MOST = 3

/**
 * The path as a framework may read it before it chooses a route: decoded, in lower case (Express ignores the case), without
 * doubled slashes and dot segments. A stranger must not pass by spelling a protected path in another way.
 */
function spellingsOf(path: string): string[] {
  const decoded = [path]
  for (let last = path; decoded.length <= DECODED_AT_MOST; decoded.push(last)) {
    const next = decode(last)
    if (next === last) {
      break
    }
    last = next
  }
  return [...decoded, withoutAuthority(path)].flatMap((each) => {
    const plain = plainOf(each)
    // With the text after `#` and without: a raw request target may have one, and frameworks differ.
    return [plain, resolve(plain), resolve(plain.replaceAll(/[?#]/g, encodeURIComponent))]
  })
}

/** For `new URL`, the first segment of `//x/notes` is a host. */
const withoutAuthority = (path: string): string => path.replace(/^[/\\]{2,}[^/\\]*/, '/')

const plainOf = (path: string): string => path.replace(/[/\\]+/g, '/').toLowerCase()

/** Without dot segments, decoded. */
const resolve = (path: string): string => decode(new URL(path, 'https://app.invalid').pathname)

/** Characters that are not valid UTF-8 stay as they are. */
const decode = (path: string): string =>
  path.replace(/(?:%[\da-f]{2})+/gi, (encoded) => {
    try {
      return decodeURIComponent(encoded)
    } catch {
      return encoded
    }
  })

/** For frameworks that import the code of an app only to run it: a missing setting must end the app when it starts. */
export function createGateAtOnce(options: GatehouseOptions): Gate {
  return createGate({ ...options, client: options.client ?? createClient() })
}

/** Scripts of other sites can send this request, but not read its response. */
async function sessionAnswer(session: Session, query: URLSearchParams): Promise<Response> {
  const { status, user } = session
  const audience = query.get('id_token')
  const issued = audience === null ? undefined : await issueIdToken(session, audience || undefined)
  const token = issued && { id_token: issued.idToken, expires_in: issued.expiresIn }
  return Response.json({ status, user, ...token }, { headers: { 'Cache-Control': 'no-store' } })
}

/**
 * Adds these headers to the response. The cookies of an ended session are removed with the redirect to the login. Returns a
 * copy only of a response whose headers cannot be changed: on Bun a copy of `new Response('text')` has no content type, and
 * browsers would download it.
 */
export function withAdditions(response: Response, additions: Additions): Response {
  try {
    addTo(response.headers, additions)
    return response
  } catch {
    const copy = new Response(response.body, response)
    addTo(copy.headers, additions)
    return copy
  }
}

function addTo(headers: Headers, { setCookies, cacheControl }: Additions): void {
  for (const line of setCookies) {
    headers.append('Set-Cookie', line)
  }
  const own = headers.get('Cache-Control')
  if (setCookies.length > 0) {
    headers.set('Cache-Control', unshared(own))
  } else if (cacheControl !== null && own === null) {
    headers.set('Cache-Control', cacheControl)
  }
}

/** The `Cache-Control` of a response with cookies of a session: a shared cache would give them to other users. */
export const unshared = (own: unknown): string =>
  /(?:^|[\s,])(?:private|no-store)(?=$|[\s,])/i.test(String(own)) ? String(own) : 'no-store'

const users = new WeakMap<object, User | null>()

export const rememberUser = (request: object, user: User | null): unknown =>
  users.set(request, user)

/** The user that an adapter found for this request. Throws where no adapter ran: null would look like a sign-out. */
export function recallUser(request: object): User | null {
  const user = users.get(request)
  if (user !== undefined) {
    return user
  }
  throw new Error('No user is known for this request. Install gatehouse() before this handler.')
}
