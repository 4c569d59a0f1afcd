import assert from 'node:assert/strict'
import { cp, mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { type TestContext, test } from 'node:test'
import { buildSdk, ROOT } from '../../sdk/test/support/build.ts'
import { readRecipe } from '../../sdk/test/support/recipes.ts'
import { Browser } from '../../service/test/support/actors/browser.ts'
import { freshFolder } from '../../service/test/support/postgres/engines.ts'
import { freePort } from '../../service/test/support/transport/free-port.ts'
import { overHttp } from '../../service/test/support/transport/http-transport.ts'
import { waitUntilReachable } from '../../service/test/support/transport/wait-until-reachable.ts'
import { FRAMEWORK_NAMES, FRAMEWORKS, type Framework } from '../src/recipes/frameworks.ts'
import { writeRecipe } from '../src/recipes/write-recipe.ts'
import { start } from './support/command.ts'
import { createLocalFixture } from './support/machine.ts'

const OURS = ['AGENTS.md', '.service', '.service.secret', '.env.local', '.gitignore', '.npmrc']

const filesOf = async (folder: string): Promise<string[]> =>
  (await readdir(folder, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile() && !OURS.includes(entry.name))
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)))
    .sort()

/** An app on a device, and calls of the API. `init` writes neither. */
const WITHOUT_FRAMEWORK = ['expo', 'http']

test('init knows the framework of every recipe', async () => {
  const entries = await readdir(path.join(ROOT, 'examples/recipes'), { withFileTypes: true })
  const recipes = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name)
  const known = Object.entries<Framework>(FRAMEWORKS).map(([name, { recipe = name }]) => recipe)
  assert.deepEqual(recipes.sort(), [...known, ...WITHOUT_FRAMEWORK].sort())
})

// sdk/test runs every recipe in its real framework, so equal files are tested files.
test('init --framework writes the recipe of each framework byte for byte, and registers its callback', async (t) => {
  const { machine, clock, baseUrl } = await createLocalFixture(t)
  for (const framework of FRAMEWORK_NAMES) {
    clock.advance({ minutes: 1 })
    const folder = path.join(machine.project, framework)
    await mkdir(folder)
    await writeFile(path.join(folder, 'package.json'), '{"type":"module"}')
    const { code, json, stderr } = await machine.run(
      'init',
      '--framework',
      framework,
      '--project',
      folder,
      '--json',
    )
    assert.equal(code, 0, stderr)
    const { recipe: shared = framework }: Framework = FRAMEWORKS[framework]
    const recipe = await readRecipe(shared)
    assert.ok(recipe.length > 0)
    assert.deepEqual(
      await filesOf(folder),
      [...recipe.map(([name]) => name), 'package.json'].sort(),
    )
    const [id = ''] =
      /(?<=^tenant_id=).*$/m.exec(await readFile(path.join(folder, '.service'), 'utf8')) ?? []
    for (const [name, text] of recipe) {
      const own = text
        .replace('https://login.example.com', baseUrl)
        .replace('swift-fox-running-k3qd', id)
      const filled = own.replace(/(?:<|&lt;)service>/, baseUrl)
      assert.equal(await readFile(path.join(folder, name), 'utf8'), filled)
      if (name.startsWith('gatehouse.')) {
        assert.ok(
          filled.includes(
            `npx --@gatehouse-auth:registry=${baseUrl}/packages/npm/ @gatehouse-auth/local init`,
          ),
          filled,
        )
      }
    }
    const { written, skipped, callback_url, callback_registered } = json[0].framework
    assert.deepEqual([written.length, skipped, callback_registered], [recipe.length, [], true])
    assert.match(callback_url, /^http:\/\/localhost:(3000|5173|4321)\/auth\/callback$/)
  }
  const { message } = await machine.expectProblem(2, 'usage', 'init', '--framework', 'rails')
  assert.ok(message.includes(FRAMEWORK_NAMES.join(', ')), message)
  assert.deepEqual(
    (await readdir(machine.project)).sort(),
    [...FRAMEWORK_NAMES].sort(),
    'an unknown name creates nothing',
  )
})

