import {
  InvalidRefreshTokenError,
  RefreshReusedError,
  RefreshSupersededError,
} from '../service/errors.ts'
import type { IdTokenFor } from '../service/exchange.ts'
import type { Clock } from '../service/send.ts'
import type { IssuedIdToken, TokenPair, User, Verification } from '../types.ts'
import type {
  NotSignedIn,
  ReadSession,
  Session,
  SessionInput,
  SessionOptions,
  SignedIn,
} from './session.ts'
import type { SentCookies } from './session-cookies.ts'
import type { Refresher, SessionStorage } from './session-storage.ts'

interface SessionDependencies {
  readonly storage: SessionStorage
  readonly refresher: Refresher
  readonly clock: Clock
  verify(accessToken: string): Promise<Verification>
  idToken: IdTokenFor
  link(accessToken: string, ...link: Parameters<SignedIn['link']>): Promise<string>
}

/** Verifies the access token; if it is invalid, refreshes and verifies the new one (spec, Authentication 12). */
export async function readSession(
  dependencies: SessionDependencies,
  input: SessionInput,
  options: SessionOptions = {},
): Promise<Session | ReadSession> {
  const place = placeOf(dependencies.storage, input, options)
  const { accessToken, refreshToken, bind } = await place.read()
  const current = accessToken ? await verifiedSession(dependencies, accessToken) : null
  if (current !== null) {
    return current
  }
  if (!refreshToken) {
    return signedOut(place)
  }
  if (place.save === null) {
    return (await recentSession(dependencies, refreshToken, bind)) ?? none('expired')
  }

  const unread = options.refresh ? 'superseded' : 'expired'
  try {
    const session = await refreshed(dependencies, place.save, refreshToken, bind)
    return session ?? (await signedOut(place))
  } catch (error) {
    if (error instanceof RefreshSupersededError) {
      const session = await pairOfOtherProcess(dependencies, place, refreshToken)
      return session ?? none(unread)
    }
    // Only these two errors end the session. An outage or a paused tenant must not sign the user out.
    if (error instanceof InvalidRefreshTokenError || error instanceof RefreshReusedError) {
      return signedOut(place)
    }
    throw error
  }
}

/** The session of the pair that this process may have got for a middleware that ran before, or null. */
async function recentSession(
  dependencies: SessionDependencies,
  refreshToken: string,
  bind: string | null,
): Promise<SignedIn | null> {
  const recent = dependencies.refresher.recentPair(refreshToken, bind)
  return recent && verifiedSession(dependencies, recent.accessToken)
}

async function verifiedSession(
  dependencies: SessionDependencies,
  accessToken: string,
): Promise<SignedIn | null> {
  const verified = await dependencies.verify(accessToken)
  return verified.valid ? signedIn(dependencies, verified.user, accessToken) : null
}

/**
 * The session with a new pair, or null if even that is not valid. A pair from memory may have been refreshed since, or may need
 * it: its tokens are older than this request.
 */
async function refreshed(
  dependencies: SessionDependencies,
  save: (tokens: TokenPair) => Promise<void>,
  refreshToken: string,
  bind: string | null,
): Promise<SignedIn | null> {
  const { refresher, verify } = dependencies
  const recent = refresher.recentPair(refreshToken, bind)
  const tokens = recent ?? (await refresher.refresh(refreshToken, { bind: bind ?? undefined }))
  try {
    const verified = await verify(tokens.accessToken)
    if (verified.valid) {
      await save(tokens)
      return signedIn(dependencies, verified.user, tokens.accessToken, tokens)
    }
  } catch (error) {
    refresher.keepUndelivered(refreshToken, bind)
    throw error
  }
  return recent && refreshed(dependencies, save, recent.refreshToken, bind)
}

/** How long another process may take to put the new pair into the store of the app. */
const STORE_WAIT_MS = 3_000
const STORE_POLL_MS = 100

/** With a store, the new pair of the other process appears there. With cookies it appears in the browser: null. */
async function pairOfOtherProcess(
  dependencies: SessionDependencies,
  place: Place,
  spent: string,
): Promise<SignedIn | null> {
  const { storage, clock, verify } = dependencies
  const deadline = clock.now() + STORE_WAIT_MS
  while (storage.storesWithoutCookies && clock.now() < deadline) {
    const { accessToken, refreshToken } = await place.read()
    if (refreshToken !== spent) {
      const verified = accessToken ? await verify(accessToken) : null
      return accessToken && verified?.valid
        ? signedIn(dependencies, verified.user, accessToken)
        : null
    }
    await clock.sleep(STORE_POLL_MS)
  }
  return null
}

function signedIn(
  { idToken, link }: SessionDependencies,
  user: User,
  accessToken: string,
  tokens: TokenPair | null = null,
): SignedIn {
  const session = { status: 'signedIn', user, tokens } as SignedIn
  const issue = (audience?: string): Promise<IssuedIdToken> => idToken(accessToken, audience)
  issuers.set(session, issue)
  return Object.defineProperties(session, {
    idToken: { value: async (audience?: string) => (await issue(audience)).idToken },
    link: { value: (...asked: Parameters<SignedIn['link']>) => link(accessToken, ...asked) },
  })
}

const issuers = new WeakMap<object, (audience?: string) => Promise<IssuedIdToken>>()

/** With the time that it is valid for, for an adapter. undefined: no user is signed in. */
export const issueIdToken = (
  session: object,
  audience?: string,
): Promise<IssuedIdToken> | undefined => issuers.get(session)?.(audience)

async function signedOut(place: Place): Promise<NotSignedIn<'signedOut'>> {
  await place.clear()
  return none('signedOut')
}

const none = <Status extends string>(status: Status): NotSignedIn<Status> => ({
  status,
  user: null,
  tokens: null,
})

/** Where the pair comes from, and where a new one goes. `save` is null for a caller that cannot store one. */
interface Place {
  read(): Promise<SentCookies>
  readonly save: ((tokens: TokenPair) => Promise<void>) | null
  clear(): Promise<void>
}

function placeOf(storage: SessionStorage, input: SessionInput, options: SessionOptions): Place {
  if (!('headers' in input)) {
    const { accessToken = null, refreshToken = null, bind = null } = input
    const onTokens = 'onTokens' in options ? options.onTokens : null
    if (options.refresh && onTokens === null) {
      throw new TypeError('refresh: true needs onTokens, which stores the pair.')
    }
    return {
      read: async () => ({ accessToken, refreshToken, bind }),
      save: onTokens && (async (tokens) => onTokens(tokens)),
      clear: async () => (accessToken || refreshToken ? onTokens?.(null) : undefined),
    }
  }
  const setCookie = 'setCookie' in options ? options.setCookie : null
  if (options.refresh && setCookie === null) {
    throw new TypeError(
      'refresh: true needs setCookie, which adds a Set-Cookie header to your response.',
    )
  }
  const add = (lines: readonly string[]): void => {
    for (const line of lines) {
      setCookie?.(line)
    }
  }
  const canStore = setCookie !== null || storage.storesWithoutCookies
  return {
    read: () => storage.read(input),
    save: canStore ? async (tokens) => add(await storage.save(input, tokens)) : null,
    clear: async () => (canStore ? add(await storage.clear(input)) : undefined),
  }
}
