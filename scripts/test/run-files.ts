import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync } from 'node:fs'
import path from 'node:path'
import { createInterface } from 'node:readline'
import {
  END_OF_FILE,
  END_OF_REPORT,
  LOADING,
  readLine,
  START_OF_FILE,
  type TestResult,
} from './events.ts'
import { ROOT } from './group.ts'
import type { FileToRun } from './worker.ts'

export interface TestFile {
  readonly file: string
  readonly env: Readonly<Record<string, string>>
  readonly ownProcess: boolean
  /** How long one test may take. */
  readonly timeoutMs: number
  /** How long its process may report no result. A test that never yields, and the cleanup of one, has no other limit. */
  readonly silentMs: number
  /** The parent of the file's temporary folder. */
  readonly temporary: string
}

/** Runs one file after another, in processes that it keeps for the files that follow. */
export class FileRunner {
  readonly #workers = new Map<number, Worker>()
  #running: TestProcess | null = null

  /** Resolves when all tests of the file have ended, also after a crash, which is one more failed result. */
  async run(file: TestFile, onResult: (result: TestResult) => void): Promise<void> {
    const { env, timeoutMs, silentMs } = file
    const folder = temporaryFolder(path.join(file.temporary, 't-'))
    const child = file.ownProcess ? ownProcess(file) : this.#workerFor(timeoutMs)
    this.#running = child
    let isSilent = false
    const silence = setTimeout(() => {
      isSilent = true
      child.kill()
    }, silentMs)
    await child.run({ file: path.join(ROOT, file.file), env, folder }, (result) => {
      silence.refresh()
      onResult(
        isSilent
          ? {
              ...result,
              error: `it reported no result for ${silentMs / 1_000} s, so it was ended: ${result.error}`,
            }
          : result,
      )
    })
    clearTimeout(silence)
    this.#running = null
  }

  /** Lets the workers clean up and exit. */
  async close(): Promise<void> {
    await Promise.all([...this.#workers.values()].map((worker) => worker.end()))
  }

  kill(): void {
    this.#running?.kill()
    for (const worker of this.#workers.values()) {
      worker.kill()
    }
  }

  #workerFor(timeoutMs: number): TestProcess {
    const known = this.#workers.get(timeoutMs)
    if (known !== undefined && !known.hasExited) {
      return known
    }
    const worker = new Worker(timeoutMs)
    this.#workers.set(timeoutMs, worker)
    return worker
  }
}

/** A folder that other users can pass through: root runs PostgreSQL as the user `nobody`. */
export function temporaryFolder(prefix: string): string {
  const folder = mkdtempSync(prefix)
  chmodSync(folder, 0o711)
  return folder
}

interface TestProcess {
  run(file: FileToRun, onResult: (result: TestResult) => void): Promise<void>
  kill(): void
}

const REPORTER = path.join(import.meta.dirname, 'reporter.ts')
const WORKER = path.join(import.meta.dirname, 'worker.ts')
const PROMISE_HOOK = path.join(import.meta.dirname, 'promise-hook.ts')
/** What fails if an error occurs in a file that none of its tests awaits (worker.ts). */
const STRAY_ERROR = 'no error occurs outside of its tests'
/** Longer than a worker gives the connections that its tests left open (worker.ts). */
const EXIT_WITHIN_MS = 30_000
/** The last lines of a process's output, shown when it crashes. */
const OUTPUT_LINES = 60

/** A process that runs scripts/test/worker.ts. */
class Worker implements TestProcess {
  readonly #child: ChildProcess
  readonly #closed: Promise<unknown[]>
  readonly #printed: string[] = []
  #file = ''
  #onResult: (result: TestResult) => void = () => {}
  #onEnd: () => void = () => {}

