import { createHash, randomBytes } from 'node:crypto'
import {
  journeyOf,
  newUser,
  redirectOf,
  type StartLogin,
  signInAtProvider,
} from '../login-steps.ts'
import type { Journey } from '../workload.ts'

/** No server listens here: the journey ends at this redirect. */
const APP = 'http://localhost:9/callback'

/** Start → provider → callback → code → tokens, as its client does it. OpenAuth has no consent page. */
export function logins({ baseUrl }: { readonly baseUrl: string }): StartLogin {
  return async function* login(connection) {
    const browser = newUser(connection, [baseUrl])
    const verifier = randomBytes(32).toString('base64url')
    const start = new URLSearchParams({
      client_id: 'app',
      redirect_uri: APP,
      response_type: 'code',
      provider: 'google',
      state: randomBytes(8).toString('hex'),
      code_challenge: createHash('sha256').update(verifier).digest('base64url'),
      code_challenge_method: 'S256',
    })
    const authorizeUrl = await browser.open(`${baseUrl}/authorize?${start}`)
    yield 'start (two requests)'
    const finalUrl = await redirectOf(browser, await signInAtProvider(connection, authorizeUrl))
    yield 'callback'
    const code = finalUrl.searchParams.get('code')
    if (code === null) {
      return `the login ended at ${finalUrl.href}`
    }
    const response = await browser.request(`${baseUrl}/token`, {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: 'authorization_code',
        client_id: 'app',
        redirect_uri: APP,
        code,
        code_verifier: verifier,
      }),
    })
    const text = await response.text()
    yield 'code for tokens'
    return response.status === 200 && text.includes('refresh_token')
      ? null
      : `no tokens: ${text.slice(0, 500)}`
  }
}

export const workload = (data: unknown): Journey => journeyOf(logins(data as { baseUrl: string }))
