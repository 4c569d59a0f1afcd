import { mkdtempSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import path from 'node:path'
import { errorCoverageProblems } from '../service/test/support/ledger/error-coverage.ts'
import { readRecordedResponses } from '../service/test/support/ledger/response-ledger.ts'
import { runCheck } from './test/check.ts'
import type { TestResult } from './test/events.ts'
import { type Extent, groupsOf } from './test/group.ts'
import { Progress, summarize, titleOf } from './test/progress.ts'
import { runConcurrently } from './test/run-concurrently.ts'
import { runGroup } from './test/run-group.ts'

// `npm test` and `npm run test:all`. Group names after `--` select groups: `npm test -- storage rules`.

/** More than the number of cores, because groups often wait for I/O or timeouts. */
const CONCURRENCY = availableParallelism() + 2

const [first, ...others] = process.argv.slice(2)
const extent: Extent = first === 'all' ? 'all' : 'quick'
const selected = first === 'all' || first === undefined ? others : [first, ...others]
const groups = groupsOf(extent)
const names = ['check', ...groups.map(({ name }) => name)]
const unknown = selected.filter((name) => !names.includes(name))
if (unknown.length > 0) {
  process.stderr.write(`Unknown group ${unknown.join(', ')}. Groups: ${names.join(', ')}\n`)
  process.exit(2)
}

const ledger = mkdtempSync(path.join(tmpdir(), 'gatehouse-responses-'))
process.on('exit', () => rmSync(ledger, { recursive: true, force: true }))

const isSelected = (name: string): boolean => selected.length === 0 || selected.includes(name)
const progress = new Progress()
const jobs = [
  { name: 'check', run: runCheck },
  ...groups.map((group) => ({
    name: group.name,
    run: (onResult: (result: TestResult) => void) => runGroup(group, { extent, ledger, onResult }),
  })),
].filter(({ name }) => isSelected(name))
await runConcurrently(
  CONCURRENCY,
  jobs.map(
    ({ name, run }) =>
      () =>
        progress.group(name, run),
  ),
)
// Only a complete run records every response.
if (extent === 'all' && selected.length === 0)
  await progress.group('documented errors', async (onResult) => onResult(documentedErrors()))
progress.end()

const failures = progress.results.filter(({ outcome }) => outcome === 'failed')
for (const failure of failures) {
  const indented = (failure.error ?? '').replace(/^/gm, '    ')
  process.stdout.write(`\n✖ ${titleOf(failure)}\n${indented}\n`)
}
process.stdout.write(`\n${summarize(progress.results)}\n${progress.seconds()}\n`)
process.exitCode = failures.length === 0 ? 0 : 1

/** Every error that the API documents list occurred in some test, and no other error occurred. */
function documentedErrors(): TestResult {
  const result = {
    name: 'every documented API error occurs in a test, and every API error in a test is documented',
    file: '',
    ms: 0,
  }
  // A failed test may have missed responses, so missing errors prove nothing.
  if (progress.results.some(({ outcome }) => outcome === 'failed')) return { ...result, outcome: 'skipped' }
  const problems = errorCoverageProblems(readRecordedResponses(ledger))
  return problems.length === 0
    ? { ...result, outcome: 'passed' }
    : { ...result, outcome: 'failed', error: problems.join('\n') }
}
