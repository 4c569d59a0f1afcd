import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { IDLE } from '../benchmarks/memory.ts'
import { FIRST_RESPONSE } from '../benchmarks/start.ts'
import { verifyBeside } from '../benchmarks/workers.ts'
import { PRODUCTION_BUILD } from '../contenders/gatehouse/start.ts'
import { LIVE } from '../contenders/verify-setups.ts'
import { spreadOf } from '../statistics.ts'
import type { Results } from './results.ts'
import { type FigureName, findRow, type Row, type RowQuery } from './row.ts'
import { type Call, costsOf, cpuTime, times } from './table.ts'
import { targetsMet, targetsTable } from './targets.ts'

/** Writes the generated parts of docs/performance.md: the summary and the table of targets. */
export function writeDocument(results: Results): void {
  writeBetween(
    'performance.md',
    ['<!-- bench: summary -->', '<!-- end: summary -->'],
    summary(results).trimEnd(),
  )
  writeBetween(
    'performance.md',
    ['<!-- bench: begin -->', '<!-- bench: end -->'],
    targetsTable(results.rows).trimEnd(),
  )
}

/** What a newcomer wants to know, in plain words. Lines whose benchmark was not run are left out. */
export const summary = (results: Results): string =>
  [
    behind(results.rows),
    login(results.rows),
    verify(results.rows),
    refresh(results.rows),
    start(results.rows),
    durable(results.rows),
    machine(results),
    '**Fair**: all contenders run in the same minutes, configured as their documentation recommends for production, and every response is checked. A peer in memory loses its sessions with its process.',
    targets(results.rows),
    '**Repeat it** with `npm run bench`, which takes about a quarter of an hour on Linux; `npm run bench -- --write` also rewrites this page. All tables, with the spread of the rounds, are files of each release.',
  ]
    .filter((line) => line !== null)
    .map((line) => `- ${line}\n`)
    .join('')

/** The rows that a peer wins come first. */
function behind(rows: readonly Row[]): string | null {
  const calls = (['login', 'verify', 'refresh'] as const).flatMap((call) => {
    const [own, ...others] = costsOf(call, rows)
    const cheaper = others.filter(({ cpuUs }) => own !== undefined && cpuUs < own.cpuUs)
    const list = cheaper.map(({ name, cpuUs }) => `${name} ${cpuTime(cpuUs)}`)
    return own?.ours === true && list.length > 0
      ? [`${CALLS[call]} (${list.join(', ')}; ours ${cpuTime(own.cpuUs)})`]
      : []
  })
  const starts = less(rows, FIRST_RESPONSE, 'startMs', milliseconds)
  const idle = less(rows, IDLE, 'rssMb', megabytes)
  const lists = [
    ...calls,
    ...(starts === null ? [] : [`the start (${starts})`]),
    ...(idle === null ? [] : [`idle memory (${idle})`]),
  ]
  return lists.length === 0 ? null : `**Behind a peer**: ${lists.join(', ')}.`
}

const CALLS = { login: 'a complete sign-in', verify: 'a session check', refresh: 'a refresh' }

/** The peers with a lower figure than our production build. */
function less(
  rows: readonly Row[],
  workload: string,
  figure: FigureName,
  format: (value: number) => string,
): string | null {
  const own = median(rows, { workload, contender: PRODUCTION_BUILD }, figure)
  if (own === null) {
    return null
  }
  const peers = PEERS.flatMap(([contender, name]) => {
    const value = median(rows, { workload, contender }, figure)
    return value !== null && value < own ? [`${name} ${format(value)}`] : []
  })
  return peers.length === 0 ? null : `${peers.join(', ')}; ours ${format(own)}`
}

const megabytes = (mb: number): string => `${Math.round(mb)} MB`

function login(rows: readonly Row[]): string | null {
  const costs = compared('login', rows)
  if (costs === null) {
    return null
  }
  return `**A complete sign-in** costs our server ${costs.ours} of CPU time: four requests, from the login link to the tokens. ${costs.others}`
}

