import type { Client, QueryResult } from 'pg'
import { classifyError } from '../database-errors.ts'
import { detachRows } from './detach-rows.ts'

const CHANNEL = 'gatehouse'

export interface ListenerEvents {
  /** Another process woke us. */
  heard(payload: string): void
  /** The connection is gone. Said once, and never after close(). */
  lost(error: unknown): void
}

/** What pg's Client has and its types leave out. */
type Undocumented = Client & { readonly processID: number; unref(): void }

/** The connection that hears wake-ups. It is asked one thing at a time; pg wants it so. */
export class Listener {
  readonly #client: Client
  #last: Promise<unknown> = Promise.resolve()
  #asked = 0
  #askedAt = 0
  #over = false

  private constructor(client: Client) {
    this.#client = client
  }

  static async open(client: Client, { heard, lost }: ListenerEvents): Promise<Listener> {
    const listener = new Listener(client)
    let listening = false
    const gone = (error?: unknown) => {
      if (listener.#over) return
      listener.#over = true
      if (listening) lost(error)
    }
    client.on('error', gone)
    client.on('end', gone)
    client.on('notification', ({ channel, processId, payload }) => {
      const ours = processId === (client as Undocumented).processID
      if (channel === CHANNEL && !ours) heard(payload ?? '')
    })
    try {
      await client.connect()
      // It is quiet for as long as nobody signs in, and must not be closed for that.
      await client.query('set idle_session_timeout = 0')
      await client.query(`listen ${CHANNEL}`)
    } catch (error) {
      await listener.close()
      throw classifyError(error)
    }
    listening = true
    return listener
  }

  query<R extends object>(text: string, values: unknown[] = []): Promise<Pick<QueryResult<R>, 'rows'>> {
    const response = this.#last.then(async () => {
      this.#askedAt = performance.now()
      return detachRows(await this.#client.query<R>(text, values))
    })
    this.#asked += 1
    this.#last = response
      .catch(() => {})
      .finally(() => {
        this.#asked -= 1
      })
    return response.catch((error: unknown) => {
      throw classifyError(error)
    })
  }

  async notify(payload: string): Promise<void> {
    await this.query('select pg_notify($1, $2)', [CHANNEL, payload])
  }

  /** How long it has owed us an answer; 0 when it owes none. */
  get silentForMs(): number {
    return this.#asked === 0 ? 0 : performance.now() - this.#askedAt
  }

  /** It no longer keeps the process alive. */
  unref(): void {
    const client = this.#client as Undocumented
    client.unref()
  }

  /** Gives up on a connection that does not answer; `lost` follows. */
  cut(): void {
    // With a question open, pg cuts the connection instead of saying goodbye.
    this.#client.end().catch(() => {})
  }

  async close(): Promise<void> {
    this.#over = true
    await this.#client.end().catch(() => {})
  }
}
