import type { BenchmarkName } from '../options.ts'

/** Measurements: one number per round, in order. */
export type Figures = Partial<Record<FigureName, readonly number[]>>

export type FigureName =
  | 'perSecond'
  | 'cpuUs'
  | 'p50Ms'
  | 'p99Ms'
  | 'rssMb'
  /** CPU use of the load generator, from 0 to 1. Near 1 it limits the result. */
  | 'loadBusy'
  /** Cores used by other programs during the round. */
  | 'othersCores'
  | 'startMs'
  | 'importMs'
  | 'cpuMs'
  | 'firstByteMs'
  | 'growthMb'

/** The measurements of one contender with one workload. */
export interface Row {
  /** Rows of one benchmark were measured together, in interleaved rounds. */
  readonly benchmark: BenchmarkName | 'refresh-postgres'
  readonly workload: string
  readonly contender: string
  /** Where and how durably the contender stores its data, if relevant. */
  readonly durability?: string
  readonly figures: Figures
}

export interface RowQuery {
  readonly workload: string
  readonly contender: string
  /** A substring. */
  readonly durability?: string
}

export const findRow = (
  rows: readonly Row[],
  { workload, contender, durability = '' }: RowQuery,
): Row | undefined =>
  rows.find(
    (row) =>
      row.workload === workload &&
      row.contender === contender &&
      (row.durability ?? '').includes(durability),
  )
