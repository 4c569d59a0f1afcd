import { randomInt } from 'node:crypto'
import { Agent, request } from 'node:http'
import { Browser } from '../../../service/test/support/actors/browser.ts'
import {
  readResponse,
  type Transport,
} from '../../../service/test/support/transport/http-transport.ts'
import type { Journey } from './workload.ts'

/** A login that pauses after each request to the contender and yields its kind. Returns null or what went wrong. */
export type LoginSteps = AsyncGenerator<string, string | null>

/** Signs in another user each time. The number selects the TCP connections. */
export type StartLogin = (connection: number) => LoginSteps

/** The login without pauses. */
export const journeyOf = (login: StartLogin): Journey => ({
  async journey(connection) {
    const steps = login(connection)
    for (;;) {
      const step = await steps.next()
      if (step.done === true) {
        return step.value
      }
    }
  },
})

/** The user signs in at the provider, which redirects back to the contender. Returns the callback URL. */
export const signInAtProvider = (connection: number, authorizeUrl: URL): Promise<URL> =>
  newUser(connection, [authorizeUrl.origin]).open(authorizeUrl)

/** One navigation that follows no redirect. Returns the redirect's URL. */
export async function redirectOf(browser: Browser, url: URL): Promise<URL> {
  const response = await browser.request(url, { headers: NAVIGATION })
  const location = response.headers.get('location')
  if (location !== null) {
    return new URL(location, url)
  }
  throw new Error(
    `${url.pathname} did not redirect: ${response.status} ${(await response.text()).slice(0, 500)}`,
  )
}

const NAVIGATION = {
  Accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
  'User-Agent':
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Safari/537.36',
  'Sec-Fetch-Dest': 'document',
  'Sec-Fetch-Mode': 'navigate',
  'Sec-Fetch-Site': 'none',
  'Sec-Fetch-User': '?1',
}

const transports: ReturnType<typeof keepAliveTransport>[] = []

/** The browser of a new user: no cookies, and a random client address in X-Forwarded-For. Reuses the TCP connections. */
export function newUser(connection: number, origins: readonly string[]): Browser {
  transports[connection] ??= keepAliveTransport()
  const address = `10.${randomInt(256)}.${randomInt(256)}.${randomInt(256)}`
  return new Browser({
    origins,
    headers: { 'X-Forwarded-For': address },
    transport: transports[connection],
  })
}

/** Keeps connections alive, as a browser does. Connects to this machine for every host name. */
function keepAliveTransport(): Transport {
  const agent = new Agent({ keepAlive: true })
  return (url, { method, headers, body }) =>
    new Promise((resolve, reject) => {
      const sent = request(
        {
          host: '127.0.0.1',
          port: url.port,
          path: url.pathname + url.search,
          method,
          agent,
          headers: {
            Host: url.host,
            ...headers,
            ...(body === null ? {} : { 'Content-Length': Buffer.byteLength(body) }),
          },
        },
        (response) => void readResponse(response).then(resolve, reject),
      )
      sent.on('error', reject)
      sent.end(body ?? undefined)
    })
}
