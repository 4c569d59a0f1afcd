import { monitorEventLoopDelay, performance } from 'node:perf_hooks'
import type { OperationCounts } from '../../operations/operation-counts.ts'
import type { HandledRequest } from '../router.ts'
import { exposition, type Family, type Sample, sample } from './exposition.ts'
import { RequestCounts } from './request-counts.ts'

/** Values that are read at each scrape. */
export interface Gauges {
  /** Entries in the in-memory revocation table that verify reads. */
  readonly revocations: number
  /** Time since the last successful read of the revocation feed; 0 while it is up to date. */
  readonly staleForMs: number
  readonly clockSkewMs: number
  /** PostgreSQL's; null for SQLite. */
  readonly timeline: number | null
  readonly counts: OperationCounts
  /** Webhook endpoints that this process works on, and how late they are. */
  readonly webhooks: { readonly endpoints: number; readonly lagMs: number }
  /** null for SQLite, which has no pool. */
  readonly pool: { readonly size: number; readonly idle: number; readonly waiting: number } | null
  /** null for SQLite, and until it has been read. `synchronous` is null if the database role may not see it. */
  readonly replication: { readonly standbys: number; readonly synchronous: number | null } | null
}

const FAMILIES: readonly Family[] = [
  { name: 'gatehouse_requests_total', type: 'counter', help: 'Requests handled.' },
  { name: 'gatehouse_request_duration_seconds', type: 'histogram', help: 'Time from the request to its response.' },
  { name: 'gatehouse_uncaught_errors_total', type: 'counter', help: 'Exceptions that reached no error handler.' },
  { name: 'gatehouse_late_repeats_total', type: 'counter', help: 'Refreshes repeated after more than a minute.' },
  {
    name: 'gatehouse_agent_refresh_repeats_total',
    type: 'counter',
    help: 'Spent refresh tokens of agents, by the time since their first use.',
  },
  { name: 'gatehouse_webhook_deliveries_total', type: 'counter', help: 'Deliveries of webhooks, by outcome.' },
  { name: 'gatehouse_webhook_endpoints_busy', type: 'gauge', help: 'Webhook endpoints that are being sent to.' },
  { name: 'gatehouse_webhook_lag_seconds', type: 'gauge', help: 'Age of the oldest event that is being sent.' },
  { name: 'gatehouse_event_loop_delay_seconds', type: 'gauge', help: 'Delay since the last scrape.' },
  { name: 'gatehouse_event_loop_active_seconds_total', type: 'counter', help: 'Time the event loop was busy.' },
  { name: 'gatehouse_revocations', type: 'gauge', help: 'Entries in the revocation table.' },
  { name: 'gatehouse_revocations_stale_seconds', type: 'gauge', help: 'Time since the revocation feed was last read.' },
  { name: 'gatehouse_clock_skew_seconds', type: 'gauge', help: 'Clock of this process minus clock of the database.' },
  {
    name: 'gatehouse_database_timeline',
    type: 'gauge',
    help: 'Timeline of PostgreSQL: higher after a standby was promoted.',
  },
  { name: 'gatehouse_pool_connections', type: 'gauge', help: 'PostgreSQL connections.' },
  { name: 'gatehouse_pool_waiting', type: 'gauge', help: 'Queries that wait for a PostgreSQL connection.' },
  { name: 'gatehouse_database_standbys', type: 'gauge', help: 'Standbys that stream from PostgreSQL.' },
  {
    name: 'gatehouse_database_synchronous_standbys',
    type: 'gauge',
    help: 'Standbys that a commit waits for, if the role is a member of pg_monitor.',
  },
  { name: 'process_resident_memory_bytes', type: 'gauge', help: 'Resident memory.' },
  { name: 'process_heap_bytes', type: 'gauge', help: 'JavaScript heap in use.' },
  { name: 'process_cpu_seconds_total', type: 'counter', help: 'CPU time, user and system.' },
  { name: 'process_start_time_seconds', type: 'gauge', help: 'Start time of the process, in seconds since 1970.' },
]

const DELAY_RESOLUTION_MS = 20

