import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { availableParallelism, loadavg, tmpdir } from 'node:os'
import path from 'node:path'
import type { RunReport } from '../scripts/test/report.ts'

// `npm run test:stress`: the quick suite ten times beside two busy loops and once beside eight, then a table of the runs and
// of the tests that failed. `-- all` runs everything instead, three times in a row without busy loops.

const TEST = path.join(import.meta.dirname, '../scripts/test.ts')
const QUICK_RUNS = [...Array<number>(10).fill(2), 8]
const FULL_RUNS = [0, 0, 0]

const all = process.argv[2] === 'all'
const reports: { readonly loops: number; readonly report: RunReport }[] = []
const print = (line: string): void => void process.stdout.write(`${line}\n`)

print(`${availableParallelism()} cores, load ${loadavg()[0]?.toFixed(1)}\n`)
print(
  '| Run | Busy loops | Passed | Failed | Skipped | Seconds | CPU seconds |\n|---|---|---|---|---|---|---|',
)
for (const loops of all ? FULL_RUNS : QUICK_RUNS) {
  const { report, output } = await runBeside(loops)
  reports.push({ loops, report })
  const { passed, failed, skipped, seconds, cpuSeconds } = report
  const figures = [
    passed,
    failed.length,
    skipped,
    seconds.toFixed(0),
    cpuSeconds?.toFixed(0) ?? 'unknown',
  ]
  print(`| ${reports.length} | ${loops} | ${figures.join(' | ')} |`)
  if (report.failed.length > 0) {
    process.stderr.write(`The output of run ${reports.length} is in ${output}\n`)
  }
}

const failures = Map.groupBy(
  reports.flatMap(({ report }, index) => report.failed.map((title) => ({ title, run: index + 1 }))),
  ({ title }) => title,
)
for (const [title, runs] of failures) {
  print(`\n✖ ${title}\n  in run ${runs.map(({ run }) => run).join(', ')}`)
}
const failed = reports.filter(({ report }) => report.failed.length > 0).length
print(`\n${reports.length - failed} passed, ${failed} failed`)
process.exitCode = failed === 0 ? 0 : 1

/** The output of a run with failures is kept. */
async function runBeside(
  loops: number,
): Promise<{ readonly report: RunReport; readonly output: string }> {
  const folder = mkdtempSync(path.join(tmpdir(), 'gatehouse-stress-'))
  const file = path.join(folder, 'report.json')
  const output = path.join(folder, 'output.txt')
  const busy = Array.from({ length: loops }, busyLoop)
  try {
    const run = spawn(process.execPath, [TEST, ...(all ? ['all'] : [])], {
      env: { ...process.env, TEST_REPORT: file },
      stdio: ['ignore', openSync(output, 'w'), 'inherit'],
    })
    const [code] = await once(run, 'close')
    const report = reportIn(file) ?? {
      passed: 0,
      failed: [`the run ends (its process exited with ${code})`],
      skipped: 0,
      seconds: 0,
      cpuSeconds: null,
    }
    if (report.failed.length === 0) {
      rmSync(folder, { recursive: true })
    }
    return { report, output }
  } finally {
    for (const loop of busy) {
      loop.kill('SIGKILL')
    }
  }
}

function reportIn(file: string): RunReport | null {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as RunReport
  } catch {
    return null
  }
}

function busyLoop(): ChildProcess {
  return spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' })
}
