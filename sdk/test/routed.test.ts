import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gatehouse as astro } from '../src/astro.ts'
import { gatehouse as fastify } from '../src/fastify.ts'
import { gatehouse as hono } from '../src/hono.ts'
import { gatehouse as nuxt } from '../src/nuxt.ts'
import { gatehouse as reactRouter } from '../src/react-router.ts'
import { gatehouse as sveltekit } from '../src/sveltekit.ts'
import { createScriptedClient } from './support/scripted-client.ts'

// A framework that was told to serve an app below `/app`, or to rewrite paths, chooses its page by another path than the URL's.

const { client } = createScriptedClient([])
const headers = { accept: 'application/json' }
const PAGE = new Response('the notes')

interface Seen {
  readonly protect: readonly string[]
  /** The path of the URL. */
  readonly path: string
  /** What the framework chose the page by. */
  readonly routed: string
}

const requestOf = (path: string): Request => new Request(`http://localhost${path}`, { headers })

async function nodeStatus(run: (req: object, res: object) => Promise<unknown>): Promise<number> {
  const res = {
    statusCode: 200,
    headersSent: false,
    getHeader: () => undefined,
    setHeader: () => undefined,
    end: () => undefined,
  }
  await run({ method: 'GET', headers: { host: 'localhost', ...headers } }, res)
  return res.statusCode
}

const STATUS: Readonly<Record<string, (seen: Seen) => Promise<number>>> = {
  Astro: async ({ protect, path, routed }) => {
    const request = requestOf(path)
    const context = { request, url: new URL(request.url), locals: {}, routePattern: routed }
    return (await astro({ client, protect })(context, async () => PAGE.clone())).status
  },
  SvelteKit: async ({ protect, path, routed }) => {
    const request = requestOf(path)
    const event = {
      request,
      url: new URL(request.url),
      isDataRequest: false,
      locals: {},
      route: { id: routed },
    }
    const handle = sveltekit({ client, protect })
    return (await handle({ event, resolve: () => PAGE.clone() })).status
  },
  'React Router 8': async ({ protect, path, routed }) => {
    const { middleware } = reactRouter({ client, protect })
    const args = { request: requestOf(path), context: {}, pattern: routed.slice(1) }
    return (await middleware(args, async () => PAGE.clone())).status
  },
  'React Router 7': async ({ protect, path, routed }) => {
    const { middleware } = reactRouter({ client, protect })
    const args = { request: requestOf(path), context: {}, unstable_pattern: routed }
    return (await middleware(args, async () => PAGE.clone())).status
  },
  Hono: async ({ protect, path, routed }) => {
    const c = { req: { raw: requestOf(path), path: routed }, res: PAGE.clone() }
    return (await hono({ client, protect })(c, async () => {}))?.status ?? 200
  },
  h3: async ({ protect, path, routed }) =>
    nodeStatus((req, res) =>
      nuxt({ client, protect })({
        node: { req: { ...req, url: path, headers }, res },
        context: {},
        path: `${routed}?x=1`,
      } as Parameters<ReturnType<typeof nuxt>>[0]),
    ),
  Fastify: async ({ protect, path, routed }) => {
    let status = 200
    const hooks: ((request: object, reply: object) => Promise<unknown>)[] = []
    const instance = {
      addHook: (_name: string, hook: (typeof hooks)[number]) => hooks.push(hook),
      register: async () => {},
    }
    await fastify({ client, protect })(instance)
    const request = {
      raw: { method: 'GET', url: path, headers: { host: 'localhost', ...headers } },
      routeOptions: { url: routed },
    }
    const reply = {
      code(code: number) {
        status = code
      },
      hasHeader: () => false,
      header: () => undefined,
      send: () => undefined,
    }
    await hooks[0]?.(request, reply)
    return status
  },
}

for (const [name, status] of Object.entries(STATUS)) {
  test(`${name}: protect is compared with what the framework chooses a page by, and with the path of the URL`, async () => {
    const moved = { path: '/app/notes', routed: '/notes' }
    assert.equal(await status({ ...moved, protect: ['/notes'] }), 401)
    assert.equal(await status({ ...moved, protect: ['/app/notes'] }), 401)
    assert.equal(await status({ ...moved, protect: ['/elsewhere'] }), 200)
  })
}

test('Astro with a base, whose pages it also serves without: a protected page is closed at both', async () => {
  const request = requestOf('/notes')
  const context = {
    request,
    url: new URL(request.url),
    locals: {},
    routePattern: '/notes',
    [Symbol.for('astro.fetchState')]: { manifest: { base: '/app' } },
  }
  const open = async (protect: readonly string[]): Promise<number> =>
    (await astro({ client, protect })(context, async () => PAGE.clone())).status
  assert.equal(await open(['/app/notes']), 401)
  assert.equal(await open(['/app/other']), 200)
})