test('a callback at another path is in every recipe that init writes, and the usual one in none', async () => {
  for (const framework of FRAMEWORK_NAMES) {
    const folder = await freshFolder()
    const settings = {
      port: 3_000,
      base_url: 'https://login.example.com',
      tenant_id: 'swift-fox-running-k3qd',
    }
    const options = { ...settings, withExample: true, folder: '.', callbackPath: '/oauth/back' }
    const { written } = await writeRecipe(folder, framework, options)
    const texts = await Promise.all(
      written.map((name) => readFile(path.join(folder, name), 'utf8')),
    )
    const code = texts.join('\n').replaceAll(/^\s*(?:\/\/|#|""").*$/gm, '')
    assert.doesNotMatch(code, /auth\/callback/, framework)
    const { language, buttons }: Framework = FRAMEWORKS[framework]
    const isOption = language === undefined && buttons === undefined
    assert.ok(
      code.includes(isOption ? "paths: { callback: '/oauth/back' }" : '/oauth/back'),
      `${framework}: ${code}`,
    )
  }
})

test('init writes middleware.ts for a Next.js that ignores proxy.ts, and proxy.ts for every other or unknown version', async () => {
  const settings = {
    port: 3_000,
    base_url: 'https://login.example.com',
    tenant_id: 'swift-fox-running-k3qd',
  }
  for (const [dependencies, name] of [
    [{ next: '^15' }, 'middleware'],
    [{ next: '15.5.4' }, 'middleware'],
    [{ next: '~14.2.x' }, 'middleware'],
    [{ next: '15.6.0-canary.1' }, 'middleware'],
    [{ next: '^16.0.1' }, 'proxy'],
    [{ next: '>=15' }, 'proxy'],
    [{ next: 'latest' }, 'proxy'],
    [{}, 'proxy'],
  ] as const) {
    const folder = await freshFolder()
    await writeFile(path.join(folder, 'package.json'), JSON.stringify({ dependencies }))
    await mkdir(path.join(folder, 'src/app'), { recursive: true })
    const options = { ...settings, withExample: false, folder: '.', callbackPath: '/auth/callback' }
    const { written } = await writeRecipe(folder, 'next', options)
    assert.deepEqual(written, ['src/auth.ts', `src/${name}.ts`], JSON.stringify(dependencies))
    const text = await readFile(path.join(folder, `src/${name}.ts`), 'utf8')
    assert.match(text, new RegExp(`^export const ${name} = auth\\.proxy$`, 'm'))
    assert.equal(
      /^export const config = \{ runtime: 'nodejs', matcher: /m.test(text),
      name === 'middleware',
    )
    const again = await writeRecipe(folder, 'next', options)
    assert.deepEqual(again, { written: [], skipped: [] }, 'nothing is written twice')
  }
})

test('the README shows what init --framework prints', async (t) => {
  const { machine, baseUrl } = await createLocalFixture(t, { realTime: true })
  const { stdout } = await machine.run('init', '--framework', 'express')
  const readme = await readFile(path.join(ROOT, 'local/README.md'), 'utf8')
  const shown = /^```\n(✓ Created[\s\S]*?)^```$/m.exec(readme)?.[1]
  const id = /^tenant_id=(.*)$/m.exec(await machine.read())?.[1] ?? ''
  const printed = stdout
    .replaceAll(id, 'swift-fox-running-k3qd')
    .replaceAll(machine.project, '/home/ada/shop')
    .replaceAll(baseUrl, 'https://login.example.com')
  assert.equal(printed, shown)
})

test('init --framework overwrites no file, says what it skipped, and leaves registered callbacks alone', async (t) => {
  const { machine, tenant } = await createLocalFixture(t)
  await machine.run('init')
  await machine.run('provision', 'https://app.example.com/cb')
  const mine = path.join(machine.project, 'server.ts')
  await writeFile(mine, 'mine')
  await writeFile(path.join(machine.project, 'package.json'), '{"type":"module"}')
  const first = await machine.run('init', '--framework', 'express')
  assert.equal(first.code, 0, first.stderr)
  assert.match(first.stdout, /skipped +server\.js: server\.ts exists\n/)
  assert.match(first.stdout, /Compare with http:\S+\/docs\/recipes\/express\n/)
  assert.match(
    first.stdout,
    /3000\/auth\/callback is not registered: npx @gatehouse-auth\/local provision --add http:\/\/localhost/,
  )
  assert.doesNotMatch(first.stdout, /wrote/)
  assert.equal(await machine.read(mine), 'mine')
  const { json } = await (await tenant()).manage('GET', '/api/resources')
  assert.deepEqual(json.resources[0].callback_urls, ['https://app.example.com/cb'])

  const page = path.join(machine.project, 'src/routes/notes/+page.svelte')
  await mkdir(path.dirname(page), { recursive: true })
  await writeFile(page, 'mine')
  assert.match(
    (await machine.run('init', '--framework', 'sveltekit')).stdout,
    /skipped +\S+\+page\.svelte: it exists/,
  )
  assert.equal(await machine.read(page), 'mine')

  await rm(mine)
  await symlink('/nowhere', path.join(machine.project, 'server.js'))
  assert.match(
    (await machine.run('init', '--framework', 'express')).stdout,
    /skipped +server\.js: it exists\n/,
  )
  await rm(path.join(machine.project, 'server.js'))
  assert.match((await machine.run('init', '--framework', 'express')).stdout, /wrote +server\.js\n/)
  const before = await filesOf(machine.project)
  const again = await machine.run('init', '--framework', 'express', '--json')
  assert.deepEqual(
    [again.json[0].framework.written, again.json[0].framework.skipped],
    [[], []],
    'unchanged',
  )
  assert.deepEqual(await filesOf(machine.project), before)
})

test('init --framework fits the project: .mjs beside CommonJS, src/ of Next.js, an existing middleware', async (t) => {
  const { machine } = await createLocalFixture(t)
  const inFolder = async (
    name: string,
    framework: string,
    files: Readonly<Record<string, string>>,
  ) => {
    const folder = path.join(machine.project, name)
    await mkdir(folder)
    for (const [file, text] of Object.entries(files)) {
      await mkdir(path.dirname(path.join(folder, file)), { recursive: true })
      await writeFile(path.join(folder, file), text)
    }
    const { code, stdout, stderr } = await machine.run(
      '--project',
      folder,
      'init',
      '--framework',
      framework,
    )
    assert.equal(code, 0, stderr)
    return { stdout, files: await filesOf(folder), folder }
  }
  const common = await inFolder('common', 'node', { 'package.json': '{"type":"commonjs"}' })
  assert.deepEqual(common.files, ['package.json', 'server.mjs'])
  assert.match(common.stdout, /^ +node server\.mjs$/m)
  const empty = await inFolder('empty', 'hono', {})
  assert.deepEqual(empty.files, ['package.json', 'server.js'])
  assert.equal(
    JSON.parse(await readFile(path.join(empty.folder, 'package.json'), 'utf8')).type,
    'module',
  )
  const next = await inFolder('next', 'next', {
    'package.json': '{}',
    'src/app/page.tsx': '',
    'src/middleware.ts': '',
  })
  assert.ok(
    next.files.includes('src/app/notes/page.tsx') && !next.files.includes('src/proxy.ts'),
    String(next.files),
  )
  assert.match(next.stdout, /skipped +src\/proxy\.ts: src\/middleware\.ts exists/)
})

for (const framework of ['node', 'hono'] as const) {
  test(`the app that init --framework ${framework} writes signs a user in, with what env prints`, async (t) => {
    const { machine, baseUrl, clock, tenant } = await createLocalFixture(t)
    const init = await machine.run('init', '--framework', framework)
    assert.equal(init.code, 0, init.stderr)
    assert.ok(init.stdout.includes('npm install @gatehouse-auth/sdk'), init.stdout)
    const url = `http://localhost:${await freePort()}`
    await machine.run('provision', `${url}/auth/callback`)
    await installPackages(machine.project)
    // The app runs elsewhere, without the files of init: with the variables alone.
    const environment = Object.fromEntries(
      (await machine.run('env', '--secret')).stdout
        .trim()
        .split('\n')
        .map((line) => line.split(/=(.*)/s).slice(0, 2)),
    )
    const app = await tenant()
    await rm(machine.file)
    await rm(path.join(machine.project, '.service.secret'))
    await serve(t, machine.project, url, environment)
    const browser = new Browser({ origins: [baseUrl, url], transport: overHttp, now: clock.now })
    await browser.open(`${url}/login`)
    await browser.press('Ada Lovelace')
    await browser.press('Continue')
    assert.match(browser.page.text, /Ada Lovelace|ada@example\.com/)
    const names = browser.cookies.list().map(({ name }) => name)
    assert.ok(
      names.includes(`gh_${app.id}_access`) && names.includes(`gh_${app.id}_refresh`),
      names.join(),
    )
    assert.deepEqual(await app.eventKinds(), ['login_started', 'authorize'])
  })
}

test('an app that exists signs a user in with the lines that init prints, and init changed none of its files', async (t) => {
  const { machine, baseUrl, clock, tenant } = await createLocalFixture(t)
  const code = `import { serve } from '@hono/node-server'
import { Hono } from 'hono'

const app = new Hono()
app.get('/', (c) => c.html(\`<a href="/login">Sign in</a> \${userOf(c)?.email ?? 'public'}\`))

serve({ fetch: app.fetch, port: Number(process.env.PORT ?? 3000) })
`
  const file = path.join(machine.project, 'server.js')
  await writeFile(file, code)
  await writeFile(
    path.join(machine.project, 'package.json'),
    '{"type":"module","dependencies":{"hono":"4"}}',
  )
  const url = `http://localhost:${await freePort()}`
  const init = await machine.run('init', '--json', '--port', new URL(url).port)
  assert.equal(init.code, 0, init.stderr)
  assert.equal(await machine.read(file), code)
  const additions: { file: string; lines: string[] }[] = init.json[0].framework.additions
  assert.deepEqual([...new Set(additions.map((each) => each.file))], ['server.js'])
  const [imports = '', use = ''] = additions.map(({ lines }) => lines.join('\n'))
  const created = 'const app = new Hono()\n'
  await writeFile(file, `${imports}\n${code.replace(created, `${created}${use}\n`)}`)
  await installPackages(machine.project)
  await serve(t, machine.project, url, {})
  const browser = new Browser({ origins: [baseUrl, url], transport: overHttp, now: clock.now })
  await browser.open(url)
  assert.match(browser.page.text, /public/)
  await browser.follow('Sign in')
  await browser.press('Ada Lovelace')
  await browser.press('Continue')
  assert.match(browser.page.text, /ada@example\.com/)
  assert.deepEqual(await (await tenant()).eventKinds(), ['login_started', 'authorize'])
})

test('a session of a fresh init app survives a refresh whose response was lost, in another process too', async (t) => {
  const { machine, baseUrl, clock, tenant } = await createLocalFixture(t)
  await machine.run('init', '--framework', 'node')
  const first = `http://localhost:${await freePort()}`
  await machine.run('provision', `${first}/auth/callback`)
  await installPackages(machine.project)
  await serve(t, machine.project, first, {})
  const browser = new Browser({ origins: [baseUrl, first], transport: overHttp, now: clock.now })
  await browser.open(`${first}/login`)
  await browser.press('Ada Lovelace')
  await browser.press('Continue')
  const cookies = browser.cookies.list().map(({ name, value }) => `${name}=${value}`)
  const open = (app: string): Promise<Response> =>
    fetch(app, { headers: { Cookie: cookies.join('; ') } })
  clock.advance({ hours: 2 })
  const lost = await open(first)
  assert.match(await lost.text(), /Hello, Ada/)
  assert.ok(
    lost.headers.getSetCookie().some((line) => /^gh_\S+_refresh=/.test(line)),
    'these never arrive',
  )

  // A process without the memory of the first one, after the time in which the service forgives a race.
  clock.advance({ hours: 1 })
  const second = `http://localhost:${await freePort()}`
  await serve(t, machine.project, second, {})
  const repeated = await open(second)
  assert.match(await repeated.text(), /Hello, Ada/)
  const refreshOf = (response: Response): string | undefined =>
    response.headers.getSetCookie().find((line) => /^gh_\S+_refresh=/.test(line))
  assert.equal(refreshOf(repeated), refreshOf(lost), 'the pair that was lost')
  assert.deepEqual(await (await tenant()).eventKinds(), [
    'login_started',
    'authorize',
    'token_refreshed',
  ])
})

async function installPackages(folder: string): Promise<void> {
  const modules = path.join(folder, 'node_modules')
  await cp(await buildSdk(), path.join(modules, '@gatehouse-auth/sdk/dist'), { recursive: true })
  await cp(
    path.join(ROOT, 'sdk/package.json'),
    path.join(modules, '@gatehouse-auth/sdk/package.json'),
  )
  await mkdir(path.join(modules, '@hono'))
  for (const each of ['hono', '@hono/node-server']) {
    await symlink(path.join(ROOT, 'node_modules', each), path.join(modules, each))
  }
}

async function serve(
  t: TestContext,
  cwd: string,
  url: string,
  env: Record<string, string>,
): Promise<void> {
  start(t, [process.execPath, 'server.js'], { cwd, env: { ...env, PORT: new URL(url).port } })
  await waitUntilReachable(url)
}

test('env prints the variables of the app, never a key, and a new secret only on request', async (t) => {
  const { machine, baseUrl } = await createLocalFixture(t)
  await machine.expectProblem(4, 'credentialsMissing', 'env')
  await machine.run('init')
  const id = /^tenant_id=(.*)$/m.exec(await machine.read())?.[1]
  const plain = await machine.run('env')
  assert.deepEqual([plain.code, plain.stderr], [0, ''])
  assert.equal(plain.stdout, `GATEHOUSE_URL=${baseUrl}\nGATEHOUSE_TENANT=${id}\n`)
  const [first, second] = [
    await machine.run('env', '--secret'),
    await machine.run('env', '--secret', '--json'),
  ]
  assert.match(
    first.stdout,
    /^GATEHOUSE_URL=.*\nGATEHOUSE_TENANT=.*\nGATEHOUSE_SECRET=[\w-]{43}\n$/,
  )
  assert.match(first.stderr, /stored nowhere/)
  assert.deepEqual(Object.keys(second.json[0]), [
    'GATEHOUSE_URL',
    'GATEHOUSE_TENANT',
    'GATEHOUSE_SECRET',
  ])
  assert.ok(!first.stdout.includes(second.json[0].GATEHOUSE_SECRET))
  assert.doesNotMatch(await machine.read(), /SECRET/)
})
