import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { Browser } from '../actors/browser.ts'
import { overHttp } from '../transport/http-transport.ts'
import type { World } from '../world.ts'

/** The files that a page prints: code blocks that name one, as they are. */
const filesIn = (markdown: string): [file: string, code: string][] =>
  [...markdown.matchAll(/^```jsx? file=(\S+)\n(.*?)^```/gms)].map(([, file = '', code = '']) => [file, code])

/** Writes an app that is made of nothing but what the pages print, and what else a project of its kind has. */
export async function writePrinted(
  here: World,
  recipe: string,
  folder: string,
  besides: Readonly<Record<string, string>> = {},
): Promise<void> {
  const pages = ['/docs/recipes.md', `/docs/recipes/${recipe}.md`]
  const texts = await Promise.all(pages.map((page) => here.agent.call('GET', page)))
  const files = texts.flatMap(({ text }) => filesIn(text))
  assert.ok(files.length >= 2, `${recipe} prints its files`)
  for (const [file, code] of [...files, ...Object.entries({ 'package.json': '{"type":"module"}', ...besides })]) {
    mkdirSync(path.dirname(path.join(folder, file)), { recursive: true })
    writeFileSync(path.join(folder, file), code)
  }
}

/** The person comes to a running app of a recipe, and stays for hours. */
export async function signsInStaysAndLeaves(here: World, url: string): Promise<void> {
  const person = new Browser({ origins: [here.baseUrl, url], transport: overHttp, now: here.clock.now })
  // React writes a comment between two texts.
  const hello = /Hello, (<!-- -->)?ada@example\.com/
  const reads = async (expected: RegExp): Promise<void> => {
    await person.open(`${url}/settings`)
    assert.match(person.page.text, expected)
  }
  const cookies = (): string => person.cookies.header({ url: new URL(url), method: 'GET', sameSite: true }) ?? ''

  await reads(/Nobody is signed in/)
  await person.follow('Sign in')
  await person.press('Ada Lovelace')
  const landed = await person.press('Continue')
  assert.equal(landed.href, `${url}/settings`, 'back where it was asked for, with nothing in the address')
  assert.match(person.page.text, hello)
  const first = cookies()
  assert.match(first, /access_token=eyJ/)
  assert.match(first, /refresh_token=svc_rt_/)

  // An hour later the access token is over, and its cookie too: the next request refreshes, and so do many at once.
  here.clock.advance({ hours: 1, minutes: 1 })
  await reads(hello)
  assert.match(cookies(), /access_token=eyJ/)
  assert.notEqual(cookies(), first)
  here.clock.advance({ hours: 1, minutes: 1 })
  const many = await Promise.all([1, 2, 3, 4].map(() => person.request(`${url}/settings`)))
  for (const response of many) assert.match(await response.text(), hello)

  await reads(hello)
  await person.press('Sign out')
  await reads(/Nobody is signed in/)
}

/** A running app of a recipe is handed what it must not take. */
export async function takesNoForeignLogin(here: World, url: string): Promise<void> {
  const person = new Browser({ origins: [here.baseUrl, url], transport: overHttp })
  // With tokens of a stranger's account, in a link that somebody was sent.
  const planted = `${url}/auth/callback?access_token=x&refresh_token=y&return_to=`
  for (const returnTo of ['', '/settings?login=', '/settings?login=guess', '//evil.example/', '/.//evil.example']) {
    const response = await person.request(planted + encodeURIComponent(returnTo))
    assert.equal(response.status, 303)
    assert.equal(response.headers.get('location'), '/?sign_in=not_started_here')
    assert.doesNotMatch(response.headers.get('set-cookie') ?? '', /access_token=x/)
  }
  for (const returnTo of ['//evil.example', '/\\evil.example', 'https://evil.example']) {
    const response = await person.request(`${url}/login?return_to=${encodeURIComponent(returnTo)}`)
    const back = new URL(response.headers.get('location') ?? '').searchParams.get('return_to') ?? ''
    assert.match(back, /^\/\?login=[\w-]+$/)
  }
  const denied = await person.request(`${url}/auth/callback?error=access_denied`)
  assert.equal(denied.headers.get('location'), '/?sign_in=access_denied')
}
