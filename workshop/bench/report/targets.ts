import { RETURNED_AGAIN, SIGNED } from '../benchmarks/id-token.ts'
import { IDLE, REVOCATIONS, USERS_LIST } from '../benchmarks/memory.ts'
import { ON_POSTGRES } from '../benchmarks/refresh-postgres.ts'
import { ON_SERVER, ON_SQLITE, SEARCH } from '../benchmarks/search.ts'
import { FIRST_RESPONSE } from '../benchmarks/start.ts'
import { ONE_PROCESS, TWO_PROCESSES, verifyBeside, WORKERS } from '../benchmarks/workers.ts'
import { SAME_OVER_REST } from '../contenders/gatehouse/setups.ts'
import { NPM_START, PRODUCTION_BUILD } from '../contenders/gatehouse/start.ts'
import { LOGIN } from '../contenders/login-setups.ts'
import { FRESH, LIVE, REFRESH } from '../contenders/verify-setups.ts'
import { type Spread, spreadOf } from '../statistics.ts'
import { type FigureName, findRow, type Row, type RowQuery } from './row.ts'
import { formatSpread, markdownTable, ratioOf } from './table.ts'
import { dearestAnonymousMs } from './tables.ts'

interface Target {
  readonly what: string
  readonly limit: number
  /** `at least`: a ratio, above 1 is better. `at most`: a cost. */
  readonly kind: 'at least' | 'at most'
  readonly unit: string
  /** Null if this run did not measure it. */
  measured(rows: readonly Row[]): Spread | null
}

const ours = (workload: string): RowQuery => ({ workload, contender: 'gatehouse' })
const build = (workload: string): RowQuery => ({ workload, contender: PRODUCTION_BUILD })
const peer = (workload: string, contender: string, durability = ''): RowQuery => ({
  workload,
  contender,
  durability,
})

/** How many times their figure is ours, or, of requests per second, ours is theirs. */
const atLeast = (
  what: string,
  limit: number,
  us: RowQuery,
  them: RowQuery,
  figure: FigureName,
): Target => ({
  what,
  limit,
  kind: 'at least',
  unit: '×',
  measured: (rows) => ratioOf(findRow(rows, us), findRow(rows, them), figure),
})

/** CPU time hardly changes when other programs run; requests per second do. */
const cheaper = (what: string, limit: number, us: RowQuery, them: RowQuery): Target =>
  atLeast(what, limit, us, them, 'cpuUs')

const atMost = (
  what: string,
  limit: number,
  unit: string,
  us: RowQuery,
  figure: FigureName,
  scale = 1,
): Target => ({
  what,
  limit,
  kind: 'at most',
  unit,
  measured(rows) {
    const values = findRow(rows, us)?.figures[figure]
    return values === undefined || values.length === 0
      ? null
      : spreadOf(values.map((value) => value * scale))
  },
})

const startsWithin = (what: string, limit: number, contender: string): Target => ({
  what,
  limit,
  kind: 'at most',
  unit: '×',
  measured: (rows) =>
    inverse(
      ratioOf(
        findRow(rows, build(FIRST_RESPONSE)),
        findRow(rows, peer(FIRST_RESPONSE, contender)),
        'startMs',
      ),
    ),
})

/** The dearest kind of text, of at least three characters or of two. */
const dearestSearch = (what: string, contender: string, characters: 'three' | 'two'): Target => ({
  what,
  limit: 100,
  kind: 'at most',
  unit: 'ms',
  measured(rows) {
    const costs = rows
      .filter((row) => row.workload.startsWith(SEARCH) && row.contender === contender)
      .filter(({ workload }) => workload.includes('two characters') === (characters === 'two'))
      .map(({ figures }) => spreadOf(figures.cpuMs ?? []))
    return costs.toSorted((a, b) => b.median - a.median)[0] ?? null
  },
})

const betterAuth = peer(LIVE, 'better-auth get-session', 'SQLite')
const introspection = peer(LIVE, 'oidc-provider introspection')

/**
 * Targets for the service as shipped, with limits, logs, headers, request ids and revocation enabled. Where both sides
 * have a CPU figure, CPU time is compared.
 */
