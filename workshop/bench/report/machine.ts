import { readFileSync } from 'node:fs'
import { availableParallelism, cpus } from 'node:os'
import path from 'node:path'
import type { Options } from '../options.ts'
import type { Placement } from '../processes/usage.ts'
import { spreadOf } from '../statistics.ts'
import type { Row } from './row.ts'

/** The machine and the parameters of a run. */
export interface Circumstances {
  readonly date: string
  readonly cpu: string
  readonly cores: number
  readonly system: string
  readonly node: string
  readonly pinned: boolean
  readonly rounds: number
  readonly seconds: number
  readonly connections: number
  /** Versions of the peers. */
  readonly versions: Readonly<Record<string, string>>
}

export function circumstances(
  { rounds, seconds, connections }: Options,
  { pinned }: Placement,
): Circumstances {
  const { dependencies } = JSON.parse(
    readFileSync(path.join(import.meta.dirname, '../package.json'), 'utf8'),
  ) as {
    dependencies: Record<string, string>
  }
  return {
    date: new Date().toISOString().slice(0, 10),
    cpu: cpus()[0]?.model ?? 'unknown',
    cores: availableParallelism(),
    system: `${process.platform} ${process.arch}`,
    node: process.version,
    pinned,
    rounds,
    seconds,
    connections,
    versions: dependencies,
  }
}

/** Above this, requests per second depend more on other programs than on the contender. */
const NOISY_CORES = 0.3

/** CPU use of other programs, measured during verify, where only the contender and the load generator should run. */
function otherPrograms(rows: readonly Row[]): string[] {
  const cores = rows
    .filter(({ benchmark }) => benchmark === 'verify')
    .flatMap(({ figures }) => figures.othersCores ?? [])
  if (cores.length === 0) {
    return []
  }
  const { median } = spreadOf(cores)
  const used = `Other programs used ${median.toFixed(1)} cores meanwhile`
  return [
    median > NOISY_CORES
      ? `${used}: compare the CPU columns; requests per second mean little.`
      : `${used}.`,
  ]
}

export function describe(facts: Circumstances & { readonly rows: readonly Row[] }): string {
  const { date, cpu, cores, system, node, pinned, rounds, seconds, connections, versions } = facts
  const peers = Object.entries(versions).map(([name, version]) => `${name} ${version}`)
  return [
    `Measured on ${date}: ${cpu}, ${cores} cores, ${system}, Node ${node}.`,
    pinned
      ? 'The contender has one core, the load generator the other.'
      : 'Nothing was pinned to a core, because this machine has no `taskset` or only one core.',
    `${rounds} interleaved rounds of ${seconds} s after a warm-up, ${connections} connections (8 for logins).`,
    `Figures are medians, with the lowest and highest round in brackets.`,
    ...otherPrograms(facts.rows),
    `Peers: ${peers.join(', ')}.`,
  ].join('\n')
}
