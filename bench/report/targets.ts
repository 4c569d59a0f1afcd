import { SAME_OVER_REST, TOOLS_CALL, TOOLS_LIST } from '../contenders/gatehouse/mcp-entries.ts'
import { LOGIN } from '../contenders/login-entries.ts'
import { REFRESH } from '../contenders/refresh-entries.ts'
import { FRESH, LIVE } from '../contenders/verify-entries.ts'
import { IDLE } from '../pieces/memory/idle.ts'
import { REVOCATIONS } from '../pieces/memory/revocations.ts'
import { USERS_LIST } from '../pieces/memory/users-list.ts'
import { ON_POSTGRES } from '../pieces/refresh-postgres.ts'
import { FIRST_ANSWER } from '../pieces/start.ts'
import { ONE_PROCESS, TWO_PROCESSES, WORKERS } from '../pieces/workers.ts'
import { type Spread, spreadOf } from '../statistics.ts'
import { findRow, type Wanted } from './find-row.ts'
import { ratioOf } from './ratio.ts'
import type { FigureName, Row } from './row.ts'

export interface Target {
  readonly what: string
  readonly limit: number
  /** `at least`: a ratio, above 1 is better. `at most`: a cost. */
  readonly kind: 'at least' | 'at most'
  readonly unit: string
  /** null: not measured in this run. */
  measured(rows: readonly Row[]): Spread | null
}

const ours = (work: string, durability?: string): Wanted => ({
  work,
  contender: 'gatehouse',
  ...(durability === undefined ? {} : { durability }),
})

const atLeast = (what: string, limit: number, us: Wanted, them: Wanted, figure: FigureName = 'perSecond'): Target => ({
  what,
  limit,
  kind: 'at least',
  unit: '×',
  measured: (rows) => ratioOf(findRow(rows, us), findRow(rows, them), figure),
})

const atMost = (what: string, limit: number, unit: string, us: Wanted, figure: FigureName, scale = 1): Target => ({
  what,
  limit,
  kind: 'at most',
  unit,
  measured(rows) {
    const values = findRow(rows, us)?.figures[figure]
    return values === undefined ? null : spreadOf(values.map((value) => value * scale))
  },
})

const echo = (work: string): Wanted => ({ work, contender: 'echo' })
const betterAuth = (durability: string): Wanted => ({ work: LIVE, contender: 'better-auth get-session', durability })
const peer = (work: string, contender: string): Wanted => ({ work, contender })
const SQLITE = 'SQLite'

/** What we set out to reach, as shipped: limits, logs, headers, request ids and revocation all on. */
export const TARGETS: readonly Target[] = [
  atLeast('verify, of the echo', 0.85, ours(LIVE), echo(LIVE)),
  atLeast('verify of tokens never seen before, of the echo', 0.6, ours(FRESH), echo(LIVE)),
  atLeast('verify, better-auth get-session from its database', 14, ours(LIVE), betterAuth('SQLite')),
  atLeast('verify, better-auth get-session with its cookie cache', 10, ours(LIVE), betterAuth('cookie cache')),
  atLeast('verify, oidc-provider introspection', 3.5, ours(LIVE), peer(LIVE, 'oidc-provider introspection')),
  {
    what: 'verify, p99 of the echo’s',
    limit: 3,
    kind: 'at most',
    unit: '×',
    measured: (rows) => inverse(ratioOf(findRow(rows, ours(LIVE)), findRow(rows, echo(LIVE)), 'p99Ms')),
  },
  atLeast('refresh on SQLite, of the echo', 0.4, ours(REFRESH, SQLITE), echo(REFRESH)),
  atLeast('refresh on SQLite, oidc-provider in memory', 3.5, ours(REFRESH, SQLITE), peer(REFRESH, 'oidc-provider')),
  atLeast('refresh on SQLite, OpenAuth in memory', 6, ours(REFRESH, SQLITE), peer(REFRESH, 'OpenAuth')),
  {
    what: 'refresh on PostgreSQL, the bare statement',
    limit: 1,
    kind: 'at least',
    unit: '×',
    measured: (rows) =>
      ratioOf(
        findRow(rows, ours(ON_POSTGRES)),
        rows.find(({ work, contender }) => work === ON_POSTGRES && contender !== 'gatehouse'),
        'perSecond',
      ),
  },
  atMost('a whole login, our CPU', 2, 'ms', ours(LOGIN), 'cpuUs', 1 / 1_000),
  atLeast('a whole login, better-auth’s CPU', 6, ours(LOGIN), peer(LOGIN, 'better-auth'), 'cpuUs'),
  atLeast('a whole login, OpenAuth’s CPU', 8, ours(LOGIN), peer(LOGIN, 'OpenAuth'), 'cpuUs'),
  atMost('MCP tools/list, CPU', 1, 'ms', ours(TOOLS_LIST), 'cpuUs', 1 / 1_000),
  {
    what: 'MCP tools/call, CPU beyond the operation',
    limit: 1,
    kind: 'at most',
    unit: 'ms',
    measured(rows) {
      const [call, rest] = [TOOLS_CALL, SAME_OVER_REST].map((work) => findRow(rows, ours(work))?.figures.cpuUs)
      if (call === undefined || rest === undefined) return null
      return spreadOf(call.map((us, round) => (us - (rest[round] ?? Number.NaN)) / 1_000))
    },
  },
  atLeast('two processes, one', 1.5, peer(WORKERS, TWO_PROCESSES), peer(WORKERS, ONE_PROCESS)),
  atMost('users list of 250,000, RSS growth', 30, 'MB', ours(USERS_LIST), 'growthMb'),
  atMost('users list of 250,000, first byte', 50, 'ms', ours(USERS_LIST), 'firstByteMs'),
  atMost('idle RSS', 120, 'MB', ours(IDLE), 'rssMb'),
  atMost('RSS of 1,000,000 revocations', 45, 'MB', ours(REVOCATIONS), 'growthMb'),
  atMost('start to first answer', 600, 'ms', ours(FIRST_ANSWER), 'startMs'),
  {
    what: 'start to first answer, of better-auth’s',
    limit: 0.7,
    kind: 'at most',
    unit: '×',
    measured: (rows) =>
      inverse(ratioOf(findRow(rows, ours(FIRST_ANSWER)), findRow(rows, peer(FIRST_ANSWER, 'better-auth')), 'startMs')),
  },
]

const inverse = (spread: Spread | null): Spread | null =>
  spread === null ? null : { median: 1 / spread.median, low: 1 / spread.high, high: 1 / spread.low }

export const isMet = ({ kind, limit }: Target, { median }: Spread): boolean =>
  kind === 'at least' ? median >= limit : median <= limit
