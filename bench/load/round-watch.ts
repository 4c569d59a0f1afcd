import { quantile } from '../statistics.ts'

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

/** Begins with a round, hears how long each answer took and what was wrong, and says at the end what came of it. */
export class RoundWatch {
  readonly #times: number[] = []
  readonly #cpu = process.cpuUsage()
  readonly #started = performance.now()
  readonly #end: number
  #wrong: string | null = null

  constructor(seconds: number) {
    this.#end = this.#started + seconds * 1_000
  }

  readonly goesOn = (): boolean => this.#wrong === null && performance.now() < this.#end

  readonly answered = (ms: number): void => void this.#times.push(ms)

  noteProblem(problem: string | null): void {
    this.#wrong ??= problem
  }

  result(): RoundResult {
    const seconds = (performance.now() - this.#started) / 1_000
    const { user, system } = process.cpuUsage(this.#cpu)
    const sorted = Float64Array.from(this.#times).sort()
    return {
      requests: sorted.length,
      seconds,
      p50Ms: quantile(sorted, 0.5),
      p99Ms: quantile(sorted, 0.99),
      loadCpuMs: (user + system) / 1_000,
      wrong: this.#wrong,
    }
  }
}
