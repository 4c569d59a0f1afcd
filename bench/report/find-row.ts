import type { Row } from './row.ts'

export interface RowQuery {
  readonly workload: string
  readonly contender: string
  /** A substring. */
  readonly durability?: string
}

export const findRow = (rows: readonly Row[], { workload, contender, durability = '' }: RowQuery): Row | undefined =>
  rows.find(
    (row) => row.workload === workload && row.contender === contender && (row.durability ?? '').includes(durability),
  )
