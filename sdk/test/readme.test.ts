import assert from 'node:assert/strict'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { checkTypes, writeRecipes } from './support/recipes.ts'
import { APP, jar, type Scene, scene, visit } from './support/scene.ts'

type Serve = (request: Request) => Response | Promise<Response>

const { folder, names } = await writeRecipes()

// biome-ignore lint/suspicious/noExplicitAny: what a page of text exports is not known to the compiler
const load = (name: string): Promise<any> => import(join(folder, name))

/** The recipes read their settings when they are loaded. */
async function settle(t: TestContext): Promise<Scene> {
  const there = await scene(t)
  process.env.GATEHOUSE_URL = there.here.baseUrl
  process.env.GATEHOUSE_TENANT = there.tenant.id
  return there
}

interface Journey {
  /** Where a visit without a session begins. */
  readonly start: string
  /** Where it ends. */
  readonly end: string
  readonly shows: RegExp
  readonly logout?: string
}

/** A person comes, signs in, stays for more than an hour, and signs out. */
async function travel({ here, tenant, another, anHourLater }: Scene, serve: Serve, journey: Journey): Promise<void> {
  const started = await serve(visit(journey.start))
  assert.equal(started.status, 303)
  const person = here.browser()
  await person.open(started.headers.get('location') ?? '')
  await person.press('Ada Lovelace')
  const landed = await person.press('Continue')
  const arrived = await serve(visit(landed.href, jar(started.headers.getSetCookie())))
  assert.deepEqual([arrived.status, arrived.headers.get('location')], [303, journey.end])
  let cookies = jar(arrived.headers.getSetCookie())
  assert.deepEqual(Object.keys(cookies), ['gh_access', 'gh_refresh'])

  const page = await serve(visit(journey.end, cookies))
  assert.match(await page.text(), journey.shows)
  anHourLater()
  const later = await serve(visit(journey.end, cookies))
  assert.match(await later.text(), journey.shows)
  assert.equal(later.headers.getSetCookie().length, 2)
  cookies = jar(later.headers.getSetCookie(), cookies)
  const events = ['login_started', 'authorize', 'token_refreshed']
  if (journey.start === journey.end) {
    // Another process of the app is quicker.
    here.clock.advance({ minutes: 1 })
    const { refreshToken } = await another().refresh(cookies.gh_refresh ?? '')
    const again = await serve(visit(journey.end, cookies))
    assert.equal(again.status, 307)
    const { pathname, search } = new URL(again.headers.get('location') ?? '', APP)
    assert.equal(pathname + search, journey.end)
    cookies = { ...cookies, gh_refresh: refreshToken }
    events.push('token_refreshed')
  }
  if (journey.logout !== undefined) {
    const left = await serve(visit(journey.logout, cookies, { method: 'POST' }))
    assert.equal(left.status, 303)
    assert.deepEqual(jar(left.headers.getSetCookie(), cookies), {})
    events.push('logout')
  }
  assert.deepEqual(await tenant.eventKinds(), events)
}

test('every recipe is one that this file knows', () => {
  const known = ['plain-node', 'hono', 'express', 'fastify', 'next', 'sveltekit', 'remix', 'browser']
  assert.deepEqual([...new Set(names.map((name) => name.split('/')[0]))].sort(), known.sort())
})

test('plain Node', async (t) => {
  const there = await settle(t)
  const { server } = await load('plain-node/server.ts')
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  t.after(() => server.close())
  const serve: Serve = ({ url, method, headers }) => {
    const { pathname, search } = new URL(url)
    return fetch(`http://localhost:${server.address().port}${pathname}${search}`, {
      method,
      headers,
      redirect: 'manual',
    })
  }
  await travel(there, serve, { start: '/login', end: '/', shows: /Hello, user \d+/, logout: '/logout' })
})

test('Hono', async (t) => {
  const there = await settle(t)
  const { app } = await load('hono/app.ts')
  const journey = { start: '/notes?page=2', end: '/notes?page=2', shows: /Notes of ada@example.com/, logout: '/logout' }
  await travel(there, (request) => app.fetch(request), journey)
})

test('Next.js: the handlers and the proxy', async (t) => {
  const there = await settle(t)
  const { client } = await load('next/auth.ts')
  const { proxy, config } = await load('next/proxy.ts')
  assert.deepEqual(config.matcher, ['/notes/:path*'])
  const routes = new Map<string, Serve>([
    ['GET /login', (await load('next/app/login/route.ts')).GET],
    ['GET /callback', (await load('next/app/callback/route.ts')).GET],
    ['POST /logout', (await load('next/app/logout/route.ts')).POST],
  ])
  const serve: Serve = async (request) => {
    const { pathname } = new URL(request.url)
    const route = routes.get(`${request.method} ${pathname}`)
    if (route !== undefined) return route(request)
    const answer = await proxy(Object.assign(request, { nextUrl: new URL(request.url) }))
    if (answer.forwarded === undefined) return answer
    // What the page does, with the headers it is given.
    const { user, tokens } = await client.session({ headers: answer.forwarded })
    assert.equal(tokens, null, 'the page is given the new pair')
    return new Response(`Notes of ${user?.email}`, answer)
  }
  const journey = { start: '/notes?page=2', end: '/notes?page=2', shows: /Notes of ada@example.com/, logout: '/logout' }
  await travel(there, serve, journey)
})

test('SvelteKit: the hook and the callback', async (t) => {
  const there = await settle(t)
  const { handle } = await load('sveltekit/src/hooks.server.ts')
  const { GET } = await load('sveltekit/src/routes/callback/+server.ts')
  const serve: Serve = (request) => {
    const event = { request, url: new URL(request.url), locals: {} as { user?: { email: string } } }
    const resolve = () =>
      event.url.pathname === '/callback' ? GET(event) : new Response(`Notes of ${event.locals.user?.email}`)
    return handle({ event, resolve })
  }
  await travel(there, serve, { start: '/notes?page=2', end: '/notes?page=2', shows: /Notes of ada@example.com/ })
})

test('Remix and React Router: the loaders', async (t) => {
  const there = await settle(t)
  const notes = await load('remix/app/routes/notes.ts')
  const callback = await load('remix/app/routes/callback.ts')
  const serve: Serve = async (request) => {
    const { loader } = new URL(request.url).pathname === '/callback' ? callback : notes
    return loader({ request }).catch((thrown: unknown) => thrown)
  }
  await travel(there, serve, { start: '/notes?page=2', end: '/notes?page=2', shows: /"notesOf":"ada@example.com"/ })
})

test('what needs no types but ours, Node’s and Hono’s fits them', async () => {
  await checkTypes(folder, ['plain-node/server.ts', 'hono/app.ts', 'browser/app.ts'])
})
