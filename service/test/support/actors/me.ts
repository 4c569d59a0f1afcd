import assert from 'node:assert/strict'
import type { Browser } from './browser.ts'
import { csrfOf } from './csrf.ts'
import { textOf } from './page-checks.ts'

/** Signs in to `/me` as this sample user, with this provider. */
export async function openMe(
  browser: Browser,
  baseUrl: string,
  user = 'Ada Lovelace',
  provider = 'Google',
): Promise<Browser> {
  await browser.open(`${baseUrl}/me`)
  await browser.press(`Sign in with ${provider}`)
  await browser.press(user)
  assert.equal(browser.page.url.pathname, '/me')
  return browser
}

/** The app with this tenant id on the open page: its text, or null. */
export function shownApp({ page }: Pick<Browser, 'page'>, tenantId: string): string | null {
  const sections = page.text.match(/<section class="card app".*?<\/section>/gs) ?? []
  const found = sections.find((section) => section.includes(`name="app" value="${tenantId}"`))
  return found === undefined ? null : textOf(found)
}

/** Presses a button of `/me` for this app. Returns the path and query that the page continues at. */
export async function pressOnMe(browser: Browser, action: string, app: string): Promise<string> {
  const { origin } = browser.page.url
  const response = await browser.request(`${origin}${action}`, {
    method: 'POST',
    headers: { Accept: 'text/html', 'Sec-Fetch-Site': 'same-origin' },
    body: new URLSearchParams({ csrf: csrfOf(browser), app }),
  })
  assert.equal(response.status, 303, await response.text())
  const location = response.headers.get('location') ?? ''
  await browser.open(new URL(location, origin))
  return location
}
