import { type ChildProcess, type ChildProcessByStdio, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync, readFileSync } from 'node:fs'
import { connect } from 'node:net'
import path from 'node:path'
import type { Writable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Cores, onCores } from './usage.ts'

const START_WITHIN_MS = 30_000
const STOP_WITHIN_MS = 15_000

interface ProgramOptions {
  /** Names its log file. */
  readonly name: string
  /** Default: Node. */
  readonly command?: string
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
  readonly cores: Cores
  /** The cores of the process that reads its output. */
  readonly readerCores: Cores
  /** The run's temporary folder, for its stderr. */
  readonly folder: string
  readonly cwd?: string
  readonly port: number
  /** A path that responds as soon as the program accepts requests. */
  readonly readyPath: string
}

/** A server in a separate process. */
export interface Program {
  readonly pid: number
  readonly port: number
  readonly child: ChildProcess
  /** Time from its start to its first response. */
  readonly startedInMs: number
  stop(): Promise<void>
}

/** Starts a program and waits for its first response. */
export async function startProgram(options: ProgramOptions): Promise<Program> {
  const { name, args, env, cores, folder, cwd = folder, port, readyPath } = options
  const stderrFile = path.join(folder, `${name}.err`)
  const stderr = openSync(stderrFile, 'a')
  const reader = startReader(options.readerCores)
  const [command, commandArgs] = onCores(cores, options.command ?? process.execPath, args)
  const started = performance.now()
  // Only these variables: the program must not inherit this process's environment.
  const child = killOnExit(
    spawn(command, commandArgs, {
      env: { PATH: process.env.PATH ?? '', ...env },
      cwd,
      stdio: ['ignore', reader.stdin, stderr],
    }),
  )
  closeSync(stderr)
  // From here on only the program has the write end, so the reader exits with it.
  reader.stdin.destroy()
  const exited = once(child, 'exit')
  const hasExited = (): boolean => child.exitCode !== null || child.signalCode !== null
  for (
    const deadline = started + START_WITHIN_MS;
    !(await responds(port, readyPath));
    await sleep(2)
  ) {
    if (!hasExited() && performance.now() < deadline) {
      continue
    }
    child.kill('SIGKILL')
    throw new Error(
      `${name} does not start. Its last output:\n${readFileSync(stderrFile, 'utf8').slice(-2_000)}`,
    )
  }
  const startedInMs = performance.now() - started
  const { pid } = child
  if (pid === undefined) {
    throw new Error(`${name} has no process`)
  }
  return {
    pid,
    port,
    child,
    startedInMs,
    async stop() {
      if (hasExited()) {
        return
      }
      child.kill('SIGTERM')
      const timer = setTimeout(() => child.kill('SIGKILL'), STOP_WITHIN_MS)
      await exited
      clearTimeout(timer)
    },
  }
}

/**
 * Reads the program's log through a pipe, as a supervisor does, and discards it: writing it to a busy disk would block the
 * contender for reasons unrelated to its own cost.
 */
function startReader(cores: Cores): ChildProcessByStdio<Writable, null, null> {
  return spawn(...onCores(cores, 'sh', ['-c', 'exec cat >/dev/null']), {
    stdio: ['pipe', 'ignore', 'ignore'],
  })
}

/** Whether the port serves HTTP; any status counts. Doesn't use `fetch`, whose first call takes longer than a start. */
function responds(port: number, path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1' })
    socket.on('connect', () =>
      socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost:${port}\r\nConnection: close\r\n\r\n`),
    )
    socket.once('data', (chunk) => {
      socket.destroy()
      resolve(chunk.toString('latin1').startsWith('HTTP/'))
    })
    socket.on('error', () => resolve(false))
    socket.on('close', () => resolve(false))
  })
}

const running = new Set<ChildProcess>()

// A run that fails or is interrupted must not leave servers behind.
process.on('exit', () => {
  for (const child of running) {
    child.kill('SIGKILL')
  }
})
process.on('SIGINT', () => process.exit(130))
process.on('SIGTERM', () => process.exit(143))

/** Kills the child when this process exits. */
export function killOnExit<T extends ChildProcess>(child: T): T {
  running.add(child)
  child.once('exit', () => running.delete(child))
  return child
}
