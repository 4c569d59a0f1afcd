import {
  journeyOf,
  newUser,
  redirectOf,
  type StartLogin,
  signInAtProvider,
} from '../login-steps.ts'
import type { Journey } from '../workload.ts'

export interface GatehouseLogins {
  readonly baseUrl: string
  readonly tenantIds: readonly string[]
}

/** Start → provider → callback → consent → tokens, at a different tenant each time. */
export function logins({ baseUrl, tenantIds }: GatehouseLogins): StartLogin {
  let cursor = 0
  return async function* login(connection) {
    const browser = newUser(connection, [baseUrl])
    const authorizeUrl = await browser.open(
      `${baseUrl}/edge/auth/${tenantIds[cursor++ % tenantIds.length]}/google`,
    )
    yield 'start'
    const consentUrl = await redirectOf(browser, await signInAtProvider(connection, authorizeUrl))
    yield 'callback'
    await browser.open(consentUrl)
    yield 'consent page'
    const finalUrl = await browser.press('Continue')
    yield 'consent decision'
    const tokens = ['access_token', 'refresh_token'].map((name) => finalUrl.searchParams.get(name))
    if (finalUrl.host === 'app.example.com' && tokens.every((token) => (token ?? '').length > 40)) {
      return null
    }
    return `the login ended at ${finalUrl.origin}${finalUrl.pathname}: ${browser.page.text.slice(0, 500)}`
  }
}

export const workload = (data: unknown): Journey => journeyOf(logins(data as GatehouseLogins))
