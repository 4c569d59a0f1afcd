import type { TokenPair } from '../types.ts'
import type { SessionInput, SessionOptions } from './session.ts'
import type { SentCookies } from './session-cookies.ts'
import type { SessionStorage } from './session-storage.ts'

/** Where the pair comes from, and where a new one goes. `save` is null for a caller that cannot store one. */
export interface Place {
  read(): Promise<SentCookies>
  readonly save: ((tokens: TokenPair) => Promise<void>) | null
  clear(): Promise<void>
}

export function placeOf(storage: SessionStorage, input: SessionInput, options: SessionOptions): Place {
  if (!('headers' in input)) {
    const { accessToken = null, refreshToken = null, bind = null } = input
    const onTokens = 'onTokens' in options ? options.onTokens : null
    if (options.refresh && onTokens === null)
      throw new TypeError('refresh: true needs onTokens, which stores the pair.')
    return {
      read: async () => ({ accessToken, refreshToken, bind }),
      save: onTokens && (async (tokens) => onTokens(tokens)),
      clear: async () => (accessToken || refreshToken ? onTokens?.(null) : undefined),
    }
  }
  const setCookie = 'setCookie' in options ? options.setCookie : null
  if (options.refresh && setCookie === null) {
    throw new TypeError('refresh: true needs setCookie, which adds a Set-Cookie header to your response.')
  }
  const add = (lines: readonly string[]): void => {
    for (const line of lines) setCookie?.(line)
  }
  const canStore = setCookie !== null || storage.storesWithoutCookies
  return {
    read: () => storage.read(input),
    save: canStore ? async (tokens) => add(await storage.save(input, tokens)) : null,
    clear: async () => (canStore ? add(await storage.clear(input)) : undefined),
  }
}
