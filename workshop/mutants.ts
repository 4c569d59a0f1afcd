import { globSync, readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import path from 'node:path'
import { startPostgres } from '../service/test/support/postgres/pg-server.ts'
import { MutatedBuild } from './mutants/mutated-build.ts'
import { EQUIVALENTS, mutantsOf, SABOTAGES } from './mutants/mutations.ts'
import { Reach } from './mutants/reach.ts'
import { type NumberedMutant, Round } from './mutants/round.ts'
import { type Selection, selectChanges, selectPaths } from './mutants/selection.ts'
import { CONSTANT_VALUES } from './mutants/switches.ts'
import type { Test } from './mutants/worker.ts'
import { inParallel, passingTests, TEST_TIMEOUT_MS, Worker } from './mutants/worker-process.ts'

// `npm run mutants`: changes the program in one place at a time and expects a failing test.
//   npm run mutants                  the sabotages of workshop/mutants/sabotages.txt; `--only=<pattern>` some of them
//   npm run mutants -- --changed     generated mutants of the lines that differ from the merge base with main, or, on main
//                                    itself, from the previous commit; what survives the quick tests meets the slow ones on
//                                    both engines, and what survives those a production build and the tests of processes
//   npm run mutants -- --since=<commit>    the same for the lines that differ from this commit
//   npm run mutants -- <path> …      generated mutants of files and folders of service/src and contract/src; quick tests only
//   … --again=<file>                 only what survived according to this output of an earlier run; no quick tests
//   … --thorough                     runs every test that reaches a mutant, not only the nearest
//   … --backwards                    checks the tests instead: prints which tests fail with each mutant, and then the tests that
//                                    are never the only one to fail; quick tests only
//   … --tests=<glob>                 runs no other test files
//   … --seconds=<number>             runs tests of this much processor time for each mutant, instead of five, or sixty if they
//                                    are slow; with --again on SQLite only

const ROOT = path.resolve(import.meta.dirname, '..')

const TEST_FILES = ['{contract,service}/src/**/*.test.ts', 'service/test/**/*.test.ts']
/** Tests that start processes and browsers, where a mutant is in the build or nowhere. */
const NOT_IN_PROCESS = /test\/(process|faults|browser)\/|dev-google-page|stand-ins\/pages/
/** Tests that run service/dist, without those that make or install a build of their own. */
const OF_PROCESSES =
  /test\/process\/(?!(binary|build|compose|docker|fresh-machine|image|kubernetes|package|release|systemd)\.)|http\/(secrets|uncaught-errors)\./

/** Marks what was caught only because a test took too long or its process ended: weaker evidence than a failure. */
const HANGS = ' (a test hangs)'

const args = process.argv.slice(2)
const options = args.filter((arg) => arg.startsWith('--'))
const paths = args.filter((arg) => !arg.startsWith('--'))
const optionValue = (option: string): string | undefined =>
  options.find((each) => each.startsWith(`${option}=`))?.slice(option.length + 1)
const earlier = optionValue('--again')
const seconds = optionValue('--seconds')
const since = optionValue('--since')
const isChange = since !== undefined || options.includes('--changed')
const isThorough = options.includes('--thorough')
const isBackwards = options.includes('--backwards')

/** What survives one meets the next. */
const ROUNDS = ['quick', 'slow', 'process'] as const
type RoundName = (typeof ROUNDS)[number]
/** How long the tests of each round may take for one mutant: processor time, except of processes. */
const SECONDS: Readonly<Record<RoundName, number>> = { quick: 5, slow: 60, process: 120 }

const print = (line: string): void => void process.stdout.write(`${line}\n`)
const survivors: string[] = []
let caught = 0
/** `problem` is null if a test failed because of the change. */
function conclude(what: string, problem: string | null): void {
  print(
    `${problem === null ? '✔ caught  ' : '✖ SURVIVED'} ${what}${problem === null ? '' : `: ${problem}`}`,
  )
  if (problem === null) {
    caught += 1
  } else {
    survivors.push(what)
  }
}
const failsUnchanged = (test: string, problem: string): void =>
  conclude(`${test} without a change`, problem)

async function runSabotages(): Promise<void> {
  const selected = SABOTAGES.filter(({ name }) =>
    new RegExp(optionValue('--only') ?? '').test(name),
  )
  const postgres = await startPostgres()
  const env = { TEST_POSTGRES_URL: postgres.url, TEST_SKIP: 'long' }
  const files = [...new Set(selected.map(({ test }) => test))]
  const tests = await passingTests(files, () => env, { onFailure: failsUnchanged })
  await inParallel(selected, async (sabotage) => {
    const own = tests
      .filter(({ file }) => file === sabotage.test)
      .sort((one, other) => one.ms - other.ms)
    // The shared server has a database that was migrated without the sabotage, of which tests take copies.
    const server = sabotage.file.includes('/migrations') ? await startPostgres() : postgres
    const worker = new Worker({ ...env, TEST_POSTGRES_URL: server.url, SABOTAGE: sabotage.name })
    const report = await worker.run(
      { type: 'mutant', id: -1, tests: own.map(({ key }) => key) },
      () => TEST_TIMEOUT_MS,
    )
    worker.stop()
    if (server !== postgres) {
      await server.stop()
    }
    const error =
      report?.failure?.key === '' ? `its test doesn't load: ${report.failure.error}` : null
    conclude(
      sabotage.name + (report === null ? HANGS : ''),
      report?.failure === null ? `no test of ${sabotage.test} fails` : error,
    )
  })
  await postgres.stop()
}

function selectedRounds(): readonly RoundName[] {
  if (earlier !== undefined) {
    return ROUNDS.slice(1)
  }
  return isChange && !isBackwards ? ROUNDS : ROUNDS.slice(0, 1)
}

async function runGenerated(selection: Selection): Promise<void> {
  const firstIds: Record<string, number> = {}
  const all: NumberedMutant[] = []
  for (const file of selection.keys()) {
    const firstId = all.length
    firstIds[file] = firstId
    const { mutants } = mutantsOf(readFileSync(path.join(ROOT, file), 'utf8'), firstId)
    all.push(...mutants.map((mutant, index) => ({ ...mutant, file, id: firstId + index })))
  }
  const isEquivalent = ({ file, original, mutated }: NumberedMutant): boolean =>
    EQUIVALENTS.some(
      (each) => each.file === file && each.original === original && each.mutated === mutated,
    )
  const survived = earlier === undefined ? null : readFileSync(earlier, 'utf8')
  // Lines may have moved since.
  const isAgain = ({ file, original, mutated }: NumberedMutant): boolean =>
    survived?.match(
      new RegExp(
        `SURVIVED ${RegExp.escape(file)}:\\d+  ${RegExp.escape(`${original} → ${mutated}`)}(:|$)`,
        'm',
      ),
    ) !== null
  let left: readonly NumberedMutant[] = all.filter(
    (mutant) =>
      selection.get(mutant.file)?.(mutant.line) && !isEquivalent(mutant) && isAgain(mutant),
  )
  const rounds = selectedRounds()
  for (const round of rounds) {
    if (left.length > 0) {
      left = await runRound(round, round === rounds.at(-1), left, firstIds, (id) => all[id]?.file)
    }
  }
}

/** Returns the mutants that no test of the round has caught. In the last round, they are failures. */
async function runRound(
  name: RoundName,
  isLast: boolean,
  mutants: readonly NumberedMutant[],
  firstIds: Readonly<Record<string, number>>,
  fileOf: (id: number) => string | undefined,
): Promise<readonly NumberedMutant[]> {
  const sources = [...new Set(mutants.map(({ file }) => file))]
  const usesPostgres =
    sources.some((file) => file.startsWith('service/src/storage/')) ||
    (name !== 'quick' && seconds === undefined)
  const postgres = usesPostgres ? await startPostgres() : undefined
  const lanes = name === 'process' ? Array.from({ length: availableParallelism() }) : []
  const builds = await Promise.all(lanes.map(() => MutatedBuild.make(firstIds)))
  const shared = {
    MUTATED_FILES: JSON.stringify(firstIds),
    TEST_SKIP: name === 'quick' ? 'slow,long' : 'long',
    ...(postgres === undefined ? { TEST_ENGINES: 'sqlite' } : { TEST_POSTGRES_URL: postgres.url }),
  }
  const env = (lane: number): NodeJS.ProcessEnv => ({
    ...shared,
    TEST_BUILD_FOLDER: builds[lane]?.folder,
  })

  const reach = new Reach(name, sources)
  const isInRound = (file: string): boolean =>
    name === 'process'
      ? OF_PROCESSES.test(file)
      : !NOT_IN_PROCESS.test(file) &&
        !OF_PROCESSES.test(file) &&
        (usesPostgres || !file.includes('storage/postgres/')) &&
        (isThorough || reach.includes(file))
  const testFiles = globSync(optionValue('--tests') ?? TEST_FILES, { cwd: ROOT }).filter(isInRound)
  print(
    `${mutants.length} mutants in ${sources.length} files; first, ${testFiles.length} ${name} test files without them`,
  )
  const tests = await passingTests(testFiles, env, {
    onReport: (file, { ran }) => reach.record(file, ran),
    // Some tests of processes expect the build that ships.
    onFailure:
      name === 'process' ? (test) => print(`? fails without a mutant: ${test}`) : failsUnchanged,
  })
  reach.save()

  const budgetMs = isThorough ? Number.POSITIVE_INFINITY : 1_000 * Number(seconds ?? SECONDS[name])
  const round = new Round(tests, { env, budgetMs, fileOf })
  const left = isBackwards
    ? await compareTests(mutants, tests, round)
    : await checkMutants(mutants, round, name, isLast)
  round.stop()
  for (const build of builds) {
    build.remove()
  }
  await postgres?.stop()
  return left
}

/** Returns the mutants that no test has caught. */
async function checkMutants(
  mutants: readonly NumberedMutant[],
  round: Round,
  name: RoundName,
  isLast: boolean,
): Promise<readonly NumberedMutant[]> {
  const left: NumberedMutant[] = []
  await inParallel(mutants, async (mutant, lane) => {
    const { caughtBy, reaching, run } = await round.check(mutant, lane)
    const what = nameOf(mutant)
    if (caughtBy !== null) {
      return conclude(what + (caughtBy === 'hang' ? HANGS : ''), null)
    }
    if (reaching === 0 && name !== 'process' && isConstant(mutant)) {
      return
    }
    const passing = [...(mutant.passing ?? []), `${run} of ${reaching} ${name}`]
    left.push({ ...mutant, passing })
    const problem = `${passing.join(', ')} tests that reach it pass`
    if (isLast) {
      conclude(what, problem)
    } else {
      print(`· not yet   ${what}: ${problem}`)
    }
  })
  return left
}

/**
 * Prints which tests fail with each mutant. A test that never fails alone may be one too many: what it catches, other tests
 * catch too.
 */
async function compareTests(
  mutants: readonly NumberedMutant[],
  tests: readonly Test[],
  round: Round,
): Promise<readonly NumberedMutant[]> {
  const catches = new Map<string, number>()
  const failingAlone = new Set<string>()
  const reached = new Set(tests.flatMap((test) => test.reached))
  const compared = mutants.filter((mutant) => reached.has(mutant.id) || !isConstant(mutant))
  await inParallel(compared, async (mutant, lane) => {
    const failing = (await round.failing(mutant, lane)).map(({ key }) => key)
    conclude(nameOf(mutant), failing.length === 0 ? 'every test passes' : null)
    for (const test of failing) {
      print(`    ${test}`)
      catches.set(test, (catches.get(test) ?? 0) + 1)
    }
    const [only] = failing
    if (only !== undefined && failing.length === 1) {
      failingAlone.add(only)
    }
  })

  // Tests of other files only pass through these sources.
  const isAboutThem = ({ file }: Test): boolean =>
    tests.some((test) => test.file === file && catches.has(test.key))
  print('\nNever the only test that fails:')
  for (const test of tests.filter(isAboutThem)) {
    if (test.reached.length > 0 && !failingAlone.has(test.key)) {
      const count = catches.get(test.key) ?? 0
      print(`${test.key}: fails with ${count} of the ${test.reached.length} mutants it reaches`)
    }
  }
  return []
}

/** Not reached, it is a constant that is not a number, or one that other mutants of the same lines tell about. */
const isConstant = ({ mutated }: NumberedMutant): boolean =>
  CONSTANT_VALUES.map(String).includes(mutated)

const nameOf = ({ file, line, original, mutated }: NumberedMutant): string =>
  `${file}:${line}  ${original} → ${mutated}`

if (isChange) {
  await runGenerated(selectChanges(since))
} else if (paths.length > 0) {
  await runGenerated(selectPaths(paths))
} else {
  await runSabotages()
}

if (survivors.length > 0) {
  print(`\nSurvivors:\n${survivors.join('\n')}`)
}
print(`\n${caught} passed, ${survivors.length} failed`)
process.exit(survivors.length === 0 ? 0 : 1)
