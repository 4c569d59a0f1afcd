import { closeSync, fsyncSync, mkdirSync, openSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import {
  DatabaseSync,
  type DatabaseSyncOptions,
  type SQLInputValue,
  type SQLOutputValue,
  type StatementSync,
} from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { classifyError, databaseErrorOf, isBusy, isDamaged } from '../database-errors.ts'

/** A connection to a SQLite file. The only file that imports `node:sqlite`, whose API may still change (decision 5). */
export interface SqliteFile {
  /** Runs one statement and returns its rows, or the number of changed rows. */
  run(sql: string, parameters: readonly unknown[]): SqliteResult
  /** Reads the rows of one statement as arrays of values, at most `size` at a time. */
  batches(sql: string, size: number): Iterable<SQLOutputValue[][]>
  readonly inTransaction: boolean
  close(): void
}

export interface SqliteResult {
  readonly rows: unknown[]
  readonly changes: bigint | undefined
}

const WRITER_PRAGMAS = [
  // A commit does not wait for the disk: durability.ts does, for every response. With OFF, checkpoints and a restarted log
  // could damage the file at a power failure.
  'synchronous = normal',
  // Overwrites deleted content. Temporary data stays in memory for the same reason.
  'secure_delete = on',
  'temp_store = memory',
  // The driver waits for the transactions of other processes without blocking the thread (`withBusyRetry`).
  'busy_timeout = 0',
  // checkpointer.ts does it on another thread.
  'wal_autocheckpoint = 0',
  // In KiB, allocated as needed: enough for the pages of the sessions in use.
  'cache_size = -32768',
]

export function openToWrite(file: string): SqliteFile {
  createPrivately(file)
  const db = connect(file, {})
  try {
    const mode = db.prepare('pragma journal_mode = wal').get()?.journal_mode
    if (mode !== 'wal') {
      throw new Error(`${file} cannot use a write-ahead log (journal_mode ${mode})`)
    }
    for (const pragma of WRITER_PRAGMAS) {
      db.exec(`pragma ${pragma}`)
    }
    // The first read creates the write-ahead log.
    db.exec('select 1 from sqlite_schema')
    return new Connection(db)
  } catch (error) {
    db.close()
    throw classifyError(error)
  }
}

/** Sets mode 0600 before the first write; SQLite creates -wal and -shm with the mode of the file. */
function createPrivately(file: string): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  closeSync(openSync(file, 'a', 0o600))
}

/** How long a checkpoint may wait for readers, while it keeps the write lock. */
const CHECKPOINT_TIMEOUT_MS = 20

/** For a checkpoint on another thread of a process that has the file open. Waits only briefly, because writers wait meanwhile. */
export function openToCheckpoint(file: string): SqliteFile {
  const db = connect(file, { timeout: CHECKPOINT_TIMEOUT_MS })
  db.exec('pragma synchronous = normal')
  db.exec('pragma wal_autocheckpoint = 0')
  return new Connection(db)
}

export function openToRead(file: string): SqliteFile {
  const db = connect(file, { readOnly: true })
  db.exec('pragma temp_store = memory')
  return new Connection(db)
}

/**
 * For a file that this process does not serve: creates, migrates and locks nothing. Without a write-ahead log the file is
 * opened as immutable, because in WAL mode even a reader creates a log and its index. A log with content belongs to a
 * running or a killed process, and contains the newest rows.
 */
export function openToInspect(file: string): SqliteFile {
  const log = statSync(`${file}-wal`, { throwIfNoEntry: false })
  if (log !== undefined && log.size > 0) {
    return openToRead(file)
  }
  return new Connection(connect(`${pathToFileURL(file)}?immutable=1`, { readOnly: true }))
}

/**
 * For `gatehouse move`: fails if another process has the file open, and keeps others out until it is closed. Exclusive from
 * the first access on, which in WAL mode needs the lock of every connection (sqlite.org/wal.html#noshm).
 */
export function openExclusively(file: string): SqliteFile {
  const db = connect(file, { timeout: 0 })
  try {
    db.exec('pragma locking_mode = exclusive')
    db.exec('begin exclusive')
    db.exec('pragma query_only = on')
    return new Connection(db)
  } catch (error) {
    db.close()
    throw classifyError(error)
  }
}

/** An empty database in memory. */
export const openInMemory = (): SqliteFile => new Connection(connect(':memory:', {}))

/** How long SQLite may block the thread for a lock: while opening, and for reads, which rarely wait. */
const BUSY_TIMEOUT_MS = 5_000

function connect(file: string, options: DatabaseSyncOptions): DatabaseSync {
  try {
    return new DatabaseSync(file, {
      timeout: BUSY_TIMEOUT_MS,
      enableForeignKeyConstraints: true,
      ...options,
    })
  } catch (error) {
    throw classifyError(error)
  }
}

const STATEMENTS_MAX = 300

class Connection implements SqliteFile {
  readonly #db: DatabaseSync
  /** Preparing a statement costs as much as running it, so each is prepared once (decision 5). The last used comes last. */
  readonly #statements = new Map<string, Statement>()

