/**
 * Classifies database errors: unavailable (503; nothing was written, a retry is safe), a conflict of two transactions
 * (the transaction runs again), or anything else (a constraint, a bug), which stays unchanged.
 */
import { Unavailable } from '../domain/api-error.ts'
import {
  primaryCode,
  SQLITE_BUSY,
  SQLITE_CANTOPEN,
  SQLITE_CORRUPT,
  SQLITE_FULL,
  SQLITE_IOERR,
  SQLITE_IOERR_DIR_FSYNC,
  SQLITE_IOERR_FSYNC,
  SQLITE_LOCKED,
  SQLITE_NOTADB,
  SQLITE_READONLY,
} from './sqlite/result-codes.ts'

/** The database rolled back one of two conflicting transactions; transactions.ts runs it again from the start. */
export class Conflict extends Unavailable {}

/** The connection broke while a statement ran, so it is unknown whether PostgreSQL executed the statement. */
export class ConnectionLost extends Unavailable {}

/** A transaction failed because of what it had read, and then that turned out not to be stored. A retry is safe. */
export class NotStored extends Unavailable {}

/** The start fails: the database must be changed first. The message is for the operator and names the fix. */
export class UnusableDatabase extends Error {}

export function classifyError(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof Unavailable) {
    return error
  }
  if (isConflict(error)) {
    return new Conflict('the database rolled back one of two transactions', { cause: error })
  }
  if (isUnavailable(error)) {
    return new Unavailable('the database is unavailable', { cause: error })
  }
  return error
}

/** The error of the database behind an `Unavailable`, if there is one. */
export const databaseErrorOf = (error: unknown): unknown =>
  error instanceof Unavailable && error.cause !== undefined ? error.cause : error

/** Another connection holds SQLite's write lock. Nothing was written; a retry is safe. */
export const isBusy = (error: unknown): boolean =>
  error instanceof Unavailable && primaryCodeOf(error.cause as DatabaseError) === SQLITE_BUSY

/** The content of the file is not that of a SQLite database. */
export const isDamaged = (error: unknown): boolean => {
  const code = primaryCodeOf(error as DatabaseError)
  return code === SQLITE_CORRUPT || code === SQLITE_NOTADB
}

/**
 * An fsync failed, so the content of the file is unknown: later reads may come from a page cache that was never written.
 * The process must exit and open the file again (docs/reliability.md, F6).
 */
export const isLostWrite = (error: unknown): boolean => {
  const { errcode } = databaseErrorOf(error) as DatabaseError
  return errcode === SQLITE_IOERR_FSYNC || errcode === SQLITE_IOERR_DIR_FSYNC
}

type DatabaseError = Error & { code?: unknown; errcode?: unknown }

const SERIALIZATION_FAILURE = '40001'
const DEADLOCK_DETECTED = '40P01'

const isConflict = ({ code }: DatabaseError): boolean =>
  code === SERIALIZATION_FAILURE || code === DEADLOCK_DETECTED

function isUnavailable(error: DatabaseError): boolean {
  const sqlite = primaryCodeOf(error)
  if (sqlite !== null) {
    return SQLITE_UNAVAILABLE.includes(sqlite)
  }
  if (typeof error.code === 'string') {
    return UNAVAILABLE_NODE_CODES.test(error.code) || UNAVAILABLE_SQLSTATES.test(error.code)
  }
  return UNAVAILABLE_MESSAGES.test(error.message)
}

/** null: not an error of SQLite. */
const primaryCodeOf = (error: DatabaseError | undefined): number | null =>
  typeof error?.errcode === 'number' ? primaryCode(error.errcode) : null

const SQLITE_UNAVAILABLE: readonly number[] = [
  SQLITE_BUSY,
  SQLITE_LOCKED,
  SQLITE_READONLY,
  SQLITE_IOERR,
  SQLITE_FULL,
  SQLITE_CANTOPEN,
]

/**
 * Connection (08), a standby (25006, 55000), an idle-in-transaction timeout (25P03), resources (53), lock
 * timeout (55P03), operator intervention (57: shutdown, restart, statement timeout), I/O errors of the server (58).
 */
const UNAVAILABLE_SQLSTATES = /^(?:08...|25006|25P03|55000|53...|55P03|57014|57P0.|58...)$/

/** node:sqlite throws the last one after close(). */
const UNAVAILABLE_NODE_CODES =
  /^(?:ECONNREFUSED|ECONNRESET|ECONNABORTED|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|EHOSTDOWN|EMFILE|ENFILE|ERR_INVALID_STATE)$/

/** Errors of pg and pg-pool that have no code. */
const UNAVAILABLE_MESSAGES =
  /^(?:Connection terminated|timeout e|Query read timeout|Cannot use a pool after|Client (?:has encountered|was closed)|Postgres connection has been discarded)/
