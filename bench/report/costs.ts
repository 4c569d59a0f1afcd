import { LOGIN } from '../contenders/login-setups.ts'
import { REFRESH } from '../contenders/refresh-setups.ts'
import { LIVE } from '../contenders/verify-setups.ts'
import { spreadOf } from '../statistics.ts'
import { ratioOf } from './ratio.ts'
import type { Row } from './row.ts'

/** The CPU time that one call costs a contender. */
export interface Cost {
  readonly name: string
  readonly ours: boolean
  readonly cpuUs: number
  /** How many times ours: the median of the rounds. 1 for ours. */
  readonly timesOurs: number
}

export type Call = 'verify' | 'refresh' | 'login'

const WORKLOADS: Record<Call, string> = { verify: LIVE, refresh: REFRESH, login: LOGIN }

/** Names as their users know them, by contender and the first word of where it stores its data. */
const NAMES: Readonly<Record<string, string>> = {
  'gatehouse ': 'Gatehouse',
  'gatehouse SQLite': 'Gatehouse (on disk)',
  'Express + jsonwebtoken HS256': 'Express + jsonwebtoken',
  'oidc-provider introspection memory': 'oidc-provider introspection (in memory)',
  'oidc-provider memory': 'oidc-provider (in memory)',
  'OpenAuth client.verify ES256': 'OpenAuth client.verify',
  'OpenAuth memory': 'OpenAuth (in memory)',
  'better-auth get-session cookie': 'better-auth get-session (cookie cache)',
  'better-auth get-session SQLite': 'better-auth get-session (on disk)',
  'better-auth SQLite': 'better-auth (on disk)',
  'Glewlwyd introspection C': 'Glewlwyd introspection (in C, on disk)',
  'Glewlwyd C': 'Glewlwyd (in C, on disk)',
}

/** What a call costs here and elsewhere, ours first, then the cheapest. Empty if this run did not measure it. */
export function costsOf(call: Call, rows: readonly Row[]): Cost[] {
  const measured = rows.filter(({ workload, figures }) => workload === WORKLOADS[call] && figures.cpuUs !== undefined)
  const us = measured.find(({ contender }) => contender === 'gatehouse')
  return measured
    .flatMap((row): Cost[] => {
      const { contender, durability = '', figures } = row
      const name = NAMES[`${contender} ${durability.split(/[ ,]/)[0]}`]
      const ours = row === us
      const timesOurs = ours ? 1 : ratioOf(us, row, 'cpuUs')?.median
      if (name === undefined || timesOurs === undefined) return []
      return [{ name, ours, cpuUs: spreadOf(figures.cpuUs ?? []).median, timesOurs }]
    })
    .sort((a, b) => Number(b.ours) - Number(a.ours) || a.cpuUs - b.cpuUs)
}

/** Microseconds, or milliseconds with one digit from 2 ms on. */
export const cpuTime = (us: number): string =>
  us >= 2_000 ? `${(us / 1_000).toFixed(1)} ms` : `${Math.round(us).toLocaleString('en-US')} µs`

export const times = (ratio: number): string => `${ratio.toFixed(ratio < 10 ? 1 : 0)}×`
