import { type Kysely, sql } from 'kysely'
import { UnusableDatabase } from '../database-errors.ts'

/** The first that has `idle_session_timeout`. */
const OLDEST_MAJOR = 14

interface Facts {
  readonly version: number
  readonly schema: string | null
  readonly may_create: boolean | null
  /** SQL that gives this role a schema of its own. */
  readonly own_schema: string
}

export interface CheckedDatabase {
  /** The first schema of `search_path` that exists: all our SQL is unqualified. */
  readonly schema: string
  /** Throws if this role may not create tables. Only a migration needs that. */
  requireCreate(): void
}

/** Checks the version of the server and the schema, before anything is created. */
export async function checkDatabase<Tables>(db: Kysely<Tables>): Promise<CheckedDatabase> {
  const { rows } = await sql<Facts>`select current_setting('server_version_num')::int as version,
    current_schema() as schema, has_schema_privilege(current_schema(), 'create') as may_create,
    format('create schema %1$I authorization %1$I; alter role %1$I set search_path = %1$I', current_user)
      as own_schema`.execute(db)
  const facts = rows[0] as Facts
  const problem = versionProblem(facts.version)
  if (problem !== null) throw new UnusableDatabase(problem)
  const { schema } = facts
  if (schema === null) {
    throw new UnusableDatabase(
      `search_path names no usable schema: none of its schemas exists, or this role may not use them. As an administrator, run in this database: ${facts.own_schema}`,
    )
  }
  return {
    schema,
    requireCreate() {
      if (facts.may_create === true) return
      throw new UnusableDatabase(
        `this role may not create tables in the schema ${schema}. As an administrator, run in this database: ${facts.own_schema}`,
      )
    },
  }
}

/** `version`: `server_version_num`, such as 150004. */
export function versionProblem(version: number): string | null {
  const major = Math.floor(version / 10_000)
  if (major >= OLDEST_MAJOR) return null
  return `the server is PostgreSQL ${major}, and Gatehouse needs ${OLDEST_MAJOR} or newer. Upgrade the server.`
}
