import type { Mutant } from './mutations.ts'
import type { Test } from './worker.ts'
import { type Environment, hangMs, TEST_TIMEOUT_MS, Worker } from './worker-process.ts'

/** Much longer than a test takes without a mutant. */
const HANG_FACTOR = 20
/** Every test leaves some memory behind. A worker that has this much is replaced. */
const WORKER_MEGABYTES = 1_500

export interface NumberedMutant extends Mutant {
  readonly id: number
  readonly file: string
  /** How many tests of earlier rounds pass with it. */
  readonly passing?: readonly string[]
}

export interface RoundOptions {
  readonly env: Environment
  /** A mutant survives if tests that need this much time together, the nearest first, don't notice it. */
  readonly budgetMs: number
  /** The file of a mutant. */
  fileOf(id: number): string | undefined
}

interface Verdict {
  /** A hang is weaker evidence than a failure. */
  readonly caughtBy: 'failure' | 'hang' | null
  /** How many tests reach the mutant, and how many of them the budget allowed. */
  readonly reaching: number
  readonly run: number
}

/** Runs tests with generated mutants, each lane in a worker of its own that has loaded the service with all mutants. */
export class Round {
  readonly #options: RoundOptions
  readonly #tests: ReadonlyMap<string, Test>
  /** The tests that reach each mutant. */
  readonly #reaching = new Map<number, Test[]>()
  readonly #workers: (Worker | undefined)[] = []
  /** How many mutants of a file each test has caught. Such a test probably catches the next one too. */
  readonly #catches = new Map<string, number>()
  readonly #specificities = new Map<string, number>()

  /** With tests that pass without a mutant. */
  constructor(tests: readonly Test[], options: RoundOptions) {
    this.#options = options
    this.#tests = new Map(tests.map((test) => [test.key, test]))
    for (const test of tests) {
      for (const id of test.reached) {
        this.#reaching.set(id, [...(this.#reaching.get(id) ?? []), test])
      }
    }
  }

  async check(mutant: NumberedMutant, lane: number): Promise<Verdict> {
    const reaching = this.#reaching.get(mutant.id) ?? []
    const tests = this.#nearest(mutant.file, reaching)
    return {
      caughtBy: await this.#caughtBy(mutant, tests, lane),
      reaching: reaching.length,
      run: tests.length,
    }
  }

  /** The cheapest and most specific tests first, as many as the budget allows. */
  #nearest(file: string, reaching: readonly Test[]): readonly Test[] {
    const cost = (test: Test): number =>
      test.ms /
      ((1 + (this.#catches.get(`${file} ${test.key}`) ?? 0)) * this.#specificity(file, test))
    const sorted = reaching.toSorted((one, other) => cost(one) - cost(other))
    let total = 0
    const isAffordable = ({ ms }: Test): boolean => {
      total += ms
      return total - ms < this.#options.budgetMs
    }
    return sorted.filter(isAffordable)
  }

  /**
   * How much a test is about a file: the mutants of the file that it reaches, each divided by how many tests do. A test that
   * only signs in to prepare reaches what all others reach.
   */
  #specificity(file: string, { key, reached }: Test): number {
    const known = this.#specificities.get(`${file} ${key}`)
    if (known !== undefined) {
      return known
    }
    const ofFile = reached.filter((id) => this.#options.fileOf(id) === file)
    const sum = ofFile.reduce((total, id) => total + 1 / (this.#reaching.get(id)?.length ?? 1), 0)
    const specificity = sum * (1 + sharedWords(file, key))
    this.#specificities.set(`${file} ${key}`, specificity)
    return specificity
  }

  /** Every test that fails with a mutant, of those that the budget allows. A test that hangs fails. */
  async failing(mutant: NumberedMutant, lane: number): Promise<readonly Test[]> {
    const failing: Test[] = []
    let rest = this.#nearest(mutant.file, this.#reaching.get(mutant.id) ?? [])
    while (rest.length > 0) {
      let running: string | undefined
      const failed = await this.#firstFailure(mutant.id, rest, lane, (key) => {
        running = key
      })
      if (failed === null) {
        return failing
      }

      const failedAt = rest.findIndex(({ key }) => key === running)
      const test = rest[failedAt]
      if (test === undefined) {
        throw new Error(failed === 'hang' ? 'A worker ended before its first test' : failed.error)
      }
      rest = rest.slice(failedAt + 1)

      const isConclusive = failed === 'hang' || failed.passesWithout
      if (isConclusive || (await this.#failsInFreshWorker(mutant.id, test.key, lane))) {
        failing.push(test)
      }
    }
    return failing
  }

  async #caughtBy(
    { id, file }: NumberedMutant,
    tests: readonly Test[],
    lane: number,
  ): Promise<Verdict['caughtBy']> {
    for (let rest = tests; rest.length > 0; ) {
      const failed = await this.#firstFailure(id, rest, lane)
      if (failed === null || failed === 'hang') {
        return failed
      }
      const { key, passesWithout } = failed
      if (key === '') {
        throw new Error(failed.error)
      }
      if (passesWithout || (await this.#failsInFreshWorker(id, key, lane))) {
        this.#catches.set(`${file} ${key}`, (this.#catches.get(`${file} ${key}`) ?? 0) + 1)
        return 'failure'
      }
      process.stdout.write(`? fails without a mutant too: ${key}: ${failed.error}\n`)
      rest = rest.slice(rest.findIndex((test) => test.key === key) + 1)
    }
    return null
  }

  /** A mutant may leave the process in a state in which the test fails without it too. */
  async #failsInFreshWorker(id: number, key: string, lane: number): Promise<boolean> {
    this.#stopWorker(lane)
    const test = this.#tests.get(key)
    if (test === undefined) {
      return false
    }
    const fails =
      (await this.#firstFailure(-1, [test], lane)) === null &&
      (await this.#firstFailure(id, [test], lane)) !== null
    this.#stopWorker(lane)
    return fails
  }

  async #firstFailure(
    id: number,
    tests: readonly Test[],
    lane: number,
    onStart?: (key: string) => void,
  ) {
    const worker = this.#workers[lane] ?? (await this.#warmWorker(tests, lane))
    this.#workers[lane] = worker
    const report = await worker.run(
      { type: 'mutant', id, tests: tests.map(({ key }) => key) },
      (key) => {
        onStart?.(key)
        return hangMs() + HANG_FACTOR * (this.#tests.get(key)?.ms ?? 0)
      },
    )
    if (report === null || report.megabytes > WORKER_MEGABYTES) {
      this.#stopWorker(lane)
    }
    return report === null ? 'hang' : report.failure
  }

  /** A worker that has run a test: the first one loads the service and migrates a database, which may seem to be a hang. */
  async #warmWorker(tests: readonly Test[], lane: number): Promise<Worker> {
    const worker = new Worker(this.#options.env(lane))
    await worker.run(
      { type: 'mutant', id: -1, tests: tests.slice(0, 1).map(({ key }) => key) },
      () => TEST_TIMEOUT_MS,
    )
    return worker
  }

  #stopWorker(lane: number): void {
    this.#workers[lane]?.stop()
    this.#workers[lane] = undefined
  }

  stop(): void {
    for (const lane of this.#workers.keys()) {
      this.#stopWorker(lane)
    }
  }
}

/** How many words of a source's path are in the path of a test: `consent` of login/skip-consent.ts. */
const sharedWords = (source: string, test: string): number =>
  new Set(source.match(/[a-z]{4,}/g)).intersection(new Set(test.match(/[a-z]{4,}/g))).size
