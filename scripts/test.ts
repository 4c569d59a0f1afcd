import { mkdtempSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import path from 'node:path'
import { errorCoverageProblems } from '../service/test/support/ledger/error-coverage.ts'
import { readRecordedResponses } from '../service/test/support/ledger/response-ledger.ts'
import { runCheck } from './test/check.ts'
import type { TestResult } from './test/events.ts'
import { type Extent, groupsOf } from './test/group.ts'
import { counted, Progress } from './test/progress.ts'
import { runGroup } from './test/run-group.ts'
import { sideBySide } from './test/side-by-side.ts'

// `npm test` and `npm run test:all`. Names of groups after `--` run only those: `npm test -- storage rules`.

const ROOT = path.resolve(import.meta.dirname, '..')
/** More than there are cores: a group often waits for a socket, a disk or a deadline. */
const LANES = availableParallelism() + 2

const [first, ...others] = process.argv.slice(2)
const extent: Extent = first === 'all' ? 'all' : 'quick'
const wanted = first === 'all' || first === undefined ? others : [first, ...others]
const groups = groupsOf(extent)
const names = ['check', ...groups.map(({ name }) => name)]
const unknown = wanted.filter((name) => !names.includes(name))
if (unknown.length > 0) {
  process.stderr.write(`There is no group ${unknown.join(', ')}. Groups: ${names.join(', ')}\n`)
  process.exit(2)
}

const ledger = mkdtempSync(path.join(tmpdir(), 'gatehouse-answers-'))
process.on('exit', () => rmSync(ledger, { recursive: true, force: true }))

const isWanted = (name: string): boolean => wanted.length === 0 || wanted.includes(name)
const progress = new Progress()
const jobs = [
  { name: 'check', run: runCheck },
  ...groups.map((group) => ({
    name: group.name,
    run: (onResult: (result: TestResult) => void) => runGroup(group, { extent, ledger, onResult }),
  })),
].filter(({ name }) => isWanted(name))
await sideBySide(
  LANES,
  jobs.map(
    ({ name, run }) =>
      () =>
        progress.group(name, run),
  ),
)
// A quick run, or a part of one, does not see every answer.
if (extent === 'all' && wanted.length === 0)
  await progress.group('documented errors', async (onResult) => onResult(documentedErrors()))
progress.end()

const failures = progress.results.filter(({ outcome }) => outcome === 'failed')
for (const { name, file, error = '' } of failures) {
  const indented = error.replace(/^/gm, '    ')
  process.stdout.write(`\n✖ ${file === '' ? '' : `${path.relative(ROOT, file)} › `}${name}\n${indented}\n`)
}
process.stdout.write(`\n${counted(progress.results)}\n${progress.seconds()}\n`)
process.exitCode = failures.length === 0 ? 0 : 1

/** Every error that an API document lists was answered in some test, and no test was answered with another. */
function documentedErrors(): TestResult {
  const result = { name: 'errors are documented exactly where tests are answered with them', file: '', ms: 0 }
  // A test that failed may not have come to its answers, so there is nothing to conclude from what is missing.
  if (progress.results.some(({ outcome }) => outcome === 'failed')) return { ...result, outcome: 'skipped' }
  const problems = errorCoverageProblems(readRecordedResponses(ledger))
  return problems.length === 0
    ? { ...result, outcome: 'passed' }
    : { ...result, outcome: 'failed', error: problems.join('\n') }
}
