import { findChromium } from '../actors/chromium.ts'
import { type PgServer, startPostgres } from '../postgres/pg-server.ts'
import { build } from './entry-points.ts'

// All test processes share one PostgreSQL server and one Chromium, passed to them in environment variables, and one build of
// the service.

let postgres: PgServer | undefined

export async function globalSetup(): Promise<void> {
  // A run that scripts/test.ts restricts to SQLite doesn't wait for a PostgreSQL server.
  await Promise.all([
    process.env.TEST_ENGINES === 'sqlite' ? undefined : providePostgres(),
    provideChromium(),
    build(),
  ])
}

export async function globalTeardown(): Promise<void> {
  await postgres?.stop()
}

/** TEST_POSTGRES_URL of all test processes. `globalTeardown` stops the server. */
export async function providePostgres(): Promise<void> {
  // An autovacuum could lock a table of any test at any time.
  postgres = await startPostgres(['autovacuum=off'])
  process.env.TEST_POSTGRES_URL = postgres.url
}

/** Without Chromium, only the tests that use it fail, with this error message; scripts/test.ts skips them. */
export async function provideChromium(): Promise<void> {
  try {
    const { path, libraries } = await findChromium()
    process.env.CHROMIUM_PATH = path
    if (libraries) {
      process.env.CHROMIUM_LIBRARIES = libraries
    }
  } catch (error) {
    process.env.CHROMIUM_MISSING = error instanceof Error ? error.message : String(error)
  }
}
