import type { DevGoogle } from './dev-google.ts'
import { requireInstalled } from './library.ts'
import { loopbackIssuer } from './loopback-issuer.ts'
import type { DevGoogleClient } from './provider.ts'

/**
 * The development Google, loaded when somebody first comes to it: it is a third of what a start would read, and most
 * answers do not need it.
 */
export function devGoogleWhenNeeded(config: {
  readonly issuer: string
  readonly clients: readonly DevGoogleClient[]
}): DevGoogle {
  requireInstalled()
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
