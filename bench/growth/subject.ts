import { mkdirSync } from 'node:fs'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { type App, openApp } from '../../service/src/app.ts'
import { readConfig } from '../../service/src/config.ts'
import type { Resource } from '../../service/src/domain/stores/stores.ts'
import type { Tenant } from '../../service/src/domain/tenants/tenant.ts'
import { mintRefreshToken } from '../../service/src/domain/tokens/refresh-token.ts'
import { serviceLog } from '../../service/src/log.ts'
import type { TokenPair } from '../../service/src/operations/sessions/token-pair.ts'
import { SQLITE_FILE } from '../../service/src/storage/database-location.ts'
import type { StorageOptions } from '../../service/src/storage/open.ts'
import { NOW, Population, saltOf, tenantId } from '../../service/test/support/population/population.ts'

/**
 * One session in ten is in use in any hour and refreshes once, so ten times the sessions are ten times as busy, and what
 * is remembered for seconds is as useful at every size. Not further apart than a login in flight can wait.
 */
const apartMs = (size: number): number => Math.min(360, 3.6e7 / size)

export interface Signed {
  readonly tenantId: string
  readonly pair: TokenPair
}

/** The service on a generated database, and what to ask it about. */
export interface Subject {
  readonly population: Population
  readonly database: StorageOptions['database']
  readonly app: App
  readonly large: Tenant
  readonly leaving: Tenant
  readonly resource: Resource
  /** Pairs of the last refreshes: what is verified. */
  readonly signed: Signed[]
  /** Time passes with each thing done. */
  pass(): void
  /** A user who is not leaving, at random but the same in every run. */
  anybody(): number
  /** A user of the large tenant. */
  somebodyLarge(): number
  /** SQLite: what was written is taken from its log into the file. PostgreSQL does that in a process of its own. */
  fold(): Promise<void>
  /** A session that nobody has used yet, and its refresh token. */
  session(): { readonly id: number; readonly tenantId: string; readonly refreshToken: string }
}

/** Where a generated database of this size lives. */
export function databaseIn(folder: string, size: number, postgresUrl: string | null): StorageOptions['database'] {
  const data = path.join(folder, String(size))
  mkdirSync(data, { recursive: true })
  return postgresUrl === null
    ? { engine: 'sqlite', file: path.join(data, SQLITE_FILE) }
    : { engine: 'postgres', url: postgresUrl }
}

export async function openSubject(
  folder: string,
  size: number,
  database: StorageOptions['database'],
): Promise<Subject> {
  const population = new Population(size)
  let passed = 0
  const now = (): number => NOW + Math.floor(passed)
  const app = await openApp({
    config: configFor(path.join(folder, String(size)), database),
    log: serviceLog({ write: () => {} }),
    now,
  })
  const { ctx } = app
  const [large, leaving] = await Promise.all(
    [population.large, population.leaving].map((tenant) => ctx.stores.tenants.find(tenantId(tenant))),
  )
  const resource = await ctx.stores.resources.findActive(tenantId(population.large))
  if (!large || !leaving || resource === null) throw new Error(`the database of ${size} is not what was generated`)

  const users = cursor(size, 7)
  const sessions = cursor(size, 13)
  const staying = (next: () => number): number => {
    for (;;) {
      const id = next()
      if (population.tenantOf(id) !== population.leaving) return id
    }
  }
  return {
    population,
    database,
    app,
    large,
    leaving,
    resource,
    signed: [],
    pass: () => {
      passed += apartMs(size)
    },
    async fold() {
      if (database.engine === 'sqlite') folded(database.file)
    },
    anybody: () => staying(users),
    somebodyLarge() {
      for (;;) {
        const id = users()
        if (population.tenantOf(id) === population.large) return id
      }
    },
    session() {
      const id = staying(sessions)
      const name = tenantId(population.tenantOf(id))
      const fields = { sessionId: id, generation: 1, salt: saltOf(id) }
      return { id, tenantId: name, refreshToken: mintRefreshToken(ctx.keyring, name, fields) }
    },
  }
}

function folded(file: string): void {
  const db = new DatabaseSync(file)
  db.exec('pragma wal_checkpoint(passive)')
  db.close()
}

function configFor(dataDir: string, database: StorageOptions['database']) {
  const read = readConfig({
    DATA_DIR: dataDir,
    ...(database.engine === 'postgres' ? { DATABASE_URL: database.url } : {}),
    // Nobody signs in at a provider here, so none is started.
    GOOGLE_CLIENT_ID: 'growth',
    GOOGLE_CLIENT_SECRET: 'growth',
  })
  if (!read.ok) throw new Error(read.problems.join('\n'))
  return read.config
}

/** Every id once, all over the table, before any comes again. */
function cursor(size: number, seed: number): () => number {
  let step = Math.floor(size * 0.618_034) + seed
  while (gcd(step, size) !== 1) step += 1
  let at = seed
  return () => {
    at = (at + step) % size
    return at + 1
  }
}

const gcd = (a: number, b: number): number => (b === 0 ? a : gcd(b, a % b))
