import type { Options } from './options.ts'
import type { Placement } from './processes/usage.ts'

/** Shared by all benchmarks of a run. */
export interface Bench {
  readonly options: Options
  readonly placement: Placement
  /** A temporary folder, removed at the end of the run. */
  readonly folder: string
  /** Prints progress to stderr. */
  log(line: string): void
}
