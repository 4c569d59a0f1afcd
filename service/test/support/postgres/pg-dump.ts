import path from 'node:path'
import { Client } from 'pg'
import { run } from '../process/run.ts'
import { emptyPostgres, freshFolder, freshPostgres } from './engines.ts'

interface Dump {
  readonly by: string
  /** Restores into a new database and returns its URL. */
  restore(): Promise<string>
}

/**
 * A backup of PostgreSQL as in docs/operating.md. pg_dump rejects servers that are newer than itself, and the package with
 * the test server does not include one. If none fits, SQL copies all tables and sequences from one snapshot.
 */
export async function dumpPostgres(url: string): Promise<Dump> {
  const version = await pgDumpFor(url)
  if (version === null) {
    return dumpBySql(url)
  }
  const file = path.join(await freshFolder(), 'gatehouse.dump')
  await run('pg_dump', [url, '--format=custom', `--file=${file}`])
  return {
    by: version,
    async restore() {
      const target = await emptyPostgres()
      await run('pg_restore', ['--no-owner', `--dbname=${target}`, file])
      return target
    },
  }
}

async function pgDumpFor(url: string): Promise<string | null> {
  const version = await run('pg_dump', ['--version']).catch(() => '')
  const major = Number(/\) (\d+)/.exec(version)?.[1] ?? 0)
  const [server] = await runAll(url, [
    "select current_setting('server_version_num')::integer / 10000 as major",
  ])
  return major >= Number(server?.[0]?.major) ? version.trim() : null
}

async function dumpBySql(url: string): Promise<Dump> {
  const names = `select quote_ident(table_name) as name from information_schema.tables
    where table_schema = current_schema() and table_type = 'BASE TABLE'`
  const tables = ((await runAll(url, [names]))[0] ?? []).map(({ name }) => String(name))
  const [, sequences = [], ...contents] = await runAll(url, [
    'begin isolation level repeatable read read only',
    'select quote_ident(sequencename) as name, last_value from pg_sequences where schemaname = current_schema()',
    ...tables.map((table) => `select each::text as row from ${table} each`),
  ])
  return {
    by: 'SQL, because there is no pg_dump for this server here',
    async restore() {
      const target = await freshPostgres()
      await runAll(target, [
        // Disables foreign keys, which pg_restore creates last.
        'set session_replication_role = replica',
        ...tables.map((table) => `truncate ${table} cascade`),
        ...tables.map((table, at) => ({
          text: `insert into ${table} overriding system value select (row::${table}).* from unnest($1::text[]) as row`,
          values: [(contents[at] ?? []).map(({ row }) => row)],
        })),
        ...sequences
          .filter(({ last_value }) => last_value !== null)
          .map(({ name, last_value }) => ({
            text: 'select setval($1::regclass, $2)',
            values: [name, last_value],
          })),
      ])
      return target
    },
  }
}

type Statement = string | { readonly text: string; readonly values: unknown[] }

/** Runs the statements in order on one connection, and returns the rows of each. */
async function runAll(
  url: string,
  statements: readonly Statement[],
): Promise<Record<string, unknown>[][]> {
  const client = new Client(url)
  await client.connect()
  try {
    const results: Record<string, unknown>[][] = []
    for (const statement of statements) {
      results.push((await client.query(statement)).rows)
    }
    return results
  } finally {
    await client.end()
  }
}
