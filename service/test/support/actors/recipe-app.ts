import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { overHttp } from '../transport/http-transport.ts'
import type { World } from '../world.ts'
import { Browser } from './browser.ts'

/** The code blocks of a page that name a file. */
export const filesIn = (markdown: string): [file: string, code: string][] =>
  [...markdown.matchAll(/^```\w+ file=(\S+)\n(.*?)^```$/gms)].map(([, file = '', code = '']) => [file, code])

/** Writes the app that a recipe prints. */
export async function writeRecipeApp(service: World, recipe: string, folder: string): Promise<void> {
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
  const browser = new Browser({ origins: [service.baseUrl, url], transport: overHttp, now: service.clock.now })
  // React renders a comment between two text nodes.
  const hello = /Hello, (<!-- -->)?ada@example\.com/
  const reads = async (expected: RegExp): Promise<void> => {
    await browser.open(`${url}/settings`)
    assert.match(browser.page.text, expected)
  }
  const cookies = (): string => browser.cookies.header({ url: new URL(url), method: 'GET', sameSite: true }) ?? ''

  await reads(/Not signed in/)
  await browser.follow('Sign in')
  await browser.press('Ada Lovelace')
  const finalUrl = await browser.press('Continue')
  assert.equal(finalUrl.href, `${url}/settings`, 'back on the same page, without tokens in the URL')
  assert.match(browser.page.text, hello)
  const first = cookies()
  assert.match(first, /access_token=eyJ/)
  assert.match(first, /refresh_token=svc_rt_/)

  // After an hour the access token and its cookie have expired: the next request refreshes, also when four arrive at once.
  service.clock.advance({ hours: 1, minutes: 1 })
  await reads(hello)
  assert.match(cookies(), /access_token=eyJ/)
  assert.notEqual(cookies(), first)
  service.clock.advance({ hours: 1, minutes: 1 })
  const many = await Promise.all([1, 2, 3, 4].map(() => browser.request(`${url}/settings`)))
  for (const response of many) assert.match(await response.text(), hello)

  await reads(hello)
  await browser.press('Sign out')
  await reads(/Not signed in/)
}

/** A running recipe app rejects tokens of a login that this browser did not start, and foreign `return_to` URLs. */
export async function assertRejectsForeignLogin(service: World, url: string): Promise<void> {
  const browser = new Browser({ origins: [service.baseUrl, url], transport: overHttp })
  // Login CSRF: a link with the attacker's tokens.
  const forgedCallback = `${url}/auth/callback?access_token=x&refresh_token=y&return_to=`
  for (const returnTo of ['', '/settings?login=', '/settings?login=guess', '//evil.example/', '/.//evil.example']) {
    const response = await browser.request(forgedCallback + encodeURIComponent(returnTo))
    assert.equal(response.status, 303)
    assert.equal(response.headers.get('location'), '/?sign_in=not_started_here')
    assert.doesNotMatch(response.headers.get('set-cookie') ?? '', /access_token=x/)
  }
  for (const returnTo of ['//evil.example', '/\\evil.example', 'https://evil.example']) {
    const response = await browser.request(`${url}/login?return_to=${encodeURIComponent(returnTo)}`)
    const back = new URL(response.headers.get('location') ?? '').searchParams.get('return_to') ?? ''
    assert.match(back, /^\/\?login=[\w-]+$/)
  }
  const denied = await browser.request(`${url}/auth/callback?error=access_denied`)
  assert.equal(denied.headers.get('location'), '/?sign_in=access_denied')
}
