import type { IncomingMessage, ServerResponse } from 'node:http'
import type { SignInPage } from './page.ts'
import { initials, SAMPLE_USERS } from './sample-users.ts'
import { loopbackUrl } from './simulated-sign-in.ts'

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
    if (segment === 'style.css') {
      return send(res, 'text/css; charset=utf-8', STYLE)
    }
    if (segment === 'people') {
      return send(res, 'image/svg+xml', portrait(file))
    }
    return respond(req, res, path)
  }

  return {
    url,
    handles,
    listener(req, res) {
      const path = (req.url ?? '').split('?', 1)[0] ?? ''
      if (!handles(path)) {
        return notFound(res)
      }
      serve(req, res, path.slice(mountPath.length)).catch((error: unknown) => {
        if (res.headersSent) {
          return res.destroy()
        }
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

/** The picture at a path such as `people/ada.svg`, or null. */
function portrait(file: string): string | null {
  const user = SAMPLE_USERS.find(({ id }) => `${id}.svg` === file)
  if (!user?.portrait) {
    return null
  }
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 96 96" width="96" height="96" role="img" aria-label="${user.name}">
  <circle cx="48" cy="48" r="48" fill="${user.portrait}"/>
  <text x="48" y="50" fill="#fff" font-family="system-ui, sans-serif" font-size="38" text-anchor="middle" dominant-baseline="central">${initials(user.name)}</text>
</svg>
`
}

/** The stylesheet of the stand-ins. */
const STYLE = `
:root {
  color-scheme: light dark;
  --ink: light-dark(#1f2328, #e6e8eb);
  --soft: light-dark(#59636e, #a3adb8);
  --paper: light-dark(#ffffff, #1c2026);
  --ground: light-dark(#f3f4f6, #12151a);
  --line: light-dark(#d0d5db, #3a424c);
  --hover: light-dark(#f3f6fb, #262c34);
  --accent: light-dark(#1a5fb4, #8ab4f8);
  --on-accent: light-dark(#ffffff, #12151a);
  --note: light-dark(#fff4d6, #3a3013);
  --note-ink: light-dark(#5c4400, #f5dd9a);
  --bad: light-dark(#a1260d, #ff9b85);
}
* { box-sizing: border-box; }
body {
  margin: 0;
  background: var(--ground);
  color: var(--ink);
  font: 1rem/1.5 system-ui, sans-serif;
  overflow-wrap: anywhere;
}
.banner {
  margin: 0;
  padding: 0.5rem 1rem;
  background: var(--note);
  color: var(--note-ink);
  font-size: 0.875rem;
  text-align: center;
}
main {
  max-width: 28rem;
  margin: 2rem auto;
  padding: 2rem;
  background: var(--paper);
  border: 1px solid var(--line);
  border-radius: 0.75rem;
}
h1 { margin: 0; font-size: 1.5rem; line-height: 1.25; }
h2 { margin: 2rem 0 0.5rem; font-size: 1rem; }
p { margin: 0.25rem 0 1rem; }
.aside { color: var(--soft); font-size: 0.875rem; }
.problem { color: var(--bad); }
ul { margin: 0; padding: 0; list-style: none; }
button, input { font: inherit; color: inherit; }
button {
  min-height: 2.75rem;
  padding: 0.5rem 1rem;
  background: transparent;
  border: 1px solid var(--line);
  border-radius: 0.5rem;
  cursor: pointer;
}
button:hover { background: var(--hover); }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
.people { border: 1px solid var(--line); border-radius: 0.5rem; }
.people li + li { border-top: 1px solid var(--line); }
.person {
  display: flex;
  gap: 0.75rem;
  align-items: center;
  width: 100%;
  padding: 0.75rem;
  border: 0;
  text-align: left;
}
.person img, .faceless { flex: none; width: 2.5rem; height: 2.5rem; border-radius: 50%; }
.faceless { display: grid; place-items: center; border: 1px dashed var(--soft); color: var(--soft); }
.who { display: grid; min-width: 0; }
.stranger { display: grid; gap: 0.75rem; }
.stranger label { display: grid; gap: 0.25rem; }
.stranger input {
  width: 100%;
  min-height: 2.75rem;
  padding: 0.5rem 0.75rem;
  background: var(--paper);
  border: 1px solid var(--soft);
  border-radius: 0.5rem;
}
summary { padding: 0.25rem 0; color: var(--soft); font-size: 0.875rem; cursor: pointer; }
.primary { background: var(--accent); border-color: var(--accent); color: var(--on-accent); font-weight: 600; }
.primary:hover { background: var(--accent); filter: brightness(1.08); }
.cancel { margin-top: 0.75rem; }
.cancel button { width: 100%; }
.breakages { display: grid; gap: 0.75rem; }
.breakages li { display: grid; gap: 0.125rem; }
@media (max-width: 30rem) {
  main { margin: 0; padding: 1.25rem 1rem; border-width: 0 0 1px; border-radius: 0; }
}
`
