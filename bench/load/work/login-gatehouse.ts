import { somebodyNew } from '../somebody.ts'
import type { Journey } from '../work.ts'

export interface GatehouseLogins {
  readonly baseUrl: string
  readonly issuer: string
  readonly tenantIds: readonly string[]
}

/** Start → provider → callback → consent → tokens, each time at another tenant. */
export function work(data: unknown): Journey {
  const { baseUrl, issuer, tenantIds } = data as GatehouseLogins
  let cursor = 0
  return {
    async journey(lane) {
      const browser = somebodyNew(lane, [baseUrl, issuer])
      await browser.open(`${baseUrl}/edge/auth/${tenantIds[cursor++ % tenantIds.length]}/google`)
      const landed = await browser.press('Continue')
      const tokens = ['access_token', 'refresh_token'].map((name) => landed.searchParams.get(name))
      if (landed.host === 'app.example.com' && tokens.every((token) => (token ?? '').length > 40)) return null
      return `the login ended at ${landed.origin}${landed.pathname}: ${browser.page.text.slice(0, 500)}`
    },
  }
}
