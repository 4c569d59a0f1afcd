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
  /** What one source may do that often, for the sentence in the refusal. */
  readonly what: string
}

/** To an app or to an account: either way a row of ours and a visit to the provider. */
export const LOGIN_START_LIMIT: AddressLimit = {
  scope: 'starts',
  perMinute: STARTS_PER_MINUTE_PER_ADDRESS,
  what: 'start logins',
}

/**
 * Counts one act of a network source against its minute, within the transaction of that act: what is refused or
 * undone counts nothing. The source itself is never stored, only a keyed hash of it.
 */
export async function limitByAddress(
  ctx: Pick<Context, 'keyring'>,
  stores: Pick<TransactionStores, 'counters'>,
  guard: AddressLimit,
  addressKey: string,
  now: number,
): Promise<Rate> {
  const scope = `${guard.scope}:${ctx.keyring.hash('source', addressKey)}` as const
  const counter = { scope, window: 'minute', start: minuteStart(now) } as const
  const used = await stores.counters.spend(counter, 1, guard.perMinute)
  if (used === null) throw tooOften(guard, now)
  return { window: 'minute', limit: guard.perMinute, left: guard.perMinute - used, resetsAt: minuteEnd(now) }
}

function tooOften({ perMinute, what }: AddressLimit, now: number): ApiError {
  const seconds = Math.max(1, Math.ceil((minuteEnd(now) - now) / 1_000))
  return new ApiError('rateLimited', `One source may ${what} ${perMinute} times a minute. Try again in ${seconds} s.`, {
    details: { window: 'minute', limit: perMinute, left: 0 },
    retryAfterSeconds: seconds,
  })
}
