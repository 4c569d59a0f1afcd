import { Client, type ClientConfig } from 'pg'
import type { StorageTiming } from '../../timing.ts'
import { checkServer } from './check-server.ts'
import { ConnectError, type Hosts } from './hosts.ts'
import type { Lineage } from './lineage.ts'

export interface ServerConfig extends ClientConfig {
  readonly hosts: Hosts
  /** What each connection finds is compared with what the others of the process found. */
  readonly lineage: Lineage
  readonly timing: StorageTiming
}

/**
 * pg's client for the current host, connected only once `checkServer` has accepted the server. The pool, the listener and
 * `vacuum` use it.
 */
export class ServerClient extends Client {
  readonly #hosts: Hosts
  readonly #lineage: Lineage
  readonly #checkMs: number
  readonly #url: string

  constructor({ hosts, lineage, timing, ...config }: ServerConfig) {
    const url = hosts.current
    super({ ...config, connectionString: url })
    this.#hosts = hosts
    this.#lineage = lineage
    this.#checkMs = timing.checkServerMs
    this.#url = url
    // Until the pool or the listener adds its own, a connection that breaks during the check would end the process.
    this.on('error', () => {})
  }

  override connect(): Promise<this>
  override connect(callback: (error: Error | null, client?: this) => void): void
  override connect(callback?: (error: Error | null, client?: this) => void): Promise<this> | undefined {
    const connected = this.#connectAndCheck()
    if (callback === undefined) return connected
    // pg-pool passes a callback.
    connected.then((client) => callback(null, client), callback)
    return undefined
  }

  async #connectAndCheck(): Promise<this> {
    try {
      await super.connect()
      await checkServer(this, this.#lineage, this.#checkMs)
      this.#hosts.connected(this.#url)
      return this
    } catch (error) {
      this.#hosts.failed(this.#url)
      // Closes a connection whose server was not accepted. Not awaited: after a failed connect it may never resolve.
      this.end().catch(() => {})
      throw ConnectError.at(this.#url, error)
    }
  }
}
