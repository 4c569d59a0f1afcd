import { overHttp } from '../transport/http-transport.ts'
import type { World } from '../world.ts'
import { Browser } from './browser.ts'

interface InterceptedBrowser {
  readonly browser: Browser
  /** The URL that the browser did not open. */
  interceptedUrl(): URL
}

/** A browser whose navigation to this path is intercepted before the request is sent: an attacker has the unused URL. */
export function browserInterceptedAt(
  { agent, baseUrl }: World,
  pathname: string,
): InterceptedBrowser {
  let intercepted: URL | undefined
  const browser = new Browser({
    origins: [baseUrl, agent.baseUrl],
    transport: (url, init) => {
      if (url.pathname !== pathname) {
        return overHttp(url, init)
      }
      intercepted = url
      return new Response(null, { status: 204 })
    },
  })
  return {
    browser,
    interceptedUrl() {
      if (intercepted === undefined) {
        throw new Error(`The browser was not redirected to ${pathname}.`)
      }
      return intercepted
    },
  }
}