  constructor(timeoutMs: number) {
    this.#child = spawnNode(
      [`--import=${PROMISE_HOOK}`, `--test-timeout=${timeoutMs}`, WORKER],
      {},
      'ipc',
    )
    this.#closed = once(this.#child, 'close')
    readResults(this.#child, this.#printed, (result) => {
      if (result.name === END_OF_FILE) {
        if (result.outcome === 'failed') {
          this.#onResult({ ...result, file: this.#file, name: STRAY_ERROR })
        }
        this.#onEnd()
      } else if (result.name === LOADING) {
        this.#onResult({ ...result, file: this.#file })
      } else if (result.name !== START_OF_FILE && result.name !== END_OF_REPORT) {
        this.#onResult(result)
      }
    })
  }

  get hasExited(): boolean {
    return this.#child.exitCode !== null || this.#child.signalCode !== null
  }

  async run(file: FileToRun, onResult: (result: TestResult) => void): Promise<void> {
    this.#file = file.file
    this.#onResult = onResult
    const ended = new Promise<void>((resolve) => {
      this.#onEnd = resolve
    })
    this.#child.send(file)
    const exit = await Promise.race([ended, this.#closed])
    if (exit !== undefined) {
      onResult(crashOf(file, exit, this.#printed))
    }
  }

  async end(): Promise<void> {
    if (this.hasExited) {
      return
    }
    // Not `close`, which Node does not emit after `disconnect`.
    const exited = once(this.#child, 'exit')
    this.#child.disconnect()
    const late = setTimeout(() => this.kill(), EXIT_WITHIN_MS)
    await exited
    clearTimeout(late)
  }

  kill(): void {
    killGroup(this.#child)
  }
}

/** A process for one file. */
function ownProcess({ timeoutMs }: TestFile): TestProcess {
  let child: ChildProcess | undefined
  return {
    async run(file, onResult) {
      const flags = [
        '--test',
        '--test-isolation=none',
        '--test-force-exit',
        `--test-timeout=${timeoutMs}`,
      ]
      child = spawnNode([...flags, file.file], { ...file.env, TMPDIR: file.folder })
      const printed: string[] = []
      let isComplete = false
      let failures = 0
      readResults(child, printed, (result) => {
        if (result.name === END_OF_REPORT) {
          isComplete = true
        } else {
          onResult(result)
        }
        // Node also counts what the reporter reports as skipped because there is no Chromium.
        const lacksChromium =
          result.reason !== undefined && result.reason === file.env.CHROMIUM_MISSING
        if (result.outcome === 'failed' || lacksChromium) {
          failures += 1
        }
      })
      const exit = await once(child, 'close')
      // A process that crashed or was killed has not reported all tests.
      if (!isComplete || (exit[0] !== 0 && failures === 0)) {
        onResult(crashOf(file, exit, printed))
      }
    },
    kill: () => {
      if (child !== undefined) {
        killGroup(child)
      }
    },
  }
}

function spawnNode(args: readonly string[], env: TestFile['env'], ipc?: 'ipc'): ChildProcess {
  const reporter = [`--test-reporter=${REPORTER}`, '--test-reporter-destination=stdout']
  return spawn(process.execPath, [...reporter, ...args], {
    cwd: ROOT,
    env: {
      ...process.env,
      NODE_COMPILE_CACHE: path.join(ROOT, 'node_modules/.cache/compile'),
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe', ...(ipc === undefined ? [] : [ipc])],
    // A process group of its own: `killGroup` also ends the services that its tests started.
    detached: true,
  })
}

function killGroup({ pid, exitCode, signalCode }: ChildProcess): void {
  if (pid === undefined || exitCode !== null || signalCode !== null) {
    return
  }
  process.kill(-pid, 'SIGKILL')
}

/** Calls `onResult` for each finished test, and keeps the last lines of everything else in `printed`. */
function readResults(
  { stdout, stderr }: ChildProcess,
  printed: string[],
  onResult: (result: TestResult) => void,
): void {
  const keepLine = (line: string): void => {
    if (line === '') {
      return
    }
    printed.push(line)
    if (printed.length > OUTPUT_LINES) {
      printed.shift()
    }
  }
  if (stderr !== null) {
    createInterface({ input: stderr }).on('line', keepLine)
  }
  if (stdout === null) {
    return
  }
  createInterface({ input: stdout }).on('line', (line) => {
    const result = readLine(line)
    if (result === null) {
      keepLine(line)
    } else {
      onResult(result)
    }
  })
}

function crashOf(
  { file }: FileToRun,
  [code, signal]: readonly unknown[],
  printed: readonly string[],
): TestResult {
  const error = `its process exited with ${code ?? signal}\n${printed.join('\n')}`
  return { outcome: 'failed', name: 'all tests of the file end', file, ms: 0, error }
}
