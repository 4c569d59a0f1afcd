import { types } from 'pg'

/** OIDs from pg_type.dat, which never change. */
const INT8 = 20
const BYTEA = 17

/**
 * Parsers for values from PostgreSQL, set per connection and not in pg's global registry. By default pg returns 64-bit
 * integers as strings (decision 5) and bytes as Buffers.
 */
export const postgresTypes = {
  getTypeParser(oid: number, format?: 'text' | 'binary'): (value: string) => unknown {
    if (oid === INT8) return integerFrom
    if (oid === BYTEA) return bytesFrom
    return types.getTypeParser(oid, format) as (value: string) => unknown
  },
}

/** Rounded, an id would identify another row. */
function integerFrom(value: string): number {
  const number = Number(value)
  if (!Number.isSafeInteger(number)) throw new RangeError('PostgreSQL returned an integer beyond 2^53')
  return number
}

const parseBytea = types.getTypeParser(BYTEA) as (value: string) => Uint8Array

/** The class that SQLite returns, in its own memory: a Buffer may share a pool with others. */
const bytesFrom = (value: string): Uint8Array => new Uint8Array(parseBytea(value))
