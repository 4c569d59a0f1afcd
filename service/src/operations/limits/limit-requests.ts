import {
  type ApiErrorCode,
  BODY_ERRORS,
  INVALID_REQUESTS_PER_MINUTE,
  SEARCHES_PER_MINUTE_PER_ADDRESS,
  STARTS_PER_MINUTE_PER_ADDRESS,
  TIER_LIMITS,
} from '@gatehouse-auth/contract'
import { ApiError } from '../../domain/api-error.ts'
import {
  type AddressScope,
  type HourlyScope,
  hourEnd,
  hourStart,
  MinuteCounts,
  minuteEnd,
  minuteStart,
} from '../../domain/limits/counter.ts'
import type { Rate } from '../../domain/limits/rate.ts'
import type { TransactionStores } from '../../domain/stores/stores.ts'
import { type Tenant, tierOf } from '../../domain/tenants/tenant.ts'
import type { Instant } from '../../domain/time.ts'
import type { Context } from '../context.ts'

export interface AddressLimit {
  readonly scope: AddressScope
  readonly perMinute: number
  /** For the error message: "One source may … 10 times a minute." */
  readonly action: string
}

/** Sign-ins to accounts. They count together with logins to apps. */
export const LOGIN_START_LIMIT: AddressLimit = {
  scope: 'starts',
  perMinute: STARTS_PER_MINUTE_PER_ADDRESS,
  action: 'start logins',
}

/** Logins to an app: never fewer than its tier allows, so that users behind one address can use all of it. */
export const loginStartLimitOf = (tenant: Tenant): AddressLimit => ({
  ...LOGIN_START_LIMIT,
  perMinute: Math.max(LOGIN_START_LIMIT.perMinute, TIER_LIMITS[tierOf(tenant)].eventsPerMinute),
})

const SEARCH_LIMIT: AddressLimit = {
  scope: 'searches',
  perMinute: SEARCHES_PER_MINUTE_PER_ADDRESS,
  action: 'search the documentation',
}

/** Counts a search that has to be computed. */
export const limitSearches = (
  ctx: Pick<Context, 'keyring' | 'unlimited' | 'stores' | 'now' | 'testProfile'>,
  addressKey: string,
): Promise<Rate | null> =>
  ctx.stores.transaction((stores) =>
    limitByAddress(ctx, stores, SEARCH_LIMIT, addressKey, ctx.now()),
  )

/**
 * Counts one action of a client address in the transaction of that action, so that a rolled-back action is not counted.
 * Throws `rateLimited`; returns null if the limit is not enforced. The address is stored only as a keyed hash.
 */
export async function limitByAddress(
  ctx: Pick<Context, 'keyring' | 'unlimited' | 'testProfile'>,
  stores: Pick<TransactionStores, 'counters'>,
  limit: AddressLimit,
  addressKey: string,
  now: number,
): Promise<Rate | null> {
  const scope = `${limit.scope}:${ctx.keyring.hash('source', addressKey)}` as const
  const counter = { scope, window: 'minute', start: minuteStart(now) } as const
  const used = await stores.counters.spend(counter, 1, ctx.unlimited ? null : limit.perMinute)
  if (used === null) {
    const { perMinute, action } = limit
    throw rateLimited(
      { window: 'minute', limit: perMinute, now },
      (seconds) =>
        `One source may ${action} ${perMinute} times a minute. Try again in ${seconds} s.${unlimitedHint(ctx)}`,
    )
  }
  if (ctx.unlimited) {
    return null
  }
  return {
    window: 'minute',
    limit: limit.perMinute,
    left: limit.perMinute - used,
    resetsAt: minuteEnd(now),
  }
}

/** How tests lift the limits of a development service. */
export function unlimitedHint({ testProfile }: Pick<Context, 'testProfile'>): string {
  if (testProfile === null) {
    return ''
  }
  return ' For tests, start this development service with DEV_UNLIMITED=1: it counts events and limits none.'
}

export interface HourlyLimit {
  readonly scope: HourlyScope
  readonly perHour: number
  /** For the error message: "A tenant may … 30 times an hour." */
  readonly action: string
}

/**
 * Counts one action of a tenant's key in the transaction of that action: what a key stores must not grow without a limit.
 * Throws `rateLimited`, which rolls the transaction back.
 */
export async function limitByTenant(
  stores: Pick<TransactionStores, 'counters'>,
  { scope, perHour, action }: HourlyLimit,
  tenant: Pick<Tenant, 'id'>,
  now: number,
): Promise<Rate> {
  const counter = {
    scope: `${scope}:${tenant.id}`,
    window: 'hour',
    start: hourStart(now),
  } as const
  const used = await stores.counters.spend(counter, 1, perHour)
  if (used === null) {
    throw rateLimited(
      { window: 'hour', limit: perHour, now },
      (seconds) => `A tenant may ${action} ${perHour} times an hour. Try again in ${seconds} s.`,
    )
  }
  return { window: 'hour', limit: perHour, left: perHour - used, resetsAt: hourEnd(now) }
}

const INVALID: ReadonlySet<ApiErrorCode> = new Set(['invalidRequest', ...BODY_ERRORS])

/**
 * Limits invalid requests of each tenant and OAuth grant. Counted in memory, per process: a row would cost more than the
 * response that it limits. Valid requests are neither counted nor refused.
 */
export class InvalidRequestLimit {
  readonly #now: Context['now']
  readonly #sent = new MinuteCounts<string>()

  constructor(now: Context['now']) {
    this.#now = now
  }

  /** The error for the response to this caller: `rateLimited` instead of one more description of its mistakes. */
  apply(caller: string, error: unknown): unknown {
    if (!(error instanceof ApiError) || !INVALID.has(error.code)) {
      return error
    }
    const now = this.#now()
    if (this.#sent.add(caller, now) <= INVALID_REQUESTS_PER_MINUTE) {
      return error
    }
    return rateLimited(
      { window: 'minute', limit: INVALID_REQUESTS_PER_MINUTE, now },
      (seconds) =>
        `More than ${INVALID_REQUESTS_PER_MINUTE} invalid requests came with this key in a minute. Correct the request; an invalid one gets its reason again in ${seconds} s.`,
    )
  }
}

interface UsedUp {
  readonly window: 'minute' | 'hour'
  readonly limit: number
  readonly now: Instant
}

/** `message` gets the seconds until the window ends. */
export function rateLimited(
  { window, limit, now }: UsedUp,
  message: (seconds: number) => string,
): ApiError {
  const end = window === 'minute' ? minuteEnd(now) : hourEnd(now)
  const seconds = Math.max(1, Math.ceil((end - now) / 1_000))
  return new ApiError('rateLimited', message(seconds), {
    details: { window, limit, left: 0 },
    retryAfterSeconds: seconds,
  })
}
