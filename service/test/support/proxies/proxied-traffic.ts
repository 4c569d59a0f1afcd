import type { Agent as Connections } from 'node:https'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Pair, Tenant } from '../actors/agent.ts'
import { fullOrShort } from '../faults/figures.ts'
import { keepAliveConnections, throughProxy } from './through-proxy.ts'

/** Each client refreshes once in this many requests, so that 16 of them stay below 750 events a minute. */
const REFRESH_EVERY = 64
const PAUSE_MS = 30
/**
 * A 503 after this long is no failure of a stop: the service gave up on a database that got no CPU time (it waits two seconds
 * for a connection). In a full run, which has the machine for itself, every 503 counts.
 */
const SLOW_DATABASE_MS = fullOrShort(Number.POSITIVE_INFINITY, 2_000)

/** Clients of an app behind a proxy: three of four requests are POST, which a proxy does not repeat once it is sent. */
export class ProxiedTraffic {
  requests = 0
  readonly #errors: string[] = []
  readonly #app: Tenant
  readonly #port: number
  readonly #connections: Connections = keepAliveConnections()
  #running = true
  readonly #ended: Promise<unknown>

  constructor(app: Tenant, port: number, pairs: readonly Pair[]) {
    this.#app = app
    this.#port = port
    this.#ended = Promise.all(pairs.map((pair) => this.#client(pair)))
  }

  /** Whatever is not the expected response. A copy: the cleanup of a failed test ends the proxy before its report is printed. */
  get errors(): string[] {
    return [...this.#errors]
  }

  async stop(): Promise<void> {
    this.#running = false
    await this.#ended
    this.#connections.destroy()
  }

  async #client(first: Pair): Promise<void> {
    let pair = first
    for (let number = Math.floor(Math.random() * REFRESH_EVERY); this.#running; number++) {
      const edge = `/edge/auth/${this.#app.id}`
      if (number % REFRESH_EVERY === 1) {
        pair =
          (await this.#send('POST', `${edge}/refresh`, { refresh_token: pair.refresh_token })) ??
          pair
      } else if (number % 4 === 0) {
        await this.#send('GET', '/api/status')
      } else {
        const verified = await this.#send('POST', `${edge}/verify`, {
          access_token: pair.access_token,
        })
        if (verified !== null && verified.valid !== true) {
          this.#errors.push('a valid token was called invalid')
        }
      }
      await sleep(PAUSE_MS * (0.5 + Math.random()))
    }
  }

  // biome-ignore lint/suspicious/noExplicitAny: the body of any endpoint
  async #send(method: string, path: string, body?: object): Promise<any> {
    this.requests++
    const began = performance.now()
    try {
      const headers = {
        Authorization: `Bearer ${this.#app.key}`,
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      }
      const sent = { method, path, headers, body: body === undefined ? '' : JSON.stringify(body) }
      const response = await throughProxy(this.#port, sent, this.#connections)
      if (response.status === 200) {
        return response.json()
      }
      if (response.status === 503 && performance.now() - began > SLOW_DATABASE_MS) {
        return null
      }
      this.#errors.push(`${method} ${path}: ${response.status} ${await response.text()}`)
    } catch (error) {
      this.#errors.push(`${method} ${path}: ${String(error)}`)
    }
    return null
  }
}
