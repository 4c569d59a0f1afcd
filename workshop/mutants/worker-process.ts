import { type ChildProcess, fork } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { availableParallelism, loadavg, tmpdir } from 'node:os'
import path from 'node:path'
import type { Command, Report, Test } from './worker.ts'

const ROOT = path.resolve(import.meta.dirname, '../..')

/** A mutant hangs a test if the test takes this long, and much longer than without the mutant; on a busy machine longer. */
const HANG_MS = 10_000
export const hangMs = (): number =>
  HANG_MS * Math.max(1, (loadavg()[0] ?? 0) / availableParallelism())
/** The error of a test that needs the other engine and is run without it. */
const NEEDS_POSTGRES = 'This run has no PostgreSQL'
/** Longer than any test takes without a mutant. */
export const TEST_TIMEOUT_MS = 120_000

/** The variables of a worker. Lanes run at the same time. */
export type Environment = (lane: number) => NodeJS.ProcessEnv

/** Runs tests in a child process, in the folder `TMPDIR` of its own. */
export class Worker {
  readonly #folder = mkdtempSync(path.join(tmpdir(), 'gatehouse-mutants-'))
  readonly #child: ChildProcess

  constructor(env: NodeJS.ProcessEnv) {
    // PostgreSQL runs as another user.
    chmodSync(this.#folder, 0o755)
    this.#child = fork(path.join(import.meta.dirname, 'worker.ts'), {
      cwd: ROOT,
      env: { ...process.env, TEST_SKIP: 'slow,long', ...env, TMPDIR: this.#folder },
      execArgv: ['--disable-warning=ExperimentalWarning', '--enable-source-maps=false'],
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      // A process group, to end what its tests have started with it.
      detached: true,
    })
  }

  /** The report of a command; null if a test takes longer than its time limit, or ends the process. */
  async run(command: Command, timeLimit: (test: string) => number): Promise<Report | null> {
    const { promise, resolve } = Promise.withResolvers<Report | null>()
    let timer: NodeJS.Timeout | undefined
    const listen = (message: Report | { readonly started: string }): void => {
      clearTimeout(timer)
      if ('started' in message) {
        timer = setTimeout(resolve, timeLimit(message.started), null)
      } else {
        resolve(message)
      }
    }
    const end = (): void => resolve(null)
    this.#child.on('message', listen).once('exit', end).send(command)
    const report = await promise
    clearTimeout(timer)
    this.#child.off('message', listen).off('exit', end)
    return report
  }

  stop(): void {
    const { pid, exitCode, signalCode } = this.#child
    if (pid !== undefined && exitCode === null && signalCode === null) {
      process.kill(-pid, 'SIGKILL')
    }
    rmSync(this.#folder, { recursive: true, force: true, maxRetries: 10 })
  }
}

/** What `passingTests` finds beside the tests that pass. */
interface Findings {
  onReport?(file: string, report: Report): void
  /** A test that fails in an unchanged program. */
  onFailure(test: string, problem: string): void
}

/** The tests that pass in an unchanged program. */
export async function passingTests(
  files: readonly string[],
  env: Environment,
  findings: Findings,
): Promise<readonly Test[]> {
  const tests: Test[] = []
  const workers: (Worker | undefined)[] = []
  await inParallel(files, async (file, lane) => {
    const worker = workers[lane] ?? new Worker(env(lane))
    workers[lane] = worker
    const report = await worker.run({ type: 'file', file }, () => TEST_TIMEOUT_MS + hangMs())
    if (report === null) {
      worker.stop()
      workers[lane] = undefined
    }
    // A file that doesn't load has run nothing.
    else if (report.failure?.key !== '') {
      findings.onReport?.(file, report)
    }
    tests.push(...(report?.tests ?? []))
    const problem = report === null ? 'hangs or ends the process' : (report.failure?.error ?? null)
    if (problem !== null && !problem.startsWith(NEEDS_POSTGRES)) {
      findings.onFailure(report?.failure?.key ?? file, problem)
    }
  })
  for (const worker of workers) {
    worker?.stop()
  }
  return tests
}

export async function inParallel<T>(
  all: readonly T[],
  run: (each: T, lane: number) => Promise<void>,
): Promise<void> {
  const waiting = all.values()
  const lane = async (index: number): Promise<void> => {
    for (const each of waiting) {
      await run(each, index)
    }
  }
  await Promise.all(Array.from({ length: availableParallelism() }, (_, index) => lane(index)))
}
