import { Client } from 'pg'
import { startPostgres } from '../../../service/test/support/postgres/pg-server.ts'
import type { Bench } from '../bench.ts'
import { MANY_TENANTS } from '../contenders/gatehouse/populate.ts'
import { refreshSetup } from '../contenders/gatehouse/setups.ts'
import { closeAll, type Setup } from '../contenders/setup.ts'
import { statementSetup } from '../postgres/statement.ts'
import type { Row } from '../report/row.ts'
import { measure } from './measure.ts'

export const ON_POSTGRES = 'refresh with rotation, PostgreSQL'
const SESSIONS_PER_TENANT = 5
/** The test server disables these. */
const DURABLE = ['fsync=on', 'synchronous_commit=on', 'full_page_writes=on']

/** Refresh over HTTP on a durable PostgreSQL, and the bare statement on a copy of the same database. */
export async function refreshOnPostgres(bench: Bench): Promise<Row[]> {
  const postgres = await startPostgres(DURABLE)
  const setups: Setup[] = []
  try {
    const copyUrl = new URL(postgres.url)
    copyUrl.pathname = '/copy'
    setups.push(
      await refreshSetup(bench, {
        workload: ON_POSTGRES,
        databaseUrl: postgres.url,
        sessionsPerTenant: SESSIONS_PER_TENANT,
        onPopulated: () => copyDatabase(postgres.url, copyUrl),
      }),
      await statementSetup(bench, ON_POSTGRES, {
        databaseUrl: copyUrl.href,
        sessions: MANY_TENANTS * SESSIONS_PER_TENANT,
      }),
    )
    return await measure(bench, 'refresh-postgres', setups)
  } finally {
    await closeAll(setups)
    await postgres.stop()
  }
}

async function copyDatabase(databaseUrl: string, copyUrl: URL): Promise<void> {
  const admin = new Client(new URL('/template1', databaseUrl).href)
  await admin.connect()
  await admin.query(
    `create database ${copyUrl.pathname.slice(1)} template ${new URL(databaseUrl).pathname.slice(1)}`,
  )
  await admin.end()
}
