import fs, { readdirSync, readFileSync, rmSync } from 'node:fs'
import { type Profiler, Session } from 'node:inspector/promises'
import { registerHooks, syncBuiltinESMExports } from 'node:module'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { mock, type TestContext, type TestOptions } from 'node:test'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { switchOn, takeReached } from './mutated-build.ts'
import { mutantsOf, SABOTAGES, sabotaged } from './mutations.ts'
import { switches } from './switches.ts'

// Started by workshop/mutants.ts. Loads the service once, with every mutant in it, and then runs single tests with one
// mutant switched on. `node:test` cannot run a test twice or stop at the first failure, so tests register here instead.

const ROOT = path.resolve(import.meta.dirname, '../..')
const ROOT_URL = `${pathToFileURL(ROOT).href}/`

/** A test that passes in the unchanged program. */
export interface Test {
  /** `file › position name` */
  readonly key: string
  readonly file: string
  /** Processor time, which does not depend on what else the machine does; for tests of processes, the time that passes. */
  readonly ms: number
  /** The mutants that would have made a difference to it. */
  readonly reached: readonly number[]
}

export interface Failure {
  /** Empty if a file doesn't load. */
  readonly key: string
  readonly error: string
  /** Whether the same test passes in this process without the mutant. */
  readonly passesWithout: boolean
}

export type Command =
  /** Runs all tests of a file. */
  | { readonly type: 'file'; readonly file: string }
  /** Runs tests, given by their keys, with a mutant, until one fails. */
  | { readonly type: 'mutant'; readonly id: number; readonly tests: readonly string[] }

export interface Report {
  readonly failure: Failure | null
  readonly tests: readonly Test[]
  /** The files of which a function ran, after they were loaded. */
  readonly ran: readonly string[]
  readonly megabytes: number
}

type Found = Omit<Report, 'megabytes'>

const sabotage = SABOTAGES.find(({ name }) => name === process.env.SABOTAGE)

/** The first id of each file with mutants. */
const firstIds = JSON.parse(process.env.MUTATED_FILES ?? '{}') as Readonly<Record<string, number>>

type Hook = () => unknown
type TestFunction = (t: TestContext) => unknown

interface RegisteredTest {
  readonly name: string
  readonly run: TestFunction
}

interface TestFile {
  readonly file: string
  /** By key. */
  readonly tests: Map<string, RegisteredTest>
  readonly before: Hook[]
  readonly beforeEach: Hook[]
  readonly after: Hook[]
}

const emptyFile = (file: string): TestFile => ({
  file,
  tests: new Map(),
  before: [],
  beforeEach: [],
  after: [],
})

const files = new Map<string, Promise<TestFile>>()
let registering = emptyFile('')

let active = -1
const reached = new Set<number>()

Object.assign(
  globalThis,
  switches(
    () => active,
    (id) => reached.add(id),
  ),
)

/** A build whose processes have the mutants, too: a folder. */
const mutatedBuild = process.env.TEST_BUILD_FOLDER

function switchTo(id: number): void {
  active = id
  if (mutatedBuild !== undefined) {
    switchOn(mutatedBuild, id)
  }
}

function takeAllReached(): readonly number[] {
  const ids = [...reached, ...(mutatedBuild === undefined ? [] : takeReached(mutatedBuild))]
  reached.clear()
  return [...new Set(ids)]
}

Object.assign(globalThis, {
  $nodeTest: {
    test: register,
    it: register,
    describe: (...args: readonly unknown[]) => (args.at(-1) as Hook)(),
    before: (hook: Hook) => void registering.before.push(hook),
    beforeEach: (hook: Hook) => void registering.beforeEach.push(hook),
    after: (hook: Hook) => void registering.after.push(hook),
    mock,
  },
})

registerHooks({
  resolve: (specifier, context, next) =>
    specifier === 'node:test'
      ? { url: 'gatehouse:node-test', shortCircuit: true }
      : next(specifier, context),
  load(url, context, next) {
    if (url === 'gatehouse:node-test') {
      return { format: 'module', source: NODE_TEST, shortCircuit: true }
    }
    const file = url.startsWith('file:') ? path.relative(ROOT, fileURLToPath(url)) : ''
    const source = (): string => readFileSync(path.join(ROOT, file), 'utf8')
    if (file === sabotage?.file) {
      return {
        format: 'module-typescript',
        source: sabotaged(source(), sabotage),
        shortCircuit: true,
      }
    }
    const firstId = firstIds[file]
    if (firstId === undefined) {
      return next(url, context)
    }
    return { format: 'module', source: mutantsOf(source(), firstId).code, shortCircuit: true }
  },
})

// SQL is read as a file when the service starts.
if (sabotage?.file.endsWith('.sql')) {
  const text = sabotaged(readFileSync(path.join(ROOT, sabotage.file), 'utf8'), sabotage)
  const isSabotaged = (file: unknown): boolean =>
    file instanceof URL &&
    file.protocol === 'file:' &&
    path.relative(ROOT, fileURLToPath(file)) === sabotage.file
  const read = fs.readFileSync as (...args: unknown[]) => unknown
  Object.assign(fs, {
    readFileSync: (...args: unknown[]) => (isSabotaged(args[0]) ? text : read(...args)),
  })
  syncBuiltinESMExports()
}

const NODE_TEST =
  'export const { test, it, describe, before, beforeEach, after, mock } = globalThis.$nodeTest'

