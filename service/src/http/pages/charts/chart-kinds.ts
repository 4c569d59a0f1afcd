import type { Daily } from '../../../domain/events/daily.ts'

/** What the bars of a chart count. */
export interface ChartKind {
  readonly label: string
  readonly count: Count
  /** Drawn on top of `count`, in the color of failures. */
  readonly stacked?: Count
  readonly singular: string
  readonly plural: string
}

/** By the query parameter `chart`. The first one is shown without it. */
export const CHART_KINDS = {
  'sign-ins': {
    label: 'Sign-ins',
    count: 'logins',
    stacked: 'failures',
    singular: 'sign-in',
    plural: 'sign-ins',
  },
  started: {
    label: 'Started',
    count: 'starts',
    singular: 'started sign-in',
    plural: 'started sign-ins',
  },
  declined: {
    label: 'Declined',
    count: 'denials',
    singular: 'declined sign-in',
    plural: 'declined sign-ins',
  },
  failed: {
    label: 'Failed',
    count: 'failures',
    singular: 'failed sign-in',
    plural: 'failed sign-ins',
  },
  refreshes: { label: 'Refreshes', count: 'refreshes', singular: 'refresh', plural: 'refreshes' },
  'sign-outs': { label: 'Sign-outs', count: 'logouts', singular: 'sign-out', plural: 'sign-outs' },
} as const satisfies Readonly<Record<string, ChartKind>>

export type ChartName = keyof typeof CHART_KINDS

export const SIGN_INS: ChartKind = CHART_KINDS['sign-ins']

type Count = Exclude<keyof Daily, 'day'>

export const DAYS_SHOWN = 30

const DAY_MS = 24 * 3_600_000

/** The last days, from the oldest to today. Days without data count zero. */
export function lastDays(daily: readonly Daily[], now: number, count = DAYS_SHOWN): Daily[] {
  const known = new Map(daily.map((entry) => [entry.day, entry]))
  return Array.from({ length: count }, (_, index) => {
    const day = new Date(now - (count - 1 - index) * DAY_MS).toISOString().slice(0, 10)
    return (
      known.get(day) ?? {
        day,
        logins: 0,
        refreshes: 0,
        logouts: 0,
        failures: 0,
        starts: 0,
        denials: 0,
      }
    )
  })
}

export const totalOf = (days: readonly Daily[], field: Count): number =>
  days.reduce((sum, day) => sum + day[field], 0)
