import { whenFirstUsed } from './when-first-used.ts'

const english = whenFirstUsed(() => new Intl.NumberFormat('en'))

/** `12,345` */
export const grouped = (count: number): string => english().format(count)

const short = whenFirstUsed(() => new Intl.NumberFormat('en', { notation: 'compact' }))

/** `12K`, where there is no room for more and the exact number stands elsewhere. */
export const shortened = (count: number): string => short().format(count)

/** `1 person`, `12,345 people` */
export const counted = (count: number, one: string, many: string): string =>
  `${grouped(count)} ${count === 1 ? one : many}`
