import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { endsWithUs } from '../processes/children.ts'
import { type Cores, onCores } from '../processes/cores.ts'
import type { RoundOptions } from './round.ts'
import type { RoundResult } from './round-watch.ts'

export type WorkName =
  | 'replay'
  | 'fresh-tokens'
  | 'refresh'
  | 'login-gatehouse'
  | 'login-better-auth'
  | 'login-openauth'

export interface DriverOptions {
  readonly work: WorkName
  /** What the work needs to know. It travels by file, because it may be large. */
  readonly data: unknown
  readonly file: string
  readonly port: number
  readonly cores: Cores
}

export interface Driver {
  /** Makes ready what the next round needs, outside its time. */
  prepare(): Promise<void>
  round(options: Omit<RoundOptions, 'port'>): Promise<RoundResult>
  stop(): void
}

export async function startDriver({ work, data, file, port, cores }: DriverOptions): Promise<Driver> {
  writeFileSync(file, JSON.stringify(data), { mode: 0o600 })
  const module = path.join(import.meta.dirname, 'work', `${work}.ts`)
  const args = [path.join(import.meta.dirname, 'driver.ts'), module, file, String(port)]
  const child = endsWithUs(
    spawn(...onCores(cores, process.execPath, args), { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] }),
  )
  const died = once(child, 'exit').then(([code]) => {
    throw new Error(`the load generator ended with ${code}`)
  })
  died.catch(() => {})
  const heard = async (): Promise<unknown> => {
    const [message] = (await Promise.race([once(child, 'message'), died])) as [unknown]
    return message
  }
  await heard()
  return {
    async prepare() {
      child.send('prepare')
      await heard()
    },
    async round(options) {
      child.send({ ...options, port })
      return (await heard()) as RoundResult
    },
    stop: () => void child.kill('SIGKILL'),
  }
}
