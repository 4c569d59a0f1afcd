import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { availableParallelism, loadavg, tmpdir } from 'node:os'
import path from 'node:path'
import type { RunReport } from './test/report.ts'

// `npm run test:stress`: the quick suite ten times beside two busy loops and once beside eight, then a table of the runs and
// of the tests that failed. `-- all` runs everything instead, three times in a row without busy loops.

const TEST = path.join(import.meta.dirname, 'test.ts')
const QUICK_RUNS = [...Array<number>(10).fill(2), 8]
const FULL_RUNS = [0, 0, 0]

const all = process.argv[2] === 'all'
const reports: { readonly loops: number; readonly report: RunReport }[] = []
const print = (line: string): void => void process.stdout.write(`${line}\n`)

print(`${availableParallelism()} cores, load ${loadavg()[0]?.toFixed(1)}\n`)
print('| Run | Busy loops | Passed | Failed | Skipped | Seconds | CPU seconds |\n|---|---|---|---|---|---|---|')
for (const loops of all ? FULL_RUNS : QUICK_RUNS) {
  const report = await runBeside(loops)
  reports.push({ loops, report })
  const { passed, failed, skipped, seconds, cpuSeconds } = report
  const figures = [passed, failed.length, skipped, seconds.toFixed(0), cpuSeconds?.toFixed(0) ?? 'unknown']
  print(`| ${reports.length} | ${loops} | ${figures.join(' | ')} |`)
}

const failures = Map.groupBy(
  reports.flatMap(({ report }, index) => report.failed.map((title) => ({ title, run: index + 1 }))),
  ({ title }) => title,
)
for (const [title, runs] of failures) print(`\n✖ ${title}\n  in run ${runs.map(({ run }) => run).join(', ')}`)
const failed = reports.filter(({ report }) => report.failed.length > 0).length
print(`\n${reports.length - failed} passed, ${failed} failed`)
process.exitCode = failed === 0 ? 0 : 1

async function runBeside(loops: number): Promise<RunReport> {
  const folder = mkdtempSync(path.join(tmpdir(), 'gatehouse-stress-'))
  const file = path.join(folder, 'report.json')
  const busy = Array.from({ length: loops }, busyLoop)
  try {
    const run = spawn(process.execPath, [TEST, ...(all ? ['all'] : [])], {
      env: { ...process.env, TEST_REPORT: file },
      stdio: ['ignore', 'ignore', 'inherit'],
    })
    const [code] = await once(run, 'close')
    try {
      return JSON.parse(readFileSync(file, 'utf8')) as RunReport
    } catch {
      const failed = [`the run ends (its process exited with ${code})`]
      return { passed: 0, failed, skipped: 0, seconds: 0, cpuSeconds: null }
    }
  } finally {
    for (const loop of busy) loop.kill('SIGKILL')
    rmSync(folder, { recursive: true, force: true })
  }
}

function busyLoop(): ChildProcess {
  return spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' })
}
