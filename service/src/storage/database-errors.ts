/**
 * What a database error means to the service: out of reach (503, nothing consumed, try again), a collision of two
 * transactions (run it again), or something else (a constraint, a bug), which stays as it is.
 */
import { Unavailable } from '../domain/unavailable.ts'

/** Two transactions met. Running the whole of it again finds another world; see transactions.ts. */
export class Conflict extends Unavailable {}

export function classifyError(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof Unavailable) return error
  if (isCollision(error)) return new Conflict('the database undid one of two transactions', { cause: error })
  if (isOutOfReach(error)) return new Unavailable('the database is out of reach', { cause: error })
  return error
}

/** Another connection has SQLite's one write lock; nothing has happened, and trying again is safe. */
export const isBusy = (error: unknown): boolean =>
  error instanceof Unavailable && primaryCodeOf(error.cause as DatabaseError) === SQLITE_BUSY

/**
 * The disk said that it could not keep what it was given. What is in the file now, nobody knows: asking again may be
 * answered from a cache that was never written, so only a fresh start may go on (security, F6).
 */
export const isLostWrite = (error: unknown): boolean => {
  const { errcode } = (error instanceof Unavailable ? error.cause : error) as DatabaseError
  return errcode === SQLITE_IOERR_FSYNC || errcode === SQLITE_IOERR_DIR_FSYNC
}

const SQLITE_IOERR_FSYNC = 10 | (4 << 8)
const SQLITE_IOERR_DIR_FSYNC = 10 | (5 << 8)

type DatabaseError = Error & { code?: unknown; errcode?: unknown }

/** serialization_failure, deadlock_detected */
const COLLISIONS = new Set(['40001', '40P01'])

const isCollision = (error: DatabaseError): boolean => typeof error.code === 'string' && COLLISIONS.has(error.code)

function isOutOfReach(error: DatabaseError): boolean {
  const sqlite = primaryCodeOf(error)
  if (sqlite !== null) return SQLITE_OUT_OF_REACH.has(sqlite)
  if (typeof error.code === 'string') return NODE_CODES.has(error.code) || SQLSTATES.test(error.code)
  return PLAIN_MESSAGES.test(error.message)
}

/** SQLite's result code without the high bytes, which only say more of the same (sqlite.org/rescode.html). */
const primaryCodeOf = (error: DatabaseError | undefined): number | null =>
  typeof error?.errcode === 'number' ? error.errcode & 0xff : null

const SQLITE_BUSY = 5

/** BUSY, LOCKED, READONLY, IOERR, FULL, CANTOPEN. */
const SQLITE_OUT_OF_REACH = new Set([SQLITE_BUSY, 6, 8, 10, 13, 14])

/**
 * Connection (08), a server that became a standby (25006), a transaction ended for idling (25P03), resources (53),
 * locks (55P03), operator (57: shutdown, restart, statement timeout), the server's own disk (58).
 */
const SQLSTATES = /^(?:08...|25006|25P03|53...|55P03|57014|57P0.|58...)$/

const NODE_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EHOSTDOWN',
  'EMFILE',
  'ENFILE',
  // node:sqlite, after close()
  'ERR_INVALID_STATE',
])

/** pg and pg-pool say these without a code. */
const PLAIN_MESSAGES =
  /^(?:Connection terminated|timeout e|Query read timeout|Cannot use a pool after|Client (?:has encountered|was closed)|Postgres connection has been discarded)/
