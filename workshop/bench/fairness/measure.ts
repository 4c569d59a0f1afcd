import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Bench } from '../bench.ts'
import type { Refreshable } from '../load/workloads/refresh.ts'
import { killOnExit } from '../processes/program.ts'
import { onCores } from '../processes/usage.ts'
import { quantile } from '../statistics.ts'
import type { BusyTenant } from './busy-tenant.ts'
import type { Sample } from './others.ts'

/** Some hundred requests. */
const QUIET_MS = 2_000
/** Between two samples: the queue of the last one is empty, and its connections are closed. */
const SETTLE_MS = 500

/** The wait of the other tenants. */
export interface Wait {
  readonly p50Ms: number
  readonly p90Ms: number
  readonly requests: number
  readonly rejected: number
}

/** One round: the other tenants beside the busy one, and alone before and after that. */
export interface Round {
  readonly quiet: Wait
  readonly busy: Wait
  /** The busy tenant's responses by status. */
  readonly statuses: Readonly<Record<string, number>>
}

interface Others {
  start(): void
  stopSampling(): Promise<Sample>
  stop(): void
}

export async function startOthers(
  bench: Bench,
  port: number,
  sessions: readonly Refreshable[],
): Promise<Others> {
  const child = await startChild(bench, 'others', port, sessions)
  child.once(
    'exit',
    () => process.exitCode === undefined && bench.log('the process of the other tenants ended'),
  )
  await sleep(bench.options.warmUpSeconds * 1_000)
  return {
    start: () => void child.send('start'),
    async stopSampling() {
      child.send('stop')
      return nextMessage(child)
    },
    stop: () => void child.kill('SIGKILL'),
  }
}

export async function measureRound(
  bench: Bench,
  others: Others,
  { port, work }: { readonly port: number; readonly work: BusyTenant },
): Promise<Round> {
  const before = await sampleQuiet(others)
  const child = await startChild(bench, 'busy-tenant', port, work)
  child.send('prepare')
  await nextMessage(child)
  await sleep(SETTLE_MS)
  others.start()
  child.send('go')
  const statuses = await nextMessage<Round['statuses']>(child)
  const busy = waitOf(await others.stopSampling())
  await sleep(SETTLE_MS)
  // Before and after, because other programs on the machine come and go.
  return { quiet: waitOf(before, await sampleQuiet(others)), busy, statuses }
}

async function sampleQuiet(others: Others): Promise<Sample> {
  others.start()
  await sleep(QUIET_MS)
  return others.stopSampling()
}

function waitOf(...samples: readonly Sample[]): Wait {
  const sorted = samples.flatMap(({ latenciesMs }) => latenciesMs).sort((a, b) => a - b)
  const rejected = samples.reduce((sum, sample) => sum + sample.rejected, 0)
  return {
    p50Ms: quantile(sorted, 0.5),
    p90Ms: quantile(sorted, 0.9),
    requests: sorted.length,
    rejected,
  }
}

async function startChild(
  { folder, placement }: Bench,
  name: 'others' | 'busy-tenant',
  port: number,
  data: unknown,
): Promise<ChildProcess> {
  const file = path.join(folder, `${name}.json`)
  writeFileSync(file, JSON.stringify(data), { mode: 0o600 })
  const args = [path.join(import.meta.dirname, `${name}.ts`), file, String(port)]
  const child = killOnExit(
    spawn(...onCores(placement.load, process.execPath, args), {
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    }),
  )
  await nextMessage(child)
  return child
}

async function nextMessage<T>(child: ChildProcess): Promise<T> {
  child.setMaxListeners(0)
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`a load generator exited with ${code}`)
  })
  ended.catch(() => {})
  const [message] = (await Promise.race([once(child, 'message'), ended])) as [T]
  return message
}
