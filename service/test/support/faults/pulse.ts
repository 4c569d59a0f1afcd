import type { TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Tenant } from '../actors/agent.ts'
import { percentile } from '../ledger/seen.ts'
import type { Instance } from './cluster.ts'

const BEAT_MS = 20

/** Verify, asked again and again at one instance while something else goes wrong: it keeps answering, and rightly. */
export class Pulse {
  readonly wrong: string[] = []
  readonly #took: number[] = []
  #running = true
  readonly #ended: Promise<void>

  constructor(t: Pick<TestContext, 'after'>, app: Tenant, at: Instance, accessToken: string) {
    this.#ended = this.#beat(app.at(at.agent), accessToken)
    t.after(() => this.stop())
  }

  async #beat(app: Tenant, access_token: string): Promise<void> {
    while (this.#running) {
      const began = performance.now()
      const response = await app.edge('verify', { access_token }).catch((error: unknown) => String(error))
      this.#took.push(performance.now() - began)
      if (typeof response === 'string' || response.status !== 200 || response.json.valid !== true)
        this.wrong.push(typeof response === 'string' ? response : `${response.status} ${response.text}`)
      await sleep(BEAT_MS)
    }
  }

  get beats(): number {
    return this.#took.length
  }

  p99(): number {
    return Math.round(percentile(this.#took, 0.99))
  }

  async stop(): Promise<this> {
    this.#running = false
    await this.#ended
    return this
  }
}
