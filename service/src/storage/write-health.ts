import { setTimeout as sleep } from 'node:timers/promises'

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
    const unreachable = await this.#ping().then(
      () => null,
      (error: unknown) => describe(error) ?? 'a database is out of reach',
    )
    if (unreachable !== null || !this.#suspected) {
      return unreachable
    }
    // One at a time: each may keep a connection until its timeout.
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

/** For known causes. No names of hosts: /readyz is public. */
function describe(error: unknown): string | null {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    const { code, errcode } = cause as NodeJS.ErrnoException & { errcode?: number }
    const sqlite = errcode === undefined ? null : errcode & 0xff
    if (code === '53100' || sqlite === SQLITE_FULL || FULL_CODES.has(code ?? '')) {
      return 'the disk of the database is full'
    }
    if (sqlite === SQLITE_READONLY) {
      return 'the database is read-only'
    }
    if (code === '25006' || code === '55000' || /is in recovery$/.test(cause.message)) {
      return 'no PostgreSQL server accepts writes'
    }
    if (cause.message === 'Query read timeout') {
      return 'the database does not confirm writes'
    }
  }
  return null
}

/** The disk, a quota, or the limit of a file. */
const FULL_CODES = new Set(['ENOSPC', 'EDQUOT', 'EFBIG'])
const SQLITE_READONLY = 8
const SQLITE_FULL = 13
