import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PRODUCTION_BUILD } from '../contenders/gatehouse/start.ts'
import { summary } from './document.ts'
import { asMarkdown, chart, type Results } from './results.ts'
import type { Row } from './row.ts'
import { targetsMet } from './targets.ts'

const row = (
  benchmark: Row['benchmark'],
  workload: string,
  contender: string,
  more: Partial<Row> = {},
): Row => ({
  benchmark,
  workload,
  contender,
  figures: {},
  ...more,
})

const cpu = (...cpuUs: number[]): Pick<Row, 'figures'> => ({ figures: { cpuUs } })

const VERIFY = 'verify, 10,000 live tokens'
const ROWS: readonly Row[] = [
  row('verify', VERIFY, 'echo', cpu(50, 60, 70)),
  row('verify', VERIFY, 'gatehouse', cpu(90, 100, 110)),
  row('verify', VERIFY, PRODUCTION_BUILD, cpu(95, 95, 95)),
  row('verify', VERIFY, 'better-auth get-session', {
    durability: 'SQLite',
    ...cpu(3_600, 4_100, 4_600),
  }),
  row('verify', VERIFY, 'Express + jsonwebtoken', { durability: 'HS256', ...cpu(45, 50, 55) }),
  row('start', 'from start to first response', PRODUCTION_BUILD, { figures: { startMs: [300] } }),
  row('start', 'from start to first response', 'openauth', { figures: { startMs: [250] } }),
]

const RESULTS: Results = {
  date: '2026-01-31',
  cpu: 'A processor',
  cores: 2,
  system: 'linux arm64',
  node: 'v26.0.0',
  pinned: true,
  rounds: 3,
  seconds: 1,
  connections: 32,
  versions: {},
  rows: ROWS,
}

test('the summary states our cost, and that of each product as a factor of ours', () => {
  const text = summary(RESULTS)
  assert.match(
    text,
    /\*\*A session check\*\* costs 100 µs, so one core answers about 10,000 a second\./,
  )
  assert.match(
    text,
    /Others: Express \+ jsonwebtoken 50 µs \(0\.5×\), better-auth get-session \(on disk\) 4\.1 ms \(41×\)\./,
  )
  assert.match(text, /A bare Node server with a fixed response takes 60 µs\./)
  assert.match(text, /production build takes 300 ms to the first response; OpenAuth 250 ms\./)
  assert.match(text, /A processor, 2 cores, linux arm64, Node v26\.0\.0, on 2026-01-31/)
})

test('the summary begins with what a peer does better', () => {
  assert.match(
    summary(RESULTS),
    /^- \*\*Behind a peer\*\*: a session check \(Express \+ jsonwebtoken 50 µs; ours 100 µs\), the start \(OpenAuth 250 ms; ours 300 ms\)\.\n/,
  )
  const ahead = ROWS.filter(
    ({ contender }) => contender !== 'openauth' && !contender.startsWith('Express'),
  )
  assert.doesNotMatch(summary({ ...RESULTS, rows: ahead }), /Behind a peer/)
})

test('the summary leaves out what was not measured', () => {
  assert.doesNotMatch(summary(RESULTS), /A complete sign-in|A refresh/)
  assert.doesNotMatch(summary({ ...RESULTS, rows: [] }), /session check|NaN|undefined|null/)
})

test('the picture shows the same costs, ours first and bold, and says them in words', () => {
  const svg = chart(ROWS)
  assert.match(
    svg,
    /aria-label="One session check: Gatehouse 100 µs, Express \+ jsonwebtoken 50 µs, better-auth/,
  )
  assert.match(svg, /class="ours-text"[^>]*>Gatehouse</)
  assert.match(svg, />4\.1 ms · 41×</)
  assert.match(svg, /prefers-color-scheme: dark/)
  assert.doesNotMatch(svg, /production build|NaN/)
})

test('targets compare CPU time, and only measured ones count', () => {
  // Met: 0.6 of the echo and 41 times better-auth. Not met: a start of 1.2 times OpenAuth's.
  assert.deepEqual(targetsMet(ROWS), { met: 2, measured: 3 })
  assert.match(
    asMarkdown(RESULTS),
    /\| verify, CPU vs\. better-auth [^|]+\| ≥ 40 × \| 41\.0 \(40\.0–41\.8\) \| met \|/,
  )
  assert.match(
    asMarkdown(RESULTS),
    /start of the production build vs\. OpenAuth \| ≤ 0\.9 × \| 1\.20 \| \*\*not met\*\*/,
  )
})

test('a section without measurements has no heading', () => {
  assert.doesNotMatch(asMarkdown(RESULTS), /A login by request|without a credential/)
})

test('the requests of a login are listed with their CPU time', () => {
  const decision = row(
    'login',
    'login, by request: consent decision',
    'gatehouse',
    cpu(1_500, 1_700, 1_600),
  )
  assert.match(
    asMarkdown({ ...RESULTS, rows: [decision] }),
    /\| gatehouse \| consent decision \| 1\.60 \(1\.50–1\.70\) \|/,
  )
})
