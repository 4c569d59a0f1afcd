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
import type { RequestLike } from '../types.ts'
import { type Additions, withAdditions } from './additions.ts'
import {
  isNavigation,
  isSubresource,
  noteSuccess,
  reportSettings,
  signedOutAnswer,
  unavailableAnswer,
  unreadableTarget,
} from './answers.ts'
import { ProtectedPaths, targetOf } from './protected-paths.ts'

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
  const settings = readSettings(options)
  const { paths, protectedPaths, client } = settings
  checkErrorPath(settings)

  return {
    paths,
    ownPath: (path) => ownPathOf(paths, path),
    client,
    isProtected: (path) => protectedPaths.includes(path),
    checkMount: (mount) => protectedPaths.checkMount(mount),
    pass: (request, view = {}) => pass(settings, request, view),
    refuse: (request) => refuse(settings, request),
  }
}

/** For frameworks that import the code of an app only to run it: a missing setting must end the app when it starts. */
export function createGateAtOnce(options: GatehouseOptions): Gate {
  return createGate({ ...options, client: options.client ?? createClient() })
}

/** The options with their defaults, and what follows from them. */
interface Settings {
  readonly options: GatehouseOptions
  readonly paths: GatehousePaths
  readonly protectedPaths: ProtectedPaths
  readonly home: string
  readonly afterLogout: string
  /** The path of `errorPath`, without its query; empty if there is none. */
  readonly errorPage: string
  /** The page for signed-out users that the error page links; null if every path is protected. */
  readonly startPath: string | null
  readonly client: () => Client
  readonly onError: (error: GatehouseError) => void
}

function readSettings(options: GatehouseOptions): Settings {
  const { protect = [], home = '/', afterLogout = '/' } = options
  const protectedPaths = new ProtectedPaths(protect)
  const client = clientOf(options.client)

  // After a logout users are signed out, so that page is for them.
  const startPath = [afterLogout, '/'].find((path) => !protectedPaths.includes(pathOf(path)))

  return {
    options,
    paths: { ...PATHS, ...options.paths },
    protectedPaths,
    home,
    afterLogout,
    errorPage: pathOf(options.errorPath ?? ''),
    startPath: startPath ?? null,
    client,
    onError: options.onError ?? ((error) => reportSettings(error, client())),
  }
}

/** Creates a client that isn't given at the first call, once. */
function clientOf(given: GatehouseOptions['client']): () => Client {
  if (given !== undefined && typeof given !== 'function') {
    return () => given
  }

  const create = given ?? (() => createClient())
  let client: Client | null = null
  return () => {
    client ??= create()
    return client
  }
}

