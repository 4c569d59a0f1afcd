import { quantile } from '../statistics.ts'
import { Lane } from './lane.ts'
import type { Journey, Work } from './work.ts'

export interface RoundOptions {
  readonly port: number
  readonly connections: number
  readonly seconds: number
}

export interface RoundResult {
  readonly requests: number
  readonly seconds: number
  readonly p50Ms: number
  readonly p99Ms: number
  /** Of the load generator itself: at its limit it would measure itself. */
  readonly loadCpuMs: number
  /** The first thing that was wrong, if anything was. */
  readonly wrong: string | null
}

/** Some connections that ask as fast as they are answered, for some seconds. The first wrong answer ends it. */
export async function round(work: Work | Journey, options: RoundOptions): Promise<RoundResult> {
  const { port, connections, seconds } = options
  const times: number[] = []
  const cpuBefore = process.cpuUsage()
  const started = performance.now()
  const end = started + seconds * 1_000
  let wrong: string | null = null
  const goesOn = (): boolean => wrong === null && performance.now() < end
  const answered = (ms: number): void => void times.push(ms)

  const lanes = Array.from({ length: connections }, async (_, number) => {
    const problem =
      'journey' in work
        ? await journeys(work, number, goesOn, answered)
        : await new Lane({ work, number, port, goesOn, answered }).run()
    wrong ??= problem
  })
  await Promise.all(lanes)

  const elapsed = (performance.now() - started) / 1_000
  const { user, system } = process.cpuUsage(cpuBefore)
  const sorted = Float64Array.from(times).sort()
  return {
    requests: times.length,
    seconds: elapsed,
    p50Ms: quantile(sorted, 0.5),
    p99Ms: quantile(sorted, 0.99),
    loadCpuMs: (user + system) / 1_000,
    wrong,
  }
}

async function journeys(
  { journey }: Journey,
  lane: number,
  goesOn: () => boolean,
  answered: (ms: number) => void,
): Promise<string | null> {
  while (goesOn()) {
    const began = performance.now()
    const problem = await journey(lane).catch(String)
    if (problem !== null) return problem
    answered(performance.now() - began)
  }
  return null
}
