import assert from 'node:assert/strict'
import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { type TestContext, test } from 'node:test'
import { overHttp } from '../../service/test/support/transport/http-transport.ts'
import { listen } from '../../service/test/support/transport/listen.ts'
import {
  type ExpressMiddleware,
  type GatehouseOptions,
  gatehouse,
  requireUser,
  userOf,
} from '../src/express.ts'
import { createScriptedClient, json } from './support/scripted-client.ts'

const USER = { id: 1, email: 'ada@example.com', name: 'Ada', picture: null }

/** An app with these middlewares, as Express calls them, and a last one that greets the user. */
async function open(t: TestContext, middlewares: readonly ExpressMiddleware[]) {
  const { port } = await listen(t, (req, res) => {
    const [first, ...others] = middlewares
    const rest = others.values()
    const next = (error?: unknown): unknown => {
      if (error !== undefined) {
        return res.writeHead(500).end(String(error))
      }
      const each = rest.next().value
      return each === undefined
        ? res.end(`Hello, ${userOf(req)?.email ?? 'stranger'}`)
        : void each(req, res, next)
    }
    void first?.(req, res, next)
  })
  return async (path: string, headers: Record<string, string> = {}): Promise<Response> =>
    overHttp(new URL(path, `http://localhost:${port}`), { method: 'GET', headers, body: null })
}

const guarded = (t: TestContext, options: GatehouseOptions) =>
  open(t, [gatehouse(options), requireUser()])

test('requireUser asks a visitor to sign in and to return to the route, and answers a script with 401', async (t) => {
  const { client, sent } = createScriptedClient([])
  const get = await guarded(t, { client, paths: { login: '/in' } })
  const asked = await get('/orders/7?x=1', { Accept: 'text/html' })
  const { origin, searchParams } = new URL(asked.headers.get('location') ?? '')
  assert.deepEqual([asked.status, origin], [303, 'https://login.example.com'])
  assert.equal(searchParams.get('return_to'), '/orders/7?x=1')
  assert.match(asked.headers.getSetCookie().join(), /_login_/)
  const refused = await get('/orders/7', { Accept: 'application/json' })
  assert.equal(refused.status, 401)
  assert.match(await refused.text(), /"login":"\/in"/)
  assert.deepEqual(sent, [], 'no request to the service')
})

test('requireUser lets a signed-in user pass', async (t) => {
  const { client } = createScriptedClient([json({ valid: true, user: USER })])
  const get = await guarded(t, { client })
  const { tenantId } = client
  const response = await get('/orders/7', {
    Cookie: `gh_${tenantId}_access=a; gh_${tenantId}_refresh=r`,
  })
  assert.deepEqual([response.status, await response.text()], [200, 'Hello, ada@example.com'])
})

test('requireUser in front of the errorPath, or without gatehouse, is an error that says so', async (t) => {
  const { client } = createScriptedClient([])
  const get = await guarded(t, { client, errorPath: '/failed?x=1' })
  assert.match(
    await (await get('/failed?error=access_denied')).text(),
    /errorPath is \/failed, .*it needs a user/,
  )
  assert.equal((await get('/other', { Accept: 'text/html' })).status, 303)
  const alone = await open(t, [requireUser()])
  assert.match(await (await alone('/')).text(), /Install gatehouse\(\) before requireUser\(\)/)
})

/** The middleware of a router, called as Express does: with the path in its own router, and where that is mounted. */
async function callMounted(
  options: GatehouseOptions,
  { baseUrl, path }: { readonly baseUrl: string; readonly path: string },
): Promise<string> {
  const res = new ServerResponse(new IncomingMessage(new Socket()))
  const headers = { host: 'localhost', accept: 'application/json' }
  const req = { method: 'GET', originalUrl: baseUrl + path, url: path, path, baseUrl, headers }
  let outcome = ''
  await gatehouse(options)(req, res, (error) => {
    outcome = String(error ?? 'passed')
  })
  return outcome || String(res.statusCode)
}

test('in a mounted router, protect takes whole paths and paths of the router, and fails where none can match', async () => {
  const { client } = createScriptedClient([])
  const notes = { baseUrl: '/app', path: '/notes' }
  const open = (protect: readonly string[]): Promise<string> =>
    callMounted({ client, protect }, notes)
  assert.equal(await open(['/app/notes']), '401')
  assert.equal(await open(['/app']), '401')
  assert.equal(await open(['/']), '401')
  assert.equal(await open(['/notes', '/app/other']), '401')
  assert.equal(await open(['/app/other']), 'passed')
  assert.equal(await open([]), 'passed')
  assert.match(await open(['/notes']), /TypeError: protect has "\/notes", .*such as "\/app\/notes"/)
  assert.match(await open(['/app2/notes']), /TypeError: .*mounted at "\/app"/)
})

test('a middleware of Express that is also mounted at the login path serves it', async () => {
  const { client } = createScriptedClient([])
  const login = { baseUrl: '/login', path: '/' }
  assert.equal(await callMounted({ client, protect: ['/notes'] }, login), '303')
})

test('protect is compared with the path that Express routes by, also after another middleware changed it', async () => {
  const { client } = createScriptedClient([])
  const res = new ServerResponse(new IncomingMessage(new Socket()))
  const headers = { host: 'localhost', accept: 'application/json' }
  const req = { method: 'GET', originalUrl: '/n', url: '/notes', path: '/notes', headers }
  await gatehouse({ client, protect: ['/notes'] })(req, res, () => assert.fail())
  assert.equal(res.statusCode, 401)
})
