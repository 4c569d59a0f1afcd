import type { Bench } from '../bench.ts'
import { busyMsOfMachine, usageOfAll } from '../processes/usage.ts'
import type { Figures } from '../report/row.ts'
import type { Driver } from './start-driver.ts'

const MEGABYTE = 1_024 * 1_024

/** One that takes part: its processes, and the load generator that asks it. */
export interface Entrant {
  readonly contender: string
  pids(): readonly number[]
  readonly driver: Driver
}

/** Some answer was wrong, so nothing that was measured is worth anything. */
export class WrongAnswer extends Error {}

/**
 * Warms everybody up, and then goes round: one after the other, each round beginning with another, so that what the
 * machine does meanwhile happens to all of them.
 */
export async function interleavedRounds(bench: Bench, entrants: readonly Entrant[]): Promise<Figures[]> {
  const { rounds, seconds, warmUpSeconds } = bench.options
  for (const entrant of entrants) await oneRound(bench, entrant, warmUpSeconds)
  const samples: Sample[][] = entrants.map(() => [])
  for (let round = 0; round < rounds; round++) {
    for (let turn = 0; turn < entrants.length; turn++) {
      const index = (turn + round) % entrants.length
      const entrant = entrants[index]
      if (entrant !== undefined) samples[index]?.push(await oneRound(bench, entrant, seconds))
    }
  }
  return samples.map(figuresOf)
}

const NAMES = ['perSecond', 'cpuUs', 'p50Ms', 'p99Ms', 'rssMb', 'loadBusy', 'othersCores'] as const

type Sample = Record<(typeof NAMES)[number], number>

/** What somebody cannot tell (pgbench knows no quantiles and is no process of ours) is left out. */
function figuresOf(samples: readonly Sample[]): Figures {
  const pendingEvents = NAMES.filter((name) => samples.every((sample) => Number.isFinite(sample[name])))
  return Object.fromEntries(pendingEvents.map((name) => [name, samples.map((sample) => sample[name])]))
}

async function oneRound(bench: Bench, { contender, pids, driver }: Entrant, seconds: number): Promise<Sample> {
  await driver.prepare()
  const machineBefore = busyMsOfMachine()
  const before = usageOfAll(pids())
  const result = await driver.round({ connections: bench.options.connections, seconds })
  const after = usageOfAll(pids())
  const machineMs = busyMsOfMachine() - machineBefore
  if (result.wrong !== null) throw new WrongAnswer(`${contender}: ${result.wrong}`)
  const known = pids().length > 0
  return {
    perSecond: result.requests / result.seconds,
    cpuUs: known ? ((after.cpuMs - before.cpuMs) * 1_000) / result.requests : Number.NaN,
    p50Ms: result.p50Ms,
    p99Ms: result.p99Ms,
    rssMb: known ? after.rssBytes / MEGABYTE : Number.NaN,
    loadBusy: result.loadCpuMs / (result.seconds * 1_000),
    othersCores: (machineMs - (after.cpuMs - before.cpuMs) - result.loadCpuMs) / (result.seconds * 1_000),
  }
}