/** The path of a location, without its query and fragment. */
const pathOf = (location: string): string => location.split(/[?#]/)[0] ?? ''

/** Frameworks can add a slash to every path: `trailingSlash` of Next.js, SvelteKit and Astro. */
function ownPathOf(paths: GatehousePaths, path: string): string | null {
  const searched = path.replace(/\/$/, '')
  return Object.values(paths).find((own) => own.replace(/\/$/, '') === searched) ?? null
}

function checkErrorPath({ errorPage, paths, protectedPaths }: Settings): void {
  if (errorPage === '') {
    return
  }
  if (protectedPaths.includes(errorPage) || ownPathOf(paths, errorPage) !== null) {
    throw guardedErrorPath(errorPage, 'is in protect or in paths')
  }
}

const guardedErrorPath = (errorPage: string, where: string): TypeError =>
  new TypeError(
    `errorPath is ${errorPage}, which signed-out users can't open: it ${where}. Choose another path, or leave errorPath out to show the page of @gatehouse-auth/sdk.`,
  )

/** Answers the request, or returns the session with which the app handles it. */
async function pass(settings: Settings, received: RequestLike, view: View): Promise<Passage> {
  if (!URL.canParse(received.url)) {
    return { response: unreadableTarget() }
  }

  const seen = read(settings, received, view)
  if (view.mount !== undefined && ownPathOf(settings.paths, seen.path) === null) {
    settings.protectedPaths.checkMount(view.mount)
  }

  const answer = await answerOwnPath(settings, seen)
  if (answer !== null) {
    return { response: answer }
  }

  const refusal = await refuseOtherOrigin(settings, seen.request)
  if (refusal !== null) {
    return { response: refusal }
  }

  return passToApp(settings, seen)
}

function read({ paths, protectedPaths }: Settings, received: RequestLike, view: View): Seen {
  const shown = view.path ?? targetOf(received.url)
  const [sent = '/'] = shown.split('?')
  const path = ownPathOf(paths, sent) ?? sent
  const origin = view.origin ?? new URL(received.url).origin

  const { method, headers } = received
  const request = { method, headers, url: origin + path + shown.slice(sent.length) }

  const readings = [path, ...(view.routed ?? [])]
  const needsUser = readings.some((reading) => protectedPaths.includes(reading ?? ''))
  const isShared = isSubresource(request) && !needsUser
  return { request, path, shown, needsUser, isShared, kind: view.kind }
}

/** The response to the login, the callback and the logout; null for all other paths. */
async function answerOwnPath(
  settings: Settings,
  { request, path }: Seen,
): Promise<Response | null> {
  const { options, paths, afterLogout, startPath, client, onError } = settings
  const given = {
    ...options,
    client: client(),
    onError,
    callbackPath: paths.callback,
    loginPath: paths.login,
    startPath,
  }

  switch (path) {
    case paths.login:
      return request.method === 'GET' ? startLogin(request, given) : methodNotAllowed('GET')
    case paths.callback:
      return handleCallback(request, given)
    case paths.logout:
      return handleLogout(request, { ...given, home: afterLogout })
    default:
      return null
  }
}

/** 403 for a request that a page of another origin sent with the cookies of a session. */
async function refuseOtherOrigin(
  settings: Settings,
  request: RequestLike,
): Promise<Response | null> {
  if (!isOfAnotherOrigin(request, settings.options.trustedOrigins)) {
    return null
  }

  // Read only: the cookies of a refresh would be lost with the 403.
  const session = await orUnavailable(settings, request, () => settings.client().session(request))
  if (session instanceof Response) {
    return session
  }
  return session.status === 'signedOut' ? null : otherOrigin()
}

/** Reads the session that the app gets, and refreshes it. */
async function passToApp(settings: Settings, seen: Seen): Promise<Passage> {
  const { request, isShared } = seen
  const setCookies: string[] = []
  const found = await readSession(settings, request, { refresh: !isShared, setCookies })
  if (found instanceof Response) {
    return { response: found }
  }

  // An expired session that was only read.
  const session: Session = found.user === null ? { ...found, status: 'signedOut' } : found
  const isPrivate = session.user !== null && !isShared
  const additions: Additions = { setCookies, cacheControl: isPrivate ? 'no-store' : null }

  const response = await respond(settings, seen, session)
  if (response !== null) {
    return { response: withAdditions(response, additions) }
  }
  return { response, session, ...additions }
}

/** The session, or the response to a request whose session cannot be read. */
async function readSession(
  settings: Settings,
  request: RequestLike,
  { refresh, setCookies }: { readonly refresh: boolean; readonly setCookies: string[] },
): Promise<Session | ReadSession | Response> {
  const setCookie = (line: string): unknown => setCookies.push(line)
  const found = await orUnavailable<Session | ReadSession>(settings, request, () => {
    const client = settings.client()
    return refresh ? client.session(request, { refresh, setCookie }) : client.session(request)
  })

  if (!(found instanceof Response) && found.status === 'superseded') {
    return redirectToRetry(request)
  }
  return found
}

async function orUnavailable<Read extends Session | ReadSession>(
  settings: Settings,
  request: RequestLike,
  readIt: () => Promise<Read>,
): Promise<Read | Response> {
  try {
    const session = await readIt()
    if (session.user !== null) {
      noteSuccess(settings.client())
    }
    return session
  } catch (error) {
    return failed(settings, request, error)
  }
}

async function failed(
  { options, client, onError }: Settings,
  request: RequestLike,
  error: unknown,
): Promise<Response> {
  if (!(error instanceof GatehouseError)) {
    throw error
  }
  onError(error)
  return unavailableAnswer(request, error, { client: client(), uiLocales: options.uiLocales })
}

/** The response to a request with this session; null if the app handles it. */
async function respond(
  settings: Settings,
  { request, path, shown, needsUser, kind }: Seen,
  session: Session,
): Promise<Response | null> {
  if (path === settings.paths.session) {
    return sessionResponse(settings, request, session)
  }
  if (session.user === null && needsUser) {
    return loginAnswer(settings, request, shown, kind)
  }
  return null
}

async function sessionResponse(
  settings: Settings,
  request: RequestLike,
  session: Session,
): Promise<Response> {
  try {
    return await sessionAnswer(session, new URL(request.url).searchParams)
  } catch (error) {
    return failed(settings, request, error)
  }
}

/** Scripts of other sites can send this request, but not read its response. */
async function sessionAnswer(session: Session, query: URLSearchParams): Promise<Response> {
  const { status, user } = session
  const audience = query.get('id_token')
  const issued = audience === null ? undefined : await issueIdToken(session, audience || undefined)
  const token = issued && { id_token: issued.idToken, expires_in: issued.expiresIn }
  return Response.json({ status, user, ...token }, { headers: { 'Cache-Control': 'no-store' } })
}

/** The response to a request that needs a user and has none. */
async function loginAnswer(
  { options, paths, home, client }: Settings,
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
    client: client(),
    callbackPath: paths.callback,
    returnTo,
    // The query is that of the page.
    provider: 'google',
  })
}

async function refuse(settings: Settings, request: RequestLike): Promise<Response> {
  const { pathname, search } = new URL(request.url)
  if (pathname === settings.errorPage) {
    throw guardedErrorPath(settings.errorPage, 'needs a user')
  }
  return loginAnswer(settings, request, pathname + search, undefined)
}
