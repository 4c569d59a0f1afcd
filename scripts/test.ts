import { mkdtempSync, rmSync, statfsSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import path from 'node:path'
import { errorCoverageProblems } from '../service/test/support/ledger/error-coverage.ts'
import {
  RESPONSE_LEDGER,
  readRecordedResponses,
} from '../service/test/support/ledger/response-ledger.ts'
import {
  globalTeardown,
  provideChromium,
  providePostgres,
} from '../service/test/support/process/global.ts'
import { installSeparately } from './install-separately.ts'
import { checksOf, runCheck } from './test/check.ts'
import { FileDurations } from './test/durations.ts'
import type { TestResult } from './test/events.ts'
import { type Extent, filesOf, type Group, groupsOf, ROOT, SLOW_NAMES } from './test/group.ts'
import { Progress, summarize, titleOf } from './test/progress.ts'
import { reportOf, saveReport } from './test/report.ts'
import { FileRunner, temporaryFolder } from './test/run-files.ts'

// `npm test` and `npm run test:all`. Group names after `--` select groups: `npm test -- storage rules`. All files are in one
// queue, the longest first.

const TIMEOUT_MS = 120_000
/** After the time of a test, its cleanup may take this long. */
const CLEANUP_MS = 60_000
/** The databases of a run in memory. */
const ROOM_BYTES = { quick: 2 ** 30, all: 12 * 2 ** 30 }
/** Variables that `prepare` sets. */
const PROVIDED = ['TEST_POSTGRES_URL', 'CHROMIUM_PATH', 'CHROMIUM_LIBRARIES', 'CHROMIUM_MISSING']

/** How many files run at once. In a full run the files that wait for browsers and other programs leave cores idle. */
const slotsOf = (extent: Extent): number => availableParallelism() + (extent === 'all' ? 2 : 0)

const [first, ...others] = process.argv.slice(2)
const extent: Extent = first === 'all' ? 'all' : 'quick'
const selected = first === 'all' || first === undefined ? others : [first, ...others]
// A group of `npm run test:all` that is named runs in a quick run, too, without its slow tests.
const known = groupsOf(selected.length === 0 ? extent : 'all')
const names = ['check', ...known.map(({ name }) => name)]
const unknown = selected.filter((name) => !names.includes(name))
if (unknown.length > 0) {
  process.stderr.write(`Unknown group ${unknown.join(', ')}. Groups: ${names.join(', ')}\n`)
  process.exit(2)
}

const temporary = temporaryFolder(path.join(tmpdir(), 'gatehouse-tests-'))
/** Linux's file system in memory, if it has room. PostgreSQL copies a database there in a tenth of the time. */
const memory = hasRoom('/dev/shm') ? temporaryFolder('/dev/shm/gatehouse-tests-') : temporary
process.env.TMPDIR = memory
const ledger = mkdtempSync(path.join(temporary, 'responses-'))
process.on('exit', () => {
  for (const folder of [temporary, memory]) {
    rmSync(folder, { recursive: true, force: true })
  }
})

const isSelected = (group: Pick<Group, 'name' | 'onRequest'>): boolean =>
  selected.length === 0 ? !group.onRequest : selected.includes(group.name)
const groups = known.filter(isSelected)
const durations = new FileDurations(extent)
const checks = isSelected({ name: 'check' }) ? checksOf(extent) : []
const files = durations.longestFirst(filesOf(groups))
const provided = new Map<string, Promise<unknown>>()
const progress = new Progress([
  ...checks.map(() => 'check'),
  ...files.map(({ group }) => group.name),
])

const runners: FileRunner[] = []
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    for (const runner of runners) {
      runner.kill()
    }
    process.exit(130)
  })
}

// All slots share one iterator, so each check and each file runs once.
const queue = [
  ...checks.map(
    (check) => () => progress.file(check.name, 'check', (onResult) => runCheck(check, onResult)),
  ),
  ...files.map(
    ({ file, group }) =>
      (runner: FileRunner) =>
        runFile(runner, file, group),
  ),
].values()
await Promise.all(
  Array.from({ length: slotsOf(extent) }, async () => {
    const runner = new FileRunner()
    runners.push(runner)
    for (const job of queue) {
      await job(runner)
    }
    await runner.close()
  }),
)
await globalTeardown()
durations.save()
// Only a complete run records every response.
if (extent === 'all' && selected.length === 0) {
  progress.results.push(documentedErrors())
}
progress.end()

