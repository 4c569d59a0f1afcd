import path from 'node:path'
import type { TestResult } from './events.ts'
import { ROOT } from './group.ts'

const REDRAW_MS = 200

/** Shows the progress of the run: on a terminal one line that is redrawn, otherwise one line per finished group. */
export class Progress {
  readonly results: TestResult[] = []
  readonly #began = performance.now()
  readonly #running = new Set<string>()
  /** Files and results of each group that has not ended. */
  readonly #groups = new Map<
    string,
    { files: number; ms: number; readonly results: TestResult[] }
  >()
  readonly #isTerminal = process.stdout.isTTY === true
  readonly #redraw: NodeJS.Timeout | undefined

  /** `files` has the group of each file. */
  constructor(files: readonly string[]) {
    for (const group of files) {
      const known = this.#groups.get(group) ?? { files: 0, ms: 0, results: [] }
      this.#groups.set(group, { ...known, files: known.files + 1 })
    }
    if (this.#isTerminal) {
      this.#redraw = setInterval(() => this.#draw(), REDRAW_MS)
    }
  }

  /** Runs one file of a group, and prints the results of the group after its last one. */
  async file(
    name: string,
    groupName: string,
    run: (onResult: (result: TestResult) => void) => Promise<void>,
  ): Promise<void> {
    const group = this.#groups.get(groupName)
    const began = performance.now()
    this.#running.add(name)
    await run((result) => {
      group?.results.push(result)
      this.results.push(result)
      // The summary has the errors; this title is for a run that is stopped before it.
      if (result.outcome === 'failed' && !this.#isTerminal) {
        process.stdout.write(`  ✖ ${titleOf(result)}\n`)
      }
    })
    this.#running.delete(name)
    if (group === undefined) {
      return
    }
    group.files -= 1
    group.ms += performance.now() - began
    if (group.files > 0 || this.#isTerminal) {
      return
    }
    process.stdout.write(`${groupName}: ${summarize(group.results)} · ${seconds(group.ms)}\n`)
  }

  get seconds(): number {
    return (performance.now() - this.#began) / 1_000
  }

  end(): void {
    clearInterval(this.#redraw)
    if (this.#isTerminal) {
      process.stdout.write('\r\u001b[K')
    }
  }

  #draw(): void {
    const line = `${this.seconds.toFixed(1)} s · ${summarize(this.results)} · running: ${[...this.#running].join(', ')}`
    process.stdout.write(`\r\u001b[K${line.slice(0, process.stdout.columns - 1)}`)
  }
}

/** `file › name`, with the file relative to the repository. */
export const titleOf = ({ name, file }: TestResult): string =>
  file === '' ? name : `${path.relative(ROOT, file)} › ${name}`

/** `N passed, N failed, N skipped` */
export function summarize(results: readonly TestResult[]): string {
  const count = (outcome: TestResult['outcome']): number =>
    results.filter((each) => each.outcome === outcome).length
  return `${count('passed')} passed, ${count('failed')} failed, ${count('skipped')} skipped`
}

const seconds = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`
