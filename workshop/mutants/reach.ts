import { hash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { isSource } from './selection.ts'

const ROOT = path.resolve(import.meta.dirname, '../..')
const REACH_FILE = path.join(ROOT, 'node_modules/.cache/mutants/reach.json')

/**
 * Which sources each test file ran in the last round of this name. A source that has since got a new caller may be missing;
 * after a change of the test file it is run again whatever this says.
 */
export class Reach {
  readonly #round: string
  readonly #sources: readonly string[]
  readonly #known: Record<string, { readonly digest: string; readonly ran: readonly string[] }>

  constructor(round: string, sources: readonly string[]) {
    this.#round = round
    this.#known = existsSync(REACH_FILE) ? JSON.parse(readFileSync(REACH_FILE, 'utf8')) : {}
    const everything = new Set(Object.values(this.#known).flatMap(({ ran }) => ran))
    this.#sources = sources.filter((source) => everything.has(source))
  }

  includes(file: string): boolean {
    // A file without slow tests has the same in both rounds.
    const quick = /\bslow\b/.test(readFileSync(path.join(ROOT, file), 'utf8'))
      ? undefined
      : this.#known[`quick ${file}`]
    const known = this.#known[`${this.#round} ${file}`] ?? quick
    if (this.#sources.length === 0 || known?.digest !== digestOf(file)) {
      return true
    }
    return this.#sources.some((source) => known.ran.includes(source))
  }

  record(file: string, ran: readonly string[]): void {
    this.#known[`${this.#round} ${file}`] = { digest: digestOf(file), ran: ran.filter(isSource) }
  }

  save(): void {
    mkdirSync(path.dirname(REACH_FILE), { recursive: true })
    writeFileSync(REACH_FILE, JSON.stringify(this.#known))
  }
}

const digestOf = (file: string): string => hash('sha256', readFileSync(path.join(ROOT, file)))
