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

/**
 * Sizes take turns within each operation, and operations within each round, so that whatever else the machine does
 * falls on all of them alike. The first round warms up and is not counted.
 */
export async function measure(
  subjects: readonly Subject[],
  operations: readonly Operation[],
  { rounds, clock, told }: { rounds: number; clock: () => number; told: (line: string) => void },
): Promise<Measured[]> {
  const costs = new Map<string, Cost[]>()
  for (let round = 0; round <= rounds; round++) {
    told(round === 0 ? 'warming up' : `round ${round} of ${rounds}`)
    for (const operation of operations) {
      for (let turn = 0; turn < subjects.length; turn++) {
        const subject = subjects[(turn + round) % subjects.length] as Subject
        const cost = await once(subject, operation, clock)
        if (round === 0) continue
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

async function once(subject: Subject, operation: Operation, clock: () => number): Promise<Cost> {
  const prepared: (() => Promise<void>)[] = []
  for (let index = 0; index < operation.times; index++) prepared.push(await operation.prepare(subject))
  const began = performance.now()
  const cpuBefore = clock()
  let next = 0
  const caller = async (): Promise<void> => {
    while (next < prepared.length) await prepared[next++]?.()
  }
  await Promise.all(Array.from({ length: operation.atOnce }, caller))
  const cpu = clock() - cpuBefore
  const wall = (performance.now() - began) * 1_000
  const times = operation.times * (operation.each ?? 1)
  return { wall: wall / times, cpu: cpu / times }
}
