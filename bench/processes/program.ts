import { type ChildProcess, type ChildProcessByStdio, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync, readFileSync } from 'node:fs'
import path from 'node:path'
import type { Writable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { endsWithUs } from './children.ts'
import { type Cores, onCores } from './cores.ts'
import { responses } from './first-answer.ts'

const START_WITHIN_MS = 30_000
const STOP_WITHIN_MS = 15_000

export interface ProgramOptions {
  /** Names its log file. */
  readonly name: string
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
  readonly cores: Cores
  /** Who reads its output. */
  readonly readerCores: Cores
  /** A folder of the run, where its complaints go. */
  readonly folder: string
  readonly cwd?: string
  readonly port: number
  /** Answers as soon as it can answer anything. */
  readonly readyPath: string
}

/** A server in a process of its own. */
export interface Program {
  readonly pid: number
  readonly port: number
  readonly child: ChildProcess
  /** From the moment it was started to its first answer. */
  readonly startedInMs: number
  stop(): Promise<void>
}

/** Starts a Node program and waits for its first answer. */
export async function startProgram(options: ProgramOptions): Promise<Program> {
  const { name, args, env, cores, folder, cwd = folder, port, readyPath } = options
  const complaints = path.join(folder, `${name}.err`)
  const stderr = openSync(complaints, 'a')
  const reader = startReader(options.readerCores)
  const [command, commandArgs] = onCores(cores, process.execPath, args)
  const started = performance.now()
  // Nothing of our own surroundings: what is not set here is unset.
  const child = endsWithUs(
    spawn(command, commandArgs, {
      env: { PATH: process.env.PATH ?? '', ...env },
      cwd,
      stdio: ['ignore', reader.stdin, stderr],
    }),
  )
  closeSync(stderr)
  // Only the program writes to it from here on: when that ends, the reader ends.
  reader.stdin.destroy()
  const exited = once(child, 'exit')
  const over = (): boolean => child.exitCode !== null || child.signalCode !== null
  for (const deadline = started + START_WITHIN_MS; !(await responses(port, readyPath)); await sleep(2)) {
    if (!over() && performance.now() < deadline) continue
    child.kill('SIGKILL')
    throw new Error(`${name} does not start. What it said last:\n${readFileSync(complaints, 'utf8').slice(-2_000)}`)
  }
  const startedInMs = performance.now() - started
  const { pid } = child
  if (pid === undefined) throw new Error(`${name} has no process`)
  return {
    pid,
    port,
    child,
    startedInMs,
    async stop() {
      if (over()) return
      child.kill('SIGTERM')
      const timer = setTimeout(() => child.kill('SIGKILL'), STOP_WITHIN_MS)
      await exited
      clearTimeout(timer)
    },
  }
}

/**
 * As a supervisor would, somebody else reads what it logs, through a pipe. It is thrown away: on a disk that others
 * keep busy, writing it down would stop the contender and not cost it.
 */
function startReader(cores: Cores): ChildProcessByStdio<Writable, null, null> {
  return spawn(...onCores(cores, 'sh', ['-c', 'exec cat >/dev/null']), { stdio: ['pipe', 'ignore', 'ignore'] })
}
