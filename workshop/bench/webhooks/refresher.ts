import type { PopulatedTenant } from '../contenders/gatehouse/populate.ts'
import { KeptConnection } from '../fairness/kept-connection.ts'

/** The sessions of a tenant, refreshed in turn. */
export class Refresher {
  readonly #connection: KeptConnection
  readonly #tenant: PopulatedTenant
  readonly #tokens: string[]
  #next = 0

  constructor(port: number, tenant: PopulatedTenant) {
    this.#connection = new KeptConnection(port)
    this.#tenant = tenant
    this.#tokens = tenant.sessions.map(({ refresh_token }) => refresh_token)
  }

  async refresh(): Promise<void> {
    const at = this.#next++ % this.#tokens.length
    const { status, body } = await this.#connection.send({
      method: 'POST',
      path: `/edge/auth/${this.#tenant.id}/refresh`,
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ refresh_token: this.#tokens[at] }),
    })
    if (status !== 200) {
      throw new Error(`refresh: ${status} ${body}`)
    }
    this.#tokens[at] = (JSON.parse(String(body)) as { refresh_token: string }).refresh_token
  }

  close(): void {
    this.#connection.close()
  }
}
