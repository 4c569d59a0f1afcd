/** Every metric, in the order of the exposition. */
export const FAMILIES = {
  gatehouse_requests_total: {
    type: 'counter',
    help: 'Requests handled.',
  },
  gatehouse_request_duration_seconds: {
    type: 'histogram',
    help: 'Time from the request to its response.',
  },
  gatehouse_uncaught_errors_total: {
    type: 'counter',
    help: 'Exceptions that reached no error handler.',
  },
  gatehouse_late_repeats_total: {
    type: 'counter',
    help: 'Refreshes repeated after more than a minute.',
  },
  gatehouse_agent_refresh_repeats_total: {
    type: 'counter',
    help: 'Spent refresh tokens of agents, by the time since their first use.',
  },
  gatehouse_webhook_deliveries_total: {
    type: 'counter',
    help: 'Deliveries of webhooks, by outcome.',
  },
  gatehouse_webhook_endpoints_busy: {
    type: 'gauge',
    help: 'Webhook endpoints that are being sent to.',
  },
  gatehouse_webhook_lag_seconds: {
    type: 'gauge',
    help: 'Age of the oldest event that is being sent.',
  },
  gatehouse_event_loop_delay_seconds: {
    type: 'gauge',
    help: 'Delay since the last scrape.',
  },
  gatehouse_event_loop_active_seconds_total: {
    type: 'counter',
    help: 'Time the event loop was busy.',
  },
  gatehouse_revocations: {
    type: 'gauge',
    help: 'Entries in the revocation table.',
  },
  gatehouse_revocations_stale_seconds: {
    type: 'gauge',
    help: 'Time since the revocation feed was last read.',
  },
  gatehouse_clock_skew_seconds: {
    type: 'gauge',
    help: 'Clock of this process minus clock of the database.',
  },
  gatehouse_database_timeline: {
    type: 'gauge',
    help: 'Timeline of PostgreSQL: higher after a standby was promoted.',
  },
  gatehouse_database_primaries: {
    type: 'gauge',
    help: 'PostgreSQL servers of DATABASE_URL that accept writes: more than one during a split.',
  },
  gatehouse_pool_connections: {
    type: 'gauge',
    help: 'PostgreSQL connections.',
  },
  gatehouse_pool_waiting: {
    type: 'gauge',
    help: 'Queries that wait for a PostgreSQL connection.',
  },
  gatehouse_database_standbys: {
    type: 'gauge',
    help: 'Standbys that stream from PostgreSQL.',
  },
  gatehouse_database_synchronous_standbys: {
    type: 'gauge',
    help: 'Standbys that a commit waits for, if the role is a member of pg_monitor.',
  },
  process_resident_memory_bytes: {
    type: 'gauge',
    help: 'Resident memory.',
  },
  process_heap_bytes: {
    type: 'gauge',
    help: 'JavaScript heap in use.',
  },
  process_cpu_seconds_total: {
    type: 'counter',
    help: 'CPU time, user and system.',
  },
  process_start_time_seconds: {
    type: 'gauge',
    help: 'Start time of the process, in seconds since 1970.',
  },
} as const satisfies Readonly<Record<string, Family>>

export interface Family {
  readonly type: 'counter' | 'gauge' | 'histogram'
  readonly help: string
}

type FamilyName = keyof typeof FAMILIES

type HistogramName = {
  [Name in FamilyName]: (typeof FAMILIES)[Name]['type'] extends 'histogram' ? Name : never
}[FamilyName]

/** The name of a series: a histogram has three kinds of them. */
export type SeriesName =
  | Exclude<FamilyName, HistogramName>
  | `${HistogramName}_${'bucket' | 'sum' | 'count'}`
