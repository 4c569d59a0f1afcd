import type { Operation } from './operations.ts'
import type { SizedService } from './sized-service.ts'

/** Microseconds per operation. */
export interface Cost {
  readonly wall: number
  readonly cpu: number
}

export interface Measured {
  readonly operation: string
  readonly size: number
  readonly rounds: readonly Cost[]
}

/** The caches of a large database take longer to fill. */
const warmUps = (size: number): number => (size < 1e6 ? 1 : 10)

/** Sizes alternate in this many parts, because the speed of a shared machine varies within seconds. */
const PARTS = 10

/**
 * Interleaves sizes within each operation and operations within each round, so that noise on the machine affects all of
 * them alike. The warm-up is not counted.
 */
export async function measure(
  services: readonly SizedService[],
  operations: readonly Operation[],
  { rounds, clock, log }: { rounds: number; clock: () => number; log: (line: string) => void },
): Promise<Measured[]> {
  const costs = new Map<string, Cost[]>()
  log('warming up')
  for (const operation of operations) {
    for (const service of services) {
      for (let left = warmUps(service.population.size); left > 0; left--) {
        await measureInterleaved([service], operation, clock)
      }
    }
  }
  for (let round = 1; round <= rounds; round++) {
    log(`round ${round} of ${rounds}`)
    const order = services.map(
      (_, turn) => services[(turn + round) % services.length] as SizedService,
    )
    for (const operation of operations) {
      for (const [service, cost] of await measureInterleaved(order, operation, clock)) {
        const key = `${operation.name}|${service.population.size}`
        costs.set(key, [...(costs.get(key) ?? []), cost])
      }
    }
  }
  return [...costs].map(([key, of]) => {
    const [operation = '', size] = key.split('|')
    return { operation, size: Number(size), rounds: of }
  })
}

/** Measures one operation at all sizes, in alternating parts. */
async function measureInterleaved(
  services: readonly SizedService[],
  operation: Operation,
  clock: () => number,
): Promise<Map<SizedService, Cost>> {
  const prepared = new Map<SizedService, (() => Promise<void>)[]>()
  for (const service of services) {
    const all: (() => Promise<void>)[] = []
    for (let index = 0; index < operation.times; index++) {
      all.push(await operation.prepare(service))
    }
    prepared.set(service, all)
  }
  const costs = new Map<SizedService, Cost>()
  const size = Math.ceil(operation.times / PARTS)
  for (let from = 0; from < operation.times; from += size) {
    for (const [service, all] of prepared) {
      const part = all.slice(from, from + size)
      const isLast = from + size >= operation.times
      const cost = await timed(clock, async () => {
        let next = 0
        const caller = async (): Promise<void> => {
          while (next < part.length) {
            await part[next++]?.()
          }
        }
        await Promise.all(Array.from({ length: operation.concurrency }, caller))
        // A checkpoint per batch, or one batch in four would pay for all of them.
        if (isLast) {
          await service.checkpoint()
        }
      })
      const { wall, cpu } = costs.get(service) ?? { wall: 0, cpu: 0 }
      const times = operation.times * (operation.each ?? 1)
      costs.set(service, { wall: wall + cost.wall / times, cpu: cpu + cost.cpu / times })
    }
  }
  return costs
}

async function timed(clock: () => number, workload: () => Promise<void>): Promise<Cost> {
  const cpuBefore = clock()
  const began = performance.now()
  await workload()
  const wall = (performance.now() - began) * 1_000
  return { wall, cpu: clock() - cpuBefore }
}
