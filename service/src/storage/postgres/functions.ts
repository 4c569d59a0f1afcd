import { type Kysely, sql } from 'kysely'
import { CLOCKS_DIFFER_MS } from '../../domain/limits/counter.ts'
import { FLOOR_UNIT, IDS_PER_MS, SKIPPED_IDS } from '../../domain/lineage.ts'
import { readInstalled } from '../../folders.ts'
import type { Tables } from '../tables/tables.ts'
import type { CheckedDatabase } from './check-database.ts'

/** Raised with every change of `service/content/functions.postgres.sql`. `service/test/storage/postgres/functions.test.ts` compares them. */
export const FUNCTIONS_VERSION = 12

/**
 * Replaces the functions of an earlier version; those of a later one stay. Instances that start at the same time wait for
 * one another.
 *
 * An instance of the previous release may still call a function while the next one starts, so a name keeps its parameters,
 * its columns and its meaning. Anything else is a function with a new name (`_v3`), and the old one stays until no release
 * that is still in use calls it.
 */
export async function replaceFunctions(
  db: Kysely<Tables>,
  { requireCreate }: CheckedDatabase,
): Promise<void> {
  if ((await installedVersion(db)) >= FUNCTIONS_VERSION) {
    return
  }
  requireCreate()
  await db.transaction().execute(async (open) => {
    await sql`lock table migration_lock in share row exclusive mode`.execute(open)
    if ((await installedVersion(open)) >= FUNCTIONS_VERSION) {
      return
    }
    for (const text of FUNCTIONS) {
      await sql.raw(text).execute(open)
    }
    await sql.raw(`comment on function gatehouse_fence_v1 is '${FUNCTIONS_VERSION}'`).execute(open)
  })
}

interface Installed {
  readonly version: string | null
}

/** The version is the comment of one function. */
const INSTALLED = sql<Installed>`select obj_description(oid, 'pg_proc') as version from pg_proc
  where proname = 'gatehouse_fence_v1' and pronamespace = current_schema()::regnamespace`

/** 0: no function, or one without a version. */
async function installedVersion(db: Kysely<Tables>): Promise<number> {
  const { rows } = await INSTALLED.execute(db)
  return Number(rows[0]?.version ?? 0)
}

const PARTS: Readonly<Record<string, string>> = {
  clocks_differ_ms: String(CLOCKS_DIFFER_MS),
  floor_unit: String(FLOOR_UNIT),
  skipped_ids: String(SKIPPED_IDS),
  ids_per_ms: String(IDS_PER_MS),
}

const TEXT = readInstalled('content', 'functions.postgres.sql')
  .toString()
  .replace(/\{(\w+)\}/g, (_, part: string) => PARTS[part] ?? '')

/** Each function comes after those that it calls. */
export const FUNCTIONS: readonly string[] =
  TEXT.match(/\ncreate or replace function[\s\S]*?\n\$\$/g) ?? []
