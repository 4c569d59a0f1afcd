import { setTimeout as sleep } from 'node:timers/promises'
import type { Bench } from '../bench.ts'
import { KeptConnection } from '../fairness/kept-connection.ts'
import { busyMsOfMachine, usageOfAll } from '../processes/usage.ts'
import type { Figures } from '../report/row.ts'
import { quantile } from '../statistics.ts'
import type { RoundResult } from './response-reader.ts'
import type { Driver } from './start-driver.ts'
import type { Exchange } from './workloads/replay.ts'

const MEGABYTE = 1_024 * 1_024

/** A contender under load: its processes, and the load generator that sends it requests. */
export interface LoadTarget {
  readonly contender: string
  pids(): readonly number[]
  readonly driver: Driver
}

/** A response was wrong, so the measurements are invalid. */
export class WrongResponse extends Error {}

/**
 * Warms up all targets, then measures them in interleaved rounds, each starting with another target, so that noise on the
 * machine affects all of them alike.
 */
export async function interleavedRounds(
  bench: Bench,
  targets: readonly LoadTarget[],
): Promise<Figures[]> {
  const { rounds, seconds, warmUpSeconds } = bench.options
  for (const target of targets) {
    await oneRound(bench, target, warmUpSeconds)
  }
  const samples: Sample[][] = targets.map(() => [])
  for (let round = 0; round < rounds; round++) {
    for (let turn = 0; turn < targets.length; turn++) {
      const index = (turn + round) % targets.length
      const target = targets[index]
      if (target !== undefined) {
        samples[index]?.push(await oneRound(bench, target, seconds))
      }
    }
  }
  return samples.map(figuresOf)
}

const NAMES = ['perSecond', 'cpuUs', 'p50Ms', 'p99Ms', 'rssMb', 'loadBusy', 'othersCores'] as const

type Sample = Record<(typeof NAMES)[number], number>

/** Omits figures that a target doesn't report: pgbench has no quantiles, and its CPU is not ours to measure. */
function figuresOf(samples: readonly Sample[]): Figures {
  const measuredNames = NAMES.filter((name) =>
    samples.every((sample) => Number.isFinite(sample[name])),
  )
  return Object.fromEntries(
    measuredNames.map((name) => [name, samples.map((sample) => sample[name])]),
  )
}

async function oneRound(
  bench: Bench,
  { contender, pids, driver }: LoadTarget,
  seconds: number,
): Promise<Sample> {
  await driver.prepare()
  const machineBefore = busyMsOfMachine()
  const before = usageOfAll(pids())
  const result = await driver.round({ connections: bench.options.connections, seconds })
  const after = usageOfAll(pids())
  const machineMs = busyMsOfMachine() - machineBefore
  if (result.problem !== null) {
    throw new WrongResponse(`${contender}: ${result.problem}`)
  }
  const hasProcesses = pids().length > 0
  return {
    perSecond: result.requests / result.seconds,
    cpuUs: hasProcesses ? ((after.cpuMs - before.cpuMs) * 1_000) / result.requests : Number.NaN,
    p50Ms: result.p50Ms,
    p99Ms: result.p99Ms,
    rssMb: hasProcesses ? after.rssBytes / MEGABYTE : Number.NaN,
    loadBusy: result.loadCpuMs / (result.seconds * 1_000),
    othersCores:
      (machineMs - (after.cpuMs - before.cpuMs) - result.loadCpuMs) / (result.seconds * 1_000),
  }
}

const CLIENTS = 4
const PAUSE_MS = 2

interface PacedRound {
  readonly exchanges: readonly Exchange[]
  readonly port: number
  readonly seconds: number
}

/** A few clients that pause between requests, in this process: a small load, whose latency shows what others cause. */
export async function pacedRound({
  exchanges,
  port,
  seconds,
}: PacedRound): Promise<Pick<RoundResult, 'requests' | 'seconds' | 'p50Ms' | 'p99Ms' | 'problem'>> {
  const end = performance.now() + seconds * 1_000
  const latencies: number[] = []
  let cursor = 0
  let problem: string | null = null
  const client = async (): Promise<void> => {
    const connection = new KeptConnection(port)
    while (problem === null && performance.now() < end) {
      const exchange = exchanges[cursor++ % exchanges.length]
      if (exchange === undefined) {
        break
      }
      const began = performance.now()
      const { status, body } = await connection.send(exchange.request)
      latencies.push(performance.now() - began)
      if (status !== 200 || !body.includes('"valid":true')) {
        problem = `verify: ${status} ${body}`
      }
      await sleep(PAUSE_MS)
    }
    connection.close()
  }
  await Promise.all(Array.from({ length: CLIENTS }, client))
  latencies.sort((a, b) => a - b)
  return {
    requests: latencies.length,
    seconds,
    p50Ms: quantile(latencies, 0.5),
    p99Ms: quantile(latencies, 0.99),
    problem,
  }
}
