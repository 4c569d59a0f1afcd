import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { readdir, readFile, realpath, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { slow } from '../../service/test/support/tags.ts'
import { freePort } from '../../service/test/support/transport/free-port.ts'
import { waitUntilReachable } from '../../service/test/support/transport/wait-until-reachable.ts'
import { ROOT } from './support/build.ts'
import { createFixture, type Fixture } from './support/fixture.ts'
import {
  checkSignInErrors,
  GREETING,
  GREETING_TEXTS,
  NOTES,
  runLoginJourney,
} from './support/login-journey.ts'
import { checkTypes, readRecipe, writeRecipe } from './support/recipes.ts'

const LOCAL = ['hono', 'node']
/** In workshop/interop/frameworks.test.ts, with the real frameworks. */
const INTEROP = scaffolds().filter((name) => !LOCAL.includes(name))
/** Without a server: workshop/interop/frameworks.test.ts, with Vite. */
const BROWSER = ['browser']
/** Without the SDK: service/test/discovery/recipes.test.ts. */
const RAW = ['http']
/** workshop/interop/languages.test.ts and expo.test.ts. */
const LANGUAGES = ['django', 'expo', 'fastapi', 'flask', 'go', 'php', 'sinatra']

/** The apps around the recipes. Nothing outside of the workshop imports it, so their names are read from its text. */
function scaffolds(): string[] {
  const text = readFileSync(join(ROOT, 'workshop/interop/scaffolds.ts'), 'utf8')
  const [, table = ''] = /^export const SCAFFOLDS.*?\{(.*?)^\}/ms.exec(text) ?? []
  return [...table.matchAll(/^ {2}'?([\w-]+)'?:/gm)].map(([, name = '']) => name)
}

const folders = async (): Promise<string[]> =>
  (await readdir(join(ROOT, 'examples/recipes'), { withFileTypes: true }))
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)

test('every recipe is run by a test', async () => {
  assert.deepEqual(
    (await folders()).sort(),
    [...LOCAL, ...INTEROP, ...BROWSER, ...RAW, ...LANGUAGES].sort(),
  )
})

test('the README prints the files of the recipe for Node, and lines of the others, as the tests run them', async () => {
  const readme = await readFile(join(ROOT, 'sdk/README.md'), 'utf8')
  const printed = [...readme.matchAll(/^```\w+ file=(\S+)\n(.*?)^```$/gms)].map(
    ([, name = '', code = '']) => [name, code],
  )
  const node = (await readRecipe('node')).map(([name, code]) => [`node/${name}`, code])
  assert.deepEqual(printed, node, 'run npx node scripts/recipes.ts')
  const [, lines = ''] = readme.split('| The line, and the user |')
  const rows = [
    ...(lines.split('\n\n')[0] ?? '').matchAll(/^\| [\w. ]+ \| `([\w-]+)` \| (.*) \|$/gm),
  ]
  const recipes = [...LOCAL, ...INTEROP]
  assert.deepEqual(rows.map(([, recipe]) => recipe).sort(), recipes.sort())
  for (const [, recipe = '', cell = ''] of rows) {
    const code = (await readRecipe(recipe)).map(([, each]) => each).join('\n')
    for (const [, line = ''] of cell.matchAll(/`(.+?)`/g)) {
      const parts = line.split('…').map((part) => part.replaceAll(/\s/g, ''))
      const file = /^[\w-]+\.ts$/.test(line)
      if (!file) {
        assert.ok(code.replaceAll(/\s/g, '').includes(parts[0] ?? ''), `${recipe}: ${line}`)
      }
    }
  }
})

