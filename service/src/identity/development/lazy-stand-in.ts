import { loopbackUrl } from './loopback-url.ts'
import type { StandIn } from './stand-in.ts'

/** Loads a stand-in at its first request: oidc-provider is a third of the modules that a start would load. */
export function lazyStandIn(title: string, url: string, start: () => Promise<StandIn>): StandIn {
  const prefix = loopbackUrl(title, url).pathname.replace(/\/$/, '')
  let loading: Promise<StandIn> | undefined
  const load = (): Promise<StandIn> => {
    // A failed load is tried again by the next request, never remembered.
    loading ??= start().catch((error: unknown) => {
      loading = undefined
      throw error
    })
    return loading
  }
  return {
    url,
    handles: (path) => path === prefix || path.startsWith(`${prefix}/`),
    listener(req, res) {
      load().then(
        (standIn) => standIn.listener(req, res),
        (error: unknown) => void res.writeHead(500, { 'Content-Type': 'text/plain' }).end(`${error}\n`),
      )
    },
  }
}
