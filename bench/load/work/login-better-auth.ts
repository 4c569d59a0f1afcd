import { somebodyNew } from '../somebody.ts'
import type { Journey } from '../work.ts'

const APP = 'https://app.example.com/welcome'

/** Start → provider → callback → a session in a cookie. It has no consent page and no tokens to hand over. */
export function work(data: unknown): Journey {
  const { baseUrl, issuer } = data as { readonly baseUrl: string; readonly issuer: string }
  return {
    async journey(lane) {
      const browser = somebodyNew(lane, [baseUrl, issuer])
      const started = await browser.request(`${baseUrl}/api/auth/sign-in/social`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', Origin: baseUrl },
        body: JSON.stringify({ provider: 'google', callbackURL: APP }),
      })
      const text = await started.text()
      if (started.status !== 200) return `the sign-in did not start: ${started.status} ${text.slice(0, 500)}`
      const landed = await browser.open((JSON.parse(text) as { url: string }).url)
      const cookies = browser.cookies.header({ url: new URL(baseUrl), method: 'GET', sameSite: true }) ?? ''
      if (landed.href === APP && cookies.includes('better-auth.session_token=')) return null
      return `the login ended at ${landed.href}: ${browser.page.text.slice(0, 500)}`
    },
  }
}
