import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Hono } from 'hono'
import { type GatehouseOptions, gatehouse } from '../src/hono.ts'
import { createScriptedClient } from './support/scripted-client.ts'

const { client } = createScriptedClient([])

/** How an app of Hono puts a middleware and a page below `/app`. */
const PLACES: Readonly<Record<string, (options: GatehouseOptions) => Hono>> = {
  'route()': (options) => {
    const router = new Hono()
    router.use(gatehouse(options))
    router.get('/notes', (c) => c.text('the notes'))
    return new Hono().route('/app', router)
  },
  'basePath()': (options) => {
    const app = new Hono().basePath('/app')
    app.use(gatehouse(options))
    app.get('/notes', (c) => c.text('the notes'))
    return app
  },
  'use() with a path': (options) => {
    const app = new Hono()
    app.use('/app/*', gatehouse(options))
    app.get('/app/notes', (c) => c.text('the notes'))
    return app
  },
}

for (const [name, place] of Object.entries(PLACES)) {
  test(`${name} of Hono: a page stays closed where no entry of protect can match, and the error says so`, async () => {
    const open = async (protect: readonly string[], path = '/app/notes'): Promise<string> => {
      const app = place({ client, protect })
      app.onError((error, c) => c.text(String(error), 500))
      const response = await app.request(path, { headers: { Accept: 'application/json' } })
      return response.status === 500 ? await response.text() : String(response.status)
    }
    assert.match(
      await open(['/notes']),
      /TypeError: protect has "\/notes", .*mounted at "\/app".*such as "\/app\/notes"/,
    )
    assert.equal(await open(['/app/notes']), '401')
    assert.equal(await open(['/app']), '401')
    assert.equal(await open(['/']), '401')
    assert.equal(await open(['/app/other']), '200')
    assert.equal(await open([]), '200')
  })
}

test('a middleware of Hono that is also used at the login path serves it', async () => {
  const app = new Hono()
  const auth = gatehouse({ client, protect: ['/notes'] })
  app.use('/notes/*', auth)
  app.use('/login', auth)
  for (const path of ['/login', '/notes']) {
    assert.equal((await app.request(path)).status, 303, path)
  }
})

test('a pattern of Hono that begins with a parameter can match every entry of protect', async () => {
  const app = new Hono()
  app.use('/:team/notes', gatehouse({ client, protect: ['/blue'] }))
  app.get('/:team/notes', (c) => c.text(c.req.param('team')))
  assert.equal(await (await app.request('/red/notes')).text(), 'red')
  assert.equal(
    (await app.request('/blue/notes', { headers: { Accept: 'application/json' } })).status,
    401,
  )
})
