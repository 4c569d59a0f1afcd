import type { TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Tenant } from '../actors/agent.ts'
import { percentile } from '../ledger/observed-responses.ts'
import type { Instance } from './cluster.ts'

const INTERVAL_MS = 20

/** Calls verify with a valid token at one instance all through a fault, and records every response but "valid". */
export class VerifyProbe {
  readonly failures: string[] = []
  readonly #took: number[] = []
  #running = true
  readonly #ended: Promise<void>

  constructor(t: Pick<TestContext, 'after'>, app: Tenant, at: Instance, accessToken: string) {
    this.#ended = this.#run(app.at(at.agent), accessToken)
    t.after(() => this.stop())
  }

  async #run(app: Tenant, access_token: string): Promise<void> {
    while (this.#running) {
      const began = performance.now()
      const response = await app
        .edge('verify', { access_token })
        .catch((error: unknown) => String(error))
      this.#took.push(performance.now() - began)
      if (typeof response === 'string' || response.status !== 200 || response.json.valid !== true) {
        this.failures.push(
          typeof response === 'string' ? response : `${response.status} ${response.text}`,
        )
      }
      await sleep(INTERVAL_MS)
    }
  }

  get calls(): number {
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
