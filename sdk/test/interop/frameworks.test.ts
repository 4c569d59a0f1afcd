import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { before, test } from 'node:test'
import { appFolder, build, PLATFORMS, serveApp } from '../../../service/test/interop/platform.ts'
import { freePort } from '../../../service/test/support/transport/free-port.ts'
import { ROOT } from '../support/build.ts'
import { comeStayAndLeave, NOTES } from '../support/journey.ts'
import { installSdk, packSdk } from '../support/pack.ts'
import { checkTypes, readRecipe, writeFiles } from '../support/recipes.ts'
import { scene } from '../support/scene.ts'
import { SCAFFOLDS } from './scaffolds.ts'

/** A build needs values that look right, and must not keep them: the same build runs here and in production. */
const WHILE_BUILDING = { GATEHOUSE_URL: 'https://login.example.com', GATEHOUSE_TENANT: 'swift-fox-running-k3qd' }

let tarball: string
before(async () => {
  tarball = await packSdk()
})

for (const [recipe, scaffold] of Object.entries(SCAFFOLDS)) {
  test(`the recipe for ${recipe}, in the real framework, signs people in, keeps them signed in, and signs them out`, async (t) => {
    const url = `http://localhost:${await freePort()}`
    const there = await scene(t, { app: url })
    const folder = await appFolder()
    await installSdk(tarball, folder)
    await writeFiles(folder, [...(await readRecipe(recipe)), ...scaffold.files])
    if (scaffold.build) await build(t, folder, scaffold.build, { ...WHILE_BUILDING, ORIGIN: url })
    if (scaffold.typed) await checkTypes(folder, scaffold.typed)
    const env = { GATEHOUSE_URL: there.here.baseUrl, GATEHOUSE_TENANT: there.tenant.id }
    await serveApp(t, { url, program: process.execPath, args: scaffold.serve, cwd: folder, env })
    await comeStayAndLeave(there, { url, ...NOTES })
  })
}

test('the README names the versions that are run', async () => {
  const { dependencies, optionalDependencies } = JSON.parse(await readFile(join(PLATFORMS, 'package.json'), 'utf8'))
  const versions: Readonly<Record<string, string>> = { ...dependencies, ...optionalDependencies }
  const [, tested = ''] = (await readFile(join(ROOT, 'sdk/README.md'), 'utf8')).split('## What of this page is tested')
  const exactly = ['next', '@sveltejs/kit', 'react-router', '@oven/bun-linux-aarch64', '@deno/linux-arm64-glibc']
  for (const name of exactly) assert.ok(tested.includes(versions[name] ?? '?'), `${name} ${versions[name]}`)
  for (const name of ['express', 'fastify']) {
    const [major, minor] = (versions[name] ?? '').split('.')
    assert.ok(tested.includes(`${major}.${minor}`), `${name} ${versions[name]}`)
  }
})