  constructor(db: DatabaseSync) {
    this.#db = db
  }

  get inTransaction(): boolean {
    return this.#db.isOpen && this.#db.isTransaction
  }

  run(sql: string, parameters: readonly unknown[]): SqliteResult {
    try {
      return this.#prepared(sql).run(parameters)
    } catch (error) {
      throw classifyError(error)
    }
  }

  *batches(sql: string, size: number): Iterable<SQLOutputValue[][]> {
    try {
      const statement = this.#db.prepare(sql)
      statement.setReturnArrays(true)
      let batch: SQLOutputValue[][] = []
      // The types of `iterate` ignore setReturnArrays.
      for (const values of statement.iterate() as Iterable<unknown>) {
        batch.push(values as SQLOutputValue[])
        if (batch.length === size) {
          yield batch
          batch = []
        }
      }
      if (batch.length > 0) {
        yield batch
      }
    } catch (error) {
      throw classifyError(error)
    }
  }

  close(): void {
    this.#statements.clear()
    this.#db.close()
  }

  #prepared(sql: string): Statement {
    const known = this.#statements.get(sql)
    if (known !== undefined) {
      this.#statements.delete(sql)
      this.#statements.set(sql, known)
      return known
    }

    const statement = new Statement(this.#db.prepare(sql))
    this.#statements.set(sql, statement)
    if (this.#statements.size > STATEMENTS_MAX) {
      const [leastRecentlyUsed = ''] = this.#statements.keys()
      this.#statements.delete(leastRecentlyUsed)
    }
    return statement
  }
}

/** A prepared statement. It reads rows if it has columns; otherwise it writes. */
class Statement {
  readonly #prepared: StatementSync
  readonly #columns: readonly string[]

  constructor(prepared: StatementSync) {
    this.#prepared = prepared
    this.#columns = prepared.columns().map(({ name }) => name)
    prepared.setReturnArrays(true)
  }

  run(parameters: readonly unknown[]): SqliteResult {
    const bound = bindable(parameters)
    if (this.#columns.length === 0) {
      const { changes } = this.#prepared.run(...bound)
      return { rows: [], changes: BigInt(changes) }
    }
    // The types of `all` ignore setReturnArrays.
    const rows = this.#prepared.all(...bound) as unknown as SQLOutputValue[][]
    return { rows: rows.map((values) => rowOf(this.#columns, values)), changes: undefined }
  }
}

/**
 * Builds row objects from arrays of values. The objects that node:sqlite creates cost more and leave garbage in V8's old
 * generation, so that reading many rows makes the heap grow (docs/hot-path.md).
 */
function rowOf(
  columns: readonly string[],
  values: readonly SQLOutputValue[],
): Record<string, SQLOutputValue> {
  const row: Record<string, SQLOutputValue> = {}
  for (let at = 0; at < columns.length; at++) {
    row[columns[at] as string] = values[at] as SQLOutputValue
  }
  return row
}

/** Rejects values such as Date and undefined, which node:sqlite would silently bind as NULL. */
function bindable(parameters: readonly unknown[]): SQLInputValue[] {
  for (const value of parameters) {
    if (!isBindable(value)) {
      throw new TypeError(`SQLite cannot store a ${typeof value}`)
    }
  }
  return parameters as SQLInputValue[]
}

const isBindable = (value: unknown): boolean =>
  typeof value === 'string' ||
  typeof value === 'number' ||
  typeof value === 'bigint' ||
  value === null ||
  value instanceof Uint8Array

/** A copy failed because its target, `path`, could not be written. */
class CopyNotWritten extends Error {
  readonly path: string

  constructor(path: string, cause: unknown) {
    const { message } = databaseErrorOf(cause) as Error
    super(message, { cause })
    this.path = path
  }
}

/**
 * Copies a snapshot of the database to a new file, without blocking writers. The target is created first, empty and with
 * mode 0600, because SQLite would create one that others can read. The connection is writable, because only such a one
 * removes the write-ahead log when it closes as the last.
 */
export function copySqlite(file: string, target: string): void {
  const copy = openSync(target, 'wx', 0o600)
  try {
    const source = openToWrite(file)
    try {
      source.run('vacuum into ?', [target])
    } catch (error) {
      if (isDamaged(error)) {
        // The only error that is about the source.
        throw error
      }
      throw new CopyNotWritten(target, error)
    } finally {
      source.close()
    }
    fsyncSync(copy)
  } finally {
    closeSync(copy)
  }
}

const RETRY_DELAY_MAX_MS = 25

/** Retries while another process holds the write lock, without blocking the event loop. */
export async function withBusyRetry(
  file: SqliteFile,
  sql: string,
  parameters: readonly unknown[],
  busyMs: number,
): Promise<SqliteResult> {
  const deadline = performance.now() + busyMs
  let delayMs = 1
  for (;;) {
    try {
      return file.run(sql, parameters)
    } catch (error) {
      if (!isBusy(error) || performance.now() > deadline) {
        throw error
      }
    }
    await sleep(delayMs)
    delayMs = Math.min(delayMs * 2, RETRY_DELAY_MAX_MS)
  }
}
