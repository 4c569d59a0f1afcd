import { setTimeout as sleep } from 'node:timers/promises'
import type { Client, QueryResult } from 'pg'
import { classifyError } from '../../database-errors.ts'
import type { StorageTiming } from '../../timing.ts'
import { detachRows } from '../batches.ts'
import { shareServiceLock } from '../service-lock.ts'

export interface ListenerEvents {
  /** A notification of another process. */
  received(payload: string): void
  /** The connection broke. Called at most once, and never after close(). */
  lost(error: unknown): void
}

/** Methods of pg's Client that its types leave out. */
type UntypedClient = Client & { readonly processID: number; unref(): void }

/**
 * The connection that receives and sends notifications. It delivers those of other processes while it is open, ignores its
 * own, and reports a broken connection once. Queries run one at a time, as pg requires.
 */
export class Listener {
  readonly client: Client
  #channel = ''
  #lastQuery: Promise<unknown> = Promise.resolve()
  #pendingQueries = 0
  #queryStartedAt = 0
  #closed = false

  private constructor(client: Client) {
    this.client = client
  }

  static async open(client: Client, { received, lost }: ListenerEvents): Promise<Listener> {
    const listener = new Listener(client)
    let listening = false
    const onEnd = (error?: unknown) => {
      if (listener.#closed) {
        return
      }
      listener.#closed = true
      if (listening) {
        lost(error)
      }
    }
    client.on('error', onEnd)
    client.on('end', onEnd)
    client.on('notification', ({ channel, processId, payload }) => {
      const isOwn = processId === (client as UntypedClient).processID
      if (channel === listener.#channel && !isOwn) {
        received(payload ?? '')
      }
    })
    try {
      await client.connect()
      await shareServiceLock(client)
      // The connection is idle as long as nothing is revoked; the server must not close it for that.
      await client.query('set idle_session_timeout = 0')
      // Two installations in one database have their own schemas, and must not wake each other.
      const { rows } = await client.query('select current_schema()::regnamespace::oid::text as id')
      listener.#channel = `gatehouse_${rows[0].id}`
      await client.query(`listen ${listener.#channel}`)
    } catch (error) {
      await listener.close()
      throw classifyError(error)
    }
    listening = true
    return listener
  }

  query<R extends object>(
    text: string,
    values: unknown[] = [],
  ): Promise<Pick<QueryResult<R>, 'rows'>> {
    const result = this.#lastQuery.then(async () => {
      this.#queryStartedAt = performance.now()
      return detachRows(await this.client.query<R>(text, values))
    })
    this.#pendingQueries += 1
    this.#lastQuery = result
      .catch(() => {})
      .finally(() => {
        this.#pendingQueries -= 1
      })
    return result.catch((error: unknown) => {
      throw classifyError(error)
    })
  }

  async notify(payload: string): Promise<void> {
    await this.query('select pg_notify($1, $2)', [this.#channel, payload])
  }

  /** How long the current query has been running; 0 if there is none. */
  get silentForMs(): number {
    return this.#pendingQueries === 0 ? 0 : performance.now() - this.#queryStartedAt
  }

  /** The connection no longer keeps the process alive. */
  unref(): void {
    const client = this.client as UntypedClient
    client.unref()
  }

  /** Destroys a connection whose query does not return; `lost` follows. */
  destroy(): void {
    // While a query runs, pg's end() destroys the socket instead of sending a Terminate message.
    this.client.end().catch(() => {})
  }

  async close(): Promise<void> {
    this.#closed = true
    await this.client.end().catch(() => {})
  }
}

/**
 * Calls `open` until it succeeds, with exponential backoff; null once aborted. The jitter keeps the clients of a restarted
 * PostgreSQL from reconnecting at the same moment.
 */
export async function retryWithBackoff<T>(
  open: () => Promise<T>,
  { reconnectMs, reconnectMaxMs }: Pick<StorageTiming, 'reconnectMs' | 'reconnectMaxMs'>,
  aborted: AbortSignal,
): Promise<T | null> {
  let delayMs = reconnectMs
  for (;;) {
    const jittered = delayMs * (0.5 + Math.random() / 2)
    await sleep(jittered, undefined, { ref: false, signal: aborted }).catch(() => {})
    if (aborted.aborted) {
      return null
    }
    try {
      return await open()
    } catch {
      delayMs = Math.min(delayMs * 2, reconnectMaxMs)
    }
  }
}
