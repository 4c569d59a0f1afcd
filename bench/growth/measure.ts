import type { Operation } from './operations.ts'
import type { Subject } from './subject.ts'

/** Microseconds for one. */
export interface Cost {
  readonly wall: number
  readonly cpu: number
}

export interface Measured {
  readonly operation: string
  readonly size: number
  readonly rounds: readonly Cost[]
}

/** What a large database keeps in its caches takes longer to get there. */
const warmUps = (size: number): number => (size < 1e6 ? 1 : 10)

/** In so many parts do sizes take turns: a shared machine may be twice as fast a second later. */
const PARTS = 10

/**
 * Sizes take turns within each operation, and operations within each round, so that whatever else the machine does
 * falls on all of them alike. The first round warms up and is not counted.
 */
export async function measure(
  subjects: readonly Subject[],
  operations: readonly Operation[],
  { rounds, clock, pendingEvents }: { rounds: number; clock: () => number; pendingEvents: (line: string) => void },
): Promise<Measured[]> {
  const costs = new Map<string, Cost[]>()
  pendingEvents('warming up')
  for (const operation of operations)
    for (const subject of subjects)
      for (let more = warmUps(subject.population.size); more > 0; more--) await inTurn([subject], operation, clock)
  for (let round = 1; round <= rounds; round++) {
    pendingEvents(`round ${round} of ${rounds}`)
    const order = subjects.map((_, turn) => subjects[(turn + round) % subjects.length] as Subject)
    for (const operation of operations) {
      for (const [subject, cost] of await inTurn(order, operation, clock)) {
        const key = `${operation.name}|${subject.population.size}`
        costs.set(key, [...(costs.get(key) ?? []), cost])
      }
    }
  }
  return [...costs].map(([key, of]) => {
    const [operation = '', size] = key.split('|')
    return { operation, size: Number(size), rounds: of }
  })
}

/** One operation at each size, a part of its times here, a part there. */
async function inTurn(
  subjects: readonly Subject[],
  operation: Operation,
  clock: () => number,
): Promise<Map<Subject, Cost>> {
  const prepared = new Map<Subject, (() => Promise<void>)[]>()
  for (const subject of subjects) {
    const all: (() => Promise<void>)[] = []
    for (let index = 0; index < operation.times; index++) all.push(await operation.prepare(subject))
    prepared.set(subject, all)
  }
  const costs = new Map<Subject, Cost>()
  const size = Math.ceil(operation.times / PARTS)
  for (let from = 0; from < operation.times; from += size) {
    for (const [subject, all] of prepared) {
      const part = all.slice(from, from + size)
      const isLast = from + size >= operation.times
      const cost = await timed(clock, async () => {
        let next = 0
        const caller = async (): Promise<void> => {
          while (next < part.length) await part[next++]?.()
        }
        await Promise.all(Array.from({ length: operation.atOnce }, caller))
        // Otherwise one batch in four or five would do it for all of them.
        if (isLast) await subject.fold()
      })
      const { wall, cpu } = costs.get(subject) ?? { wall: 0, cpu: 0 }
      const times = operation.times * (operation.each ?? 1)
      costs.set(subject, { wall: wall + cost.wall / times, cpu: cpu + cost.cpu / times })
    }
  }
  return costs
}

async function timed(clock: () => number, work: () => Promise<void>): Promise<Cost> {
  const cpuBefore = clock()
  const began = performance.now()
  await work()
  const wall = (performance.now() - began) * 1_000
  return { wall, cpu: clock() - cpuBefore }
}
