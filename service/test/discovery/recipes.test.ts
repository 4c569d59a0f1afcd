import { spawn } from 'node:child_process'
import { symlinkSync } from 'node:fs'
import path from 'node:path'
import { type TestContext, test } from 'node:test'
import { assertRejectsForeignLogin, assertSignInLifecycle, writeRecipeApp } from '../support/actors/recipe-app.ts'
import { freshFolder } from '../support/postgres/engines.ts'
import { freePort } from '../support/transport/free-port.ts'
import { waitUntilReachable } from '../support/transport/wait-until-reachable.ts'
import { type World, world } from '../support/world.ts'

/** Starts the app of a recipe, as printed, in a process of its own. */
async function startRecipeApp(t: TestContext, here: World, recipe: string): Promise<string> {
  const folder = await freshFolder()
  await writeRecipeApp(here, recipe, folder)
  if (recipe === 'hono')
    symlinkSync(path.resolve(import.meta.dirname, '../../../node_modules'), path.join(folder, 'node_modules'))

  const port = await freePort()
  const url = `http://localhost:${port}`
  const tenant = await here.agent.createTenant([`${url}/auth/callback`])
  const { PATH = '' } = process.env
  const app = spawn(process.execPath, ['server.js'], {
    cwd: folder,
    env: { PATH, PORT: String(port), GATEHOUSE_URL: here.baseUrl, GATEHOUSE_TENANT_ID: tenant.id },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  t.after(() => app.kill('SIGKILL'))
  await waitUntilReachable(url)
  return url
}

// The recipes for Express and Next.js need large packages: interop/recipes.test.ts.
for (const recipe of ['node', 'hono']) {
  test(`the ${recipe} recipe signs users in, refreshes their session and signs them out`, async (t) => {
    const here = await world(t)
    await assertSignInLifecycle(here, await startRecipeApp(t, here, recipe))
  })

  test(`the ${recipe} recipe rejects a login that another browser started, and never redirects to another site`, async (t) => {
    const here = await world(t)
    await assertRejectsForeignLogin(here, await startRecipeApp(t, here, recipe))
  })
}
