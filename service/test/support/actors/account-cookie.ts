import type { BrowserContext } from 'playwright-core'
import type { Browser } from './browser.ts'

/** Signs a Chromium context in to the account that `owner` is signed in to. */
export async function lendAccountCookie(
  context: BrowserContext,
  owner: Browser,
  baseUrl: string,
): Promise<void> {
  const cookies =
    owner.cookies.header({ url: new URL(baseUrl), method: 'GET', sameSite: true }) ?? ''
  const value = /gatehouse_account=([^;]+)/.exec(cookies)?.[1] ?? ''
  await context.addCookies([{ name: 'gatehouse_account', value, url: baseUrl, sameSite: 'Lax' }])
}
