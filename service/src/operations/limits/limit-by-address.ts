import { STARTS_PER_MINUTE_PER_ADDRESS } from '@gatehouse/contract'
import { ApiError } from '../../domain/api-error.ts'
import type { AddressScope } from '../../domain/limits/counter.ts'
import type { Rate } from '../../domain/limits/rate.ts'
import { minuteEnd, minuteStart } from '../../domain/limits/windows.ts'
import type { TransactionStores } from '../../domain/stores/stores.ts'
import type { Context } from '../context.ts'

export interface AddressLimit {
  readonly scope: AddressScope
  readonly perMinute: number
  /** For the error message: "One source may … 10 times a minute." */
  readonly action: string
}

/** Logins to apps and sign-ins to accounts together. */
export const LOGIN_START_LIMIT: AddressLimit = {
  scope: 'starts',
  perMinute: STARTS_PER_MINUTE_PER_ADDRESS,
  action: 'start logins',
}

/**
 * Counts one action of a client address in the transaction of that action, so that a rolled-back action is not counted.
 * Throws `rateLimited`; returns null if the limit is not enforced. The address is stored only as a keyed hash.
 */
export async function limitByAddress(
  ctx: Pick<Context, 'keyring' | 'unlimited'>,
  stores: Pick<TransactionStores, 'counters'>,
  limit: AddressLimit,
  addressKey: string,
  now: number,
): Promise<Rate | null> {
  const scope = `${limit.scope}:${ctx.keyring.hash('source', addressKey)}` as const
  const counter = { scope, window: 'minute', start: minuteStart(now) } as const
  const used = await stores.counters.spend(counter, 1, ctx.unlimited ? null : limit.perMinute)
  if (used === null) throw rateLimited(limit, now)
  if (ctx.unlimited) return null
  return { window: 'minute', limit: limit.perMinute, left: limit.perMinute - used, resetsAt: minuteEnd(now) }
}

function rateLimited({ perMinute, action }: AddressLimit, now: number): ApiError {
  const seconds = Math.max(1, Math.ceil((minuteEnd(now) - now) / 1_000))
  return new ApiError(
    'rateLimited',
    `One source may ${action} ${perMinute} times a minute. Try again in ${seconds} s.`,
    {
      details: { window: 'minute', limit: perMinute, left: 0 },
      retryAfterSeconds: seconds,
    },
  )
}
