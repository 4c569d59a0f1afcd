import type { DevGoogle } from './dev-google.ts'
import { requireOidcProvider } from './load-oidc-provider.ts'
import { loopbackIssuer } from './loopback-issuer.ts'
import type { DevGoogleClient } from './provider.ts'

/** Loads the development Google at its first request: it is a third of the modules that a start would load. */
export function lazyDevGoogle(config: {
  readonly issuer: string
  readonly clients: readonly DevGoogleClient[]
}): DevGoogle {
  requireOidcProvider()
  const prefix = loopbackIssuer(config.issuer).pathname.replace(/\/$/, '')
  let loading: Promise<DevGoogle> | undefined
  const load = (): Promise<DevGoogle> => {
    // A failed load is tried again by the next request, never remembered.
    loading ??= import('./dev-google.ts')
      .then(({ devGoogle }) => devGoogle(config))
      .catch((error: unknown) => {
        loading = undefined
        throw error
      })
    return loading
  }
  return {
    issuer: config.issuer,
    handles: (path) => path === prefix || path.startsWith(`${prefix}/`),
    listener(req, res) {
      load().then(
        (provider) => provider.listener(req, res),
        (error: unknown) => void res.writeHead(500, { 'Content-Type': 'text/plain' }).end(`${error}\n`),
      )
    },
  }
}
