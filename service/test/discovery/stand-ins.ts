/**
 * Just enough of two frameworks to run the recipes that are written for them: what they call is all there is. Plain Node
 * needs none, and Hono is installed.
 */
export const standIns = (recipe: string): [file: string, code: string][] => {
  if (recipe === 'express')
    return [
      ['node_modules/express/index.js', EXPRESS],
      ['node_modules/express/package.json', MODULE],
    ]
  if (recipe === 'nextjs')
    return [
      ['server.js', NEXT],
      ['node_modules/next/server.js', NEXT_SERVER],
      ['node_modules/next/headers.js', NEXT_HEADERS],
      ['node_modules/next/package.json', NEXT_PACKAGE],
    ]
  return []
}

const MODULE = JSON.stringify({ type: 'module', main: 'index.js' })

/** Express: what is added first is asked first; a handler answers or passes on. */
const EXPRESS = `
import { createServer } from 'node:http'
export default function express() {
  const layers = []
  const add = (method) => (...args) => {
    const [path, handle] = args.length === 2 ? args : [null, args[0]]
    layers.push({ method, path, handle })
  }
  const answer = (req, res) => {
    const { pathname } = new URL(req.url, 'http://x.invalid')
    let at = 0
    const next = (error) => {
      if (error) return res.writeHead(500).end()
      const layer = layers[at++]
      if (layer === undefined) return res.writeHead(404).end()
      const fits = (layer.method === null || layer.method === req.method) && (layer.path === null || layer.path === pathname)
      return fits ? layer.handle(req, res, next) : next()
    }
    next()
  }
  return { get: add('GET'), post: add('POST'), use: add(null), listen: (port) => createServer(answer).listen(port) }
}
`

const NEXT_PACKAGE = JSON.stringify({
  type: 'module',
  exports: { './server': './server.js', './headers': './headers.js' },
})

const NEXT_SERVER = `
export class NextResponse extends Response {
  static next({ request }) {
    const response = new NextResponse(null)
    response.forwarded = request.headers
    return response
  }
}
`

const NEXT_HEADERS = `
import { AsyncLocalStorage } from 'node:async_hooks'
export const current = new AsyncLocalStorage()
export const headers = async () => current.getStore()
`

/** Next.js: route handlers by their folder, everything that the matcher names through the proxy, and then a page. */
const NEXT = `
import { createServer } from 'node:http'
import { current } from 'next/headers'
import * as callback from './app/auth/callback/route.js'
import * as login from './app/login/route.js'
import * as logout from './app/logout/route.js'
import { config, proxy } from './proxy.js'
import { user } from './user.js'

const routes = { '/auth/callback': callback, '/login': login, '/logout': logout }
const matchers = config.matcher.map((each) => new RegExp('^' + each + '$'))

async function page(request) {
  const proxied = await proxy(request)
  return current.run(proxied.forwarded, async () => {
    const person = await user()
    const body = person
      ? '<p>Hello, ' + person.email + '</p><form method="post" action="/logout"><button>Sign out</button></form>'
      : '<p>Nobody is signed in.</p><a href="/login?return_to=/settings">Sign in</a>'
    const headers = new Headers(proxied.headers)
    headers.set('Content-Type', 'text/html')
    return new Response(body, { headers })
  })
}

createServer(async (req, res) => {
  const request = new Request('http://' + req.headers.host + req.url, { method: req.method, headers: req.headers })
  const { pathname } = new URL(request.url)
  const isProxied = matchers.some((each) => each.test(pathname))
  if (isProxied === pathname in routes) return res.writeHead(500).end('the matcher and the routes disagree')
  const answer = isProxied ? await page(request) : await routes[pathname][req.method](request)
  res.writeHead(answer.status, Object.entries({ ...Object.fromEntries(answer.headers), 'set-cookie': answer.headers.getSetCookie() }).flat())
  res.end(await answer.text())
}).listen(process.env.PORT)
`
