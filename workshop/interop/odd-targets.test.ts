import assert from 'node:assert/strict'
import { before, type TestContext, test } from 'node:test'
import { oddTargets, sendRaw } from '../../sdk/test/support/odd-targets.ts'
import { installSdk, packSdk } from '../../sdk/test/support/pack.ts'
import { readRecipe, writeFiles } from '../../sdk/test/support/recipes.ts'
import { freePort } from '../../service/test/support/transport/free-port.ts'
import { GUARDED_APPS } from './guarded-apps.ts'
import { appFolder, build, serveApp } from './platform.ts'
import { SCAFFOLDS } from './scaffolds.ts'

// The promise: nobody without a session reaches the content of a protected page, or the effect of a protected POST, however the
// request target is spelled. Each app is also run without `protect`, to show that the targets do reach its pages.

const CONTENT = 'CONTENT OF A PROTECTED PAGE'
const EFFECT = 'EFFECT OF A PROTECTED POST'
const AT_ONCE = 8

let tarball: string
before(async () => {
  tarball = await packSdk()
})

/** The targets that reached the protected page or its effect. */
async function targetsThatReach(port: number): Promise<string[]> {
  const targets = oddTargets('/notes').values()
  const reached: string[] = []
  const send = async (): Promise<void> => {
    for (const target of targets) {
      for (const method of ['GET', 'POST']) {
        const response = await sendRaw(port, { method, target })
        if (response.includes(CONTENT) || response.includes(EFFECT)) {
          reached.push(`${method} ${target}`)
        }
      }
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, send))
  return reached
}

async function startApp(
  t: TestContext,
  folder: string,
  { serve, protect }: { readonly serve: readonly string[]; readonly protect: string },
) {
  const port = await freePort()
  const env = {
    GATEHOUSE_URL: 'http://localhost:9',
    GATEHOUSE_TENANT: 'swift-fox-running-k3qd',
    PROTECT: protect,
    ORIGIN: `http://localhost:${port}`,
  }
  const url = `http://localhost:${port}`
  const app = await serveApp(t, { url, program: process.execPath, args: serve, cwd: folder, env })
  return { port, output: app.output }
}

for (const [name, { scaffold, files, serve }] of Object.entries(GUARDED_APPS)) {
  test(`${name}: no spelling of a request target reaches a protected page or its POST without a session`, async (t) => {
    const folder = await appFolder()
    await installSdk(tarball, folder)
    const template = scaffold === undefined ? undefined : SCAFFOLDS[scaffold]
    const recipe = scaffold === undefined ? [] : await readRecipe(scaffold)
    await writeFiles(folder, [...recipe, ...(template?.files ?? []), ...files])
    if (template?.build !== undefined) {
      await build(t, folder, template.build, { ORIGIN: 'http://localhost', PROTECT: '/elsewhere' })
    }
    const args = template?.serve ?? serve ?? ['server.js']

    const open = await startApp(t, folder, { serve: args, protect: '/elsewhere' })
    const reachedOpen = await targetsThatReach(open.port)
    assert.ok(reachedOpen.includes('GET /notes'), 'the open page')
    assert.ok(reachedOpen.includes('POST /notes/7'), 'the open POST')

    const guarded = await startApp(t, folder, { serve: args, protect: '/notes' })
    const reached = await targetsThatReach(guarded.port)
    t.diagnostic(
      `${reachedOpen.length} of ${2 * oddTargets('/notes').length} requests reach the open page`,
    )
    assert.deepEqual(reached, [])
    assert.ok(!guarded.output().includes(EFFECT), 'no POST had its effect')
    assert.match(await sendRaw(guarded.port, { method: 'GET', target: '/' }), /^HTTP\/1.1 200 /)
  })
}
