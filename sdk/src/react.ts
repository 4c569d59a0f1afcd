'use client'

/** React components for the session. Next.js: import them in any component; this file is a client boundary. */

import {
  createContext,
  createElement,
  type FunctionComponent,
  type ReactNode,
  useCallback,
  useContext,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import type { BrowserSession } from './browser.ts'
import { claimsOf, parseJson, recordOf } from './encoding.ts'
import type { IdTokens } from './id-tokens.ts'
import { PROVIDER_LABELS, type ProviderName } from './login/provider.ts'
import { readIdToken } from './service/read-response.ts'
import { shareIdTokens } from './service/send.ts'
import type { User } from './types.ts'

export interface SessionProviderProps {
  readonly children?: ReactNode
  /**
   * The user that the server already knows, or null. Without it, the session is read after the first render. Another user later
   * is shown, too.
   */
  readonly user?: User | null
  /** For apps without a server: the session of `browserSession`. */
  readonly session?: BrowserSession
  /** For apps without a server: the function of `idTokens`, for `useIdToken` and `claims`. */
  readonly idToken?: IdTokens
  /** Reads the claims of the user, from an ID token: one more request. */
  readonly claims?: boolean
  /** The paths of your adapter. Default `/auth/session`, `/login` and `/logout`. */
  readonly sessionPath?: string
  readonly loginPath?: string
  readonly logoutPath?: string
}

export interface UserState {
  /**
   * `loading`: not known yet. `unavailable`: it could not be read; `user` is the last known one, because an outage is not a
   * sign-out.
   */
  readonly status: 'loading' | 'signedIn' | 'signedOut' | 'unavailable'
  readonly user: User | null
  /** With `claims` of the provider: what an ID token of the user says, such as a role. For display: your server decides. */
  readonly claims: Readonly<Record<string, unknown>> | null
  /** Starts a login that continues at `returnTo`. Default: the current page. */
  signIn(returnTo?: string, provider?: ProviderName): void
  signOut(): Promise<void>
  /** Reads the session again. */
  reload(): Promise<void>
}

interface Shared extends UserState {
  readonly source: SessionSource
}

const SessionContext = createContext<Shared | null>(null)

/** A tab that becomes visible reads the session again, but not more often than this. */
const RELOAD_MS = 60_000

/**
 * Shares the session with `useUser`, `SignInButton` and `UserButton`. Put it around your app.
 *
 * @example
 * ```ts
 * import { SessionProvider, UserButton } from '@gatehouse-auth/sdk/react'
 * import { createElement } from 'react'
 * import { renderToString } from 'react-dom/server'
 *
 * const user = { id: 1, email: 'ada@example.com', name: 'Ada', picture: null }
 * console.log(renderToString(createElement(SessionProvider, { user }, createElement(UserButton))))
 * ```
 */
export const SessionProvider: FunctionComponent<SessionProviderProps> = (props) => {
  const {
    children,
    user,
    session,
    idToken,
    claims: withClaims = false,
    sessionPath,
    loginPath,
    logoutPath,
  } = props
  const source = useMemo(() => {
    if (session !== undefined) {
      return browserSource(session, idToken)
    }
    const {
      session: read,
      login,
      logout,
    } = { session: '/auth/session', login: '/login', logout: '/logout' }
    return serverSource({
      session: sessionPath ?? read,
      login: loginPath ?? login,
      logout: logoutPath ?? logout,
    })
  }, [session, idToken, sessionPath, loginPath, logoutPath])
  const [state, setState] = useState<Pick<UserState, 'status' | 'user'>>(() =>
    user === undefined ? { status: 'loading', user: null } : stateOf(user),
  )
  const [claims, setClaims] = useState<UserState['claims']>(null)
  const readAt = useRef(0)
  const newest = useRef<Promise<unknown> | null>(null)

  const reload = useCallback(async () => {
    readAt.current = performance.now()
    const read = source.read()
    newest.current = read
    const user = await read.catch(() => undefined)
    // A response that arrives after a later read, such as that of a sign-out, is about the past.
    if (newest.current !== read) {
      return
    }
    setState((known) =>
      user === undefined ? { status: 'unavailable', user: known.user } : stateOf(user),
    )
  }, [source])

  // By value: the server renders an equal user anew for each page, and that must not undo a sign-out in this browser.
  const given = user && JSON.stringify([user.id, user.email, user.name, user.picture])
  const shown = useRef(given)
  useEffect(() => {
    if (shown.current === given) {
      return
    }
    shown.current = given
    if (user === undefined) {
      return
    }
    newest.current = null
    setState(stateOf(user))
  }, [given, user])

  const isKnown = user !== undefined
  useEffect(() => {
    if (!isKnown) {
      void reload()
    }
    const { document } = browserPage()
    const onVisible = (): void => {
      if (
        document.visibilityState === 'visible' &&
        performance.now() - readAt.current > RELOAD_MS
      ) {
        void reload()
      }
    }
    document.addEventListener('visibilitychange', onVisible)
    const stop = source.onChange(() => void reload())
    return () => {
      document.removeEventListener('visibilitychange', onVisible)
      stop()
    }
  }, [source, reload, isKnown])

  const userId = state.user?.id
  useEffect(() => {
    let isCurrent = true
    setClaims(null)
    if (withClaims && userId !== undefined) {
      source.idToken(userId).then(
        (token) => isCurrent && setClaims(token === null ? null : claimsOf(token)),
        // In an outage they stay unknown.
        () => {},
      )
    }
    return () => {
      isCurrent = false
    }
  }, [source, withClaims, userId])

  const shared = useMemo<Shared>(
    () => ({
      ...state,
      claims,
      source,
      reload,
      signIn: (returnTo, provider) => source.signIn(returnTo ?? currentPath(), provider),
      signOut: () => source.signOut(),
    }),
    [state, claims, source, reload],
  )
  return createElement(SessionContext.Provider, { value: shared }, children)
}

/**
 * The signed-in user, and functions to sign in and out.
 *
 * @example
 * ```ts
 * import { SessionProvider, useUser } from '@gatehouse-auth/sdk/react'
 * import { createElement } from 'react'
 * import { renderToString } from 'react-dom/server'
 *
 * function Greeting() {
 *   const { status, user } = useUser()
 *   return status === 'signedIn' ? `Hello, ${user?.name}` : 'Hello, stranger'
 * }
 * console.log(renderToString(createElement(SessionProvider, { user: null }, createElement(Greeting))))
 * ```
 */
export const useUser = (): UserState => useShared()

/**
 * A function that returns ID tokens of the signed-in user, or null: for the clients of databases, such as
 * `fetchAccessToken` of Convex. It stays the same while the user does.
 *
 * @example
 * ```ts
 * import { SessionProvider, useIdToken } from '@gatehouse-auth/sdk/react'
 * import { createElement } from 'react'
 * import { renderToString } from 'react-dom/server'
 *
 * function Rows() {
 *   const idToken = useIdToken()
 *   return createElement('button', { onClick: async () => console.log(await idToken('my-database')) }, 'Load')
 * }
 * console.log(renderToString(createElement(SessionProvider, { user: null }, createElement(Rows))))
 * ```
 */
export function useIdToken(): IdTokens {
  const { source, user } = useShared()
  const id = user?.id
  return useCallback(
    async (audience) => (id === undefined ? null : source.idToken(id, audience)),
    [source, id],
  )
}

function useShared(): Shared {
  const shared = useContext(SessionContext)
  if (shared === null) {
    throw new Error('Put <SessionProvider> around the components that use the session.')
  }
  return shared
}

function currentPath(): string {
  const { pathname, search } = browserPage().location
  return pathname + search
}

const stateOf = (user: User | null): Pick<UserState, 'status' | 'user'> => ({
  status: user === null ? 'signedOut' : 'signedIn',
  user,
})

/** The subset of the browser's globals that is used. A function: a server that renders the components has none of them. */
const browserPage = (): BrowserPage => globalThis as unknown as BrowserPage

interface BrowserPage {
  readonly location: {
    readonly pathname: string
    readonly search: string
    assign(url: string): void
  }
  readonly document: {
    readonly visibilityState: string
    addEventListener(type: 'visibilitychange', listener: () => void): void
    removeEventListener(type: 'visibilitychange', listener: () => void): void
  }
}

/** Where the components read the session, and how they sign in and out. */
interface SessionSource {
  /** Throws if the session cannot be read now, which is not a sign-out. */
  read(): Promise<User | null>
  /** For a link that works without scripts. null: `signIn` must be called. */
  loginHref(returnTo: string | null, provider?: ProviderName): string | null
  signIn(returnTo: string, provider?: ProviderName): void
  /** The action of a form that signs out without scripts. null: `signOut` must be called. */
  readonly logoutAction: string | null
  signOut(): Promise<void>
  onChange(listener: () => void): () => void
  /** null: the session has ended meanwhile. */
  idToken(userId: number, audience?: string): Promise<string | null>
}

/** The routes of an app that uses an adapter of this package. */
function serverSource(paths: { session: string; login: string; logout: string }): SessionSource {
  const loginHref = (returnTo: string | null, provider?: ProviderName): string => {
    const query = new URLSearchParams({
      ...(returnTo === null ? {} : { return_to: returnTo }),
      ...(provider === undefined ? {} : { provider }),
    })
    return query.size === 0 ? paths.login : `${paths.login}?${query}`
  }
  const load = async (path: string): Promise<Readonly<Record<string, unknown>>> => {
    const response = await fetch(path, {
      headers: { Accept: 'application/json' },
      cache: 'no-store',
    })
    const body = recordOf(parseJson(await response.text()))
    if (response.ok && typeof body.status === 'string') {
      return body
    }
    throw new Error(`${paths.session} responded with ${response.status}.`)
  }
  const shared = shareIdTokens()
  return {
    read: async () => ((await load(paths.session)).user ?? null) as User | null,
    async idToken(userId, audience = '') {
      const none = { idToken: '', expiresIn: 0 }
      const path = `${paths.session}?${new URLSearchParams({ id_token: audience })}`
      const { idToken } = await shared(
        `${userId} ${audience}`,
        async () => readIdToken(await load(path)) ?? none,
      )
      return idToken || null
    },
    loginHref,
    signIn: (returnTo, provider) => browserPage().location.assign(loginHref(returnTo, provider)),
    logoutAction: paths.logout,
    async signOut() {
      await fetch(paths.logout, { method: 'POST', redirect: 'manual' })
      browserPage().location.assign('/')
    },
    onChange: () => () => {},
  }
}

/** An app without a server. */
const browserSource = (session: BrowserSession, idToken: IdTokens | undefined): SessionSource => ({
  read: () => session.user(),
  loginHref: () => null,
  signIn: (returnTo, provider) => session.login({ returnTo, provider }),
  logoutAction: null,
  signOut: () => session.logout(),
  onChange: (listener) => session.onChange(listener),
  async idToken(_userId, audience) {
    if (idToken === undefined) {
      throw new TypeError('Pass idToken to <SessionProvider>: idTokens({ session, … }).')
    }
    return idToken(audience)
  },
})

export interface SignInButtonProps {
  readonly children?: ReactNode
  readonly className?: string
  /** The path to continue at after the login. Default: the current page. */
  readonly returnTo?: string
  /** Default: Google. */
  readonly provider?: ProviderName
}

/**
 * A link to the login that returns to the current page. Renders nothing while a user is signed in. With an adapter it works
 * before scripts have loaded.
 *
 * @example
 * ```ts
 * import { SessionProvider, SignInButton } from '@gatehouse-auth/sdk/react'
 * import { createElement } from 'react'
 * import { renderToString } from 'react-dom/server'
 *
 * const button = createElement(SignInButton, { returnTo: '/notes' }, 'Sign in with Google')
 * console.log(renderToString(createElement(SessionProvider, { user: null }, button)))
 * ```
 */
export const SignInButton: FunctionComponent<SignInButtonProps> = ({
  children,
  className,
  returnTo,
  provider,
}) => {
  const { source, signIn, user } = useShared()
  if (user !== null) {
    return null
  }
  const labels: Readonly<Record<string, string>> = PROVIDER_LABELS
  const text = children ?? `Sign in with ${labels[provider ?? 'google'] ?? provider}`
  const href = source.loginHref(returnTo ?? null, provider)
  if (href === null) {
    return createElement(
      'button',
      { type: 'button', className, onClick: () => signIn(returnTo, provider) },
      text,
    )
  }
  // The current page is known in the browser only, and may have changed since the last render.
  const onClick = (event: { readonly currentTarget: { href: string } }): void => {
    event.currentTarget.href = source.loginHref(returnTo ?? currentPath(), provider) ?? href
  }
  return createElement('a', { href, className, onClick }, text)
}

export interface UserButtonProps {
  readonly className?: string
  /** The text of the button. Default `Sign out`. */
  readonly children?: ReactNode
}

/**
 * The picture and name of the signed-in user, and a button that signs out. Renders nothing for other visitors.
 *
 * @example
 * ```ts
 * import { SessionProvider, UserButton } from '@gatehouse-auth/sdk/react'
 * import { createElement } from 'react'
 * import { renderToString } from 'react-dom/server'
 *
 * const user = { id: 1, email: 'ada@example.com', name: 'Ada', picture: null }
 * console.log(renderToString(createElement(SessionProvider, { user }, createElement(UserButton))))
 * ```
 */
export const UserButton: FunctionComponent<UserButtonProps> = ({ className, children }) => {
  const { source, signOut, user } = useShared()
  if (user === null) {
    return null
  }
  const { name, email, picture } = user
  // Google's pictures are refused to some referrers.
  const image = {
    src: picture ?? '',
    alt: '',
    width: 32,
    height: 32,
    referrerPolicy: 'no-referrer',
  } as const
  const content = [
    picture === null ? null : createElement('img', { key: 'picture', ...image }),
    createElement('span', { key: 'name', title: email }, name ?? email),
  ]
  const label = children ?? 'Sign out'
  if (source.logoutAction === null) {
    const button = createElement('button', { type: 'button', onClick: () => void signOut() }, label)
    return createElement('div', { className }, content, button)
  }
  const button = createElement('button', { type: 'submit' }, label)
  return createElement(
    'form',
    { method: 'post', action: source.logoutAction, className },
    content,
    button,
  )
}
