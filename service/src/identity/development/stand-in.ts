import type { IncomingMessage, ServerResponse } from 'node:http'
import { loopbackUrl } from './loopback-url.ts'
import { portrait } from './portrait.ts'
import type { SignInPage } from './sign-in-page.ts'
import { STYLE } from './style.ts'

/** A provider of this process, in development and tests. Its page lets the developer choose a user or a fault. */
export interface StandIn {
  /** Where it is mounted, without a trailing slash. */
  readonly url: string
  /** Whether it serves this path. */
  handles(pathname: string): boolean
  /** A listener for `node:http`: on a port of its own, or before another listener for the paths it handles. */
  listener(req: IncomingMessage, res: ServerResponse): void
}

/** The client of the service itself. It has its secret and its redirect URIs; every other client is an owner's. */
export interface SharedClient {
  readonly clientId: string
  readonly clientSecret: string
  readonly redirectUris: readonly string[]
}

export interface StandInConfig {
  readonly url: string
  readonly clients: readonly SharedClient[]
  /** The clock of the service, for the lifetime of a client secret that it signed. */
  readonly now: () => number
}

/** The path of a request below the mount point: `login/oauth/authorize`. */
type Respond = (req: IncomingMessage, res: ServerResponse, path: string) => Promise<void>

/** Serves the style and pictures, and leaves the rest to `respond`. It checks no credentials, so it runs on loopback only. */
export function mountStandIn({ title, url, mountPath }: SignInPage, respond: Respond): StandIn {
  loopbackUrl(title, url)
  const prefix = mountPath.slice(0, -1)
  const handles = (path: string): boolean => path === prefix || path.startsWith(mountPath)

  async function serve(req: IncomingMessage, res: ServerResponse, path: string): Promise<void> {
    const [segment, file = ''] = path.split('/')
    if (segment === 'style.css') return send(res, 'text/css; charset=utf-8', STYLE)
    if (segment === 'people') return send(res, 'image/svg+xml', portrait(file))
    return respond(req, res, path)
  }

  return {
    url,
    handles,
    listener(req, res) {
      const path = (req.url ?? '').split('?', 1)[0] ?? ''
      if (!handles(path)) return notFound(res)
      serve(req, res, path.slice(mountPath.length)).catch((error: unknown) => {
        if (res.headersSent) return res.destroy()
        return res.writeHead(500, { 'Content-Type': 'text/plain' }).end(`${error}\n`)
      })
    },
  }
}

export function notFound(res: ServerResponse): void {
  res.writeHead(404, { 'Content-Type': 'text/plain' }).end('Not found\n')
}

function send(res: ServerResponse, type: string, body: string | null): void {
  if (body === null) {
    notFound(res)
    return
  }
  res
    .writeHead(200, {
      'Content-Type': type,
      'Content-Security-Policy': "default-src 'none'",
      'Cache-Control': 'max-age=3600',
      'X-Content-Type-Options': 'nosniff',
    })
    .end(body)
}