const TARGETS: readonly Target[] = [
  cheaper('verify, CPU vs. echo', 0.6, ours(LIVE), peer(LIVE, 'echo')),
  cheaper('verify of unseen tokens, CPU vs. echo', 0.5, ours(FRESH), peer(LIVE, 'echo')),
  cheaper('verify, CPU vs. better-auth get-session from its database', 40, ours(LIVE), betterAuth),
  cheaper('verify, CPU vs. oidc-provider introspection', 6, ours(LIVE), introspection),
  cheaper(
    'refresh on SQLite, CPU vs. oidc-provider in memory',
    1.7,
    ours(REFRESH),
    peer(REFRESH, 'oidc-provider'),
  ),
  cheaper(
    'refresh on SQLite, CPU vs. OpenAuth in memory',
    2.8,
    ours(REFRESH),
    peer(REFRESH, 'OpenAuth'),
  ),
  {
    what: 'refresh on PostgreSQL, requests per second vs. the bare statement',
    limit: 0.8,
    kind: 'at least',
    unit: '×',
    measured: (rows) =>
      ratioOf(
        findRow(rows, ours(ON_POSTGRES)),
        rows.find(
          ({ workload, contender }) => workload === ON_POSTGRES && contender !== 'gatehouse',
        ),
        'perSecond',
      ),
  },
  cheaper('complete login, CPU vs. OpenAuth', 1.15, ours(LOGIN), peer(LOGIN, 'OpenAuth')),
  cheaper('complete login, CPU vs. better-auth', 1.8, ours(LOGIN), peer(LOGIN, 'better-auth')),
  startsWithin('start of the production build vs. oidc-provider', 0.8, 'oidc-provider'),
  startsWithin('start of the production build vs. OpenAuth', 0.9, 'openauth'),
  atMost('npm start without npm itself', 700, 'ms', peer(FIRST_RESPONSE, NPM_START), 'startMs'),
  atMost('idle RSS of the production build', 75, 'MB', build(IDLE), 'rssMb'),
  atMost(
    'verify beside 4 clients that refresh, fsync of 20 ms, p99',
    5,
    'ms',
    ours(verifyBeside(4)),
    'p99Ms',
  ),
  atMost(
    'verify beside 32 clients that refresh, fsync of 20 ms, p99',
    20,
    'ms',
    ours(verifyBeside(32)),
    'p99Ms',
  ),
  atLeast(
    'two processes vs. one, requests per second',
    1.5,
    peer(WORKERS, TWO_PROCESSES),
    peer(WORKERS, ONE_PROCESS),
    'perSecond',
  ),
  atMost('ID token, CPU to sign it', 120, 'µs', ours(SIGNED), 'cpuUs'),
  atMost('ID token that is returned again, CPU', 5, 'µs', ours(RETURNED_AGAIN), 'cpuUs'),
  atMost('GET /api/status, CPU', 0.35, 'ms', ours(SAME_OVER_REST), 'cpuUs', 1 / 1_000),
  {
    what: 'dearest request without a credential, CPU',
    limit: 8,
    kind: 'at most',
    unit: 'ms',
    measured: dearestAnonymousMs,
  },
  atMost('users list of 250,000, RSS growth', 30, 'MB', ours(USERS_LIST), 'growthMb'),
  atMost('users list of 250,000, first byte', 50, 'ms', ours(USERS_LIST), 'firstByteMs'),
  dearestSearch(`${SEARCH}, SQLite, CPU`, ON_SQLITE, 'three'),
  dearestSearch(`${SEARCH}, SQLite, two characters, CPU`, ON_SQLITE, 'two'),
  dearestSearch(`${SEARCH}, PostgreSQL, CPU`, ON_SERVER, 'three'),
  dearestSearch(`${SEARCH}, PostgreSQL, two characters, CPU`, ON_SERVER, 'two'),
  atMost('RSS of 1,000,000 revocations', 45, 'MB', ours(REVOCATIONS), 'growthMb'),
]

const inverse = (spread: Spread | null): Spread | null =>
  spread === null ? null : { median: 1 / spread.median, low: 1 / spread.high, high: 1 / spread.low }

const isMet = ({ kind, limit }: Target, { median }: Spread): boolean =>
  kind === 'at least' ? median >= limit : median <= limit

/** How many of the measured targets are met. */
export function targetsMet(rows: readonly Row[]): {
  readonly met: number
  readonly measured: number
} {
  const measured = TARGETS.flatMap((target) => {
    const spread = target.measured(rows)
    return spread === null ? [] : [isMet(target, spread)]
  })
  return { met: measured.filter(Boolean).length, measured: measured.length }
}

/** The targets and their measurements, without targets that this run did not measure. */
export function targetsTable(rows: readonly Row[]): string {
  const lines = TARGETS.flatMap((target) => {
    const spread = target.measured(rows)
    if (spread === null) {
      return []
    }
    const sign = target.kind === 'at least' ? '≥' : '≤'
    const verdict = isMet(target, spread) ? 'met' : '**not met**'
    return [
      [
        target.what,
        `${sign} ${target.limit} ${target.unit}`,
        formatSpread(spread, digitsFor(spread.median)),
        verdict,
      ],
    ]
  })
  return markdownTable(['Metric', 'Target', 'Measured', 'Result'], lines)
}

function digitsFor(value: number): number {
  const size = Math.abs(value)
  if (size >= 100) {
    return 0
  }
  return size >= 10 ? 1 : 2
}
