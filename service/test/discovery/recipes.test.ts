import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { type TestContext, test } from 'node:test'
import { Browser } from '../support/browser.ts'
import { freshFolder } from '../support/engines.ts'
import { freePort } from '../support/free-port.ts'
import { overHttp } from '../support/http-transport.ts'
import { soon } from '../support/soon.ts'
import { type World, world } from '../support/world.ts'
import { standIns } from './stand-ins.ts'

/** The files that a page prints: code blocks that name one, as they are. */
const filesIn = (markdown: string): [file: string, code: string][] =>
  [...markdown.matchAll(/^```js file=(\S+)\n(.*?)^```/gms)].map(([, file = '', code = '']) => [file, code])

interface App {
  readonly url: string
  readonly process: ChildProcess
}

/** An app made of nothing but what the pages print, in a folder and a process of its own. */
async function appOf(t: TestContext, here: World, recipe: string): Promise<App> {
  const folder = await freshFolder()
  const pages = ['/docs/recipes.md', `/docs/recipes/${recipe}.md`]
  const texts = await Promise.all(pages.map((page) => here.agent.call('GET', page)))
  const files = texts.flatMap(({ text }) => filesIn(text))
  assert.ok(files.length >= 2, `${recipe} prints its files`)
  for (const [file, code] of [...files, ['package.json', '{"type":"module"}'] as const]) {
    mkdirSync(path.dirname(path.join(folder, file)), { recursive: true })
    writeFileSync(path.join(folder, file), code)
  }
  if (recipe === 'hono')
    symlinkSync(path.resolve(import.meta.dirname, '../../../node_modules'), path.join(folder, 'node_modules'))
  else
    for (const [file, code] of standIns(recipe)) {
      mkdirSync(path.dirname(path.join(folder, file)), { recursive: true })
      writeFileSync(path.join(folder, file), code)
    }

  const port = await freePort()
  const url = `http://localhost:${port}`
  const tenant = await here.agent.createTenant([`${url}/auth/callback`])
  const { PATH = '' } = process.env
  const app = spawn(process.execPath, ['server.js'], {
    cwd: folder,
    env: { PATH, PORT: String(port), GATEHOUSE_URL: here.baseUrl, GATEHOUSE_TENANT_ID: tenant.id },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  t.after(() => app.kill('SIGKILL'))
  const answers = async (): Promise<boolean> => {
    try {
      await overHttp(new URL(url), { method: 'GET', headers: {}, body: null })
      return true
    } catch {
      return false
    }
  }
  await soon('the app answers', answers, 10_000)
  return { url, process: app }
}

for (const recipe of ['node', 'hono', 'express', 'nextjs']) {
  test(`the recipe for ${recipe} signs people in, keeps them signed in, and signs them out`, async (t) => {
    const here = await world(t)
    const { url } = await appOf(t, here, recipe)
    const person = new Browser({ origins: [here.baseUrl, url], transport: overHttp, now: here.clock.now })
    const reads = async (expected: RegExp): Promise<void> => {
      await person.open(`${url}/settings`)
      assert.match(person.page.text, expected)
    }

    await reads(/Nobody is signed in/)
    await person.follow('Sign in')
    await person.press('Ada Lovelace')
    const landed = await person.press('Continue')
    assert.equal(landed.href, `${url}/settings`, 'back where it was asked for, with nothing in the address')
    assert.match(person.page.text, /Hello, ada@example\.com/)
    const cookies = person.cookies.header({ url: new URL(url), method: 'GET', sameSite: true }) ?? ''
    assert.match(cookies, /access_token=eyJ/)
    assert.match(cookies, /refresh_token=svc_rt_/)

    // An hour later the access token is over, and its cookie too: the next request refreshes, and so do many at once.
    here.clock.advance({ hours: 1, minutes: 1 })
    await reads(/Hello, ada@example\.com/)
    const renewed = person.cookies.header({ url: new URL(url), method: 'GET', sameSite: true }) ?? ''
    assert.match(renewed, /access_token=eyJ/)
    assert.notEqual(renewed, cookies)
    here.clock.advance({ hours: 1, minutes: 1 })
    const many = await Promise.all([1, 2, 3, 4].map(() => person.request(`${url}/settings`)))
    for (const answer of many) assert.match(await answer.text(), /Hello, ada@example\.com/)

    await reads(/Hello, ada@example\.com/)
    await person.press('Sign out')
    await reads(/Nobody is signed in/)
  })

  test(`the recipe for ${recipe} takes no login that this browser did not begin, and goes nowhere else`, async (t) => {
    const here = await world(t)
    const { url } = await appOf(t, here, recipe)
    const person = new Browser({ origins: [here.baseUrl, url], transport: overHttp })
    // With tokens of a stranger's account, in a link that somebody was sent.
    const planted = `${url}/auth/callback?access_token=x&refresh_token=y&return_to=`
    for (const returnTo of ['', '/settings?login=', '/settings?login=guess', '//evil.example/', '/.//evil.example']) {
      const answer = await person.request(planted + encodeURIComponent(returnTo))
      assert.equal(answer.status, 303)
      assert.equal(answer.headers.get('location'), '/?sign_in=not_started_here')
      assert.doesNotMatch(answer.headers.get('set-cookie') ?? '', /access_token=x/)
    }
    for (const returnTo of ['//evil.example', '/\\evil.example', 'https://evil.example']) {
      const answer = await person.request(`${url}/login?return_to=${encodeURIComponent(returnTo)}`)
      const back = new URL(answer.headers.get('location') ?? '').searchParams.get('return_to') ?? ''
      assert.match(back, /^\/\?login=[\w-]+$/)
    }
    const denied = await person.request(`${url}/auth/callback?error=access_denied`)
    assert.equal(denied.headers.get('location'), '/?sign_in=access_denied')
  })
}
