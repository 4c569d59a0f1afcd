import { IDLE } from '../benchmarks/memory/idle.ts'
import { REVOCATIONS } from '../benchmarks/memory/revocations.ts'
import { USERS_LIST } from '../benchmarks/memory/users-list.ts'
import { ON_POSTGRES } from '../benchmarks/refresh-postgres.ts'
import { verifyBeside } from '../benchmarks/slow-disk.ts'
import { FIRST_RESPONSE } from '../benchmarks/start.ts'
import { ONE_PROCESS, TWO_PROCESSES, WORKERS } from '../benchmarks/workers.ts'
import { SAME_OVER_REST, TOOLS_CALL, TOOLS_LIST } from '../contenders/gatehouse/mcp-setups.ts'
import { LOGIN } from '../contenders/login-setups.ts'
import { REFRESH } from '../contenders/refresh-setups.ts'
import { FRESH, LIVE } from '../contenders/verify-setups.ts'
import { type Spread, spreadOf } from '../statistics.ts'
import { dearestAnonymousMs } from './anonymous-table.ts'
import { findRow, type RowQuery } from './find-row.ts'
import { ratioOf } from './ratio.ts'
import type { FigureName, Row } from './row.ts'

export interface Target {
  readonly what: string
  readonly limit: number
  /** `at least`: a ratio, above 1 is better. `at most`: a cost. */
  readonly kind: 'at least' | 'at most'
  readonly unit: string
  /** Null if this run did not measure it. */
  measured(rows: readonly Row[]): Spread | null
}

const ours = (workload: string, durability?: string): RowQuery => ({
  workload,
  contender: 'gatehouse',
  ...(durability === undefined ? {} : { durability }),
})

const atLeast = (
  what: string,
  limit: number,
  us: RowQuery,
  them: RowQuery,
  figure: FigureName = 'perSecond',
): Target => ({
  what,
  limit,
  kind: 'at least',
  unit: '×',
  measured: (rows) => ratioOf(findRow(rows, us), findRow(rows, them), figure),
})

const atMost = (what: string, limit: number, unit: string, us: RowQuery, figure: FigureName, scale = 1): Target => ({
  what,
  limit,
  kind: 'at most',
  unit,
  measured(rows) {
    const values = findRow(rows, us)?.figures[figure]
    return values === undefined || values.length === 0 ? null : spreadOf(values.map((value) => value * scale))
  },
})

const echo = (workload: string): RowQuery => ({ workload, contender: 'echo' })
const betterAuth = (durability: string): RowQuery => ({
  workload: LIVE,
  contender: 'better-auth get-session',
  durability,
})
const peer = (workload: string, contender: string): RowQuery => ({ workload, contender })
const SQLITE = 'SQLite'

/** Targets for the service as shipped, with limits, logs, headers, request ids and revocation enabled. */
export const TARGETS: readonly Target[] = [
  atLeast('verify vs. echo', 0.85, ours(LIVE), echo(LIVE)),
  atLeast('verify of unseen tokens vs. echo', 0.6, ours(FRESH), echo(LIVE)),
  atLeast('verify vs. better-auth get-session from its database', 14, ours(LIVE), betterAuth('SQLite')),
  atLeast('verify vs. better-auth get-session with its cookie cache', 10, ours(LIVE), betterAuth('cookie cache')),
  atLeast('verify vs. oidc-provider introspection', 3.5, ours(LIVE), peer(LIVE, 'oidc-provider introspection')),
  {
    what: 'verify, p99 vs. echo',
    limit: 3,
    kind: 'at most',
    unit: '×',
    measured: (rows) => inverse(ratioOf(findRow(rows, ours(LIVE)), findRow(rows, echo(LIVE)), 'p99Ms')),
  },
  atLeast('refresh on SQLite vs. echo', 0.4, ours(REFRESH, SQLITE), echo(REFRESH)),
  atLeast('refresh on SQLite vs. oidc-provider in memory', 3.5, ours(REFRESH, SQLITE), peer(REFRESH, 'oidc-provider')),
  atLeast('refresh on SQLite vs. OpenAuth in memory', 6, ours(REFRESH, SQLITE), peer(REFRESH, 'OpenAuth')),
  {
    what: 'refresh on PostgreSQL vs. the bare statement',
    limit: 1,
    kind: 'at least',
    unit: '×',
    measured: (rows) =>
      ratioOf(
        findRow(rows, ours(ON_POSTGRES)),
        rows.find(({ workload, contender }) => workload === ON_POSTGRES && contender !== 'gatehouse'),
        'perSecond',
      ),
  },
  atMost('verify beside 4 clients that refresh, fsync of 20 ms, p99', 5, 'ms', ours(verifyBeside(4)), 'p99Ms'),
  atMost('verify beside 32 clients that refresh, fsync of 20 ms, p99', 20, 'ms', ours(verifyBeside(32)), 'p99Ms'),
  atMost('complete login, CPU', 2, 'ms', ours(LOGIN), 'cpuUs', 1 / 1_000),
  atLeast('complete login, CPU vs. better-auth', 6, ours(LOGIN), peer(LOGIN, 'better-auth'), 'cpuUs'),
  atLeast('complete login, CPU vs. OpenAuth', 8, ours(LOGIN), peer(LOGIN, 'OpenAuth'), 'cpuUs'),
  atMost('MCP tools/list, CPU', 1, 'ms', ours(TOOLS_LIST), 'cpuUs', 1 / 1_000),
  {
    what: 'MCP tools/call, CPU beyond the operation',
    limit: 1,
    kind: 'at most',
    unit: 'ms',
    measured(rows) {
      const [call, rest] = [TOOLS_CALL, SAME_OVER_REST].map((workload) => findRow(rows, ours(workload))?.figures.cpuUs)
      if (call === undefined || rest === undefined) return null
      return spreadOf(call.map((us, round) => (us - (rest[round] ?? Number.NaN)) / 1_000))
    },
  },
  {
    what: 'dearest request without a credential, CPU',
    limit: 50,
    kind: 'at most',
    unit: 'ms',
    measured: dearestAnonymousMs,
  },
  atLeast('two processes vs. one', 1.5, peer(WORKERS, TWO_PROCESSES), peer(WORKERS, ONE_PROCESS)),
  atMost('users list of 250,000, RSS growth', 30, 'MB', ours(USERS_LIST), 'growthMb'),
  atMost('users list of 250,000, first byte', 50, 'ms', ours(USERS_LIST), 'firstByteMs'),
  atMost('idle RSS', 120, 'MB', ours(IDLE), 'rssMb'),
  atMost('RSS of 1,000,000 revocations', 45, 'MB', ours(REVOCATIONS), 'growthMb'),
  atMost('start to first response', 600, 'ms', ours(FIRST_RESPONSE), 'startMs'),
  {
    what: 'start to first response vs. better-auth',
    limit: 0.7,
    kind: 'at most',
    unit: '×',
    measured: (rows) =>
      inverse(
        ratioOf(findRow(rows, ours(FIRST_RESPONSE)), findRow(rows, peer(FIRST_RESPONSE, 'better-auth')), 'startMs'),
      ),
  },
]

const inverse = (spread: Spread | null): Spread | null =>
  spread === null ? null : { median: 1 / spread.median, low: 1 / spread.high, high: 1 / spread.low }

export const isMet = ({ kind, limit }: Target, { median }: Spread): boolean =>
  kind === 'at least' ? median >= limit : median <= limit
