import path from 'node:path'
import type { TestResult } from './events.ts'

const ROOT = path.resolve(import.meta.dirname, '../..')

const REDRAW_MS = 200

/** Shows the progress of the run: on a terminal one line that is redrawn, otherwise one line per finished group. */
export class Progress {
  readonly results: TestResult[] = []
  readonly #began = performance.now()
  readonly #running = new Set<string>()
  readonly #isTerminal = process.stdout.isTTY === true
  readonly #redraw: NodeJS.Timeout | undefined

  constructor() {
    if (this.#isTerminal) this.#redraw = setInterval(() => this.#draw(), REDRAW_MS)
  }

  /** Runs one group and prints its result. */
  async group(name: string, run: (onResult: (result: TestResult) => void) => Promise<void>): Promise<void> {
    const results: TestResult[] = []
    const began = performance.now()
    this.#running.add(name)
    await run((result) => {
      results.push(result)
      this.results.push(result)
    })
    this.#running.delete(name)
    if (!this.#isTerminal) {
      process.stdout.write(`${name}: ${summarize(results)} · ${seconds(performance.now() - began)}\n`)
      // The summary has the errors; these titles are for a run that is stopped before it.
      for (const result of results) if (result.outcome === 'failed') process.stdout.write(`  ✖ ${titleOf(result)}\n`)
    }
  }

  seconds(): string {
    return seconds(performance.now() - this.#began)
  }

  end(): void {
    clearInterval(this.#redraw)
    if (this.#isTerminal) process.stdout.write('\r\u001b[K')
  }

  #draw(): void {
    const line = `${this.seconds()} · ${summarize(this.results)} · running: ${[...this.#running].join(', ')}`
    process.stdout.write(`\r\u001b[K${line.slice(0, process.stdout.columns - 1)}`)
  }
}

/** `file › name`, with the file relative to the repository. */
export const titleOf = ({ name, file }: TestResult): string =>
  file === '' ? name : `${path.relative(ROOT, file)} › ${name}`

/** `N passed, N failed, N skipped` */
export function summarize(results: readonly TestResult[]): string {
  const count = (outcome: TestResult['outcome']): number => results.filter((each) => each.outcome === outcome).length
  return `${count('passed')} passed, ${count('failed')} failed, ${count('skipped')} skipped`
}

const seconds = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`
