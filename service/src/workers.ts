import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { START } from './folders.ts'
import type { ServiceLog } from './log.ts'

/** The environment variable with the number of a worker. */
const WORKER_VARIABLE = 'GATEHOUSE_WORKER'
/** The message of a worker that listens. */
const READY = 'ready'
/** The message of a worker that has closed its port, and of the supervisor when all have. */
const PORT_CLOSED = 'port closed'
const RESTART_AFTER_MS = 1_000
/** A worker that hangs must not keep the others from stopping. */
const WORKERS_CLOSE_MS = 5_000

export const isWorker = (env: NodeJS.ProcessEnv): boolean => env[WORKER_VARIABLE] !== undefined

/** Only the first worker prints the start message. */
export const isFirstWorker = (env: NodeJS.ProcessEnv): boolean => workerNumber(env) === '1'

export const workerNumber = (env: NodeJS.ProcessEnv): string => env[WORKER_VARIABLE] ?? '1'

export function reportReady(): void {
  process.send?.(READY)
}

/** Reports that this worker has closed its port, and resolves when the others have. */
export async function workersClosed(): Promise<void> {
  if (!process.connected) {
    return
  }
  const allClosed = once(process, 'message')
  const supervisorExited = once(process, 'disconnect')
  const timedOut = once(AbortSignal.timeout(WORKERS_CLOSE_MS), 'abort')
  process.send?.(PORT_CLOSED, ignoreError)
  await Promise.race([allClosed, supervisorExited, timedOut])
}

/** Ignores that a message was sent to a process that has just exited. */
const ignoreError = (): void => {}

/**
 * Runs `count` processes that share the port; the kernel distributes the connections, and all shared state is in the
 * database. Restarts a worker that exits, and forwards SIGTERM and SIGINT as SIGTERM.
 */
export async function superviseWorkers(
  count: number,
  env: NodeJS.ProcessEnv,
  log: ServiceLog,
): Promise<void> {
  const workers = new Map<number, ChildProcess>()
  /** Workers whose port may be open. */
  const open = new Set<ChildProcess>()
  let stopping = false

  const start = (number: number): ChildProcess => {
    const worker = fork(START, { env: { ...env, [WORKER_VARIABLE]: String(number) } })
    workers.set(number, worker)
    open.add(worker)
    worker.on('message', (message) => {
      if (message === PORT_CLOSED) {
        portClosed(worker)
      }
    })
    worker.on('exit', () => portClosed(worker))
    return worker
  }
  const portClosed = (worker: ChildProcess): void => {
    open.delete(worker)
    if (stopping && open.size > 0) {
      return
    }
    // A worker that stops alone does not wait: the others keep the port open.
    const closing = stopping ? workers.values() : [worker]
    for (const each of closing) {
      if (each.connected) {
        each.send(PORT_CLOSED, ignoreError)
      }
    }
  }
  const restartOnExit = async (number: number, worker: ChildProcess): Promise<void> => {
    for (let current = worker; ; current = start(number)) {
      const [code, signal] = await once(current, 'exit')
      if (stopping) {
        return
      }
      log.warn(`worker ${number} exited (${signal ?? code}); starting another`)
      await sleep(RESTART_AFTER_MS)
      if (stopping) {
        return
      }
    }
  }
  const stop = (): void => {
    stopping = true
    for (const worker of workers.values()) {
      worker.kill('SIGTERM')
    }
  }
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)

  // The first worker alone migrates the schema and creates the key file, and reports a start error only once.
  const first = start(1)
  const [messageOrCode] = await Promise.race([once(first, 'message'), once(first, 'exit')])
  if (messageOrCode !== READY) {
    process.exit(typeof messageOrCode === 'number' ? messageOrCode : 1)
  }
  const all = [restartOnExit(1, first)]
  for (let number = 2; number <= count && !stopping; number++) {
    all.push(restartOnExit(number, start(number)))
  }
  await Promise.all(all)
  process.exit(0)
}
