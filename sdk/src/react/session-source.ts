import type { BrowserSession } from '../browser/browser-session.ts'
import { parseJson, recordOf } from '../json.ts'
import type { ProviderName } from '../login/provider.ts'
import type { User } from '../types.ts'

/** The subset of the browser's globals that is used. A function: a server that renders the components has none of them. */
export const browserPage = (): BrowserPage => globalThis as unknown as BrowserPage

interface BrowserPage {
  readonly location: { readonly pathname: string; readonly search: string; assign(url: string): void }
  readonly document: {
    readonly visibilityState: string
    addEventListener(type: 'visibilitychange', listener: () => void): void
    removeEventListener(type: 'visibilitychange', listener: () => void): void
  }
}

/** Where the components read the session, and how they sign in and out. */
export interface SessionSource {
  /** Throws if the session cannot be read now, which is not a sign-out. */
  read(): Promise<User | null>
  /** For a link that works without scripts. null: `signIn` must be called. */
  loginHref(returnTo: string | null, provider?: ProviderName): string | null
  signIn(returnTo: string, provider?: ProviderName): void
  /** The action of a form that signs out without scripts. null: `signOut` must be called. */
  readonly logoutAction: string | null
  signOut(): Promise<void>
  onChange(listener: () => void): () => void
}

/** The routes of an app that uses an adapter of this package. */
export function serverSource(paths: { session: string; login: string; logout: string }): SessionSource {
  const loginHref = (returnTo: string | null, provider?: ProviderName): string => {
    const query = new URLSearchParams({
      ...(returnTo === null ? {} : { return_to: returnTo }),
      ...(provider === undefined ? {} : { provider }),
    })
    return query.size === 0 ? paths.login : `${paths.login}?${query}`
  }
  return {
    async read() {
      const response = await fetch(paths.session, { headers: { Accept: 'application/json' }, cache: 'no-store' })
      const { status, user } = recordOf(parseJson(await response.text()))
      if (!response.ok || typeof status !== 'string')
        throw new Error(`${paths.session} responded with ${response.status}.`)
      return (user ?? null) as User | null
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
export const browserSource = (session: BrowserSession): SessionSource => ({
  read: () => session.user(),
  loginHref: () => null,
  signIn: (returnTo, provider) => session.login({ returnTo, provider }),
  logoutAction: null,
  signOut: () => session.logout(),
  onChange: (listener) => session.onChange(listener),
})
