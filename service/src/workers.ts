import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ServiceLog } from './log.ts'

const START = path.join(import.meta.dirname, 'start.js')
/** Tells a process that it is one of several on the port. Its value is its number. */
const NUMBER = 'GATEHOUSE_WORKER'
/** What a worker says once it listens. */
const READY = 'ready'
const RESTART_AFTER_MS = 1_000

export const isWorker = (env: NodeJS.ProcessEnv): boolean => env[NUMBER] !== undefined

/** One of several says where to go next; the others would only repeat it. */
export const isFirst = (env: NodeJS.ProcessEnv): boolean => workerNumber(env) === '1'

export const workerNumber = (env: NodeJS.ProcessEnv): string => env[NUMBER] ?? '1'

export function sayReady(): void {
  process.send?.(READY)
}

/**
 * Runs `count` processes that share the port (the kernel deals out the connections) and behave as one, because what
 * they must agree on is in the database. One that dies is replaced; a signal goes to all of them.
 */
export async function superviseWorkers(count: number, env: NodeJS.ProcessEnv, log: ServiceLog): Promise<void> {
  const workers = new Map<number, ChildProcess>()
  let stopping = false

  const start = (number: number): ChildProcess => {
    const worker = fork(START, { env: { ...env, [NUMBER]: String(number) } })
    workers.set(number, worker)
    return worker
  }
  const replaceWhenDead = async (number: number, worker: ChildProcess): Promise<void> => {
    for (let living = worker; ; living = start(number)) {
      const [code, signal] = await once(living, 'exit')
      if (stopping) return
      log.warn(`worker ${number} ended (${signal ?? code}); starting another`)
      await sleep(RESTART_AFTER_MS)
      if (stopping) return
    }
  }
  const stop = (): void => {
    stopping = true
    for (const worker of workers.values()) worker.kill('SIGTERM')
  }
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)

  // The first alone: it makes the tables and the key file, and if the settings are wrong it says so once.
  const first = start(1)
  const [said] = await Promise.race([once(first, 'message'), once(first, 'exit')])
  if (said !== READY) process.exit(typeof said === 'number' ? said : 1)
  const all = [replaceWhenDead(1, first)]
  for (let number = 2; number <= count && !stopping; number++) all.push(replaceWhenDead(number, start(number)))
  await Promise.all(all)
  process.exit(0)
}
