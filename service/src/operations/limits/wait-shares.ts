import {
  LONG_POLLS_PER_ADDRESS,
  LONG_POLLS_PER_TENANT,
  LONG_POLLS_PER_WAIT_TOKEN,
} from '@gatehouse-auth/contract'
import { ApiError } from '../../domain/api-error.ts'
import type { AccountId, TenantId } from '../../domain/ids.ts'

/** How many requests one holder may have waiting at a time. */
export interface WaitShare {
  readonly key: string
  readonly max: number
  /** For the error message: "One … may have 20 requests waiting." */
  readonly holder: string
}

/** Pages of the console that show new events by themselves, of one account and visible at the same time. */
const LIVE_PAGES_PER_ACCOUNT = 10

/** The shares of one long poll. `tokenHash`: only with a wait token. */
export const waitShares = (poll: {
  readonly tokenHash?: string
  /** Only in the console. */
  readonly accountId?: AccountId
  readonly tenantId: TenantId
  readonly addressKey: string
}): readonly WaitShare[] => [
  ...(poll.tokenHash === undefined
    ? []
    : [{ key: `token ${poll.tokenHash}`, max: LONG_POLLS_PER_WAIT_TOKEN, holder: 'wait token' }]),
  ...(poll.accountId === undefined
    ? []
    : [{ key: `account ${poll.accountId}`, max: LIVE_PAGES_PER_ACCOUNT, holder: 'account' }]),
  { key: `tenant ${poll.tenantId}`, max: LONG_POLLS_PER_TENANT, holder: 'tenant' },
  { key: `address ${poll.addressKey}`, max: LONG_POLLS_PER_ADDRESS, holder: 'source' },
]

/** Counts the waiting requests of each holder. Prevents a denial of service: no holder can take the limit of the process. */
export class WaitCounts {
  readonly #counts = new Map<string, number>()

  /** Throws `rateLimited`, and then counts nothing. */
  require(shares: readonly WaitShare[]): void {
    for (const { key, max, holder } of shares) {
      if ((this.#counts.get(key) ?? 0) < max) {
        continue
      }
      throw new ApiError(
        'rateLimited',
        `One ${holder} may have ${max.toLocaleString('en')} requests waiting at a time. End some of them, or send this one without waiting.`,
        { retryAfterSeconds: RETRY_SECONDS },
      )
    }
  }

  add(shares: readonly WaitShare[], change: 1 | -1): void {
    for (const { key } of shares) {
      const count = (this.#counts.get(key) ?? 0) + change
      if (count === 0) {
        this.#counts.delete(key)
      } else {
        this.#counts.set(key, count)
      }
    }
  }
}

const RETRY_SECONDS = 5
