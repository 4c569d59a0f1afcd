import { quantile } from '../statistics.ts'

export interface RoundResult {
  readonly requests: number
  readonly seconds: number
  readonly p50Ms: number
  readonly p99Ms: number
  /** CPU time of the load generator. At its limit the benchmark measures the load generator. */
  readonly loadCpuMs: number
  /** The first wrong response or failure. */
  readonly problem: string | null
}

/** Records the latencies and the first problem of one round, from its construction on. */
export class RoundRecorder {
  readonly #latencies: number[] = []
  readonly #cpu = process.cpuUsage()
  readonly #started = performance.now()
  readonly #end: number
  #problem: string | null = null

  constructor(seconds: number) {
    this.#end = this.#started + seconds * 1_000
  }

  readonly isRunning = (): boolean => this.#problem === null && performance.now() < this.#end

  readonly recordLatency = (ms: number): void => void this.#latencies.push(ms)

  recordProblem(problem: string | null): void {
    this.#problem ??= problem
  }

  result(): RoundResult {
    const seconds = (performance.now() - this.#started) / 1_000
    const { user, system } = process.cpuUsage(this.#cpu)
    const sorted = Float64Array.from(this.#latencies).sort()
    return {
      requests: sorted.length,
      seconds,
      p50Ms: quantile(sorted, 0.5),
      p99Ms: quantile(sorted, 0.99),
      loadCpuMs: (user + system) / 1_000,
      problem: this.#problem,
    }
  }
}
