import { readFileSync, writeFileSync } from 'node:fs'
import type { TestResult } from './events.ts'
import { titleOf } from './progress.ts'

/** What Linux counts CPU time in. */
const TICKS_PER_SECOND = 100

/** The figures of one run, for workshop/stress.ts. */
export interface RunReport {
  readonly passed: number
  /** The titles of the tests that failed. */
  readonly failed: readonly string[]
  readonly skipped: number
  readonly seconds: number
  /** null where the system does not tell. */
  readonly cpuSeconds: number | null
}

export function reportOf(results: readonly TestResult[], seconds: number): RunReport {
  const cpu = cpuSeconds()
  const {
    passed = [],
    failed = [],
    skipped = [],
  } = Object.groupBy(results, ({ outcome }) => outcome)
  return {
    passed: passed.length,
    failed: failed.map(titleOf),
    skipped: skipped.length,
    seconds,
    cpuSeconds: cpu === null ? null : cpu - (CPU_AT_START ?? 0),
  }
}

/** Writes the report to the file that the variable TEST_REPORT names. */
export function saveReport(report: RunReport): void {
  const { TEST_REPORT } = process.env
  if (TEST_REPORT !== undefined) {
    writeFileSync(TEST_REPORT, JSON.stringify(report))
  }
}

/** That of the installation, which ran in this process before (`exec` in package.json). */
const CPU_AT_START = cpuSeconds()

/** The CPU time of this process and of all that it started and waited for. Only Linux reports it. */
function cpuSeconds(): number | null {
  try {
    const fields = readFileSync('/proc/self/stat', 'utf8').split(') ')[1]?.split(' ') ?? []
    const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0)
    return ticks / TICKS_PER_SECOND
  } catch {
    return null
  }
}
