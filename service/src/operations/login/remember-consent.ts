import type { UserId } from '../../domain/ids.ts'
import type { Attempt } from '../../domain/login/attempt.ts'
import { canRemember, consentHost } from '../../domain/login/remembered-consent.ts'
import type { Resource, TransactionStores } from '../../domain/stores/stores.ts'
import type { Tenant } from '../../domain/tenants/tenant.ts'
import type { Instant } from '../../domain/time.ts'

export interface Consented {
  readonly tenant: Tenant
  readonly resource: Resource
  readonly attempt: Attempt
  readonly userId: UserId
  /** What the page showed of the app, if it said that Continue is remembered. */
  readonly shown: string | null
  readonly now: Instant
}

/** Stores a press of Continue, in the transaction of the decision, if the page said so and the owner still wants it. */
export async function rememberConsent(
  stores: Pick<TransactionStores, 'consents'>,
  { tenant, resource, attempt, userId, shown, now }: Consented,
): Promise<void> {
  if (shown === null || tenant.owner === null || !canRemember({ resource, attempt })) return
  const { redirectUri, provider, browserHash } = attempt
  const key = { userId, host: consentHost(redirectUri), provider }
  await stores.consents.remember(resource, { ...key, browserHash, brandHash: shown, at: now })
}
