import { setTimeout as sleep } from 'node:timers/promises'
import { rssOf } from '../process/rss.ts'
import type { Instance } from './cluster.ts'
import { goAhead } from './preloaded.ts'

const EVERY_MS = 5_000

interface Sample {
  readonly at: number
  readonly mb: number
  /** The part of it that holds our own objects. */
  readonly heapMb: number
}

/** How much of a process's memory is its own objects, in megabytes, those included that nobody needs any more. */
async function heapOf({ agent }: Instance): Promise<number> {
  const { text } = await agent.call('GET', '/metrics')
  return Number(/^process_heap_bytes (\S+)$/m.exec(text)?.[1] ?? 0) / 1_024 / 1_024
}

/**
 * What a process holds, and how much of that is garbage: what a collection finds that nobody needs. V8 keeps the pages
 * for a while, so a look at the process afterwards would not show it. Needs the preload `collect-garbage`.
 */
export async function heldBy(instance: Instance): Promise<{ readonly mb: number; readonly garbageMb: number }> {
  const [mb, before] = [await rssOf(instance.pid), await heapOf(instance)]
  await goAhead(instance, 'collected')
  return { mb, garbageMb: Math.max(0, before - (await heapOf(instance))) }
}

/** What one process holds over time, from one start to the next: measured right after its garbage was collected. */
export class Memory {
  readonly #samples: Sample[] = []
  readonly #stopping = new AbortController()
  readonly #ended: Promise<void>

  constructor(instance: Instance) {
    this.#ended = this.#measure(instance)
  }

  async #measure(instance: Instance): Promise<void> {
    const { pid } = instance
    const began = performance.now()
    const isOver = (): boolean => this.#stopping.signal.aborted || !instance.alive || instance.pid !== pid
    for (;;) {
      await sleep(EVERY_MS, undefined, { signal: this.#stopping.signal }).catch(() => {})
      if (isOver()) return
      try {
        await goAhead(instance, 'collected')
        const heapMb = await heapOf(instance)
        this.#samples.push({ at: performance.now() - began, mb: await rssOf(pid), heapMb })
      } catch (error) {
        // Killed in between, as it is in the middle of a soak.
        if (!isOver()) throw error
      }
    }
  }

  async stop(): Promise<void> {
    this.#stopping.abort()
    await this.#ended
  }

  /**
   * After the first part, in which code is compiled and caches fill: what it held on average in the first and in the
   * last third of the rest, and the slope of a straight line through all of the rest, in megabytes a minute.
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

  /** About a dozen of the samples, as they came: what it held, and the heap in it. */
  series(): string {
    const step = Math.max(1, Math.ceil(this.#samples.length / 12))
    return this.#samples
      .filter((_, at) => at % step === 0)
      .map(({ at, mb, heapMb }) => `${Math.round(at / 1_000)} s: ${Math.round(mb)} (${heapMb.toFixed(1)})`)
      .join(', ')
  }
}

const mean = (numbers: readonly number[]): number =>
  numbers.reduce((sum, number) => sum + number, 0) / Math.max(1, numbers.length)

/** Least squares. */
function slopeOf(points: readonly Sample[]): number {
  const [x, y] = [mean(points.map(({ at }) => at)), mean(points.map(({ mb }) => mb))]
  const spread = points.reduce((sum, { at }) => sum + (at - x) ** 2, 0)
  return spread === 0 ? 0 : points.reduce((sum, { at, mb }) => sum + (at - x) * (mb - y), 0) / spread
}
