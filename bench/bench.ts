import type { Options } from './options.ts'
import type { Placement } from './processes/cores.ts'

/** What every piece of a run shares. */
export interface Bench {
  readonly options: Options
  readonly placement: Placement
  /** Of this run alone, removed at its end. */
  readonly folder: string
  /** To whoever waits: what is going on. */
  say(line: string): void
}