const failures = progress.results.filter(({ outcome }) => outcome === 'failed')
for (const failure of failures) {
  const indented = (failure.error ?? '').replace(/^/gm, '    ')
  process.stdout.write(`\n✖ ${titleOf(failure)}\n${indented}\n`)
}
const report = reportOf(progress.results, progress.seconds)
const cpu = report.cpuSeconds === null ? '' : `, ${report.cpuSeconds.toFixed(1)} s of CPU`
process.stdout.write(
  `\n${summarize(progress.results)}\n${report.seconds.toFixed(1)} s${cpu}\n${notRun()}`,
)
saveReport(report)
process.exitCode = failures.length === 0 ? 0 : 1

async function runFile(runner: FileRunner, file: string, group: Group): Promise<void> {
  await progress.file(file, group.name, async (onResult) => {
    try {
      await prepare(group)
    } catch (error) {
      const text = error instanceof Error ? error.message : String(error)
      return onResult({
        outcome: 'failed',
        name: 'can be prepared',
        file: path.join(ROOT, file),
        ms: 0,
        error: text,
      })
    }
    const began = performance.now()
    const { ownProcess = false, timeoutMs = TIMEOUT_MS } = group
    const folder = group.onDisk ? temporary : memory
    const silentMs = Number(process.env.TEST_SILENT_MS ?? timeoutMs + CLEANUP_MS)
    await runner.run(
      { file, env: environment(group), ownProcess, timeoutMs, silentMs, temporary: folder },
      onResult,
    )
    durations.record(file, performance.now() - began)
  })
}

/**
 * The variables of a file. Some make tests skip: a file that is run directly has none of them and skips nothing. Others were
 * set by `prepare`, after some workers had started.
 */
function environment({ bothEngines }: Group): Readonly<Record<string, string>> {
  return {
    [RESPONSE_LEDGER]: ledger,
    TEST_RUN_FOLDER: temporary,
    TEST_SKIP: extent === 'all' ? 'long' : 'slow,long',
    TEST_ENGINES: extent === 'all' || bothEngines ? '' : 'sqlite',
    ...Object.fromEntries(Object.entries(process.env).filter(isProvided)),
  }
}

function isProvided(entry: [string, string | undefined]): entry is [string, string] {
  return PROVIDED.includes(entry[0])
}

/** Provides what the tests of a group need, once in a run. */
async function prepare({ bothEngines, chromium, installs = [] }: Group): Promise<void> {
  await Promise.all([
    ...(extent === 'all' || bothEngines ? [once('PostgreSQL', providePostgres)] : []),
    ...(chromium ? [once('Chromium', provideChromium)] : []),
    ...installs.map((folder) => once(folder, () => installSeparately(folder))),
  ])
}

function once(what: string, provide: () => Promise<unknown>): Promise<unknown> {
  const started = provided.get(what) ?? provide()
  provided.set(what, started)
  return started
}

/** Every error that the API documents list occurred in some test, and no other error occurred. */
function documentedErrors(): TestResult {
  const result = {
    name: 'every documented API error occurs in a test, and every API error in a test is documented',
    file: '',
    ms: 0,
  }
  // A failed test may have missed responses, so missing errors prove nothing.
  if (progress.results.some(({ outcome }) => outcome === 'failed')) {
    return { ...result, outcome: 'skipped' }
  }
  const problems = errorCoverageProblems(readRecordedResponses(ledger))
  return problems.length === 0
    ? { ...result, outcome: 'passed' }
    : { ...result, outcome: 'failed', error: problems.join('\n') }
}

/** What this command left out, and the command that runs it, or why it could not run it. */
function notRun(): string {
  const { CHROMIUM_MISSING } = process.env
  const inChromium = progress.results.filter(
    ({ reason }) => reason !== undefined && reason === CHROMIUM_MISSING,
  ).length
  const missing =
    inChromium === 0 ? '' : `Not run: tests in Chromium (${inChromium}). ${CHROMIUM_MISSING}\n`
  if (selected.length > 0) {
    return missing
  }
  return extent === 'all'
    ? `Not run: programs of others, long faults, soak and growth (npm run test:nightly).\n${missing}`
    : `Not run: ${SLOW_NAMES.join(', ')}, slow tests, PostgreSQL outside storage, and Biome on unchanged files (npm run test:all).\n${missing}`
}

function hasRoom(folder: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(folder)
    return bavail * bsize > ROOM_BYTES[extent]
  } catch {
    return false
  }
}
