import { accessSync, constants } from 'node:fs'
import { types } from 'pg'
import type { Warn } from '../../database.ts'
import { UnusableDatabase } from '../../database-errors.ts'
import { type StorageTiming, TIMING } from '../../timing.ts'
import { readDatabaseUrls } from './database-url.ts'
import { Hosts } from './hosts.ts'
import { Lineage } from './lineage.ts'
import type { ServerConfig } from './server-client.ts'

/** Configures a connection without timeouts for its statements. */
export const serverConfig = (
  url: string,
  warn: Warn,
  timing: StorageTiming = TIMING,
): ServerConfig => ({
  hosts: hostsOf(url, warn, timing),
  lineage: new Lineage(warn),
  timing,
  application_name: 'gatehouse',
  types: postgresTypes,
  keepAlive: true,
  keepAliveInitialDelayMillis: 10_000,
  connectionTimeoutMillis: timing.connectMs,
})

export function hostsOf(url: string, warn: Warn, timing: StorageTiming): Hosts {
  const read = readDatabaseUrls('DATABASE_URL', url)
  if (!read.ok) {
    throw new UnusableDatabase(read.problem)
  }
  requireFiles(read.urls[0])
  return new Hosts(read.urls, warn, timing.tryHostsMs)
}

/** pg reads these files at every connection; a missing one would look like a missing file of ours. */
function requireFiles(url: string): void {
  const { searchParams } = new URL(url)
  for (const name of ['sslrootcert', 'sslcert', 'sslkey']) {
    const file = searchParams.get(name)
    if (file === null) {
      continue
    }
    try {
      accessSync(file, constants.R_OK)
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      throw new UnusableDatabase(
        `${name} in the database URL names ${file}, which cannot be read (${code}). Name a file that this user can read.`,
        { cause: error },
      )
    }
  }
}

/** OIDs from pg_type.dat, which never change. */
const INT8 = 20
const BYTEA = 17

/**
 * Parsers for values from PostgreSQL, set per connection and not in pg's global registry. By default pg returns 64-bit
 * integers as strings (decision 5) and bytes as Buffers.
 */
const postgresTypes = {
  getTypeParser(oid: number, format?: 'text' | 'binary'): (value: string) => unknown {
    if (oid === INT8) {
      return integerFrom
    }
    if (oid === BYTEA) {
      return bytesFrom
    }
    return types.getTypeParser(oid, format) as (value: string) => unknown
  },
}

/** Rounded, an id would identify another row. */
function integerFrom(value: string): number {
  const number = Number(value)
  if (!Number.isSafeInteger(number)) {
    throw new RangeError('PostgreSQL returned an integer beyond 2^53')
  }
  return number
}

const parseBytea = types.getTypeParser(BYTEA) as (value: string) => Uint8Array

/** The class that SQLite returns, in its own memory: a Buffer may share a pool with others. */
const bytesFrom = (value: string): Uint8Array => new Uint8Array(parseBytea(value))
