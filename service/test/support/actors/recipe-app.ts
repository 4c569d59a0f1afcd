import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { overHttp } from '../transport/http-transport.ts'
import type { World } from '../world.ts'
import { Browser } from './browser.ts'

/** The code blocks of a page that name a file. */
export const filesIn = (markdown: string): [file: string, code: string][] =>
  [...markdown.matchAll(/^```\w+ file=(\S+)\n(.*?)^```$/gms)].map(([, file = '', code = '']) => [
    file,
    code,
  ])

/** Writes the app that a recipe prints. */
export async function writeRecipeApp(
  service: World,
  recipe: string,
  folder: string,
): Promise<void> {
  const { text } = await service.agent.call('GET', `/docs/recipes/${recipe}.md`)
  const files = filesIn(text)
  assert.ok(files.length >= 2, `${recipe} prints its files`)
  for (const [file, code] of [...files, ['package.json', '{"type":"module"}'] as const]) {
    mkdirSync(path.dirname(path.join(folder, file)), { recursive: true })
    writeFileSync(path.join(folder, file), code)
  }
}

/** A user signs in to a running recipe app, stays signed in for hours, and signs out. */
export async function assertSignInLifecycle(service: World, url: string): Promise<void> {
  const browser = new Browser({
    origins: [service.baseUrl, url],
    transport: overHttp,
    now: service.clock.now,
  })
  const hello = /Notes of ada@example\.com/
  const reads = async (expected: RegExp): Promise<void> => {
    await browser.open(url)
    assert.match(browser.page.text, expected)
  }
  const cookies = (): string =>
    browser.cookies.header({ url: new URL(url), method: 'GET', sameSite: true }) ?? ''

  await reads(/Not signed in/)
  await browser.follow('Sign in')
  await browser.press('Ada Lovelace')
  const finalUrl = await browser.press('Continue')
  assert.equal(finalUrl.href, `${url}/notes`, 'without tokens in the URL')
  assert.match(browser.page.text, hello)
  const first = cookies()
  assert.match(first, /gh_\d+_access=eyJ[^;]+; gh_\d+_refresh=svc_rt_/)

  // The browser drops the cookie of the access token.
  const expireAccessToken = (): void => service.clock.advance({ hours: 1, minutes: 1 })

  // After an hour the access token has expired: the next request refreshes, also when four arrive at once.
  expireAccessToken()
  assert.doesNotMatch(cookies(), /_access=/)
  await reads(hello)
  assert.match(cookies(), /gh_\d+_access=eyJ/)
  assert.notEqual(cookies(), first)
  expireAccessToken()
  const many = await Promise.all([1, 2, 3, 4].map(() => browser.request(url)))
  for (const response of many) {
    assert.match(await response.text(), hello)
  }

  await reads(hello)
  await browser.press('Sign out')
  await reads(/Not signed in/)
}
