import {
  journeyOf,
  newUser,
  redirectOf,
  type StartLogin,
  signInAtProvider,
} from '../login-steps.ts'
import type { Journey } from '../workload.ts'

const APP = 'https://app.example.com/welcome'

/** Start → provider → callback → session cookie. better-auth has no consent page and returns no tokens. */
export function logins({ baseUrl }: { readonly baseUrl: string }): StartLogin {
  return async function* login(connection) {
    const browser = newUser(connection, [baseUrl])
    const started = await browser.request(`${baseUrl}/api/auth/sign-in/social`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Origin: baseUrl },
      body: JSON.stringify({ provider: 'google', callbackURL: APP }),
    })
    const text = await started.text()
    if (started.status !== 200) {
      return `the sign-in did not start: ${started.status} ${text.slice(0, 500)}`
    }
    yield 'start'
    const authorizeUrl = new URL((JSON.parse(text) as { url: string }).url)
    const finalUrl = await redirectOf(browser, await signInAtProvider(connection, authorizeUrl))
    yield 'callback'
    const cookies =
      browser.cookies.header({ url: new URL(baseUrl), method: 'GET', sameSite: true }) ?? ''
    if (finalUrl.href === APP && cookies.includes('better-auth.session_token=')) {
      return null
    }
    return `the login ended at ${finalUrl.href}`
  }
}

export const workload = (data: unknown): Journey => journeyOf(logins(data as { baseUrl: string }))
