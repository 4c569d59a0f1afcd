import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { type TestContext, test } from 'node:test'
import { EVERY_PAGE } from '../../src/http/discovery/docs/page-list.ts'
import { assertSignInLifecycle, filesIn, writeRecipeApp } from '../support/actors/recipe-app.ts'
import { freshFolder } from '../support/postgres/engines.ts'
import { slow } from '../support/tags.ts'
import { freePort } from '../support/transport/free-port.ts'
import { waitUntilReachable } from '../support/transport/wait-until-reachable.ts'
import { type World, world } from '../support/world.ts'

const RECIPES = path.resolve(import.meta.dirname, '../../../examples/recipes')
const PAGES = EVERY_PAGE.map(({ path }) => path)

test('each recipe page prints every file of its app as the tests run it', async (t) => {
  const { agent } = await world(t)
  const printed: string[] = []
  for (const page of PAGES.filter((path) => path.startsWith('/docs/recipes/'))) {
    const { text } = await agent.call('GET', `${page}.md`)
    for (const [name, code] of filesIn(text)) {
      const file = path.join(path.basename(page), name)
      printed.push(file)
      assert.equal(code, readFileSync(path.join(RECIPES, file), 'utf8'), file)
    }
  }
  const files = globSync('*/**/*', { cwd: RECIPES, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  )
  assert.deepEqual(
    printed.sort(),
    files.map(({ parentPath, name }) => path.relative(RECIPES, path.join(parentPath, name))).sort(),
  )
})

test('every file that a page prints has its name above it, which links to the file as plain text', {
  skip: slow,
}, async (t) => {
  const { agent } = await world(t)
  for (const page of PAGES) {
    const { text } = await agent.call('GET', `${page}.md`)
    const files = filesIn(text)
    const html = files.length === 0 ? '' : (await agent.call('GET', page)).text
    for (const [name, code] of files) {
      assert.ok(
        html.includes(`<figcaption><a href="${page}/${name}">${name}</a></figcaption>`),
        `${page} ${name}`,
      )
      const raw = await agent.call('GET', `${page}/${name}`)
      assert.deepEqual([raw.status, raw.text], [200, code], `${page}/${name}`)
      assert.equal(raw.headers.get('content-type'), 'text/plain; charset=utf-8')
    }
  }
  for (const wrong of [
    'node/other.js',
    'node/..%2fhttp%2fserver.js',
    'README.md',
    'node/server.js/',
  ]) {
    assert.equal((await agent.call('GET', `/docs/recipes/${wrong}`)).status, 404, wrong)
  }
})

const WITHOUT_SDK = ['flask', 'fastapi', 'django', 'php', 'sinatra', 'go', 'http']

test('a recipe without the SDK is one file, besides its example pages', () => {
  for (const recipe of WITHOUT_SDK) {
    assert.equal(globSync(`${recipe}/gatehouse.*`, { cwd: RECIPES }).length, 1, recipe)
  }
})

test('a recipe without the SDK names the command that writes .service, if that is missing', () => {
  for (const recipe of WITHOUT_SDK) {
    const [file = ''] = globSync(`${recipe}/gatehouse.*`, { cwd: RECIPES })
    const code = readFileSync(path.join(RECIPES, file), 'utf8')
    assert.match(
      code,
      /No \.service\W.*npx --@gatehouse-auth:registry=(?:<|&lt;)service>\/packages\/npm\/ @gatehouse-auth\/local init/,
      file,
    )
  }
})

test('the PHP recipe reads no variable that PHP 8.5 deprecates: its message would precede the headers', () => {
  const code = readFileSync(path.join(RECIPES, 'php/gatehouse.php'), 'utf8')
  assert.doesNotMatch(code, /http_response_header/)
})

test('a printed command or file can be pasted as it is: no prompts, no line numbers', {
  skip: slow,
}, async (t) => {
  const { agent } = await world(t)
  for (const { path } of EVERY_PAGE) {
    const { text } = await agent.call('GET', `${path}.md`)
    for (const [, language, code = ''] of text.matchAll(/^```([^\n]*)\n(.*?)^```$/gms)) {
      // In a file of Python or Ruby, # begins a comment.
      assert.doesNotMatch(
        code,
        /file=/.test(language ?? '') ? /^(\$|>|\d+[:|]?) /m : /^(\$|>|#|\d+[:|]?) /m,
        path,
      )
    }
  }
})

/** Starts the app of the recipe without the SDK, as printed, in a process of its own. */
async function startRecipeApp(t: TestContext, here: World): Promise<string> {
  const folder = await freshFolder()
  await writeRecipeApp(here, 'http', folder)
  const port = await freePort()
  const url = `http://localhost:${port}`
  const tenant = await here.agent.createTenant([`${url}/auth/callback`])
  await writeFile(path.join(folder, '.service'), tenant.created.credentials_file.content)
  const { PATH = '' } = process.env
  const app = spawn(process.execPath, ['server.js'], {
    cwd: folder,
    env: { PATH, PORT: String(port) },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  t.after(() => app.kill('SIGKILL'))
  await waitUntilReachable(url)
  return url
}

// More about it, and the recipes in other languages: workshop/interop/languages.test.ts. The recipes with the SDK: sdk/test/readme.test.ts and workshop/interop/frameworks.test.ts.
// proves C131, C132
test('the recipe without the SDK signs users in, refreshes their session and signs them out', {
  skip: slow,
}, async (t) => {
  const here = await world(t, { through: 'port' })
  await assertSignInLifecycle(here, await startRecipeApp(t, here))
})
