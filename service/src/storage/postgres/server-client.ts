import { Client, type ClientConfig } from 'pg'
import { checkServer } from './check-server.ts'

/** pg's client, connected only once `checkServer` has accepted the server. The pool, the listener and `vacuum` use it. */
export class ServerClient extends Client {
  constructor(config?: ClientConfig) {
    super(config)
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
    await super.connect()
    try {
      await checkServer(this)
      return this
    } catch (error) {
      await this.end().catch(() => {})
      throw error
    }
  }
}