/** Counts requests in memory, and formats the counts at each scrape. */
export class Metrics {
  readonly #requests = new RequestCounts()
  readonly #gauges: () => Gauges
  readonly #common: Sample['labels']
  #uncaught = 0
  #delay: ReturnType<typeof monitorEventLoopDelay> | undefined

  constructor(gauges: () => Gauges, common: Sample['labels'] = {}) {
    this.#gauges = gauges
    this.#common = common
  }

  observe(request: HandledRequest): void {
    this.#requests.observe(request)
  }

  observeUncaught(): void {
    this.#uncaught++
  }

  text(): string {
    const samples = [
      ...this.#requests.samples(),
      sample('gatehouse_uncaught_errors_total', {}, this.#uncaught),
      ...this.#eventLoop(),
      ...serviceSamples(this.#gauges()),
      ...processSamples(),
    ]
    return exposition(FAMILIES, samples, this.#common)
  }

  close(): void {
    this.#delay?.disable()
  }

  /** Measuring the delay wakes the process fifty times a second, so it starts with the first scrape. */
  #eventLoop(): Sample[] {
    const active = sample(
      'gatehouse_event_loop_active_seconds_total',
      {},
      performance.eventLoopUtilization().active / 1e3,
    )
    if (this.#delay === undefined) {
      this.#delay = monitorEventLoopDelay({ resolution: DELAY_RESOLUTION_MS })
      this.#delay.enable()
      return [active]
    }
    const delay = this.#delay
    const at = (quantile: string, nanoseconds: number): Sample =>
      sample('gatehouse_event_loop_delay_seconds', { quantile }, Number.isFinite(nanoseconds) ? nanoseconds / 1e9 : 0)
    const samples = [at('0.5', delay.percentile(50)), at('0.99', delay.percentile(99)), at('1', delay.max)]
    delay.reset()
    return [active, ...samples]
  }
}

const serviceSamples = ({
  revocations,
  staleForMs,
  clockSkewMs,
  timeline,
  pool,
  replication,
  counts,
  webhooks,
}: Gauges): Sample[] => [
  sample('gatehouse_late_repeats_total', {}, counts.lateRepeats),
  ...Object.entries(counts.agentRepeats).map(([age, count]) =>
    sample('gatehouse_agent_refresh_repeats_total', { age }, count),
  ),
  ...Object.entries(counts.webhookDeliveries).map(([outcome, count]) =>
    sample('gatehouse_webhook_deliveries_total', { outcome }, count),
  ),
  sample('gatehouse_webhook_endpoints_busy', {}, webhooks.endpoints),
  sample('gatehouse_webhook_lag_seconds', {}, webhooks.lagMs / 1e3),
  sample('gatehouse_revocations', {}, revocations),
  sample('gatehouse_revocations_stale_seconds', {}, staleForMs / 1e3),
  sample('gatehouse_clock_skew_seconds', {}, clockSkewMs / 1e3),
  ...(timeline === null ? [] : [sample('gatehouse_database_timeline', {}, timeline)]),
  ...(pool === null
    ? []
    : [
        sample('gatehouse_pool_connections', { state: 'idle' }, pool.idle),
        sample('gatehouse_pool_connections', { state: 'busy' }, pool.size - pool.idle),
        sample('gatehouse_pool_waiting', {}, pool.waiting),
      ]),
  ...(replication === null ? [] : [sample('gatehouse_database_standbys', {}, replication.standbys)]),
  ...(replication === null || replication.synchronous === null
    ? []
    : [sample('gatehouse_database_synchronous_standbys', {}, replication.synchronous)]),
]

function processSamples(): Sample[] {
  const { rss, heapUsed } = process.memoryUsage()
  const { user, system } = process.cpuUsage()
  return [
    sample('process_resident_memory_bytes', {}, rss),
    sample('process_heap_bytes', {}, heapUsed),
    sample('process_cpu_seconds_total', {}, (user + system) / 1e6),
    sample('process_start_time_seconds', {}, Math.floor(performance.timeOrigin / 1e3)),
  ]
}
