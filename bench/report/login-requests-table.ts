import { LOGIN_REQUEST } from '../benchmarks/login-requests.ts'
import { spreadOf } from '../statistics.ts'
import type { Row } from './row.ts'
import { formatSpread, markdownTable } from './table.ts'

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
