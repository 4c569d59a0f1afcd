import type { IncomingMessage, ServerResponse } from 'node:http'
import { accountChooser } from './chooser.ts'
import { loopbackIssuer } from './loopback-issuer.ts'
import { portrait } from './portrait.ts'
import { type DevGoogleClient, openIdProvider } from './provider.ts'
import { STYLE } from './style.ts'

export interface DevGoogle {
  readonly issuer: string
  /** Whether it serves this path. */
  handles(pathname: string): boolean
  /** A listener for `node:http`: on a port of its own, or before another listener for the paths it handles. */
  listener(req: IncomingMessage, res: ServerResponse): void
}

/**
 * A stand-in for Google in development and tests: a real OpenID provider whose page lets the developer choose a user or
 * a fault. It checks no credentials, so it runs on loopback only.
 */
export async function devGoogle(config: {
  readonly issuer: string
  readonly clients: readonly DevGoogleClient[]
}): Promise<DevGoogle> {
  const { protocol, host, pathname } = loopbackIssuer(config.issuer)
  const prefix = pathname.replace(/\/$/, '')
  const mountPath = `${prefix}/`
  const provider = await openIdProvider(config.issuer, mountPath, config.clients)
  const response = provider.callback()

  const handles = (path: string): boolean => path === prefix || path.startsWith(mountPath)

  async function respond(req: IncomingMessage, res: ServerResponse, path: string): Promise<void> {
    const [segment, file = ''] = path.slice(mountPath.length).split('/')
    if (segment === 'choose') return accountChooser(provider, mountPath, req, res)
    if (segment === 'style.css') return send(res, 'text/css; charset=utf-8', STYLE)
    if (segment === 'people') return send(res, 'image/svg+xml', portrait(file))

    // oidc-provider expects a mounted request: the full path in originalUrl, the rest in url, which starts with a slash.
    const rest = (req.url ?? '').slice(prefix.length)
    Object.assign(req, { originalUrl: req.url, url: rest.startsWith('/') ? rest : `/${rest}` })
    // The URLs it generates come from the issuer, not from the Host header.
    Object.assign(req.headers, { 'x-forwarded-proto': protocol.slice(0, -1), 'x-forwarded-host': host })
    await response(req, res)
  }

  return {
    issuer: config.issuer,
    handles,
    listener(req, res) {
      const path = (req.url ?? '').split('?', 1)[0] ?? ''
      if (!handles(path)) return send(res, 'text/plain', null)
      respond(req, res, path).catch((error: unknown) => {
        if (res.headersSent) return res.destroy()
        return res.writeHead(500, { 'Content-Type': 'text/plain' }).end(`${error}\n`)
      })
    },
  }
}

function send(res: ServerResponse, type: string, body: string | null): void {
  if (body === null) {
    res.writeHead(404, { 'Content-Type': 'text/plain' }).end('Not found\n')
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
