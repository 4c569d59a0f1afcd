import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { type Extent, type Group, ROOT } from './group.ts'

const FILE = path.join(ROOT, 'node_modules/.cache/test-durations.json')

type Durations = Record<string, number>

/**
 * How long each test file took in the last run, so that the longest start first and the workers end together. A file
 * without a duration comes before the others: first those that wait for other programs, then the largest.
 */
export class FileDurations {
  readonly #extent: Extent
  readonly #file: string
  readonly #all: Record<string, Durations>

  constructor(extent: Extent, file = FILE) {
    this.#extent = extent
    this.#file = file
    this.#all = readDurations(file)
  }

  longestFirst<File extends { readonly file: string; readonly group: Group }>(
    files: readonly File[],
  ): File[] {
    const last = this.#all[this.#extent] ?? {}
    const guess = ({ file, group: { chromium, onDisk, ownProcess } }: File): number =>
      (chromium || onDisk || ownProcess ? 2 : 1) * HOUR_MS + statSync(path.resolve(ROOT, file)).size
    const weight = (file: File): number => last[file.file] ?? guess(file)
    return files.toSorted((a, b) => weight(b) - weight(a))
  }

  record(file: string, ms: number): void {
    this.#all[this.#extent] = { ...this.#all[this.#extent], [file]: Math.round(ms) }
  }

  save(): void {
    mkdirSync(path.dirname(this.#file), { recursive: true })
    writeFileSync(this.#file, JSON.stringify(this.#all))
  }
}

const HOUR_MS = 3_600_000

/** Empty if there is no file or it is damaged: then only the order is worse. */
function readDurations(file: string): Record<string, Durations> {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Record<string, Durations>
  } catch {
    return {}
  }
}
