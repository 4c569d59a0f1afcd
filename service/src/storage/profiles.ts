import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { RuntimeProfile } from '@gatehouse/contract'

export type Engine = 'sqlite' | 'postgres'

/**
 * The engine a tenant's social-login data was born on (decision 11). A later engine or schema generation is
 * one more line here and in the contract; no line ever changes, because that would move data.
 */
const ENGINES: Readonly<Record<RuntimeProfile, Engine>> = { 'v1-1': 'sqlite', 'v1-2': 'postgres' }

const engineOf = (profile: RuntimeProfile): Engine => ENGINES[profile]

const PROFILES: Readonly<Record<Engine, RuntimeProfile>> = { sqlite: 'v1-1', postgres: 'v1-2' }

/** The newest profile an engine serves: the one that new data on it belongs to. */
export const profileOf = (engine: Engine): RuntimeProfile => PROFILES[engine]

/** The name of the SQLite file in the data folder, whether it is home or only attached. */
export const SQLITE_FILE = 'gatehouse.db'

/**
 * Beside a PostgreSQL home: the SQLite file, when new tenants are to be born on it or when it is already there, with
 * tenants that stay on it for life.
 */
export function attachedSqlite(settings: {
  readonly databaseUrl: string | null
  readonly dataDir: string
  readonly profile: RuntimeProfile
}): { attachSqlite?: string } {
  if (settings.databaseUrl === null) return {}
  const file = join(settings.dataDir, SQLITE_FILE)
  return engineOf(settings.profile) === 'sqlite' || existsSync(file) ? { attachSqlite: file } : {}
}
