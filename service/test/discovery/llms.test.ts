import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { mkdir, readFile, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { type TestContext, test } from 'node:test'
import { withoutGit } from '../../../local/test/support/git.ts'
import { Browser } from '../support/actors/browser.ts'
import { readControls } from '../support/actors/html-controls.ts'
import { freshFolder } from '../support/postgres/engines.ts'
import { run } from '../support/process/run.ts'
import { slow } from '../support/tags.ts'
import { freePort } from '../support/transport/free-port.ts'
import { overHttp, type Transport } from '../support/transport/http-transport.ts'
import { waitUntilReachable } from '../support/transport/wait-until-reachable.ts'
import { type World, world } from '../support/world.ts'

const DOCUMENTS_MAX = 3
const CHARACTERS_MAX = 12_000

/** An agent that starts with a base URL and counts what it reads. */
class Reader {
  readonly #world: World
  documents = 0
  characters = 0

  constructor(here: World) {
    this.#world = here
  }

  async read(address: string, accept: string): Promise<string> {
    const { status, text } = await this.#world.agent.call('GET', address, {
      headers: { Accept: accept },
    })
    assert.equal(status, 200, address)
    this.documents += 1
    this.characters += text.length
    return text
  }
}

/** The shell commands of each step. */
const stepsOf = (text: string): string[][] =>
  text
    .split(/^(?=\*\*)/m)
    .filter((part) => part.startsWith('**Step '))
    .map((step) => [...step.matchAll(/^```sh\n(.*?)^```/gms)].map(([, commands = '']) => commands))

/** A project on a developer's machine, which can't reach a registry. */
async function createProject(): Promise<{
  cwd: string
  shell: (commands: string) => Promise<string>
  env: object
}> {
  const folder = await freshFolder()
  const cwd = path.join(folder, 'project')
  await mkdir(cwd)
  const { PATH = '' } = process.env
  const env = {
    PATH,
    HOME: folder,
    npm_config_registry: 'http://127.0.0.1:9',
    npm_config_update_notifier: 'false',
  }
  return { cwd, env, shell: (commands) => run('/bin/sh', ['-euc', commands], { cwd, env }) }
}

/** The last of these commands runs until the test ends. */
function startApp(t: TestContext, commands: string, cwd: string, env: object): void {
  const app = spawn('/bin/sh', ['-euc', commands], {
    cwd,
    env: { ...env },
    stdio: 'ignore',
    detached: true,
  })
  t.after(() => process.kill(-(app.pid ?? 0), 'SIGKILL'))
}

/** Runs the steps as printed. Only the user's clicks are ours, and the app's port: 3000 may be in use on this machine. */
async function followSteps(
  t: TestContext,
  here: World,
  text: string,
  way: 'npx' | 'curl',
): Promise<string> {
  const port = await freePort()
  const [create = [], start = [], claim = []] = stepsOf(text)
  assert.deepEqual([create.length, start.length, claim.length], [2, 1, 1])
  const { cwd, env, shell } = await createProject()

  const output = await shell(create[way === 'npx' ? 0 : 1] ?? '')
  const credentials = await readFile(path.join(cwd, '.service'), 'utf8')
  const [, key = ''] = /^coh_management_key=(.+)$/m.exec(credentials) ?? []
  assert.match(key, /^svc_man_/)
  assert.ok(!output.includes('svc_'), 'no key is printed')
  assert.equal(((await stat(path.join(cwd, '.service'))).mode & 0o777).toString(8), '600')
  assert.match(await readFile(path.join(cwd, '.gitignore'), 'utf8'), /^\.service$/m)

  startApp(t, start[0] ?? '', cwd, { ...env, PORT: String(port) })
  const words = text.replaceAll('\n', ' ')
  const [, opened = ''] = /open `(http:\/\/localhost[^`]*)`/.exec(words) ?? []
  const [signIn = '', proceed = ''] = [...words.matchAll(/press "([^"]+)"/gi)].map(
    ([, name]) => name,
  )
  await waitUntilReachable(`http://localhost:${port}`)
  // The app sees the host that the browser shows, and returns the login to it.
  const transport: Transport = (url, init) =>
    url.origin === opened
      ? overHttp(new URL(url.href.replace(opened, `http://localhost:${port}`)), {
          ...init,
          headers: { ...init.headers, Host: url.host },
        })
      : overHttp(url, init)
  const browser = new Browser({ origins: [here.baseUrl, opened], now: here.clock.now, transport })
  await browser.open(opened)
  await browser.follow(signIn)
  await browser.press('Ada Lovelace')
  await browser.press(proceed)
  const claimLink = await shell(claim[0] ?? '')
  assert.match(claimLink, new RegExp(`${here.baseUrl}/c/`))
  return browser.page.text
}

