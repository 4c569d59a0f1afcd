import { formatCount, formatNumber } from '../../pages/text.ts'

/** The newest entries, and the total. */
export interface Newest<T> {
  readonly total: number
  readonly recent: readonly T[]
}

/** `10 of 1,204 users` */
export const shownOf = ({ total, recent }: Newest<unknown>, singular: string, plural: string): string =>
  recent.length < total
    ? `${formatNumber(recent.length)} of ${formatCount(total, singular, plural)}`
    : formatCount(recent.length, singular, plural)
