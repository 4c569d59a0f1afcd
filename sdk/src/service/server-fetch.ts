import type { Fetch } from '../types.ts'

/** For the operator's log. None in browsers: a custom `User-Agent` would need a CORS preflight. */
const USER_AGENT: Record<string, string> = 'document' in globalThis ? {} : { 'User-Agent': 'gatehouse-sdk/1' }

/** Some frameworks cache `fetch` responses. Some runtimes throw on the `cache` option, so it is set only where it exists. */
const NO_STORE: RequestInit =
  typeof Request !== 'undefined' && 'cache' in Request.prototype ? { cache: 'no-store' } : {}

/** `fetch` with what requests of a server have besides. Apart, because bundles for browsers do without it. */
export const serverFetch =
  (fetch: Fetch | undefined): Fetch =>
  (url, init) =>
    (fetch ?? globalThis.fetch)(url, {
      ...init,
      ...NO_STORE,
      headers: { ...USER_AGENT, ...(init.headers as Record<string, string>) },
    })