// proves C008
test('an agent that knows only the base URL and reads Markdown reaches a verified user', {
  skip: slow,
}, async (t) => {
  const here = await world(t, { through: 'port' })
  const reader = new Reader(here)
  const text = await reader.read('/', 'text/markdown, text/html;q=0.8')
  assert.match(await followSteps(t, here, text, 'npx'), /Hello, Ada Lovelace/)
  t.diagnostic(`${reader.documents} documents, ${reader.characters} characters`)
  assert.ok(reader.documents <= DOCUMENTS_MAX && reader.characters <= CHARACTERS_MAX)
})

test('an agent that knows only the base URL and reads HTML, without the local tools, reaches a verified user', {
  skip: slow,
}, async (t) => {
  const here = await world(t, { through: 'port' })
  const reader = new Reader(here)
  const home = await reader.read('/', 'text/html,*/*;q=0.8')
  const { href = '' } =
    readControls(home).links.find((link) => link.text.includes('llms.txt')) ?? {}
  const text = await reader.read(href, '*/*')
  assert.match(await followSteps(t, here, text, 'curl'), /Hello, Ada Lovelace/)
  t.diagnostic(`${reader.documents} documents, ${reader.characters} characters`)
  assert.ok(reader.documents <= DOCUMENTS_MAX && reader.characters <= CHARACTERS_MAX)
})

test('the front page is llms.txt for curl and other programs that ask for no HTML', async (t) => {
  const { agent } = await world(t)
  const { text } = await agent.call('GET', '/llms.txt')
  for (const headers of [{}, { Accept: '*/*' }, { Accept: 'text/plain, */*;q=0.1' }]) {
    const home = await agent.call('GET', '/', { headers })
    assert.deepEqual(
      [home.text, home.headers.get('vary')?.includes('Accept')],
      [text, true],
      JSON.stringify(headers),
    )
  }
})

test('llms.txt has at most 6,000 characters, with the front page 12,000, leads with the command, and states both clocks and the limit per minute', async (t) => {
  const { agent, baseUrl } = await world(t, { through: 'port' })
  const { text } = await agent.call('GET', '/llms.txt')
  // With the longest base URL that an operator is likely to have.
  const home = await agent.call('GET', '/', { headers: { Accept: 'text/html' } })
  const lengths = [text, home.text].map((each) => each.replaceAll(baseUrl, 'x'.repeat(40)).length)
  t.diagnostic(`llms.txt ${lengths[0]}, front page ${lengths[1]} characters`)
  assert.ok((lengths[0] ?? 0) <= 6_000, `${lengths[0]} characters`)
  assert.ok((lengths[0] ?? 0) + (lengths[1] ?? 0) <= CHARACTERS_MAX, `${lengths} characters`)
  const { text: recipes } = await agent.call('GET', '/docs/recipes.md')
  for (const [, recipe = ''] of recipes.matchAll(/\/docs\/recipes\/([\w-]+)\) \|/g)) {
    assert.ok(recipe === 'node' || text.includes(`/docs/recipes/${recipe}.md`), recipe)
  }
  const [first = '', second = ''] = [...text.matchAll(/^```sh\n(.*?)^```/gms)].map(
    ([, commands]) => commands,
  )
  assert.ok(
    first.startsWith(
      `npx --@gatehouse-auth:registry=${baseUrl}/packages/npm/ @gatehouse-auth/local init --framework node\n`,
    ),
  )
  assert.match(second, /-H 'Accept: text\/plain' -o \.service/)
  assert.doesNotMatch(
    text,
    /application\/json[^\n]*genesis|credentials_file/,
    'no creation that prints keys',
  )
  const words = text.replaceAll('\n', ' ')
  for (const stated of [
    '72 hours',
    '30 minutes',
    'Five events a minute',
    'To test expiry',
    '**An app that exists.**',
    'claim --no-wait',
    'npm install @gatehouse-auth/sdk',
    'consent_denied',
    `${baseUrl}/docs/limits.md`,
  ]) {
    assert.ok(words.includes(stated), stated)
  }
})

test('the commands of llms.txt and auth.md keep every file of keys out of git, also after a last line without a line break, and add nothing twice', {
  skip: withoutGit,
}, async (t) => {
  const { agent } = await world(t)
  for (const document of ['/llms.txt', '/auth.md']) {
    const [ignore = '', ...others] =
      (await agent.call('GET', document)).text.match(/^.*>> \.gitignore$/gm) ?? []
    assert.deepEqual([ignore !== '', others], [true, []], document)
    const { cwd, shell } = await createProject()
    const file = path.join(cwd, '.gitignore')
    await shell(`git init --quiet; ${ignore}`)
    for (const before of ['', 'node_modules\ndist', 'dist\n.service\n']) {
      await writeFile(file, before)
      await shell(ignore)
      const ignored = await shell('git check-ignore .service .service.secret || true')
      assert.deepEqual(
        ignored.trim().split('\n'),
        ['.service', '.service.secret'],
        `${document}: ${before}`,
      )
      const after = await readFile(file, 'utf8')
      assert.ok(after.startsWith(before) && !/dist\S/.test(after), `${document}: ${after}`)
      await shell(ignore)
      assert.equal(await readFile(file, 'utf8'), after, 'the second time adds nothing')
    }
  }
})
