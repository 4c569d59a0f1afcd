import assert from 'node:assert/strict'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { freePort } from '../../service/test/support/transport/free-port.ts'
import { overHttp, type Transport } from '../../service/test/support/transport/http-transport.ts'
import { comeStayAndLeave, NOTES } from './support/journey.ts'
import { checkTypes, readRecipes, writeRecipes } from './support/recipes.ts'
import { APP, type Scene, scene } from './support/scene.ts'

const folder = await writeRecipes()

// biome-ignore lint/suspicious/noExplicitAny: what a page of text exports is not known to the compiler
const load = (name: string): Promise<any> => import(join(folder, name))

/** The recipes read their settings when they are loaded. */
async function settle(t: TestContext, app: string): Promise<Scene> {
  const there = await scene(t, { app })
  process.env.GATEHOUSE_URL = there.here.baseUrl
  process.env.GATEHOUSE_TENANT = there.tenant.id
  return there
}

test('every recipe is one that a test runs', async () => {
  const here = ['plain-node', 'hono', 'browser']
  // With the real frameworks, which are large: interop/frameworks.test.ts.
  const interop = ['express', 'fastify', 'next', 'sveltekit', 'remix']
  const names = new Set((await readRecipes()).map(([name]) => name.split('/')[0]))
  assert.deepEqual([...names].sort(), [...here, ...interop].sort())
})

test('plain Node', async (t) => {
  const url = `http://localhost:${await freePort()}`
  const there = await settle(t, url)
  const { server } = await load('plain-node/server.ts')
  await new Promise<void>((ready) => server.listen(new URL(url).port, '127.0.0.1', ready))
  t.after(() => server.close())
  await comeStayAndLeave(there, { url, login: '/login', page: '/', shows: /Hello, user \d+/ })
})

test('Hono', async (t) => {
  const there = await settle(t, APP)
  const { app } = await load('hono/app.ts')
  const transport: Transport = (url, init) =>
    url.origin === APP ? app.fetch(new Request(url, init)) : overHttp(url, init)
  await comeStayAndLeave(there, { url: APP, ...NOTES, transport })
})

test('what needs no types but ours, Node’s and Hono’s fits them', async () => {
  await checkTypes(folder, ['plain-node/server.ts', 'hono/app.ts', 'browser/app.ts'])
})
