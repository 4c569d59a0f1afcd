import path from 'node:path'
import type { Bench } from '../../bench.ts'
import { startDriver } from '../../load/start-driver.ts'
import type { RefreshData } from '../../load/work/refresh.ts'
import type { Entry } from '../entry.ts'
import { populated } from './populated.ts'
import { type Population, sessionsInTurn } from './population.ts'
import { productionSettings } from './settings.ts'
import { startGatehouse } from './start.ts'

export interface RefreshOptions {
  readonly work: string
  /** SQLite, unless it is told of another database. */
  readonly databaseUrl?: string
  readonly sessionsPerTenant?: number
  /** Once the database is filled, and before anybody uses it. */
  filled?(): Promise<void>
}

/**
 * Refresh on one process of ours. Every session was begun within the hour, so each refresh also writes that the old
 * access token is revoked: the dearest case. After the hour there is nothing left to revoke.
 */
export async function refreshEntry(bench: Bench, options: RefreshOptions): Promise<Entry> {
  const { work, databaseUrl, sessionsPerTenant = 5, filled } = options
  const engine = databaseUrl === undefined ? 'sqlite' : 'postgres'
  const settings = await productionSettings(
    path.join(bench.folder, `refresh-${engine}`),
    databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl },
  )
  const population = await populated(bench, settings, { sessionsPerTenant })
  await filled?.()
  const program = await startGatehouse(bench, settings, { name: `gatehouse-refresh-${engine}` })
  const driver = await startDriver({
    work: 'refresh',
    data: refreshData(population),
    file: path.join(bench.folder, `refresh-${engine}.json`),
    port: program.port,
    cores: bench.placement.load,
  })
  return {
    contender: 'gatehouse',
    work,
    durability: engine === 'sqlite' ? 'SQLite, WAL, synchronous FULL' : 'PostgreSQL, fsync on',
    pids: () => [program.pid],
    driver,
    programs: [program],
  }
}

const refreshData = (population: Population): RefreshData => ({
  dialect: 'json',
  headers: { 'User-Agent': 'bench' },
  sessions: sessionsInTurn(population).map(({ tenantId, refresh_token: refreshToken }) => ({
    path: `/edge/auth/${tenantId}/refresh`,
    refreshToken,
  })),
})
