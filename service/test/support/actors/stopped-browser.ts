import { overHttp } from '../transport/http-transport.ts'
import type { World } from '../world.ts'
import { Browser } from './browser.ts'

export interface StoppedBrowser {
  readonly browser: Browser
  /** The address it was about to open, which is now in somebody else's hands. */
  stolen(): URL
}

/** A browser that is sent to this path and never gets there: whoever read along has the address, and it is unused. */
export function browserStoppedAt({ agent, baseUrl }: World, pathname: string): StoppedBrowser {
  let stolen: URL | undefined
  const browser = new Browser({
    origins: [baseUrl, agent.baseUrl],
    transport: (url, init) => {
      if (url.pathname !== pathname) return overHttp(url, init)
      stolen = url
      return new Response(null, { status: 204 })
    },
  })
  return {
    browser,
    stolen() {
      if (stolen === undefined) throw new Error(`It was never sent to ${pathname}.`)
      return stolen
    },
  }
}
