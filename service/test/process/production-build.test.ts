import assert from 'node:assert/strict'
import { cpSync, globSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { runCommandFile } from '../support/actors/operator-command.ts'
import { freshFolder, freshPostgres, sqliteOnly } from '../support/postgres/engines.ts'
import { PRODUCTION_BUILD, SOURCES } from '../support/process/entry-points.ts'
import { loadedModules, REPORTING } from '../support/process/loaded-modules.ts'
import { newTenant, type Settings, startService } from '../support/process/service-process.ts'
import { waitUntil } from '../support/process/wait-until.ts'
import { freePort } from '../support/transport/free-port.ts'

// Every test of a process runs the production build. These also run the sources, because both ways to start must work.

const ROOT = path.resolve(import.meta.dirname, '../../..')

/** Workers need a real Google, and this one makes a login fail. */
const unreachableGoogle = async (): Promise<Settings> => ({
  GOOGLE_CLIENT_ID: 'id',
  GOOGLE_CLIENT_SECRET: 'secret',
  GOOGLE_ISSUER: `http://127.0.0.1:${await freePort()}`,
})

for (const [name, { start, command }] of [
  ['production build', PRODUCTION_BUILD],
  ['sources', SOURCES],
] as const) {
  test(`[${name}] the front page has its style and logo, the documentation and the packages are served, a user signs in and is deleted, the operator's command lists the tenant, and SIGTERM stops the service`, async (t) => {
    const service = await startService(t, {}, { start })
    const { agent } = service
    const home = await agent.call('GET', '/', { headers: { Accept: 'text/html' } })
    assert.equal(home.status, 200)
    const [stylesheet = 'no stylesheet'] = /\/assets\/style\.[0-9a-f]+\.css/.exec(home.text) ?? []
    const sources = 'service/content/pages'
    assert.equal(
      (await agent.call('GET', stylesheet)).text,
      readFileSync(path.join(ROOT, sources, 'style.css'), 'utf8'),
    )
    assert.equal(
      (await agent.call('GET', '/assets/mark.svg')).text,
      readFileSync(path.join(ROOT, sources, 'mark.svg'), 'utf8'),
    )
    assert.equal((await agent.call('GET', '/favicon.ico')).status, 200)
    for (const page of [
      '/docs',
      '/docs/api',
      '/docs/recipes/node',
      '/docs/errors',
      '/llms-full.txt',
      '/openapi.json',
    ]) {
      assert.equal((await agent.call('GET', page)).status, 200, page)
    }
    const { packages } = (await agent.call('GET', '/packages')).json
    assert.deepEqual(
      packages.map(({ name }: { name: string }) => name),
      ['@gatehouse-auth/sdk', '@gatehouse-auth/local'],
    )

    const tenant = await agent.createTenant()
    const pair = await tenant.signIn(service.browser())
    assert.equal(await tenant.isValid(pair.access_token), true)
    const next = await tenant.refresh(pair.refresh_token)
    assert.deepEqual(
      [await tenant.isValid(pair.access_token), await tenant.isValid(next.access_token)],
      [false, true],
    )

    // Truncates the write-ahead log, which is done by a thread with a file of its own in the build.
    assert.equal((await tenant.manage('DELETE', '/api/social-login/users/1')).status, 200)
    assert.equal(await tenant.isValid(next.access_token), false)

    const listed = await runCommandFile(command, service.settings, ['tenants', 'list', '--json'])
    assert.deepEqual([listed.status, listed.stderr], [0, ''])
    assert.ok(listed.stdout.includes(tenant.id))
    const unknown = await runCommandFile(command, service.settings, ['no-such-command'])
    assert.equal(unknown.status, 2)

    const { code, stdout, stderr } = await service.end('SIGTERM')
    assert.deepEqual([code, stderr], [0, ''])
    assert.match(stdout, /SIGTERM: finishing open requests/)
  })
}

// Workers of the production build: workers.test.ts.
test('[sources] two workers share a port and a PostgreSQL, and SIGTERM stops both', {
  skip: sqliteOnly,
}, async (t) => {
  const settings = {
    WORKERS: '2',
    DATABASE_URL: await freshPostgres(),
    ...(await unreachableGoogle()),
  }
  const service = await startService(t, settings, { start: SOURCES.start })
  const pids = (): number =>
    new Set([...service.output().matchAll(/"pid":(\d+)[^\n]*"route"/g)].map(([, pid]) => pid)).size
  await waitUntil('two processes have responded', async () => {
    assert.equal((await service.agent.call('GET', '/healthz')).status, 200)
    return pids() === 2
  })
  const tenant = await newTenant(service)
  assert.equal((await tenant.status()).runtime_profile, 'v1-2')
  const { code, stderr } = await service.end('SIGTERM')
  assert.deepEqual([code, stderr], [0, ''])
  await assert.rejects(service.agent.call('GET', '/healthz'), { code: 'ECONNREFUSED' })
})

test('a stack trace of the production build names our functions, source files and lines, not the bundle', async (t) => {
  const service = await startService(t, await unreachableGoogle(), {
    start: PRODUCTION_BUILD.start,
  })
  const tenant = await newTenant(service)
  assert.equal((await service.agent.call('GET', `/edge/auth/${tenant.id}/google`)).status, 503)
  await waitUntil('the failure is logged', () => service.output().includes('"stack"'))
  const line =
    service
      .output()
      .split('\n')
      .find((each) => each.includes('"stack"')) ?? ''
  const { stack } = JSON.parse(line) as { stack: string }
  const [, file = '', number = ''] = /at .*?(\/\S+?):(\d+):\d+/.exec(stack) ?? []
  assert.equal(path.relative(ROOT, file), 'service/src/operations/login/redirects.ts', stack)
  assert.match(
    readFileSync(file, 'utf8').split('\n')[Number(number) - 1] ?? '',
    /throw new Unavailable/,
  )
  assert.doesNotMatch(stack, /service\/dist/)
  assert.match(stack, /at async startLogin /)
})

test('a start and health checks load neither the framework, the schemas, zlib nor Node’s fetch; the first page loads them', async (t) => {
  const service = await startService(t, REPORTING)
  const loaded = async (): Promise<string[]> => {
    const modules = await loadedModules(service)
    return ['/undici/undici', ' zlib', 'node_modules/hono/dist/hono', 'node_modules/zod/'].filter(
      (each) =>
        modules.some(
          (name) => name.endsWith(each) || (each.startsWith('node_modules') && name.includes(each)),
        ),
    )
  }
  for (const path of ['/healthz', '/readyz']) {
    assert.equal((await service.agent.call('GET', path)).status, 200)
  }
  assert.deepEqual(await loaded(), [])
  assert.equal((await service.agent.call('GET', '/')).status, 200)
  assert.equal((await loaded()).length, 4)
})

test('a service whose files are gone exits at the first request that needs them, and says so', async (t) => {
  const folder = await freshFolder()
  cpSync(path.dirname(PRODUCTION_BUILD.start), path.join(folder, 'dist'), { recursive: true })
  symlinkSync(path.join(ROOT, 'service/content'), path.join(folder, 'content'))
  const service = await startService(t, {}, { start: path.join(folder, 'dist/start.js') })
  for (const file of globSync(path.join(folder, 'dist/router-*.js'))) {
    rmSync(file)
  }
  assert.equal((await service.agent.call('GET', '/readyz')).status, 200)
  await assert.rejects(service.agent.call('GET', '/'))
  const { code, stdout } = await service.ended
  assert.equal(code, 1)
  assert.match(stdout, /a file of the program cannot be read: exiting/)
})
