import type { TransactionStores } from '../../domain/stores/stores.ts'
import type { Tenant } from '../../domain/tenants/tenant.ts'
import type { Duration, Instant } from '../../domain/time.ts'
import type { Context } from '../context.ts'
import type { NewTenant } from './create-guest-tenant.ts'
import { deriveKeyPair, keyHashes, sealKeyPair } from './tenant-key-pair.ts'

/** `overlap`, the default: the old keys work for another day, so that the app keeps working. `now`: they are rejected at once. */
export const KEY_REPLACEMENTS = ['overlap', 'now'] as const

export type KeyReplacement = (typeof KEY_REPLACEMENTS)[number]

export interface ReplacedKeys extends NewTenant {
  /** null: the old keys no longer work. */
  readonly oldKeysUntil: Instant | null
}

/** A decision to replace the keys. Its secrets, one for each master key, determine the new ones (decision 43). */
export interface KeyDecision {
  readonly tenant: Tenant
  readonly replacement: KeyReplacement
  readonly secrets: readonly string[]
  readonly at: Instant
}

/** Time to give the new credentials file to every agent that uses the old one. */
const OVERLAP_MS: Duration = 24 * 3_600_000

/** Issues new keys to the owner, in the transaction of the decision. */
export async function issueKeys(
  ctx: Pick<Context, 'keyring' | 'random'>,
  stores: TransactionStores,
  { tenant, replacement, secrets: [secret = ''], at }: KeyDecision,
): Promise<void> {
  const keys = deriveKeyPair(secret)
  const oldUntil = replacement === 'now' ? at : at + OVERLAP_MS
  await stores.ownership.replaceKeys(tenant.id, keyHashes(ctx, keys), oldUntil, at)
  // A downloadable copy, if there is one, has the new keys.
  await stores.credentials.replace(tenant.id, sealKeyPair(ctx, tenant.id, keys), at)
}

/** The keys that this decision issued; null if it issued none, or they no longer work. */
export async function findIssuedKeys(
  ctx: Pick<Context, 'keyring' | 'now'>,
  stores: Pick<TransactionStores, 'tenants'>,
  { tenant, replacement, secrets, at }: KeyDecision,
): Promise<ReplacedKeys | null> {
  for (const secret of secrets) {
    const keys = deriveKeyPair(secret)
    const found = await stores.tenants.findByKey(ctx.keyring.hashes('management', keys.managementKey), ctx.now())
    if (found?.tenant.id !== tenant.id) continue
    return { tenant, ...keys, oldKeysUntil: replacement === 'now' ? null : at + OVERLAP_MS }
  }
  return null
}
