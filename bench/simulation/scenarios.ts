/** What is simulated, with every assumption in one place. The tables in docs/scaling.md come from here. */
import { type FeedSettings, simulateFeed } from './feed.ts'
import { type HotRowSettings, simulateHotRow } from './hot-row.ts'
import { percentilesOf } from './percentiles.ts'
import { type Duration, lognormal, Random } from './random.ts'
import { row, table } from './tables.ts'

const SEED = 20_260
/** A notice is kept as long as a token of the hour may live, and two minutes for clocks. */
const NOTICE_SECONDS = 3_720
/** Measured by `node bench/simulation/run.ts --validate`: on the wire, and on disk with its three indexes. */
const ROW_WIRE_BYTES = 116
const ROW_DISK_BYTES = 138
/** domain/revocation/session-table.ts: four columns of 32 bits, between a quarter and half full. */
const ENTRY_MEMORY_BYTES = 48

/** In the same room, in the same region, and with a network disk that has bad moments. */
const DATABASES: Readonly<Record<'near' | 'regional' | 'slow', { roundTrip: Duration; transaction: Duration }>> = {
  near: { roundTrip: lognormal(0.5, 5), transaction: lognormal(3, 20) },
  regional: { roundTrip: lognormal(2, 15), transaction: lognormal(8, 60) },
  slow: { roundTrip: lognormal(5, 80), transaction: lognormal(25, 400) },
}

const feed = (changes: Partial<FeedSettings>): FeedSettings => ({
  instances: 4,
  writesPerSecond: 500,
  noticeShare: 0.3,
  ...DATABASES.regional,
  perRowMs: 0.002,
  wakeApartMs: 20,
  pollMs: 1_000,
  lookApartMs: 0,
  seconds: 30,
  partitionMs: 0,
  ...changes,
})

/**
 * Sessions in all; one in ten is in use in any hour and refreshes once. Three in ten of those refresh before their old
 * token has expired, or log out: these leave a notice.
 */
const writesFor = (sessions: number): number => (sessions * 0.1) / 3_600

interface FeedCase {
  readonly what: string
  readonly settings: FeedSettings
}

const FEED_CASES: readonly FeedCase[] = [
  { what: '2 instances, 10⁶ sessions', settings: feed({ instances: 2, writesPerSecond: writesFor(1e6) }) },
  { what: '4 instances, 10⁷ sessions', settings: feed({ writesPerSecond: writesFor(1e7) }) },
  { what: '16 instances, 10⁸ sessions', settings: feed({ instances: 16, writesPerSecond: writesFor(1e8) }) },
  {
    what: '16 instances, 10⁸ sessions, slow database',
    settings: feed({ instances: 16, writesPerSecond: writesFor(1e8), ...DATABASES.slow }),
  },
  {
    what: '64 instances, 10⁸ sessions',
    settings: feed({ instances: 64, writesPerSecond: writesFor(1e8), seconds: 10 }),
  },
  {
    what: '16 instances, 10⁸ sessions, looks 50 ms apart',
    settings: feed({ instances: 16, writesPerSecond: writesFor(1e8), lookApartMs: 50 }),
  },
  {
    what: '64 instances, 10⁸ sessions, looks 50 ms apart',
    settings: feed({ instances: 64, writesPerSecond: writesFor(1e8), seconds: 10, lookApartMs: 50 }),
  },
  {
    what: '16 instances, 10⁸ sessions, no wake-up arrives',
    settings: feed({ instances: 16, writesPerSecond: writesFor(1e8), wakeApartMs: 1e9 }),
  },
]

export function feedTable(): string {
  const rows = FEED_CASES.map(({ what, settings }) => {
    const outcome = simulateFeed(settings, new Random(SEED))
    const { p50, p99, max } = percentilesOf(outcome.staleness)
    const live = outcome.noticesPerSecond * NOTICE_SECONDS
    return row(
      what,
      outcome.noticesPerSecond,
      `${ms(p50)} / ${ms(p99)} / ${ms(max)}`,
      outcome.looksPerSecond,
      outcome.rowsPerSecond,
      (outcome.rowsPerSecond * ROW_WIRE_BYTES) / 1e6,
      live,
      (live * ROW_DISK_BYTES) / 1e6,
      (live * ENTRY_MEMORY_BYTES) / 1e6,
    )
  })
  return table(
    [
      'Case',
      'Notices/s',
      'Staleness p50 / p99 / max, ms',
      'Looks/s, all',
      'Rows read/s, all',
      'MB/s, all',
      'Live notices',
      'On disk, MB',
      'In memory, MB each',
    ],
    rows,
  )
}

export function partitionTable(): string {
  const rows = [1_000, 5_000, 30_000].map((partitionMs) => {
    const seconds = 2 * (partitionMs / 1_000) + 20
    const settings = feed({ writesPerSecond: writesFor(1e7), partitionMs, seconds })
    const outcome = simulateFeed(settings, new Random(SEED))
    return row(
      `${partitionMs / 1_000} s`,
      ms(percentilesOf(outcome.staleness).p99),
      ms(percentilesOf(outcome.stalenessCutOff).max),
      outcome.rowsAtMost,
    )
  })
  return table(['Cut off for', 'Others, p99, ms', 'The one cut off, max, ms', 'Rows in its first look'], rows)
}

const hotRow = (changes: Partial<HotRowSettings>): HotRowSettings => ({
  hotPerSecond: 12.5,
  othersPerSecond: 300,
  connections: 8,
  before: lognormal(2, 10),
  holding: lognormal(6, 30),
  batch: 1,
  seconds: 60,
  ...changes,
})

/** One statement and its commit, instead of several with a round trip each. */
const ONE_STATEMENT = { before: lognormal(0.2, 1), holding: lognormal(3, 20) }

const HOT_ROW_CASES: readonly { readonly what: string; readonly settings: HotRowSettings }[] = [
  { what: 'largest tier, 12.5/s, several statements', settings: hotRow({}) },
  { what: '100/s, several statements', settings: hotRow({ hotPerSecond: 100 }) },
  { what: '200/s, several statements', settings: hotRow({ hotPerSecond: 200 }) },
  { what: '200/s, one statement', settings: hotRow({ hotPerSecond: 200, ...ONE_STATEMENT }) },
  { what: '400/s, one statement', settings: hotRow({ hotPerSecond: 400, ...ONE_STATEMENT }) },
  { what: '400/s, one statement for up to 32', settings: hotRow({ hotPerSecond: 400, ...ONE_STATEMENT, batch: 32 }) },
  {
    what: '2,000/s, one statement for up to 32',
    settings: hotRow({ hotPerSecond: 2_000, ...ONE_STATEMENT, batch: 32 }),
  },
]

export function hotRowTable(): string {
  const rows = HOT_ROW_CASES.map(({ what, settings }) => {
    const outcome = simulateHotRow(settings, new Random(SEED))
    const [hot, others] = [percentilesOf(outcome.hot), percentilesOf(outcome.others)]
    return row(
      what,
      outcome.hotPerSecond,
      `${ms(hot.p50)} / ${ms(hot.p99)}`,
      `${ms(others.p50)} / ${ms(others.p99)}`,
      outcome.waitingAtMost,
    )
  })
  return table(
    [
      'Hot tenant, beside 300/s of others',
      'Done/s',
      'Its wait p50 / p99, ms',
      "Others' wait p50 / p99, ms",
      'Longest queue',
    ],
    rows,
  )
}

const ms = (value: number): string => (value < 10 ? value.toFixed(1) : String(Math.round(value)))
