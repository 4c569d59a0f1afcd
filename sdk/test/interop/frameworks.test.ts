import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { before, test } from 'node:test'
import { appFolder, build, PLATFORMS, serveApp } from '../../../service/test/interop/platform.ts'
import { freePort } from '../../../service/test/support/transport/free-port.ts'
import { ROOT } from '../support/build.ts'
import { createFixture } from '../support/fixture.ts'
import { NOTES, runLoginJourney } from '../support/login-journey.ts'
import { installSdk, packSdk } from '../support/pack.ts'
import { checkTypes, readRecipe, writeFiles } from '../support/recipes.ts'
import { SCAFFOLDS } from './scaffolds.ts'

/** Placeholders at build time. The build must not inline them: the server reads the real values when it starts. */
const BUILD_ENV = { GATEHOUSE_URL: 'https://login.example.com', GATEHOUSE_TENANT: 'swift-fox-running-k3qd' }

let tarball: string
before(async () => {
  tarball = await packSdk()
})

for (const [recipe, scaffold] of Object.entries(SCAFFOLDS)) {
  test(`the recipe for ${recipe}, in the real framework, signs users in, keeps them signed in, and signs them out`, async (t) => {
    const url = `http://localhost:${await freePort()}`
    const fixture = await createFixture(t, { app: url, callback: '/auth/callback' })
    const folder = await appFolder()
    await installSdk(tarball, folder)
    await writeFiles(folder, [...(await readRecipe(recipe)), ...scaffold.files])
    if (scaffold.build) await build(t, folder, scaffold.build, { ...BUILD_ENV, ORIGIN: url })
    if (scaffold.typed) await checkTypes(folder, scaffold.typed)
    const env = { GATEHOUSE_URL: fixture.service.baseUrl, GATEHOUSE_TENANT: fixture.tenant.id }
    await serveApp(t, { url, program: process.execPath, args: scaffold.serve, cwd: folder, env })
    await runLoginJourney(fixture, { url, ...NOTES })
  })
}

test('the README names the versions that the tests run', async () => {
  const { dependencies, optionalDependencies } = JSON.parse(await readFile(join(PLATFORMS, 'package.json'), 'utf8'))
  const versions: Readonly<Record<string, string>> = { ...dependencies, ...optionalDependencies }
  const [, tested = ''] = (await readFile(join(ROOT, 'sdk/README.md'), 'utf8')).split('## Tested versions')
  const exact = ['next', '@sveltejs/kit', 'react-router', '@oven/bun-linux-aarch64', '@deno/linux-arm64-glibc']
  for (const name of exact) assert.ok(tested.includes(versions[name] ?? '?'), `${name} ${versions[name]}`)
  for (const name of ['express', 'fastify']) {
    const [major, minor] = (versions[name] ?? '').split('.')
    assert.ok(tested.includes(`${major}.${minor}`), `${name} ${versions[name]}`)
  }
})
