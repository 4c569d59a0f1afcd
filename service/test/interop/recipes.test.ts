import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { assertRejectsForeignLogin, assertSignInLifecycle, writeRecipeApp } from '../support/actors/recipe-app.ts'
import { freePort } from '../support/transport/free-port.ts'
import { world } from '../support/world.ts'
import { appFolder, build, PLATFORMS, platformFile, serveApp } from './platform.ts'

interface Framework {
  /** Files of a project that the recipe page doesn't print. */
  readonly extraFiles?: Readonly<Record<string, string>>
  readonly build?: readonly string[]
  readonly serve: readonly string[]
}

const NEXT = platformFile('next/dist/bin/next')

const FRAMEWORKS: Readonly<Record<string, Framework>> = {
  express: { serve: ['server.js'] },
  nextjs: {
    extraFiles: {
      'next.config.js': `export default { turbopack: { root: ${JSON.stringify(PLATFORMS)} } }`,
      'app/layout.jsx': `export default function Layout({ children }) {
  return <html lang="en"><body>{children}</body></html>
}`,
    },
    build: [NEXT, 'build'],
    serve: [NEXT, 'start'],
  },
}

for (const [recipe, { extraFiles, build: built, serve }] of Object.entries(FRAMEWORKS)) {
  test(`the printed recipe for ${recipe}, in the real framework, signs people in and out, and takes no foreign login`, async (t) => {
    const here = await world(t)
    const folder = await appFolder()
    await writeRecipeApp(here, recipe, folder, extraFiles)
    if (built) await build(t, folder, built, {})
    const url = `http://localhost:${await freePort()}`
    const tenant = await here.agent.createTenant([`${url}/auth/callback`])
    const env = { GATEHOUSE_URL: here.baseUrl, GATEHOUSE_TENANT_ID: tenant.id }
    await serveApp(t, { url, program: process.execPath, args: serve, cwd: folder, env })
    await assertSignInLifecycle(here, url)
    await assertRejectsForeignLogin(here, url)
  })
}

test('every printed recipe is run, here or with the documentation', () => {
  const pages = readdirSync(path.resolve(import.meta.dirname, '../../content/docs/recipes'))
  assert.deepEqual(
    pages.map((page) => path.basename(page, '.md')).sort(),
    [...Object.keys(FRAMEWORKS), 'hono', 'node'].sort(),
  )
})
