import { type ChildProcess, execFileSync, fork } from 'node:child_process'
import { hash } from 'node:crypto'
import {
  chmodSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { availableParallelism, loadavg, tmpdir } from 'node:os'
import path from 'node:path'
import { startPostgres } from '../service/test/support/postgres/pg-server.ts'
import { CONSTANT_VALUES, EQUIVALENTS, type Mutant, mutantsOf, SABOTAGES } from './mutants/mutations.ts'
import type { Command, Report, Test } from './mutants/worker.ts'

// `npm run mutants`: changes the program in one place at a time and expects a failing test.
//   npm run mutants                  the sabotages of scripts/mutants/sabotages.txt; `--only=<pattern>` some of them
//   npm run mutants -- --changed     generated mutants of the lines that differ from the merge base with main, or, on main
//                                    itself, from the previous commit
//   npm run mutants -- <path> …      generated mutants of files and folders of service/src and contract/src
//   … --thorough                     runs every test that reaches a mutant, not only the nearest
//   … --again=<file>                 only what survived according to this output of an earlier run, with slow tests; thorough
//                                    and on both engines, unless --seconds is given
//   … --tests=<glob>                 runs no other test files
//   … --seconds=<number>             runs tests of this much processor time for each mutant, instead of five

const ROOT = path.resolve(import.meta.dirname, '..')

/** The tests of `npm test`, without those that start processes and browsers, where a mutant can't be switched on. */
const TEST_FILES = ['{contract,service}/src/**/*.test.ts', 'service/test/**/*.test.ts']
const NOT_IN_PROCESS = /test\/(process|faults|interop|browser)\/|dev-google-page|stand-ins\/pages/

/** A mutant hangs a test if the test takes this long, and much longer than without the mutant; on a busy machine longer. */
const HANG_MS = 10_000
const hangMs = (): number => HANG_MS * Math.max(1, (loadavg()[0] ?? 0) / availableParallelism())
const HANG_FACTOR = 20
/** The error of a test that needs the other engine and is run without it. */
const NEEDS_POSTGRES = 'This run has no PostgreSQL'
/** Marks what was caught only because a test took too long or its process ended: weaker evidence than a failure. */
const HANGS = ' (a test hangs)'
/** Longer than any test takes without a mutant. */
const TEST_TIMEOUT_MS = 120_000
/** Every test leaves some memory behind. A worker that has this much is replaced. */
const WORKER_MEGABYTES = 1_500

const REACH_FILE = path.join(ROOT, 'node_modules/.cache/mutants/reach.json')

interface NumberedMutant extends Mutant {
  readonly id: number
  readonly file: string
}

const args = process.argv.slice(2)
const options = args.filter((arg) => arg.startsWith('--'))
const paths = args.filter((arg) => !arg.startsWith('--'))
const optionValue = (option: string): string | undefined =>
  options.find((each) => each.startsWith(`${option}=`))?.slice(option.length + 1)
const earlier = optionValue('--again')
const isThorough = options.includes('--thorough') || (earlier !== undefined && optionValue('--seconds') === undefined)
/** A mutant survives if tests that need this much processor time together, the nearest first, don't notice it. */
const BUDGET_MS = 1_000 * Number(optionValue('--seconds') ?? 5)

const print = (line: string): void => void process.stdout.write(`${line}\n`)
const survivors: string[] = []
let caught = 0
/** `problem` is null if a test failed because of the change. */
function conclude(what: string, problem: string | null): void {
  print(`${problem === null ? '✔ caught  ' : '✖ SURVIVED'} ${what}${problem === null ? '' : `: ${problem}`}`)
  if (problem === null) caught += 1
  else survivors.push(what)
}

/** Runs tests in a child process, in the folder `TMPDIR` of its own. */
class Worker {
  readonly #folder = mkdtempSync(path.join(tmpdir(), 'gatehouse-mutants-'))
  readonly #child: ChildProcess

  constructor(env: NodeJS.ProcessEnv) {
    // PostgreSQL runs as another user.
    chmodSync(this.#folder, 0o755)
    this.#child = fork(path.join(import.meta.dirname, 'mutants/worker.ts'), {
      cwd: ROOT,
      env: { ...process.env, TEST_SKIP: 'slow,long', ...env, TMPDIR: this.#folder },
      execArgv: ['--disable-warning=ExperimentalWarning', '--enable-source-maps=false'],
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    })
  }

  /** The report of a command; null if a test takes longer than its time limit, or ends the process. */
  async run(command: Command, timeLimit: (test: string) => number): Promise<Report | null> {
    const { promise, resolve } = Promise.withResolvers<Report | null>()
    let timer: NodeJS.Timeout | undefined
    const listen = (message: Report | { readonly started: string }): void => {
      clearTimeout(timer)
      if ('started' in message) timer = setTimeout(resolve, timeLimit(message.started), null)
      else resolve(message)
    }
    const end = (): void => resolve(null)
    this.#child.on('message', listen).once('exit', end).send(command)
    const report = await promise
    clearTimeout(timer)
    this.#child.off('message', listen).off('exit', end)
    return report
  }

  stop(): void {
    this.#child.kill('SIGKILL')
    rmSync(this.#folder, { recursive: true, force: true, maxRetries: 10 })
  }
}

/** Runs generated mutants, each lane in a worker of its own that has loaded the service with all mutants. */
class GeneratedRun {
  readonly #env: NodeJS.ProcessEnv
  readonly #tests: ReadonlyMap<string, Test>
  /** The tests that reach each mutant. */
  readonly #reaching = new Map<number, Test[]>()
  readonly #workers: (Worker | undefined)[] = []
  /** How many mutants of a file each test has caught. Such a test probably catches the next one too. */
  readonly #catches = new Map<string, number>()
  readonly #specificities = new Map<string, number>()
  readonly #fileOf: (id: number) => string | undefined

  constructor(tests: readonly Test[], env: NodeJS.ProcessEnv, fileOf: (id: number) => string | undefined) {
    this.#env = env
    this.#fileOf = fileOf
    this.#tests = new Map(tests.map((test) => [test.key, test]))
    for (const test of tests) {
      for (const id of test.reached) this.#reaching.set(id, [...(this.#reaching.get(id) ?? []), test])
    }
  }

  async check(mutant: NumberedMutant, lane: number): Promise<void> {
    const reaching = this.#reaching.get(mutant.id) ?? []
    // A constant that is not a number, or that other mutants of the same lines tell about.
    if (reaching.length === 0 && CONSTANT_VALUES.map(String).includes(mutant.mutated)) return
    const tests = this.#nearest(mutant.file, reaching)
    const what = `${mutant.file}:${mutant.line}  ${mutant.original} → ${mutant.mutated}`
    const caughtBy = await this.#caughtBy(mutant, tests, lane)
    if (caughtBy !== null) conclude(what + (caughtBy === 'hang' ? HANGS : ''), null)
    else conclude(what, `${tests.length} of ${reaching.length} tests that reach it pass`)
  }

  /** The cheapest and most specific tests first, as many as the budget allows. */
  #nearest(file: string, reaching: readonly Test[]): readonly Test[] {
    const cost = (test: Test): number =>
      test.ms / ((1 + (this.#catches.get(`${file} ${test.key}`) ?? 0)) * this.#specificity(file, test))
    const sorted = reaching.toSorted((one, other) => cost(one) - cost(other))
    let total = 0
    const isAffordable = ({ ms }: Test): boolean => {
      total += ms
      return total - ms < BUDGET_MS
    }
    return isThorough ? sorted : sorted.filter(isAffordable)
  }

  /**
   * How much a test is about a file: the mutants of the file that it reaches, each divided by how many tests do. A test that
   * only signs in to prepare reaches what all others reach.
   */
  #specificity(file: string, { key, reached }: Test): number {
    const known = this.#specificities.get(`${file} ${key}`)
    if (known !== undefined) return known
    const ofFile = reached.filter((id) => this.#fileOf(id) === file)
    const sum = ofFile.reduce((total, id) => total + 1 / (this.#reaching.get(id)?.length ?? 1), 0)
    const specificity = sum * (1 + sharedWords(file, key))
    this.#specificities.set(`${file} ${key}`, specificity)
    return specificity
  }

  async #caughtBy(
    { id, file }: NumberedMutant,
    tests: readonly Test[],
    lane: number,
  ): Promise<'failure' | 'hang' | null> {
    for (let rest = tests; rest.length > 0; ) {
      const failed = await this.#firstFailure(id, rest, lane)
      if (failed === null || failed === 'hang') return failed
      const { key, passesWithout } = failed
      if (key === '') throw new Error(failed.error)
      if (passesWithout || (await this.#failsInFreshWorker(id, key, lane))) {
        this.#catches.set(`${file} ${key}`, (this.#catches.get(`${file} ${key}`) ?? 0) + 1)
        return 'failure'
      }
      print(`? fails without a mutant too: ${key}: ${failed.error}`)
      rest = rest.slice(rest.findIndex((test) => test.key === key) + 1)
    }
    return null
  }

  /** A mutant may leave the process in a state in which the test fails without it too. */
  async #failsInFreshWorker(id: number, key: string, lane: number): Promise<boolean> {
    this.#stopWorker(lane)
    const test = this.#tests.get(key)
    if (test === undefined) return false
    const fails =
      (await this.#firstFailure(-1, [test], lane)) === null && (await this.#firstFailure(id, [test], lane)) !== null
    this.#stopWorker(lane)
    return fails
  }

  async #firstFailure(id: number, tests: readonly Test[], lane: number) {
    const worker = this.#workers[lane] ?? (await this.#warmWorker(tests))
    this.#workers[lane] = worker
    const report = await worker.run(
      { type: 'mutant', id, tests: tests.map(({ key }) => key) },
      (key) => hangMs() + HANG_FACTOR * (this.#tests.get(key)?.ms ?? 0),
    )
    if (report === null || report.megabytes > WORKER_MEGABYTES) this.#stopWorker(lane)
    return report === null ? 'hang' : report.failure
  }

  /** A worker that has run a test: the first one loads the service and migrates a database, which may seem to be a hang. */
  async #warmWorker(tests: readonly Test[]): Promise<Worker> {
    const worker = new Worker(this.#env)
    await worker.run({ type: 'mutant', id: -1, tests: tests.slice(0, 1).map(({ key }) => key) }, () => TEST_TIMEOUT_MS)
    return worker
  }

  #stopWorker(lane: number): void {
    this.#workers[lane]?.stop()
    this.#workers[lane] = undefined
  }

  stop(): void {
    for (const lane of this.#workers.keys()) this.#stopWorker(lane)
  }
}

/** How many words of a source's path are in the path of a test: `consent` of login/skip-consent.ts. */
const sharedWords = (source: string, test: string): number =>
  new Set(source.match(/[a-z]{4,}/g)).intersection(new Set(test.match(/[a-z]{4,}/g))).size

/** The tests that pass in an unchanged program. The others are listed, and count as failures. */
async function passingTests(
  files: readonly string[],
  env: NodeJS.ProcessEnv,
  onReport: (file: string, report: Report) => void = () => undefined,
): Promise<readonly Test[]> {
  const tests: Test[] = []
  const workers: (Worker | undefined)[] = []
  await inParallel(files, async (file, lane) => {
    const worker = workers[lane] ?? new Worker(env)
    workers[lane] = worker
    const report = await worker.run({ type: 'file', file }, () => TEST_TIMEOUT_MS + hangMs())
    if (report === null) {
      worker.stop()
      workers[lane] = undefined
    }
    // A file that doesn't load has run nothing.
    else if (report.failure?.key !== '') onReport(file, report)
    tests.push(...(report?.tests ?? []))
    const problem = report === null ? 'hangs or ends the process' : (report.failure?.error ?? null)
    if (problem !== null && !problem.startsWith(NEEDS_POSTGRES))
      conclude(`${report?.failure?.key ?? file} without a change`, problem)
  })
  for (const worker of workers) worker?.stop()
  return tests
}

/**
 * Which sources each test file ran when it was last run. A source that has since got a new caller may be missing; after
 * a change of the test file, or with `--thorough`, it is run again whatever this says.
 */
class Reach {
  readonly #sources: readonly string[]
  readonly #known: Record<string, { readonly digest: string; readonly ran: readonly string[] }>

  constructor(sources: readonly string[]) {
    this.#known = existsSync(REACH_FILE) ? JSON.parse(readFileSync(REACH_FILE, 'utf8')) : {}
    const everything = new Set(Object.values(this.#known).flatMap(({ ran }) => ran))
    this.#sources = sources.filter((source) => everything.has(source))
  }

  includes(file: string): boolean {
    const known = this.#known[file]
    if (isThorough || this.#sources.length === 0 || known?.digest !== digestOf(file)) return true
    return this.#sources.some((source) => known.ran.includes(source))
  }

  record(file: string, ran: readonly string[]): void {
    this.#known[file] = { digest: digestOf(file), ran: ran.filter(isSource) }
  }

  save(): void {
    mkdirSync(path.dirname(REACH_FILE), { recursive: true })
    writeFileSync(REACH_FILE, JSON.stringify(this.#known))
  }
}

const digestOf = (file: string): string => hash('sha256', readFileSync(path.join(ROOT, file)))

async function inParallel<T>(all: readonly T[], run: (each: T, lane: number) => Promise<void>): Promise<void> {
  const waiting = all.values()
  const lane = async (index: number): Promise<void> => {
    for (const each of waiting) await run(each, index)
  }
  await Promise.all(Array.from({ length: availableParallelism() }, (_, index) => lane(index)))
}

async function runSabotages(): Promise<void> {
  const selected = SABOTAGES.filter(({ name }) => new RegExp(optionValue('--only') ?? '').test(name))
  const postgres = await startPostgres()
  const env = { TEST_POSTGRES_URL: postgres.url, TEST_SKIP: 'long' }
  const tests = await passingTests([...new Set(selected.map(({ test }) => test))], env)
  await inParallel(selected, async (sabotage) => {
    const own = tests.filter(({ file }) => file === sabotage.test).sort((one, other) => one.ms - other.ms)
    // The shared server has a database that was migrated without the sabotage, of which tests take copies.
    const server = sabotage.file.includes('/migrations') ? await startPostgres() : postgres
    const worker = new Worker({ ...env, TEST_POSTGRES_URL: server.url, SABOTAGE: sabotage.name })
    const report = await worker.run({ type: 'mutant', id: -1, tests: own.map(({ key }) => key) }, () => TEST_TIMEOUT_MS)
    worker.stop()
    if (server !== postgres) await server.stop()
    const error = report?.failure?.key === '' ? `its test doesn't load: ${report.failure.error}` : null
    const hang = report === null ? HANGS : ''
    conclude(sabotage.name + hang, report?.failure === null ? `no test of ${sabotage.test} fails` : error)
  })
  await postgres.stop()
}

/** `isSelected` says for each file which of its lines. */
async function runGenerated(isSelected: ReadonlyMap<string, (line: number) => boolean>): Promise<void> {
  const firstIds: Record<string, number> = {}
  const all: NumberedMutant[] = []
  for (const file of isSelected.keys()) {
    const firstId = all.length
    firstIds[file] = firstId
    const { mutants } = mutantsOf(readFileSync(path.join(ROOT, file), 'utf8'), firstId)
    all.push(...mutants.map((mutant, index) => ({ ...mutant, file, id: firstId + index })))
  }
  const isEquivalent = ({ file, original, mutated }: NumberedMutant): boolean =>
    EQUIVALENTS.some((each) => each.file === file && each.original === original && each.mutated === mutated)
  const survived = earlier === undefined ? null : readFileSync(earlier, 'utf8')
  // Lines may have moved since.
  const isAgain = ({ file, original, mutated }: NumberedMutant): boolean =>
    survived?.match(
      new RegExp(`SURVIVED ${RegExp.escape(file)}:\\d+  ${RegExp.escape(`${original} → ${mutated}`)}(:|$)`, 'm'),
    ) !== null
  const mutants = all.filter(
    (mutant) => isSelected.get(mutant.file)?.(mutant.line) && !isEquivalent(mutant) && isAgain(mutant),
  )
  if (mutants.length === 0) return

  const needsPostgres =
    (earlier !== undefined && isThorough) ||
    [...isSelected.keys()].some((file) => file.startsWith('service/src/storage/'))
  const postgres = needsPostgres ? await startPostgres() : undefined
  const env = {
    MUTATED_FILES: JSON.stringify(firstIds),
    ...(earlier === undefined ? {} : { TEST_SKIP: 'long' }),
    ...(postgres === undefined ? { TEST_ENGINES: 'sqlite' } : { TEST_POSTGRES_URL: postgres.url }),
  }
  const reach = new Reach([...isSelected.keys()])
  const testFiles = globSync(optionValue('--tests') ?? TEST_FILES, { cwd: ROOT }).filter(
    (file) =>
      !NOT_IN_PROCESS.test(file) && (needsPostgres || !file.includes('storage/postgres/')) && reach.includes(file),
  )
  print(`${mutants.length} mutants in ${isSelected.size} files; first, ${testFiles.length} test files without them`)
  const tests = await passingTests(testFiles, env, (file, { ran }) => reach.record(file, ran))
  reach.save()
  const run = new GeneratedRun(tests, env, (id) => all[id]?.file)
  await inParallel(mutants, (mutant, lane) => run.check(mutant, lane))
  run.stop()
  await postgres?.stop()
}

function sourcesIn(fileOrFolder: string): readonly string[] {
  const isFolder = statSync(path.join(ROOT, fileOrFolder)).isDirectory()
  const files = isFolder ? globSync(path.join(fileOrFolder, '**/*.ts'), { cwd: ROOT }) : [path.normalize(fileOrFolder)]
  return files.filter(isSource).sort()
}

const isSource = (file: string): boolean => /^(service|contract)\/src\/.*\.ts$/.test(file) && !file.endsWith('.test.ts')

function changedLines(): ReadonlyMap<string, (line: number) => boolean> {
  const git = (...command: readonly string[]): string =>
    execFileSync('git', command, { cwd: ROOT, encoding: 'utf8' }).trim()
  const mergeBase = git('merge-base', 'HEAD', 'main')
  const base = mergeBase === git('rev-parse', 'HEAD') ? 'HEAD~' : mergeBase
  print(`Changes since ${git('log', '-1', '--format=%h %s', base)}`)
  const lines = new Map<string, Set<number>>()
  let file = ''
  for (const line of git('diff', '-U0', '--no-renames', base).split('\n')) {
    file = /^\+\+\+ b\/(.*)/.exec(line)?.[1] ?? file
    const hunk = /^@@ \S+ \+(\d+),?(\d*)/.exec(line)
    if (hunk === null || !isSource(file)) continue
    const [, from, count] = hunk
    const numbers = Array.from({ length: Number(count || 1) }, (_, index) => Number(from) + index)
    lines.set(file, (lines.get(file) ?? new Set()).union(new Set(numbers)))
  }
  const added = git('ls-files', '--others', '--exclude-standard').split('\n').filter(isSource)
  return new Map([
    ...[...lines].map(([name, changed]) => [name, (line: number) => changed.has(line)] as const),
    ...added.map((name) => [name, () => true] as const),
  ])
}

if (options.includes('--changed')) await runGenerated(changedLines())
else if (paths.length > 0) await runGenerated(new Map(paths.flatMap(sourcesIn).map((file) => [file, () => true])))
else await runSabotages()

if (survivors.length > 0) print(`\nSurvivors:\n${survivors.join('\n')}`)
print(`\n${caught} passed, ${survivors.length} failed`)
process.exit(survivors.length === 0 ? 0 : 1)
