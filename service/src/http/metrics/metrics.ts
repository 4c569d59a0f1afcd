import { monitorEventLoopDelay, performance } from 'node:perf_hooks'
import type { OperationCounts } from '../../operations/operation-counts.ts'
import type { HandledRequest } from '../dependencies.ts'
import { exposition, type Sample, sample } from './exposition.ts'

/** Values that are read at each scrape. */
interface Gauges {
  /** Entries in the in-memory revocation table that verify reads. */
  readonly revocations: number
  /** Time since the last successful read of the revocation feed; 0 while it is up to date. */
  readonly staleForMs: number
  readonly clockSkewMs: number
  /** PostgreSQL's; null for SQLite. */
  readonly timeline: number | null
  /** Servers of DATABASE_URL that accept writes; null for SQLite. */
  readonly primaries: number | null
  readonly counts: OperationCounts
  /** Webhook endpoints that this process works on, and how late they are. */
  readonly webhooks: { readonly endpoints: number; readonly lagMs: number }
  /** null for SQLite, which has no pool. */
  readonly pool: { readonly size: number; readonly idle: number; readonly waiting: number } | null
  /** null for SQLite, and until it has been read. `synchronous` is null if the database role may not see it. */
  readonly replication: { readonly standbys: number; readonly synchronous: number | null } | null
}

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
    return exposition(samples, this.#common)
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
      sample(
        'gatehouse_event_loop_delay_seconds',
        { quantile },
        Number.isFinite(nanoseconds) ? nanoseconds / 1e9 : 0,
      )
    const samples = [
      at('0.5', delay.percentile(50)),
      at('0.99', delay.percentile(99)),
      at('1', delay.max),
    ]
    delay.reset()
    return [active, ...samples]
  }
}

const serviceSamples = ({
  revocations,
  staleForMs,
  clockSkewMs,
  timeline,
  primaries,
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
  ...(primaries === null ? [] : [sample('gatehouse_database_primaries', {}, primaries)]),
  ...(pool === null
    ? []
    : [
        sample('gatehouse_pool_connections', { state: 'idle' }, pool.idle),
        sample('gatehouse_pool_connections', { state: 'busy' }, pool.size - pool.idle),
        sample('gatehouse_pool_waiting', {}, pool.waiting),
      ]),
  ...(replication === null
    ? []
    : [sample('gatehouse_database_standbys', {}, replication.standbys)]),
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

/** Upper bounds in seconds. A long poll takes up to 25. */
const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 30] as const
const METHODS = new Set(['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'])
/** Bounds the label cardinality if a bug records raw paths. Route names come from code, so no client can add one. */
const SERIES_MAX = 2_000

interface Series {
  readonly method: string
  readonly route: string
  readonly byStatus: Map<number, number>
  /** Requests per bucket, not cumulative; the last one counts requests above every bound. */
  readonly buckets: number[]
  seconds: number
}

/** Request counts and durations by route, method and status. */
export class RequestCounts {
  /** Nested by route and method, so that no request has to build a string key. */
  readonly #series = new Map<string, Map<string, Series>>()
  #count = 0

  observe({
    method,
    route,
    status,
    ms,
  }: Pick<HandledRequest, 'method' | 'route' | 'status' | 'ms'>): void {
    const series = this.#seriesOf(METHODS.has(method) ? method : 'other', route)
    series.byStatus.set(status, (series.byStatus.get(status) ?? 0) + 1)
    const seconds = ms / 1_000
    let at = 0
    while (at < BUCKETS.length && seconds > (BUCKETS[at] as number)) {
      at++
    }
    series.buckets[at] = (series.buckets[at] ?? 0) + 1
    series.seconds += seconds
  }

  samples(): Sample[] {
    const all = [...this.#series.values()].flatMap((ofRoute) => [...ofRoute.values()])
    return all.flatMap(({ method, route, byStatus, buckets, seconds }) => {
      const labels = { method, route }
      let cumulative = 0
      const upTo = [...BUCKETS, Number.POSITIVE_INFINITY].map((end, index) => {
        cumulative += buckets[index] ?? 0
        const le = Number.isFinite(end) ? String(end) : '+Inf'
        return sample('gatehouse_request_duration_seconds_bucket', { ...labels, le }, cumulative)
      })
      return [
        ...[...byStatus].map(([status, count]) =>
          sample('gatehouse_requests_total', { ...labels, status: String(status) }, count),
        ),
        ...upTo,
        sample('gatehouse_request_duration_seconds_sum', labels, seconds),
        sample('gatehouse_request_duration_seconds_count', labels, cumulative),
      ]
    })
  }

  #seriesOf(method: string, requestedRoute: string): Series {
    const known = this.#series.get(requestedRoute)?.get(method)
    if (known !== undefined) {
      return known
    }
    const route = this.#count < SERIES_MAX ? requestedRoute : '(other)'
    const ofRoute = this.#series.get(route) ?? new Map<string, Series>()
    this.#series.set(route, ofRoute)
    const series = ofRoute.get(method) ?? {
      method,
      route,
      byStatus: new Map(),
      buckets: [],
      seconds: 0,
    }
    if (!ofRoute.has(method)) {
      this.#count++
    }
    ofRoute.set(method, series)
    return series
  }
}
