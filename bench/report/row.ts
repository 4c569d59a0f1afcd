import type { Piece } from '../options.ts'

/** What was measured, one number for each round, in the order of the rounds. */
export type Figures = Partial<Record<FigureName, readonly number[]>>

export type FigureName =
  | 'perSecond'
  | 'cpuUs'
  | 'p50Ms'
  | 'p99Ms'
  | 'rssMb'
  /** How busy the load generator was, from 0 to 1. Near 1 it measured itself. */
  | 'loadBusy'
  /** What other programs of the machine used meanwhile, in cores. */
  | 'othersCores'
  | 'startMs'
  | 'importMs'
  | 'cpuMs'
  | 'firstByteMs'
  | 'growthMb'

/** One contender at one work. */
export interface Row {
  /** Those of one piece were measured together, round by round. */
  readonly piece: Piece | 'refresh-postgres'
  readonly work: string
  readonly contender: string
  /** What it keeps, and how safely; where it matters. */
  readonly durability?: string
  readonly figures: Figures
}
