import { setTimeout as sleep } from 'node:timers/promises'
import { primaryCode, SQLITE_FULL, SQLITE_READONLY } from './sqlite/result-codes.ts'

/** How long /readyz waits for a write that it tries. A commit may wait for a standby that is gone. */
const TRY_MS = 1_000

/**
 * Whether writes work, for readiness. After a request that failed, readiness tries a write of its own until one succeeds: the
 * database may be readable with a full disk, or without the standby that a commit waits for.
 */
export class WriteHealth {
  readonly #ping: () => Promise<void>
  readonly #tryWrite: () => Promise<unknown>
  #suspected = false
  #trying: Promise<string | null> | null = null

  constructor(ping: () => Promise<void>, tryWrite: () => Promise<unknown>) {
    this.#ping = ping
    this.#tryWrite = tryWrite
  }

  /** A request got 503. */
  suspect(): void {
    this.#suspected = true
  }

  /** Why reads or writes fail; null if they work. */
  async problem(): Promise<string | null> {
    try {
      await this.#ping()
    } catch (error) {
      return describe(error) ?? 'a database is out of reach'
    }
    if (!this.#suspected) {
      return null
    }

    // One try at a time: each may keep a connection until its timeout.
    this.#trying ??= this.#try().finally(() => {
      this.#trying = null
    })
    const waiting = sleep(TRY_MS, 'the database does not confirm writes', { ref: false })
    return Promise.race([this.#trying, waiting])
  }

  async #try(): Promise<string | null> {
    try {
      await this.#tryWrite()
      this.#suspected = false
      return null
    } catch (error) {
      return describe(error) ?? 'writes to the database fail'
    }
  }
}

/** Why the database fails, for known causes; otherwise null. Names no hosts, because /readyz is public. */
function describe(error: unknown): string | null {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    const reason = describeOne(cause)
    if (reason !== null) {
      return reason
    }
  }
  return null
}

function describeOne(error: NodeJS.ErrnoException & { errcode?: number }): string | null {
  const { code = '', message } = error
  const sqlite = error.errcode === undefined ? null : primaryCode(error.errcode)
  if (sqlite === SQLITE_FULL || FULL_CODES.has(code)) {
    return 'the disk of the database is full'
  }
  if (sqlite === SQLITE_READONLY) {
    return 'the database is read-only'
  }
  if (STANDBY_SQLSTATES.has(code) || message.endsWith('is in recovery')) {
    return 'no PostgreSQL server accepts writes'
  }
  if (message === 'Query read timeout') {
    return 'the database does not confirm writes'
  }
  return null
}

/** PostgreSQL's disk_full, and the errors of the system for a full disk, a quota or the limit of a file. */
const FULL_CODES = new Set(['53100', 'ENOSPC', 'EDQUOT', 'EFBIG'])

/** read_only_sql_transaction, and object_not_in_prerequisite_state for a function that needs the primary. */
const STANDBY_SQLSTATES = new Set(['25006', '55000'])