function register(name: string, ...rest: readonly unknown[]): void {
  const { skip = false } = rest.length > 1 ? (rest[0] as TestOptions) : {}
  if (skip !== false) {
    return
  }
  const { file, tests } = registering
  tests.set(`${file} › ${tests.size} ${name}`, { name, run: rest.at(-1) as TestFunction })
}

async function registerFile(file: string): Promise<TestFile> {
  registering = emptyFile(file)
  const own = registering
  await import(pathToFileURL(path.join(ROOT, file)).href)
  return own
}

function load(file: string): Promise<TestFile> {
  const loading = files.get(file) ?? registerFile(file)
  files.set(file, loading)
  return loading
}

/** Fails the running test. Without this, an exception outside its promise would end the process. */
let interrupt: (error: unknown) => void = () => undefined
process.on('uncaughtException', (error) => interrupt(error))
process.on('unhandledRejection', (error) => interrupt(error))

/** The error of a test, or null. */
async function errorOf(file: string, { name, run }: RegisteredTest): Promise<unknown> {
  const { before, beforeEach, after } = await load(file)
  const afterTest: Hook[] = []
  const end = new AbortController()
  const mocks = new (mock.constructor as new () => typeof mock)()
  const context = {
    name,
    signal: end.signal,
    mock: mocks,
    after: (hook: Hook) => void afterTest.push(hook),
    diagnostic: () => undefined,
    skip: () => undefined,
  } as unknown as TestContext
  const interrupted = new Promise<never>((_, reject) => {
    interrupt = reject
  })
  interrupted.catch(() => undefined)
  const errors: unknown[] = []
  const attempt = async (step: Hook): Promise<void> => {
    try {
      await Promise.race([step(), interrupted])
    } catch (error) {
      errors.push(error)
    }
  }
  for (const step of [...before, ...beforeEach, () => run(context)]) {
    if (errors.length === 0) {
      await attempt(step)
    }
  }
  for (const step of [...afterTest, ...after]) {
    await attempt(step)
  }
  mocks.reset()
  end.abort()
  return errors.length === 0 ? null : (errors[0] ?? 'no error')
}

/** Counts the functions that V8 calls. */
const profiler = new Session()
profiler.connect()
await profiler.post('Profiler.enable')
await profiler.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })

/** The files of the repository of which a function was called since the last time. */
async function filesRun(): Promise<string[]> {
  const { result } = await profiler.post('Profiler.takePreciseCoverage')
  // The module itself begins at 0.
  const isCalled = ({ ranges: [range] }: Profiler.FunctionCoverage): boolean =>
    range !== undefined && range.startOffset > 0 && range.count > 0
  return result
    .filter(({ url, functions }) => url.startsWith(ROOT_URL) && functions.some(isCalled))
    .map(({ url }) => url.slice(ROOT_URL.length))
}

const messageOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error)

/** Measures processor time. A test that starts processes mostly waits for them, so its time is the time that passes. */
function stopwatch(): () => number {
  const [cpu, now] = [process.cpuUsage(), performance.now()]
  if (mutatedBuild !== undefined) {
    return () => performance.now() - now
  }
  return () => {
    const { user, system } = process.cpuUsage(cpu)
    return (user + system) / 1_000
  }
}

async function runFile(file: string): Promise<Found> {
  const passed: Test[] = []
  let failure: Failure | null = null
  const { tests } = await load(file)
  await filesRun()
  for (const [key, test] of tests) {
    process.send?.({ started: key })
    takeAllReached()
    const elapsedMs = stopwatch()
    const error = await errorOf(file, test)
    if (error === null) {
      passed.push({ key, file, ms: elapsedMs(), reached: takeAllReached() })
    } else {
      failure ??= { key, error: messageOf(error), passesWithout: false }
    }
  }
  return { tests: passed, failure, ran: await filesRun() }
}

async function firstFailure(id: number, keys: readonly string[]): Promise<Failure | null> {
  for (const key of keys) {
    const [file = ''] = key.split(' › ')
    const test = (await load(file)).tests.get(key)
    if (test === undefined) {
      throw new Error(`There is no test ${key}`)
    }
    process.send?.({ started: key })
    switchTo(id)
    const error = await errorOf(file, test)
    switchTo(-1)
    if (error === null) {
      continue
    }
    process.send?.({ started: key })
    return { key, error: messageOf(error), passesWithout: (await errorOf(file, test)) === null }
  }
  return null
}

// Of a run that was stopped. Processes that tests started are in the same group.
process.on('disconnect', () => process.kill(0, 'SIGKILL'))

process.on('message', async (command: Command) => {
  const nothing: Found = { failure: null, tests: [], ran: [] }
  let found: Found
  try {
    found =
      command.type === 'file'
        ? await runFile(command.file)
        : { ...nothing, failure: await firstFailure(command.id, command.tests) }
  } catch (error) {
    found = { ...nothing, failure: { key: '', error: messageOf(error), passesWithout: false } }
  }
  // Databases of finished tests.
  for (const name of readdirSync(tmpdir())) {
    if (name.startsWith('gatehouse-test-')) {
      rmSync(path.join(tmpdir(), name), { recursive: true, force: true })
    }
  }
  process.send?.({ ...found, megabytes: process.memoryUsage.rss() / 2 ** 20 })
})
