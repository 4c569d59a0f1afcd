import type { TestContext } from 'node:test'
import { listen } from '../../../service/test/support/transport/listen.ts'
import type { Client, ClientOptions } from '../../src/index.ts'
import { gatehouse } from '../../src/node.ts'
import { applySetCookies, type Fixture, tokenCookies } from './fixture.ts'

export const SECRET = 'an-app-secret-of-enough-characters'

type Cookies = Readonly<Record<string, string>>

export interface RunningApp {
  /** Opens a page. Cookies of its response reach the jar when it has arrived. */
  open(
    path: string,
    options?: { process?: number; signal?: AbortSignal; headers?: Record<string, string> },
  ): Promise<string>
  /** Resolves when a slow page has its session and works. */
  slowPageRuns(): Promise<void>
  /** Lets slow pages respond. */
  finishSlowPages(): void
  cookies(): Cookies
}

/** An app in several processes: each has a client, and so a memory, of its own. They take requests in turn. */
export async function startApp(
  t: TestContext,
  fixture: Fixture,
  {
    processes = 1,
    options = {},
    serverless = false,
  }: { processes?: number; options?: Partial<ClientOptions>; serverless?: boolean } = {},
): Promise<RunningApp> {
  const slow = Promise.withResolvers<void>()
  const runs = Promise.withResolvers<void>()
  const handler = (client: Client) =>
    gatehouse({ client, protect: ['/notes', '/slow'] }, async (req, res, { user }) => {
      if (req.url === '/slow') {
        runs.resolve()
        await slow.promise
      }
      ;(res as unknown as { end(text: string): void }).end(user?.email ?? 'signed out')
    })
  const newClient = (): Client => fixture.otherClient(options)
  const ports = await Promise.all(
    Array.from({ length: processes }, async () => {
      const shared = handler(newClient())
      const { port } = await listen(
        t,
        (req, res) => void (serverless ? handler(newClient()) : shared)(req, res),
      )
      return port
    }),
  )
  const { id } = fixture.tenant
  let cookies: Cookies = tokenCookies(await fixture.signIn(), id)
  if (options.secret !== undefined) {
    cookies = { ...cookies, [`gh_${id}_bind`]: 'AAAAAAAAAAAAAAAAAAAAAA' }
  }
  let turn = 0
  return {
    async open(path, { process = turn++, signal, headers = {} } = {}) {
      const cookie = Object.entries(cookies).map((pair) => pair.join('='))
      const response = await fetch(`http://localhost:${ports[process % processes]}${path}`, {
        headers: { Cookie: cookie.join('; '), Accept: 'text/html', ...headers },
        redirect: 'manual',
        ...(signal === undefined ? {} : { signal }),
      })
      cookies = applySetCookies(response.headers.getSetCookie(), cookies)
      return `${response.status} ${await response.text()}`
    },
    slowPageRuns: () => runs.promise,
    finishSlowPages: () => slow.resolve(),
    cookies: () =>
      Object.fromEntries(
        Object.entries(cookies).map(([name, value]) => [name.replace(`gh_${id}_`, 'gh_'), value]),
      ),
  }
}
