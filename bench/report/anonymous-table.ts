import { medianOf, type Spread, spreadOf } from '../statistics.ts'
import type { Row } from './row.ts'
import { formatSpread, markdownTable } from './table.ts'

const LISTED = 20

/** Requests without a credential, the dearest first. */
function byCpu(rows: readonly Row[]): { readonly workload: string; readonly cpuMs: readonly number[] }[] {
  return rows
    .filter(({ benchmark }) => benchmark === 'anonymous')
    .map(({ workload, figures }) => ({ workload, cpuMs: (figures.cpuUs ?? []).map((us) => us / 1_000) }))
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
