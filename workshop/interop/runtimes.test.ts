import assert from 'node:assert/strict'
import { cp, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { before, test } from 'node:test'
import { applySetCookies, createFixture, tokenCookies } from '../../sdk/test/support/fixture.ts'
import { GREETING, NOTES, runLoginJourney } from '../../sdk/test/support/login-journey.ts'
import { installSdk, packSdk, projectWith } from '../../sdk/test/support/pack.ts'
import { readRecipe, type SourceFile, writeFiles } from '../../sdk/test/support/recipes.ts'
import { run } from '../../service/test/support/process/run.ts'
import { freePort } from '../../service/test/support/transport/free-port.ts'
import { appFolder, serveApp } from './platform.ts'
import { BUN, programOf, RUNTIMES } from './runtimes.ts'

let tarball: string
before(async () => {
  tarball = await packSdk()
})

for (const [name, runtime] of Object.entries(RUNTIMES)) {
  test(`on ${name} the published package signs in, verifies, refreshes once for 50 requests, and retries a lost response`, async (t) => {
    const program = programOf(runtime)
    t.diagnostic((await run(program, ['--version'])).trim())
    const port = String(await freePort())
    const url = `http://localhost:${port}`
    const fixture = await createFixture(t, { app: url })
    const { service, tenant, signIn, expireAccessTokens } = fixture
    const folder = await projectWith(tarball)
    await cp(join(import.meta.dirname, 'runtime-app.js'), join(folder, 'app.js'))
    const settings = {
      baseUrl: service.baseUrl,
      tenantId: tenant.id,
      clientPerRequest: runtime.clientPerRequest,
    }
    const exported = Object.entries(settings).map(
      ([key, value]) => `export const ${key} = ${JSON.stringify(value)}\n`,
    )
    await writeFile(join(folder, 'settings.js'), exported.join(''))
    const args = await runtime.prepare(t, folder, port)
    await serveApp(t, { url, program, args, cwd: folder, env: {} })

    await runLoginJourney(fixture, { url, ...NOTES })
    const before = (await tenant.eventKinds()).length
    let cookies = tokenCookies(await signIn(), tenant.id)
    const getJson = async (path: string): Promise<unknown> => {
      const cookie = Object.entries(cookies).map((pair) => pair.join('='))
      const response = await fetch(url + path, { headers: { Cookie: cookie.join('; ') } })
      const text = await response.text()
      assert.equal(response.status, 200, text)
      cookies = { ...applySetCookies(response.headers.getSetCookie(), cookies) }
      return JSON.parse(text)
    }
    expireAccessTokens()
    assert.deepEqual(await getJson('/concurrent'), { statuses: ['signedIn'], pairs: 1 })
    assert.deepEqual(await getJson('/lost-response'), {
      attempts: 2,
      same: true,
      email: 'ada@example.com',
    })
    const events = (await tenant.eventKinds()).slice(before)
    assert.deepEqual(events, ['login_started', 'authorize', 'token_refreshed', 'token_refreshed'])
  })
}

/** The recipe for Hono as Bun users write it: without `serve` of Node. */
const ON_BUN_SERVE = 'hono, with Bun.serve'

for (const recipe of ['node', 'express', 'fastify', 'hono', ON_BUN_SERVE]) {
  test(`on Bun the recipe for ${recipe} keeps users signed in: its cookies are set before the response starts`, async (t) => {
    const url = `http://localhost:${await freePort()}`
    const fixture = await createFixture(t, { app: url, callback: '/auth/callback' })
    const folder = await appFolder()
    await installSdk(tarball, folder)
    const [name = ''] = recipe.split(',')
    const files = (await readRecipe(name)).map(([file, code]): SourceFile => {
      const served = code
        .replace(/^import { serve }.*\n/m, '')
        .replace(/^serve\([\s\S]*/m, 'export default app\n')
      return [file, recipe === ON_BUN_SERVE ? served : code]
    })
    await writeFiles(folder, files)
    const env = { GATEHOUSE_URL: fixture.service.baseUrl, GATEHOUSE_TENANT: fixture.tenant.id }
    await serveApp(t, { url, program: programOf(BUN), args: ['server.js'], cwd: folder, env })
    await runLoginJourney(fixture, { url, ...(recipe === 'node' ? GREETING : NOTES) })
  })
}
