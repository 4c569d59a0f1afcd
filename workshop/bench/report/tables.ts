import { LOGIN_REQUEST } from '../benchmarks/login-requests.ts'
import { medianOf, type Spread, spreadOf } from '../statistics.ts'
import type { FigureName, Row } from './row.ts'
import { formatSpread, markdownTable } from './table.ts'

const LISTED = 20

/** Requests without a credential, the dearest first. */
function byCpu(
  rows: readonly Row[],
): { readonly workload: string; readonly cpuMs: readonly number[] }[] {
  return rows
    .filter(({ benchmark }) => benchmark === 'anonymous')
    .map(({ workload, figures }) => ({
      workload,
      cpuMs: (figures.cpuUs ?? []).map((us) => us / 1_000),
    }))
    .sort((a, b) => medianOf(b.cpuMs) - medianOf(a.cpuMs))
}

export function anonymousTable(rows: readonly Row[]): string {
  const lines = byCpu(rows)
    .slice(0, LISTED)
    .map(({ workload, cpuMs }) => [workload, formatSpread(spreadOf(cpuMs), 1)])
  return lines.length === 0 ? '' : markdownTable(['Request', 'CPU ms'], lines)
}

/** Null if this run did not measure it. */
export function dearestAnonymousMs(rows: readonly Row[]): Spread | null {
  const [dearest] = byCpu(rows)
  return dearest === undefined ? null : spreadOf(dearest.cpuMs)
}

/** The requests of a login, in their order. */
export function loginRequestsTable(rows: readonly Row[]): string {
  const lines = rows
    .filter(({ workload }) => workload.startsWith(LOGIN_REQUEST))
    .map(({ workload, contender, figures }) => [
      contender,
      workload.slice(LOGIN_REQUEST.length),
      formatSpread(spreadOf((figures.cpuUs ?? []).map((us) => us / 1_000)), 2),
    ])
  return lines.length === 0 ? '' : markdownTable(['Contender', 'Request', 'CPU ms'], lines)
}

const UNITS: Partial<Record<FigureName, string>> = {
  startMs: 'ms',
  cpuMs: 'ms of CPU time',
  importMs: 'ms',
  firstByteMs: 'ms to the first byte',
  rssMb: 'MB resident',
  growthMb: 'MB growth',
}

/** Measurements without load: starts, imports, memory, searches. */
export function startAndMemoryTable(rows: readonly Row[]): string {
  const lines = rows
    .filter(
      ({ benchmark }) => benchmark === 'start' || benchmark === 'memory' || benchmark === 'search',
    )
    .map(({ workload, contender, figures }) => {
      const measurements = (Object.keys(UNITS) as FigureName[]).flatMap((name) => {
        const values = figures[name]
        return values === undefined ? [] : [`${formatSpread(spreadOf(values), 0)} ${UNITS[name]}`]
      })
      return [workload, contender, measurements.join(', ')]
    })
  return lines.length === 0 ? '' : markdownTable(['Metric', 'Contender', 'Measured'], lines)
}
