import { createHash, randomBytes } from 'node:crypto'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, type TestContext } from 'node:test'
import { Client } from 'pg'
import { NEXT_FILE } from '../../../../scripts/test/events.ts'
import { SQLITE_FILE } from '../../../src/storage/database-location.ts'
import type { Engine } from '../../../src/storage/engine.ts'
import type { StorageTiming } from '../../../src/storage/timing.ts'
import { HANG_TIMEOUT_MS } from '../process/wait-until.ts'

export type { Engine } from '../../../src/storage/engine.ts'

/** Both, unless the runner (scripts/test.ts) reduces the file to SQLite. */
export let ENGINES: readonly Engine[]

/** Why a test that needs PostgreSQL is skipped, `{ skip: sqliteOnly }`: it is about that engine, or compares both. */
export let sqliteOnly: string | false

function readEngines(): void {
  ENGINES = process.env.TEST_ENGINES === 'sqlite' ? ['sqlite'] : ['sqlite', 'postgres']
  sqliteOnly = ENGINES.includes('postgres') ? false : 'needs PostgreSQL: npm run test:all'
}
readEngines()
// Of a worker (scripts/test/worker.ts), which sets the variables of each file. Not `message`: a process that listens for
// messages does not exit by itself.
process.on(NEXT_FILE, readEngines)

/** A migrated, empty database for one test, as the settings that an operator would write. */
export async function databaseFor(
  _t: Pick<TestContext, 'after'>,
  engine: Engine,
): Promise<{ DATA_DIR: string; DATABASE_URL?: string }> {
  const DATA_DIR = join(await freshFolder(), 'data')
  if (engine === 'postgres') {
    return { DATA_DIR, DATABASE_URL: await freshPostgres() }
  }
  await mkdir(DATA_DIR, { mode: 0o700 })
  sqliteTemplate ??= migratedSqliteFile()
  await writeFile(join(DATA_DIR, SQLITE_FILE), await sqliteTemplate, { mode: 0o600 })
  return { DATA_DIR }
}

let sqliteTemplate: Promise<Buffer> | undefined

/** Migrating a file takes longer than most tests; writing a migrated one takes a millisecond. */
async function migratedSqliteFile(): Promise<Buffer> {
  const { openStorage } = await storageModule()
  const file = join(await freshFolder(), SQLITE_FILE)
  const storage = await openStorage({ database: { engine: 'sqlite', file }, ...SILENT })
  await storage.close()
  return readFile(file)
}

/** Loaded only where a template is made: files that start processes have no other use for it, and it takes half a second. */
const storageModule = () => import('../../../src/storage/open.ts')

const SILENT = { publish: () => {}, warn: () => {} }

/** Deadlines that only a hang exceeds, however busy the machine is. */
export const PATIENT_TIMING = {
  busyMs: HANG_TIMEOUT_MS,
  connectMs: HANG_TIMEOUT_MS,
  tryHostsMs: HANG_TIMEOUT_MS,
  checkServerMs: HANG_TIMEOUT_MS,
  statementMs: HANG_TIMEOUT_MS,
  responseMs: HANG_TIMEOUT_MS,
  idleInTransactionMs: HANG_TIMEOUT_MS,
} satisfies Partial<StorageTiming>

const folders: string[] = []

export async function freshFolder(parent = tmpdir()): Promise<string> {
  await mkdir(parent, { recursive: true })
  const folder = await mkdtemp(join(parent, 'gatehouse-test-'))
  folders.push(folder)
  return folder
}

/** A copy of a database that was migrated once for the whole run. Copying takes some 20 ms. */
export async function freshPostgres(): Promise<string> {
  template ??= migratedTemplate()
  return createdFrom(await template)
}

/** A database that is not migrated yet. */
export const emptyPostgres = (): Promise<string> => createdFrom('template1')

/** Not migrated either. As in most installations, `lower` folds the letters of all scripts, not only those of ASCII. */
export const emptyUnicodePostgres = (): Promise<string> =>
  createdFrom('template0', `locale_provider builtin builtin_locale 'C.UTF-8'`)

async function createdFrom(source: string, locale = ''): Promise<string> {
  const name = `test_${randomBytes(8).toString('hex')}`
  await asAdmin((admin) =>
    admin.query(`create database ${name} template ${source} strategy file_copy ${locale}`),
  )
  return urlOf(name)
}

// At the end of the file, because clean-up that a test registers itself, such as closing storage, must run first.
// Databases are not dropped one by one, which takes minutes on a busy machine: they are deleted with the server's folder.
after(() =>
  Promise.all(
    folders.map((folder) => rm(folder, { recursive: true, force: true, maxRetries: 10 })),
  ),
)

let template: Promise<string> | undefined

/** Test files run in parallel processes: the first one migrates, the others wait for the lock. */
function migratedTemplate(): Promise<string> {
  return asAdmin(async (admin) => {
    const name = `gatehouse_template_${await migrationsDigest()}`
    await admin.query('select pg_advisory_lock(20261)')
    const { rowCount } = await admin.query('select 1 from pg_database where datname = $1', [name])
    if (rowCount === 0) {
      const unfinished = `${name}_unfinished`
      await admin.query(`drop database if exists ${unfinished} with (force)`)
      await admin.query(`create database ${unfinished}`)
      const { openStorage } = await storageModule()
      const storage = await openStorage({
        database: { engine: 'postgres', url: urlOf(unfinished) },
        timing: PATIENT_TIMING,
        ...SILENT,
      })
      await storage.close()
      await admin.query(`alter database ${unfinished} rename to ${name}`)
    }
    await admin.query('select pg_advisory_unlock(20261)')
    return name
  })
}

/** Part of the template's name, so that a server that outlives the run never serves an old schema. */
async function migrationsDigest(): Promise<string> {
  const folder = new URL('../../../content/migrations/', import.meta.url)
  const hash = createHash('sha256')
  for (const name of (await readdir(folder)).sort()) {
    hash.update(await readFile(new URL(name, folder)))
  }
  const { FUNCTIONS } = await import('../../../src/storage/postgres/functions.ts')
  hash.update(FUNCTIONS.join())
  return hash.digest('hex').slice(0, 12)
}

export async function asAdmin<T>(work: (admin: Client) => Promise<T>): Promise<T> {
  const admin = new Client(serverUrl())
  await admin.connect()
  try {
    return await work(admin)
  } finally {
    await admin.end()
  }
}

function serverUrl(): string {
  const url = process.env.TEST_POSTGRES_URL
  if (url === undefined) {
    throw new Error('This run has no PostgreSQL: skip the test with { skip: sqliteOnly }')
  }
  return url
}

function urlOf(database: string): string {
  const url = new URL(serverUrl())
  url.pathname = `/${database}`
  return url.href
}
