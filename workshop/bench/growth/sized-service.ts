import { mkdirSync } from 'node:fs'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { type App, openApp } from '../../../service/src/app.ts'
import { readConfig } from '../../../service/src/config.ts'
import type { Resource } from '../../../service/src/domain/stores/stores.ts'
import type { Tenant } from '../../../service/src/domain/tenants/tenant.ts'
import { mintRefreshToken } from '../../../service/src/domain/tokens/refresh-token.ts'
import { serviceLog } from '../../../service/src/log.ts'
import type { TokenPair } from '../../../service/src/operations/sessions/open-session.ts'
import { SQLITE_FILE } from '../../../service/src/storage/database-location.ts'
import type { StorageOptions } from '../../../service/src/storage/open.ts'
import {
  NOW,
  Population,
  saltOf,
  tenantId,
} from '../../../service/test/support/population/population.ts'

/**
 * Simulated time between operations. One session in ten refreshes once an hour, so the request rate grows with the size,
 * and caches that last seconds are equally useful at every size. Bounded by the lifetime of a login in progress.
 */
const intervalMs = (size: number): number => Math.min(360, 3.6e7 / size)

interface IssuedPair {
  readonly tenantId: string
  readonly pair: TokenPair
}

/** The service on a generated database of one size. */
export interface SizedService {
  readonly population: Population
  readonly database: StorageOptions['database']
  readonly app: App
  readonly large: Tenant
  readonly leaving: Tenant
  readonly resource: Resource
  /** Pairs of the last refreshes, for verify. */
  readonly issued: IssuedPair[]
  /** Advances the simulated clock by one operation. */
  advanceClock(): void
  /** A pseudo-random user of a tenant that is not being deleted; the same sequence in every run. */
  randomUser(): number
  /** A pseudo-random user of the large tenant. */
  randomUserOfLargeTenant(): number
  /** Runs a WAL checkpoint on SQLite. PostgreSQL does that in a background process. */
  checkpoint(): Promise<void>
  /** An unused session and its refresh token. */
  session(): { readonly id: number; readonly tenantId: string; readonly refreshToken: string }
}

/** The location of the generated database of this size. */
export function databaseIn(
  folder: string,
  size: number,
  postgresUrl: string | null,
): StorageOptions['database'] {
  const data = path.join(folder, String(size))
  mkdirSync(data, { recursive: true })
  return postgresUrl === null
    ? { engine: 'sqlite', file: path.join(data, SQLITE_FILE) }
    : { engine: 'postgres', url: postgresUrl }
}

export async function openSizedService(
  folder: string,
  size: number,
  database: StorageOptions['database'],
): Promise<SizedService> {
  const population = new Population(size)
  let elapsed = 0
  const now = (): number => NOW + Math.floor(elapsed)
  const app = await openApp({
    config: configFor(path.join(folder, String(size)), database),
    log: serviceLog({ write: () => {} }),
    now,
  })
  const { ctx } = app
  const [large, leaving] = await Promise.all(
    [population.large, population.leaving].map((tenant) =>
      ctx.stores.tenants.find(tenantId(tenant)),
    ),
  )
  const resource = await ctx.stores.resources.findActive(tenantId(population.large))
  if (!large || !leaving || resource === null) {
    throw new Error(`the database of size ${size} is incomplete`)
  }

  const users = cursor(size, 7)
  const sessions = cursor(size, 13)
  const staying = (next: () => number): number => {
    for (;;) {
      const id = next()
      if (population.tenantOf(id) !== population.leaving) {
        return id
      }
    }
  }
  return {
    population,
    database,
    app,
    large,
    leaving,
    resource,
    issued: [],
    advanceClock: () => {
      elapsed += intervalMs(size)
    },
    async checkpoint() {
      if (database.engine === 'sqlite') {
        checkpointWal(database.file)
      }
    },
    randomUser: () => staying(users),
    randomUserOfLargeTenant() {
      for (;;) {
        const id = users()
        if (population.tenantOf(id) === population.large) {
          return id
        }
      }
    },
    session() {
      const id = staying(sessions)
      const name = tenantId(population.tenantOf(id))
      const claims = { sessionId: id, generation: 1, salt: saltOf(id) }
      return { id, tenantId: name, refreshToken: mintRefreshToken(ctx.keyring, name, claims) }
    },
  }
}

function checkpointWal(file: string): void {
  const db = new DatabaseSync(file)
  db.exec('pragma wal_checkpoint(passive)')
  db.close()
}

function configFor(dataDir: string, database: StorageOptions['database']) {
  const read = readConfig({
    DATA_DIR: dataDir,
    ...(database.engine === 'postgres' ? { DATABASE_URL: database.url } : {}),
    // With a Google client, the development provider is not started.
    GOOGLE_CLIENT_ID: 'growth',
    GOOGLE_CLIENT_SECRET: 'growth',
  })
  if (!read.ok) {
    throw new Error(read.problems.join('\n'))
  }
  return read.config
}

/** A permutation of all ids, spread over the table. */
function cursor(size: number, seed: number): () => number {
  let step = Math.floor(size * 0.618_034) + seed
  while (gcd(step, size) !== 1) {
    step += 1
  }
  let at = seed
  return () => {
    at = (at + step) % size
    return at + 1
  }
}

const gcd = (a: number, b: number): number => (b === 0 ? a : gcd(b, a % b))
