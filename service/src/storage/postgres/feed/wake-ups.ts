import { ALL_TENANTS } from '../../feed.ts'

/** PostgreSQL allows 8,000 bytes. */
const PAYLOAD_MAX_BYTES = 7_000
const TENANTS_MAX = 500

/**
 * Notifies the other processes after commits of this one, at most once per `notifyMs`. If a notification fails, the next
 * one wakes all tenants, so none is missed. Notifications are not part of the transaction with the data: a commit that
 * contains one takes a lock that is global to the server (decision 18).
 */
export class WakeUps {
  readonly #send: (payload: string) => Promise<void>
  readonly #notifyMs: number
  #pending: Set<string> | null = null
  #timer: NodeJS.Timeout | undefined
  #sending: Promise<void> | undefined
  #sentAt = 0

  constructor(send: (payload: string) => Promise<void>, notifyMs: number) {
    this.#send = send
    this.#notifyMs = notifyMs
  }

  /** Call after a commit, with the tenants whose long polls must wake. */
  add(changedTenants: Iterable<string>): void {
    this.#pending ??= new Set()
    for (const tenantId of changedTenants) {
      this.#pending.add(tenantId)
    }
    if (this.#pending.size > TENANTS_MAX) {
      this.#pending = new Set([ALL_TENANTS])
    }
    this.resume()
  }

  /** Schedules what is pending; called again when the connection is back. */
  resume(): void {
    if (this.#pending === null || this.#timer !== undefined || this.#sending !== undefined) {
      return
    }
    const wait = Math.max(0, this.#sentAt + this.#notifyMs - performance.now())
    this.#timer = setTimeout(() => void this.flush(), wait).unref()
  }

  async flush(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    await this.#sending
    if (this.#pending === null) {
      return
    }
    this.#sending = this.#sendPending()
    await this.#sending
  }

  async #sendPending(): Promise<void> {
    const payload = payloadOf(this.#pending ?? [])
    this.#pending = null
    this.#sentAt = performance.now()
    try {
      await this.#send(payload)
    } catch {
      // The connection is lost. `resume` is called when it is back, and then wakes all tenants.
      this.#pending = new Set([ALL_TENANTS])
      this.#sending = undefined
      return
    }
    this.#sending = undefined
    this.resume()
  }
}

function payloadOf(tenantIds: Iterable<string>): string {
  const all = new Set(tenantIds)
  const payload = [...all].join(',')
  const isTooLong = Buffer.byteLength(payload) > PAYLOAD_MAX_BYTES
  return all.has(ALL_TENANTS) || isTooLong ? ALL_TENANTS : payload
}

export const tenantsIn = (payload: string): string[] => (payload === '' ? [] : payload.split(','))
