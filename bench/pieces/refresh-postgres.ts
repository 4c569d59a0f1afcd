import { Client } from 'pg'
import { startPostgres } from '../../service/test/support/postgres/pg-server.ts'
import type { Bench } from '../bench.ts'
import { closeAll, type Entry } from '../contenders/entry.ts'
import { MANY_TENANTS } from '../contenders/gatehouse/populated.ts'
import { refreshEntry } from '../contenders/gatehouse/refresh-entry.ts'
import { statementEntry } from '../postgres/statement-entry.ts'
import type { Row } from '../report/row.ts'
import { measured } from './measured.ts'

export const ON_POSTGRES = 'refresh with rotation, PostgreSQL'
const SESSIONS_PER_TENANT = 5
/** Tests do without; what is measured may not. */
const DURABLE = ['fsync=on', 'synchronous_commit=on', 'full_page_writes=on']

/** Over HTTP on a PostgreSQL that syncs, beside the bare statement on a copy of the same database. */
export async function refreshOnPostgres(bench: Bench): Promise<Row[]> {
  const postgres = await startPostgres(DURABLE)
  const entries: Entry[] = []
  try {
    const copyUrl = new URL(postgres.url)
    copyUrl.pathname = '/copy'
    entries.push(
      await refreshEntry(bench, {
        work: ON_POSTGRES,
        databaseUrl: postgres.url,
        sessionsPerTenant: SESSIONS_PER_TENANT,
        filled: () => copied(postgres.url, copyUrl),
      }),
      await statementEntry(bench, ON_POSTGRES, {
        databaseUrl: copyUrl.href,
        sessions: MANY_TENANTS * SESSIONS_PER_TENANT,
      }),
    )
    return await measured(bench, 'refresh-postgres', entries)
  } finally {
    await closeAll(entries)
    await postgres.stop()
  }
}

async function copied(databaseUrl: string, copyUrl: URL): Promise<void> {
  const admin = new Client(new URL('/template1', databaseUrl).href)
  await admin.connect()
  await admin.query(`create database ${copyUrl.pathname.slice(1)} template ${new URL(databaseUrl).pathname.slice(1)}`)
  await admin.end()
}
