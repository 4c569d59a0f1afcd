import { types } from 'pg'

/** OIDs from pg_type.dat; they never change. */
const INT8 = 20
const BYTEA = 17

/**
 * How values come back from PostgreSQL. Given to our own connections only: the parsers that pg shares are everyone's.
 * By default it makes strings of 64-bit integers (decision 5) and Buffers of bytes.
 */
export const postgresTypes = {
  getTypeParser(oid: number, format?: 'text' | 'binary'): (value: string) => unknown {
    if (oid === INT8) return integerFrom
    if (oid === BYTEA) return bytesFrom
    return types.getTypeParser(oid, format) as (value: string) => unknown
  },
}

/** A number that lost its last digits would be somebody else's id. */
function integerFrom(value: string): number {
  const number = Number(value)
  if (!Number.isSafeInteger(number)) throw new RangeError('PostgreSQL returned an integer beyond 2^53')
  return number
}

const buffered = types.getTypeParser(BYTEA) as (value: string) => Uint8Array

/** The same class as SQLite returns, and with no neighbours in its memory. */
const bytesFrom = (value: string): Uint8Array => new Uint8Array(buffered(value))
