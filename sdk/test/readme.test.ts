import assert from 'node:assert/strict'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { freePort } from '../../service/test/support/transport/free-port.ts'
import { overHttp, type Transport } from '../../service/test/support/transport/http-transport.ts'
import { APP, createFixture, type Fixture } from './support/fixture.ts'
import { NOTES, runLoginJourney } from './support/login-journey.ts'
import { checkTypes, readRecipes, writeRecipes } from './support/recipes.ts'

const folder = await writeRecipes()

// biome-ignore lint/suspicious/noExplicitAny: the compiler does not know the exports of code in the README
const load = (name: string): Promise<any> => import(join(folder, name))

/** The recipes read these environment variables when they are imported. */
async function createRecipeFixture(t: TestContext, app: string): Promise<Fixture> {
  const fixture = await createFixture(t, { app })
  process.env.GATEHOUSE_URL = fixture.service.baseUrl
  process.env.GATEHOUSE_TENANT = fixture.tenant.id
  return fixture
}

test('every recipe in the README is run by a test', async () => {
  const local = ['plain-node', 'hono', 'browser']
  // In interop/frameworks.test.ts, with the real frameworks.
  const interop = ['express', 'fastify', 'next', 'sveltekit', 'remix']
  const names = new Set((await readRecipes()).map(([name]) => name.split('/')[0]))
  assert.deepEqual([...names].sort(), [...local, ...interop].sort())
})

test('the recipe for plain Node signs users in, keeps them signed in, and signs them out', async (t) => {
  const url = `http://localhost:${await freePort()}`
  const fixture = await createRecipeFixture(t, url)
  const { server } = await load('plain-node/server.ts')
  await new Promise<void>((resolve) => server.listen(new URL(url).port, '127.0.0.1', resolve))
  t.after(() => server.close())
  await runLoginJourney(fixture, { url, login: '/login', page: '/', shows: /Hello, user \d+/ })
})

test('the recipe for Hono signs users in, keeps them signed in, and signs them out', async (t) => {
  const fixture = await createRecipeFixture(t, APP)
  const { app } = await load('hono/app.ts')
  const transport: Transport = (url, init) =>
    url.origin === APP ? app.fetch(new Request(url, init)) : overHttp(url, init)
  await runLoginJourney(fixture, { url: APP, ...NOTES, transport })
})

test('the recipes for plain Node, Hono and the browser type-check', async () => {
  await checkTypes(folder, ['plain-node/server.ts', 'hono/app.ts', 'browser/app.ts'])
})
