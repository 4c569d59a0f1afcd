import type { Row } from './row.ts'

export interface Wanted {
  readonly work: string
  readonly contender: string
  /** A part of it. */
  readonly durability?: string
}

export const findRow = (rows: readonly Row[], { work, contender, durability = '' }: Wanted): Row | undefined =>
  rows.find((row) => row.work === work && row.contender === contender && (row.durability ?? '').includes(durability))
