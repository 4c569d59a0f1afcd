import type { Browser } from './browser.ts'

/** Signs in to the owner's account pages as this sample user. */
export async function signInToAccount(
  baseUrl: string,
  browser: Browser,
  user = 'Ada Lovelace',
): Promise<Browser> {
  await browser.open(`${baseUrl}/account`)
  await browser.press('Sign in with Google')
  await browser.press(user)
  return browser
}