function verify(rows: readonly Row[]): string | null {
  const costs = compared('verify', rows)
  if (costs === null) {
    return null
  }
  const perSecond = Math.round(1e6 / costs.cpuUs / 100) * 100
  const bare = median(rows, { workload: LIVE, contender: 'echo' }, 'cpuUs')
  const floor =
    bare === null ? '' : ` A bare Node server with a fixed response takes ${cpuTime(bare)}.`
  return `**A session check** costs ${costs.ours}, so one core answers about ${perSecond.toLocaleString('en-US')} a second. ${costs.others}${floor}`
}

function refresh(rows: readonly Row[]): string | null {
  const costs = compared('refresh', rows)
  if (costs === null) {
    return null
  }
  return `**A refresh** costs ${costs.ours}, with the new token on disk before the response. ${costs.others}`
}

function start(rows: readonly Row[]): string | null {
  const startOf = (contender: string) =>
    median(rows, { workload: FIRST_RESPONSE, contender }, 'startMs')
  const own = startOf(PRODUCTION_BUILD)
  if (own === null) {
    return null
  }
  const peers = PEERS.flatMap(([contender, name]) => {
    const ms = startOf(contender)
    return ms === null ? [] : [`${name} ${milliseconds(ms)}`]
  })
  const idle = median(rows, { workload: IDLE, contender: PRODUCTION_BUILD }, 'rssMb')
  const memory = idle === null ? '' : ` Idle, it uses ${Math.round(idle)} MB.`
  return `**A start** of the production build takes ${milliseconds(own)} to the first response; ${peers.join(', ')}.${memory}`
}

const milliseconds = (ms: number): string => `${Math.round(ms).toLocaleString('en-US')} ms`

const PEERS = [
  ['openauth', 'OpenAuth'],
  ['oidc-provider', 'oidc-provider'],
  ['better-auth', 'better-auth'],
] as const

function durable(rows: readonly Row[]): string {
  const p99 = median(rows, { workload: verifyBeside(32), contender: 'gatehouse' }, 'p99Ms')
  const beside =
    p99 === null
      ? ''
      : ` Nothing else waits for the disk: while 32 clients refresh on one whose \`fsync\` takes 20 ms, 99 % of session checks take less than ${p99.toFixed(1)} ms.`
  return `**On disk** means that the response is sent after the disk has confirmed the change, so a power failure undoes nothing that an app was told. (A user whose sign-in was in progress starts again.)${beside}`
}

const machine = ({ cpu, cores, system, node, date, pinned }: Results): string =>
  `**Machine**: ${cpu}, ${cores} cores, ${system}, Node ${node}, on ${date}${pinned ? '; the server has one core, the load generator the other' : ''}. Compare factors (×, compared with ours), not absolute figures. They differ a little too: the more a machine's network costs, the closer are all contenders.`

function targets(rows: readonly Row[]): string {
  const { met, measured } = targetsMet(rows)
  return `**Targets**: ${met} of ${measured} are met. [The table](#targets) has all of them, and [where the time goes](#where-the-time-goes) explains the others.`
}

/** Our cost, and a sentence with those of the others. */
function compared(call: Call, rows: readonly Row[]) {
  const [own, ...others] = costsOf(call, rows)
  if (own?.ours !== true) {
    return null
  }
  const list = others.map(
    ({ name, cpuUs, timesOurs }) => `${name} ${cpuTime(cpuUs)} (${times(timesOurs)})`,
  )
  return {
    cpuUs: own.cpuUs,
    ours: cpuTime(own.cpuUs),
    others: list.length === 0 ? '' : `Others: ${list.join(', ')}.`,
  }
}

function median(rows: readonly Row[], query: RowQuery, figure: FigureName): number | null {
  const values = findRow(rows, query)?.figures[figure]
  return values === undefined || values.length === 0 ? null : spreadOf(values).median
}

/** Replaces the text between two markers of a document in docs/. The text around them is written by hand. */
export function writeBetween(
  document: string,
  [from, to]: readonly [string, string],
  text: string,
): void {
  const file = path.resolve(import.meta.dirname, '../../../docs', document)
  const before = readFileSync(file, 'utf8')
  const [begin, end] = [before.indexOf(from), before.indexOf(to)]
  if (begin < 0 || end < begin) {
    throw new Error(`docs/${document} has no marker ${from}`)
  }
  writeFileSync(file, `${before.slice(0, begin + from.length)}\n${text}\n${before.slice(end)}`)
}