test('each cell of the table of sessions that survive names a test that shows it', async () => {
  const readme = await readFile(join(ROOT, 'sdk/README.md'), 'utf8')
  const table =
    readme
      .split('## Sessions that survive')[1]
      ?.split('\n## ')[0]
      ?.match(/^\|.*\|$/gm) ?? []
  const files = (await readdir(join(ROOT, 'sdk/test'))).filter((name) => name.endsWith('.test.ts'))
  const tests = (
    await Promise.all(files.map((name) => readFile(join(ROOT, 'sdk/test', name), 'utf8')))
  ).join('')
  const titles = [...tests.matchAll(/^ *test\(\s*(["'`])(.*?)\1, async/gm)].map(
    ([, , title = '']) => title,
  )
  const [head = '', , ...rows] = table
  assert.ok(rows.length >= 4)
  for (const row of rows) {
    const cells = row.split('|').slice(2, -1)
    assert.equal(cells.length, head.split('|').length - 3, row)
    for (const cell of cells) {
      const phrase = /\*(.+)\*/.exec(cell)?.[1] ?? ''
      assert.equal(phrase !== '' && titles.some((title) => title.includes(phrase)), true, cell)
    }
  }
})

test('no recipe that has a server contains settings: the SDK reads them', async () => {
  for (const recipe of [...LOCAL, ...INTEROP]) {
    for (const [name, code] of await readRecipe(recipe)) {
      assert.doesNotMatch(
        code,
        /GATEHOUSE_|\.service|baseUrl|tenantId|createClient/,
        `${recipe}/${name}`,
      )
    }
  }
})

/** Runs `node server.js` in the recipe's folder, with a credentials file as the service wrote it. */
async function startRecipe(
  t: TestContext,
  recipe: string,
): Promise<{ fixture: Fixture; url: string }> {
  const url = `http://localhost:${await freePort()}`
  const fixture = await createFixture(t, { app: url, callback: '/auth/callback' })
  const cwd = await writeRecipe(recipe)
  await writeFile(join(cwd, '.service'), fixture.tenant.created.credentials_file.content)
  const env = { PATH: process.env.PATH ?? '', PORT: new URL(url).port }
  const app = spawn(process.execPath, ['server.js'], {
    cwd,
    env,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  t.after(() => app.kill('SIGKILL'))
  await waitUntilReachable(url)
  return { fixture, url }
}

test('the recipe for plain Node signs users in, greets them by name and picture, and signs them out', async (t) => {
  const { fixture, url } = await startRecipe(t, 'node')
  const shows = /<img src="https?:[^"]+"[^>]*>\s*Hello, Ada Lovelace/
  await runLoginJourney(fixture, { url, login: '/login', page: '/', shows })
})

test('in Chromium, the recipes for plain Node and Hono say why a sign-in failed', {
  skip: slow,
}, async (t) => {
  const node = await startRecipe(t, 'node')
  await checkSignInErrors(t, node.fixture, { url: node.url, ...GREETING }, GREETING_TEXTS)
  const hono = await startRecipe(t, 'hono')
  await checkSignInErrors(t, hono.fixture, { url: hono.url, ...NOTES })
})

test('the recipe for Hono signs users in, keeps them signed in, and signs them out', async (t) => {
  const { fixture, url } = await startRecipe(t, 'hono')
  await runLoginJourney(fixture, { url, ...NOTES })
})

test('a recipe without a credentials file, or with one that lacks a value, ends at once and names what is missing and the command that mends it', async () => {
  const cwd = await realpath(await writeRecipe('node'))
  const start = async (): Promise<[code: number, stderr: string]> => {
    const app = spawn(process.execPath, ['server.js'], {
      cwd,
      env: { PATH: process.env.PATH ?? '' },
    })
    let stderr = ''
    app.stderr.on('data', (chunk) => {
      stderr += chunk
    })
    const [code] = await once(app, 'close')
    return [code, stderr]
  }
  for (const [file, missing] of [
    [
      null,
      `there is no base_url in ${cwd}/.service, which does not exist, and GATEHOUSE_URL is not set.`,
    ],
    [
      'base_url=http://localhost:1\n',
      `there is no tenant_id in ${cwd}/.service, and GATEHOUSE_TENANT is not set.`,
    ],
  ] as const) {
    if (file !== null) {
      await writeFile(join(cwd, '.service'), file)
    }
    const [code, stderr] = await start()
    assert.equal(code, 1)
    assert.ok(stderr.includes(missing), stderr)
  }
})

test('the recipes for plain Node, Hono and the browser type-check', async () => {
  for (const [recipe, files] of [
    ['node', ['server.js']],
    ['hono', ['server.js']],
    ['browser', ['src/auth.ts']],
  ] as const) {
    await checkTypes(await writeRecipe(recipe), files)
  }
})
