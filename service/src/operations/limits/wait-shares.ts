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

interface LongPoll {
  /** Only with a wait token. */
  readonly tokenHash?: string
  /** Only in the console. */
  readonly accountId?: AccountId
  readonly tenantId: TenantId
  readonly addressKey: string
}

/** The shares of one long poll. */
export function waitShares(poll: LongPoll): readonly WaitShare[] {
  const { tokenHash, accountId, tenantId, addressKey } = poll
  const shares: WaitShare[] = []
  if (tokenHash !== undefined) {
    shares.push({
      key: `token ${tokenHash}`,
      max: LONG_POLLS_PER_WAIT_TOKEN,
      holder: 'wait token',
    })
  }
  if (accountId !== undefined) {
    shares.push({ key: `account ${accountId}`, max: LIVE_PAGES_PER_ACCOUNT, holder: 'account' })
  }
  shares.push(
    { key: `tenant ${tenantId}`, max: LONG_POLLS_PER_TENANT, holder: 'tenant' },
    { key: `address ${addressKey}`, max: LONG_POLLS_PER_ADDRESS, holder: 'source' },
  )
  return shares
}

/** Counts the waiting requests of each holder. Prevents a denial of service: no holder can take the limit of the process. */
export class WaitCounts {
  readonly #counts = new Map<string, number>()

  /** Throws `rateLimited`, and then counts nothing. */
  require(shares: readonly WaitShare[]): void {
    for (const { key, max, holder } of shares) {
      const waiting = this.#counts.get(key) ?? 0
      if (waiting >= max) {
        throw new ApiError(
          'rateLimited',
          `One ${holder} may have ${max.toLocaleString('en')} requests waiting at a time. End some of them, or send this one without waiting.`,
          { retryAfterSeconds: RETRY_SECONDS },
        )
      }
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
