import { startPostgres } from '../../service/test/support/pg-server.ts'
import { simulateFeed } from './feed.ts'
import { simulateHotRow } from './hot-row.ts'
import { percentile } from './percentiles.ts'
import { constant, measured, Random } from './random.ts'
import { realFeed } from './real-feed.ts'
import { realHotRow } from './real-hot-row.ts'
import { row, table } from './tables.ts'

const DURABLE = ['fsync=on', 'synchronous_commit=on', 'full_page_writes=on']
const SEED = 1
const PERCENTS = [5, 25, 50, 75, 95, 99]

/** The model given the latencies of this machine, beside what really happens on it. */
export async function validate(): Promise<string> {
  const server = await startPostgres(DURABLE)
  try {
    const feed = await realFeed(server.url)
    const simulatedFeed = simulateFeed(
      {
        instances: 2,
        writesPerSecond: feed.noticesPerSecond,
        noticeShare: 1,
        transaction: measured(feed.transactions),
        roundTrip: measured(feed.roundTrips),
        perRowMs: 0.002,
        wakeApartMs: 20,
        pollMs: 1_000,
        lookApartMs: 0,
        seconds: 120,
        partitionMs: 0,
      },
      new Random(SEED),
    )
    const hotRow = await realHotRow(server.url)
    const simulatedRow = simulateHotRow(
      {
        hotPerSecond: 100_000,
        othersPerSecond: 0,
        connections: hotRow.callers,
        before: constant(0),
        holding: measured(hotRow.holding),
        batch: 1,
        seconds: 5,
      },
      new Random(SEED),
    )
    const line = (what: string, values: readonly number[]): string =>
      row(what, ...PERCENTS.map((percent) => percentile(values, percent).toFixed(1)))
    return [
      `Staleness at the second of two instances, ms (${feed.staleness.length} notices, ${feed.noticesPerSecond.toFixed(0)} a second)`,
      '',
      table(
        ['', ...PERCENTS.map((percent) => `p${percent}`)],
        [line('measured', feed.staleness), line('simulated', simulatedFeed.staleness)],
      ),
      '',
      `One row, ${hotRow.callers} callers that never pause: measured ${hotRow.perSecond.toFixed(0)}/s, simulated ${simulatedRow.hotPerSecond.toFixed(0)}/s; one caller alone ${hotRow.alonePerSecond.toFixed(0)}/s`,
      '',
      `A notice: ${feed.rowWireBytes.toFixed(0)} bytes on the wire, ${feed.rowDiskBytes.toFixed(0)} on disk with its indexes`,
    ].join('\n')
  } finally {
    await server.stop()
  }
}
