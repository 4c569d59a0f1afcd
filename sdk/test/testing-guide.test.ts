import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { requireChromium } from '../../service/test/support/actors/chromium.ts'
import { freshFolder } from '../../service/test/support/postgres/engines.ts'
import { run } from '../../service/test/support/process/run.ts'
import { slow } from '../../service/test/support/tags.ts'
import { freePort } from '../../service/test/support/transport/free-port.ts'
import { waitUntilReachable } from '../../service/test/support/transport/wait-until-reachable.ts'
import { world } from '../../service/test/support/world.ts'
import { ROOT } from './support/build.ts'
import { writeRecipe } from './support/recipes.ts'

/** The parts of Playwright's test runner that the guide uses, with the browser of our own tests. */
const PLAYWRIGHT_TEST = `
import { beforeEach, test as run } from 'node:test'
import { chromium } from 'playwright-core'

const { CHROMIUM_PATH, CHROMIUM_LIBRARIES } = process.env
const env = CHROMIUM_LIBRARIES ? { ...process.env, LD_LIBRARY_PATH: CHROMIUM_LIBRARIES } : process.env

export const test = (title, body) =>
  run(title, async () => {
    const browser = await chromium.launch({ executablePath: CHROMIUM_PATH, env })
    try {
      const context = await browser.newContext()
      await body({ context, page: await context.newPage() })
    } finally {
      await browser.close()
    }
  })
test.beforeEach = beforeEach

export const expect = (locator) => ({
  toContainText: (text) => locator.filter({ hasText: text }).waitFor({ timeout: 20_000 }),
})
`

test('the testing guide sets every variable that its examples read and that has no default', async () => {
  const guide = await readFile(join(ROOT, 'service/content/docs/testing.md'), 'utf8')
  const wanted = [...guide.matchAll(/process\.env\.(\w+)(?!\w| \?\?)/g)].map(([, name]) => name)
  const [exports = ''] = guide.match(/^(?:export .*\n)+/m) ?? []
  const cwd = await freshFolder()
  await writeFile(join(cwd, '.service'), 'tenant_id=old-owl\ncoh_management_key=svc_man_x\n', {
    mode: 0o600,
  })
  const set = await run('/bin/sh', ['-euc', `${exports}env`], {
    cwd,
    env: { PATH: process.env.PATH ?? '' },
  })
  assert.deepEqual(
    [...new Set(wanted)].map((name) => set.split('\n').find((line) => line.startsWith(`${name}=`))),
    ['GATEHOUSE_KEY=svc_man_x', 'GATEHOUSE_TENANT=old-owl'],
  )
})

test('the examples of the testing guide run as printed: in Playwright, and with plain fetch', {
  skip: slow,
}, async (t) => {
  const chromium = requireChromium()
  const service = await world(t, { through: 'port', realTime: true, env: { DEV_UNLIMITED: '1' } })
  const app = `http://localhost:${await freePort()}`
  const tenant = await service.agent.createTenant([`${app}/auth/callback`])
  const cwd = await writeRecipe('node')
  const env = {
    PATH: process.env.PATH ?? '',
    GATEHOUSE_URL: service.baseUrl,
    GATEHOUSE_TENANT: tenant.id,
  }
  const server = spawn(process.execPath, ['server.js'], {
    cwd,
    env: { ...env, PORT: new URL(app).port },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  t.after(() => server.kill('SIGKILL'))
  await waitUntilReachable(app)

  const guide = await readFile(join(ROOT, 'service/content/docs/testing.md'), 'utf8')
  const examples = [...guide.matchAll(/^```js\n\/\/ (\S+)\n(.*?)^```$/gms)]
  for (const [, name = '', code = ''] of examples) {
    await writeFile(join(cwd, name), code)
  }
  await mkdir(join(cwd, 'node_modules/@playwright/test'), { recursive: true })
  await writeFile(
    join(cwd, 'node_modules/@playwright/test/package.json'),
    '{"type":"module","main":"index.js"}',
  )
  await writeFile(join(cwd, 'node_modules/@playwright/test/index.js'), PLAYWRIGHT_TEST)
  await symlink(
    join(ROOT, 'node_modules/playwright-core'),
    join(cwd, 'node_modules/playwright-core'),
  )

  const names = examples.map(([, name = '']) => name)
  const tests = spawn(process.execPath, ['--test', '--test-reporter=tap', ...names], {
    cwd,
    env: { ...env, APP_URL: app, GATEHOUSE_KEY: tenant.key, ...chromium },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  t.after(() => tests.kill('SIGKILL'))
  let output = ''
  tests.stdout.on('data', (chunk) => {
    output += chunk
  })
  const [code] = await once(tests, 'close')
  assert.equal(code, 0, output)
  assert.deepEqual(names, ['sign-in.test.js', 'session.test.js'])
  assert.match(output, /^# pass 5$/m)
})
