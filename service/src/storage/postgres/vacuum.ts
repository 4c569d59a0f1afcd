import { setTimeout as sleep } from 'node:timers/promises'
import type { Warn } from '../database.ts'
import { tryHosts } from './connection/hosts.ts'
import { ServerClient, type ServerConfig } from './connection/server-client.ts'

const WITH_USER_DATA =
  'users, identities, sessions, events, login_attempts, invitations, webhook_messages'

/**
 * Removes deleted rows from the files, in the background: no response or sweep waits for whole tables. One vacuum runs at a
 * time, and at most one in `vacuumEveryMs`, because anyone can delete a social login; later requests share the next one. A
 * failure, or an end of the process, is harmless: autovacuum does it later.
 */
export class Vacuums {
  readonly #connection: ServerConfig
  readonly #warn: Warn
  readonly #closing = new AbortController()
  #client: ServerClient | undefined
  #requested = false
  #running = false

  constructor(connection: ServerConfig, warn: Warn) {
    this.#connection = { ...connection, statement_timeout: connection.timing.vacuumMs }
    this.#warn = warn
  }

  request(): void {
    this.#requested = true
    if (!this.#running) {
      void this.#run()
    }
  }

  /** Cancels a vacuum that runs, and waits for nothing. */
  close(): void {
    this.#closing.abort()
    this.#client?.end().catch(() => {})
  }

  async #run(): Promise<void> {
    const { signal } = this.#closing
    this.#running = true
    while (this.#requested && !signal.aborted) {
      this.#requested = false
      try {
        await this.#vacuum()
      } catch (error) {
        if (!signal.aborted) {
          this.#warn('PostgreSQL could not vacuum after a deletion; autovacuum will', error)
        }
      }
      await this.#pause()
    }
    this.#running = false
  }

  /** Ends early when closed. */
  async #pause(): Promise<void> {
    const { vacuumEveryMs } = this.#connection.timing
    const options = { ref: false, signal: this.#closing.signal }
    await sleep(vacuumEveryMs, undefined, options).catch(() => {})
  }

  async #vacuum(): Promise<void> {
    const connect = () => {
      this.#client = new ServerClient(this.#connection)
      return this.#client.connect()
    }
    const client = await tryHosts(this.#connection.hosts, connect)
    try {
      // With this setting, the server notices within a second that `close` has closed the connection. Not every system has it.
      await client.query('set client_connection_check_interval = 1000').catch(() => {})
      if (this.#closing.signal.aborted) {
        return
      }
      // VACUUM cannot run inside a transaction. It skips a table that another vacuum, or the build of an index, has locked.
      await client.query(`vacuum (skip_locked) ${WITH_USER_DATA}`)
    } finally {
      client.end().catch(() => {})
    }
  }
}
