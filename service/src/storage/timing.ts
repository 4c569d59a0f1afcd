/**
 * Every deadline, interval and delay of the storage, in milliseconds. The service uses these; `openStorage` takes others for
 * tests.
 */
export const TIMING = {
  /** The longest delay before a transaction that a conflict rolled back runs again, times the number of its tries. */
  conflictRetryMs: 40,
  /** The longest delay before a migration runs again, which can conflict with an older instance. */
  migrationRetryMs: 500,

  // SQLite
  /** How long a statement waits for the write lock of another process. */
  busyMs: 5_000,
  /** Between two polls of the feed, each of which takes microseconds. */
  sqlitePollMs: 75,
  /** How long a truncation of the write-ahead log waits for readers. */
  truncateMs: 2_000,

  // PostgreSQL: connections
  /** How long a connection may take to open, and a caller waits for one of the pool. */
  connectMs: 2_000,
  /** A call that finds no usable server fails after about this time plus that of one attempt. */
  tryHostsMs: 4_000,
  /** How long the check of a new connection may take; the connection of migrations has no statement timeout. */
  checkServerMs: 5_000,
  /** Between two times that several hosts are asked which one is the primary. */
  askHostsMs: 2_000,
  /** How long a new connection waits for their responses. */
  askHostsWaitMs: 500,
  /** Less than the time that a lock has left when a node stops renewing it: twice `retry_timeout` of Patroni's settings. */
  askPatroniMs: 1_000,
  statementMs: 5_000,
  /** Longer than the server's timeout: applies only if the network loses the response. */
  responseMs: 7_000,
  idleInTransactionMs: 10_000,
  vacuumMs: 10 * 60_000,
  /** The shortest time from one vacuum to the next. */
  vacuumEveryMs: 60_000,
  /** After this time, closing the pool closes connections that hang. */
  closeMs: 10_000,
  /** Before each further look at a commit whose response was lost: a server that restarts needs seconds. */
  inDoubtMs: [50, 150, 300, 500, 1_000, 1_500] as readonly number[],

  // PostgreSQL: the feed
  pollMs: 1_000,
  /**
   * The shortest time between two polls. With many instances there is always a commit, and each instance would poll without
   * a pause; this far apart they read a fraction of the rows, some milliseconds later (docs/scaling.md).
   */
  minPollMs: 50,
  /** With a poll every second, the feed is healthy while the last one is not older than this. */
  healthyMs: 2_500,
  /** After this time a poll uses the pool, so that a dead listener connection does not delay revocations. */
  listenerMs: 500,
  listenerDeadMs: 5_000,
  /** The first delay before the listener reconnects. Each further one is twice as long, up to `reconnectMaxMs`. */
  reconnectMs: 100,
  reconnectMaxMs: 5_000,
  /** The shortest time between two notifications to other processes. */
  notifyMs: 20,
}

export type StorageTiming = Readonly<typeof TIMING>
