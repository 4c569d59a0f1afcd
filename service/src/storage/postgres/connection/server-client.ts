import { Client, type ClientBase, type ClientConfig, type QueryResult } from 'pg'
import { Unavailable } from '../../../domain/api-error.ts'
import { latestTokenExpiry } from '../../../domain/revocation/revocation.ts'
import type { StorageTiming } from '../../timing.ts'
import { ConnectError, type Hosts } from './hosts.ts'
import type { FenceRow, Lineage } from './lineage.ts'

export interface ServerConfig extends ClientConfig {
  readonly hosts: Hosts
  /** What each connection finds is compared with what the others of the process found. */
  readonly lineage: Lineage
  readonly timing: StorageTiming
  /** The connection leads to a pooler, and from there perhaps to another server with each transaction. */
  readonly isPooled?: boolean
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
  override connect(
    callback?: (error: Error | null, client?: this) => void,
  ): Promise<this> | undefined {
    const connected = this.#connectAndCheck()
    if (callback === undefined) {
      return connected
    }
    // pg-pool passes a callback.
    connected.then((client) => callback(null, client), callback)
    return undefined
  }

  async #connectAndCheck(): Promise<this> {
    await this.#hosts.beforeConnect()
    // The next try uses the primary that was found meanwhile.
    if (this.#url !== this.#hosts.current) {
      throw ConnectError.at(this.#url, new Error('the primary is another server'))
    }
    try {
      if (this.#lineage.refusal !== null) {
        throw new Unavailable(this.#lineage.refusal)
      }
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

/** A standby, or a primary that is still starting: it rejects writes, and its revocations may be out of date. */
export class ServerInRecovery extends Unavailable {
  constructor() {
    super('this PostgreSQL server is a standby: it is in recovery')
  }
}

/** Before the first migration there is no fence. */
const STATE = `select pg_is_in_recovery() as standby, to_regproc('gatehouse_fence_v2') is not null as migrated`

/**
 * One message is one transaction, and the server completes it although the client may have left. Without a statement
 * timeout, because the first call after a failover reads every counter.
 */
const FENCE = {
  text: `set local statement_timeout = 0; select * from gatehouse_fence_v2(${latestTokenExpiry(0)})`,
  query_timeout: 60_000,
}

/**
 * Every new connection passes this function before its first use (`server-client.ts`); if it throws, the connection is
 * closed. A primary becomes a standby only by a restart, which closes its connections, so one check covers the life of a
 * connection. `timeoutMs`: the check must end although the connection has no timeouts, as that of the migrations.
 */
async function checkServer(client: ClientBase, lineage: Lineage, timeoutMs: number): Promise<void> {
  const state = { text: STATE, query_timeout: timeoutMs }
  const { rows } = await client.query<{ standby: boolean; migrated: boolean }>(state)
  if (rows[0]?.standby !== false) {
    throw new ServerInRecovery()
  }
  if (!rows[0].migrated) {
    return
  }
  // pg returns one result for each statement of a text; its types don't say so.
  const results = (await client.query(FENCE)) as unknown as QueryResult<FenceRow>[]
  const found = results[1]?.rows[0]
  if (found === undefined) {
    throw new Error('PostgreSQL returned no lineage')
  }
  lineage.accept(client, found)
}
