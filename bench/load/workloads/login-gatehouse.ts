import { newUser } from '../new-user.ts'
import type { Journey } from '../workload.ts'

export interface GatehouseLogins {
  readonly baseUrl: string
  readonly issuer: string
  readonly tenantIds: readonly string[]
}

/** Start → provider → callback → consent → tokens, at a different tenant each time. */
export function workload(data: unknown): Journey {
  const { baseUrl, issuer, tenantIds } = data as GatehouseLogins
  let cursor = 0
  return {
    async journey(connection) {
      const browser = newUser(connection, [baseUrl, issuer])
      await browser.open(`${baseUrl}/edge/auth/${tenantIds[cursor++ % tenantIds.length]}/google`)
      const finalUrl = await browser.press('Continue')
      const tokens = ['access_token', 'refresh_token'].map((name) => finalUrl.searchParams.get(name))
      if (finalUrl.host === 'app.example.com' && tokens.every((token) => (token ?? '').length > 40)) return null
      return `the login ended at ${finalUrl.origin}${finalUrl.pathname}: ${browser.page.text.slice(0, 500)}`
    },
  }
}
