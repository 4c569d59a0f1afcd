import { ALL_TENANTS } from '../feed.ts'

/** PostgreSQL allows 8,000 bytes. */
const PAYLOAD_MAX_BYTES = 7_000
const TENANTS_MAX = 500
const APART_MS = 20

/**
 * Wakes the other processes after our commits, at most every 20 ms however many there are. Never inside the data's own
 * transaction: a commit with a notification in it takes a lock that is one for the whole server (decision 18).
 */
export class WakeUps {
  readonly #send: (payload: string) => Promise<void>
  #pending: Set<string> | null = null
  #timer: NodeJS.Timeout | undefined
  #sending: Promise<void> | undefined
  #sentAt = 0

  constructor(send: (payload: string) => Promise<void>) {
    this.#send = send
  }

  /** Something was committed; these tenants have new events. */
  add(changedTenants: Iterable<string>): void {
    this.#pending ??= new Set()
    for (const tenantId of changedTenants) this.#pending.add(tenantId)
    if (this.#pending.size > TENANTS_MAX) this.#pending = new Set([ALL_TENANTS])
    this.resume()
  }

  /** Sends what could not be sent before. */
  resume(): void {
    if (this.#pending === null || this.#timer !== undefined || this.#sending !== undefined) return
    const wait = Math.max(0, this.#sentAt + APART_MS - performance.now())
    this.#timer = setTimeout(() => void this.flush(), wait).unref()
  }

  async flush(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    await this.#sending
    if (this.#pending === null) return
    this.#sending = this.#sendPending()
    await this.#sending
  }

  async #sendPending(): Promise<void> {
    const payload = payloadOf(this.#pending ?? [])
    this.#pending = null
    this.#sentAt = performance.now()
    const sent = await this.#send(payload).then(
      () => true,
      () => false,
    )
    this.#sending = undefined
    if (sent) this.resume()
    // Without a connection nobody is told; `resume` follows when it is back, and then everyone looks again.
    else this.#pending = new Set([ALL_TENANTS])
  }
}

function payloadOf(tenantIds: Iterable<string>): string {
  const all = new Set(tenantIds)
  const payload = [...all].join(',')
  return all.has(ALL_TENANTS) || Buffer.byteLength(payload) > PAYLOAD_MAX_BYTES ? ALL_TENANTS : payload
}

export const tenantsIn = (payload: string): string[] => (payload === '' ? [] : payload.split(','))
