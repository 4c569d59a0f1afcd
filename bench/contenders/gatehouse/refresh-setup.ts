import path from 'node:path'
import type { Bench } from '../../bench.ts'
import { startDriver } from '../../load/start-driver.ts'
import type { RefreshData } from '../../load/workloads/refresh.ts'
import type { Setup } from '../setup.ts'
import { populate } from './populate.ts'
import { interleavedSessions, type Population } from './population.ts'
import { productionSettings } from './settings.ts'
import { PRODUCTION_BUILD, startGatehouse } from './start.ts'

const SYNCED = 'SQLite, WAL, synced before each response'

export interface RefreshOptions {
  readonly workload: string
  /** Default: the sources. */
  readonly build?: 'sources' | 'production'
  /** Default: SQLite. */
  readonly databaseUrl?: string
  readonly sessionsPerTenant?: number
  readonly webhooks?: boolean
  /** Called when the database is populated, before the service starts. */
  onPopulated?(): Promise<void>
}

/**
 * Refresh on one process of our service, in the most expensive case: every session is less than an hour old, so its access
 * token has not expired and each refresh also writes a revocation.
 */
export async function refreshSetup(bench: Bench, options: RefreshOptions): Promise<Setup> {
  const { workload, build = 'sources', databaseUrl, sessionsPerTenant = 5, webhooks = false, onPopulated } = options
  const engine = databaseUrl === undefined ? 'sqlite' : 'postgres'
  const name = `refresh-${engine}-${build}${webhooks ? '-webhooks' : ''}`
  const settings = await productionSettings(
    path.join(bench.folder, name),
    databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl },
  )
  const population = await populate(bench, settings, { sessionsPerTenant, webhooks })
  await onPopulated?.()
  const program = await startGatehouse(bench, settings, { name: `gatehouse-${name}`, build })
  const driver = await startDriver({
    workload: 'refresh',
    data: refreshData(population),
    file: path.join(bench.folder, `${name}.json`),
    port: program.port,
    cores: bench.placement.load,
  })
  return {
    contender: build === 'production' ? PRODUCTION_BUILD : 'gatehouse',
    workload,
    durability: engine === 'sqlite' ? SYNCED : 'PostgreSQL, fsync on',
    pids: () => [program.pid],
    driver,
    programs: [program],
  }
}

export const refreshData = (population: Population): RefreshData => ({
  encoding: 'json',
  headers: { 'User-Agent': 'bench' },
  sessions: interleavedSessions(population).map(({ tenantId, refresh_token: refreshToken }) => ({
    path: `/edge/auth/${tenantId}/refresh`,
    refreshToken,
  })),
})
