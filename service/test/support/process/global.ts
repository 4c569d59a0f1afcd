import { findChromium } from '../actors/chromium.ts'
import { type PgServer, startPostgres } from '../postgres/pg-server.ts'

// What every test process shares: one PostgreSQL, and the way to one Chromium. They hear of both by environment.

let postgres: PgServer | undefined

export async function globalSetup(): Promise<void> {
  // A run that the runner reduced to SQLite (scripts/test.ts) need not wait for a server.
  await Promise.all([process.env.TEST_ENGINES === 'sqlite' ? undefined : offerPostgres(), offerChromium()])
}

export async function globalTeardown(): Promise<void> {
  await postgres?.stop()
}

async function offerPostgres(): Promise<void> {
  postgres = await startPostgres()
  process.env.TEST_POSTGRES_URL = postgres.url
}

/** Without one, only the tests that ask for it fail, and they say why. */
async function offerChromium(): Promise<void> {
  try {
    const { path, libraries } = await findChromium()
    process.env.CHROMIUM_PATH = path
    if (libraries) process.env.CHROMIUM_LIBRARIES = libraries
  } catch (error) {
    process.env.CHROMIUM_MISSING = error instanceof Error ? error.message : String(error)
  }
}
