import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { killOnExit } from '../processes/program.ts'
import { type Cores, onCores } from '../processes/usage.ts'
import type { RoundResult } from './response-reader.ts'
import type { RoundOptions } from './round.ts'

type WorkloadName =
  | 'replay'
  | 'fresh-tokens'
  | 'refresh'
  | 'login-gatehouse'
  | 'login-better-auth'
  | 'login-openauth'

interface DriverOptions {
  readonly workload: WorkloadName
  /** The workload's data, passed in a file because it may be large. */
  readonly data: unknown
  readonly file: string
  readonly port: number
  readonly cores: Cores
}

export interface Driver {
  /** Prepares the next round, outside the measured time. */
  prepare(): Promise<void>
  round(options: Omit<RoundOptions, 'port'>): Promise<RoundResult>
  stop(): void
}

export async function startDriver({
  workload,
  data,
  file,
  port,
  cores,
}: DriverOptions): Promise<Driver> {
  writeFileSync(file, JSON.stringify(data), { mode: 0o600 })
  const module = path.join(import.meta.dirname, 'workloads', `${workload}.ts`)
  const args = [path.join(import.meta.dirname, 'driver.ts'), module, file, String(port)]
  const child = killOnExit(
    spawn(...onCores(cores, process.execPath, args), {
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    }),
  )
  const exited = once(child, 'exit').then(([code]) => {
    throw new Error(`the load generator exited with ${code}`)
  })
  exited.catch(() => {})
  const nextMessage = async (): Promise<unknown> => {
    const [message] = (await Promise.race([once(child, 'message'), exited])) as [unknown]
    return message
  }
  await nextMessage()
  return {
    async prepare() {
      child.send('prepare')
      await nextMessage()
    },
    async round(options) {
      child.send({ ...options, port })
      return (await nextMessage()) as RoundResult
    },
    stop: () => void child.kill('SIGKILL'),
  }
}
