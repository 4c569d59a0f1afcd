import { setTimeout as sleep } from 'node:timers/promises'
import { rssOf } from '../process/rss.ts'
import type { Instance } from './cluster.ts'
import { signalPreload } from './preload.ts'

const EVERY_MS = 5_000

interface Sample {
  readonly at: number
  readonly mb: number
  /** The V8 heap's share of `mb`. */
  readonly heapMb: number
}

/** Size of a process's V8 heap in megabytes, garbage included. */
async function heapOf({ agent }: Instance): Promise<number> {
  const { text } = await agent.call('GET', '/metrics')
  return Number(/^process_heap_bytes (\S+)$/m.exec(text)?.[1] ?? 0) / 1_024 / 1_024
}

/**
 * The resident memory of a process, and how much of it is garbage. V8 keeps the pages for a while after a collection, so
 * the garbage is measured by heap size, not by resident memory. Needs the preload `collect-garbage`.
 */
export async function measureMemory(
  instance: Instance,
): Promise<{ readonly mb: number; readonly garbageMb: number }> {
  const [mb, before] = [await rssOf(instance.pid), await heapOf(instance)]
  await signalPreload(instance, 'collected')
  return { mb, garbageMb: Math.max(0, before - (await heapOf(instance))) }
}

/** Samples the memory of one process until it exits, each time right after a garbage collection. */
export class MemorySampler {
  readonly #samples: Sample[] = []
  readonly #stopping = new AbortController()
  readonly #ended: Promise<void>

  constructor(instance: Instance) {
    this.#ended = this.#measure(instance)
  }

  async #measure(instance: Instance): Promise<void> {
    const { pid } = instance
    const began = performance.now()
    const hasStopped = (): boolean =>
      this.#stopping.signal.aborted || !instance.alive || instance.pid !== pid
    for (;;) {
      await sleep(EVERY_MS, undefined, { signal: this.#stopping.signal }).catch(() => {})
      if (hasStopped()) {
        return
      }
      try {
        await signalPreload(instance, 'collected')
        const heapMb = await heapOf(instance)
        this.#samples.push({ at: performance.now() - began, mb: await rssOf(pid), heapMb })
      } catch (error) {
        // The soak test kills the process at any moment.
        if (!hasStopped()) {
          throw error
        }
      }
    }
  }

  async stop(): Promise<void> {
    this.#stopping.abort()
    await this.#ended
  }

  /**
   * Ignores the share `warmUp` of the time, in which code is compiled and caches fill. Of the rest: the average memory in
   * the first and in the last third, and the slope of a linear fit in megabytes a minute.
   */
  fit(warmUp: number): { readonly first: number; readonly last: number; readonly slope: number } {
    const end = this.#samples.at(-1)?.at ?? 0
    const rest = this.#samples.filter(({ at }) => at >= end * warmUp)
    const third = Math.max(1, Math.floor(rest.length / 3))
    return {
      first: mean(rest.slice(0, third).map(({ mb }) => mb)),
      last: mean(rest.slice(-third).map(({ mb }) => mb)),
      slope: slopeOf(rest) * 60_000,
    }
  }

  /** About a dozen of the samples: resident memory, with the heap in brackets. */
  series(): string {
    const step = Math.max(1, Math.ceil(this.#samples.length / 12))
    return this.#samples
      .filter((_, at) => at % step === 0)
      .map(
        ({ at, mb, heapMb }) =>
          `${Math.round(at / 1_000)} s: ${Math.round(mb)} (${heapMb.toFixed(1)})`,
      )
      .join(', ')
  }
}

const mean = (numbers: readonly number[]): number =>
  numbers.reduce((sum, number) => sum + number, 0) / Math.max(1, numbers.length)

/** Least squares. */
function slopeOf(points: readonly Sample[]): number {
  const [x, y] = [mean(points.map(({ at }) => at)), mean(points.map(({ mb }) => mb))]
  const spread = points.reduce((sum, { at }) => sum + (at - x) ** 2, 0)
  return spread === 0
    ? 0
    : points.reduce((sum, { at, mb }) => sum + (at - x) * (mb - y), 0) / spread
}
