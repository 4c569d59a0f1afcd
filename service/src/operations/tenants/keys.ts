import type { TenantId } from '../../domain/ids.ts'
import { isRepeatable } from '../../domain/repeated-decision.ts'
import type { TenantKey, TransactionStores } from '../../domain/stores/stores.ts'
import type { Author } from '../../domain/tenants/audit.ts'
import { requireTenantAccess, type Tenant } from '../../domain/tenants/tenant.ts'
import { mintTenantKey, type TenantKeyKind } from '../../domain/tenants/tenant-keys.ts'
import type { Duration, Instant } from '../../domain/time.ts'
import { derivedBytes, seal, unseal } from '../../domain/tokens/secret.ts'
import type { DecisionSecrets } from '../accounts/account-session.ts'
import type { Context } from '../context.ts'
import { withAdvice } from '../unknown-outcome.ts'
import { recordAction } from './audit.ts'

/** `overlap`, the default: the old keys work for another day, so that the app keeps working. `now`: they are rejected at once. */
export const KEY_REPLACEMENTS = ['overlap', 'now'] as const

export type KeyReplacement = (typeof KEY_REPLACEMENTS)[number]

/** A press of "Replace keys" on a page of an owner. */
interface ReplaceKeys {
  readonly tenant: Tenant
  readonly replacement: KeyReplacement
  /** The generation of the keys that the page was shown for. */
  readonly generation: number
  readonly secrets: DecisionSecrets
  readonly author: Author
}

/**
 * Issues new keys to the owner, once for each generation; `readReplacedKeys` returns them. True also for the same decision
 * again, which changes nothing. False if the generation of the page is over.
 */
export function replaceKeys(ctx: Context, input: ReplaceKeys): Promise<boolean> {
  const { tenant, generation, author } = input
  const replacing = ctx.stores.confirmedTransaction(async (stores) => {
    const now = ctx.now()
    requireTenantAccess(tenant, 'use', now)
    if (!(await stores.ownership.endKeyGeneration(tenant.id, generation, now))) {
      return isRepeated(ctx, stores, input)
    }

    await issueKeys(ctx, stores, { ...decisionOf(input), at: now })
    await recordAction(stores, {
      tenantId: tenant.id,
      author,
      action: 'tenant.keys_replaced',
      at: now,
    })
    return true
  })
  return withAdvice(
    'The keys may have been replaced. Replace them again to get keys that work.',
    replacing,
  )
}

/** Whether the same decision has ended the generation of its page. */
async function isRepeated(
  ctx: Context,
  stores: TransactionStores,
  input: ReplaceKeys,
): Promise<boolean> {
  const { generation: current, since } = await stores.ownership.keyGeneration(input.tenant.id)
  if (current !== input.generation + 1) {
    return false
  }
  const repeated = await findRepeated(ctx, stores, input, since)
  return repeated !== null
}

/** Which keys a page is about to replace. */
export async function readKeyGeneration(
  { stores }: Pick<Context, 'stores'>,
  { id }: Tenant,
): Promise<number> {
  const { generation } = await stores.ownership.keyGeneration(id)
  return generation
}

export interface ReplacedKeys extends NewTenant {
  /** null: the old keys no longer work. */
  readonly oldKeysUntil: Instant | null
}

/** The keys that this account session got less than a minute ago, for the page that shows them; otherwise null. */
export async function readReplacedKeys(
  ctx: Context,
  { tenant, secrets }: Pick<ReplaceKeys, 'tenant' | 'secrets'>,
): Promise<ReplacedKeys | null> {
  const { generation: current, since } = await ctx.stores.ownership.keyGeneration(tenant.id)
  for (const replacement of KEY_REPLACEMENTS) {
    const input = { tenant, secrets, replacement, generation: current - 1 }
    const found = await findRepeated(ctx, ctx.stores, input, since)
    if (found !== null) {
      return found
    }
  }
  return null
}

async function findRepeated(
  ctx: Context,
  stores: Pick<TransactionStores, 'tenants'>,
  input: Omit<ReplaceKeys, 'author'>,
  since: number | null,
): Promise<ReplacedKeys | null> {
  if (since === null || !isRepeatable(since, ctx.now())) {
    return null
  }
  return findIssuedKeys(ctx, stores, { ...decisionOf(input), at: since })
}

/** A decision to replace the keys. Its secrets, one for each master key, determine the new ones (decision 43). */
interface KeyDecision {
  readonly tenant: Tenant
  readonly replacement: KeyReplacement
  readonly secrets: readonly string[]
  readonly at: Instant
}

const decisionOf = ({
  tenant,
  replacement,
  generation,
  secrets,
}: Omit<ReplaceKeys, 'author'>): Omit<KeyDecision, 'at'> => ({
  tenant,
  replacement,
  secrets: secrets(`keys:${tenant.id}:${generation}:${replacement}`),
})

/** Time to give the new credentials file to every agent that uses the old one. */
const OVERLAP_MS: Duration = 24 * 3_600_000

/** Issues new keys to the owner, in the transaction of the decision. */
export async function issueKeys(
  ctx: Pick<Context, 'keyring' | 'random'>,
  stores: TransactionStores,
  { tenant, replacement, secrets, at }: KeyDecision,
): Promise<void> {
  const [secret = ''] = secrets
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
    const found = await stores.tenants.findByKey(
      ctx.keyring.hashes('management', keys.managementKey),
      ctx.now(),
    )
    if (found?.tenant.id === tenant.id) {
      return { tenant, ...keys, oldKeysUntil: replacement === 'now' ? null : at + OVERLAP_MS }
    }
  }
  return null
}

/** The keys of a project that work now. */
export const listKeys = (
  ctx: Pick<Context, 'stores' | 'now'>,
  { id }: Tenant,
): Promise<TenantKey[]> => ctx.stores.tenants.listKeys(id, ctx.now())

interface TenantKeyPair {
  readonly managementKey: string
  readonly applicationKey: string
}

export interface NewTenant extends TenantKeyPair {
  readonly tenant: Tenant
}

export const mintKeyPair = (ctx: Pick<Context, 'random'>): TenantKeyPair => ({
  managementKey: mintTenantKey('management', ctx.random),
  applicationKey: mintTenantKey('application', ctx.random),
})

/** The pair that only this secret determines, so that a repeated decision gets the same pair (decision 43). */
const deriveKeyPair = (secret: string): TenantKeyPair => ({
  managementKey: mintTenantKey('management', derivedBytes(secret, 'management-key')),
  applicationKey: mintTenantKey('application', derivedBytes(secret, 'application-key')),
})

/** The keyed hashes that are stored. */
export const keyHashes = (
  ctx: Pick<Context, 'keyring'>,
  { managementKey, applicationKey }: TenantKeyPair,
): readonly { readonly kind: TenantKeyKind; readonly hash: string }[] => [
  { kind: 'management', hash: ctx.keyring.hash('management', managementKey) },
  { kind: 'application', hash: ctx.keyring.hash('application', applicationKey) },
]

const context = (tenantId: TenantId): string => `tenant-keys\0${tenantId}`

/** Only for tenants whose credentials can be downloaded again (spec, Authentication 9). */
export const sealKeyPair = (
  ctx: Pick<Context, 'keyring' | 'random'>,
  tenantId: TenantId,
  { managementKey, applicationKey }: TenantKeyPair,
): Uint8Array =>
  seal(ctx.keyring, context(tenantId), JSON.stringify([managementKey, applicationKey]), ctx.random)

export function unsealKeyPair(
  ctx: Pick<Context, 'keyring'>,
  tenantId: TenantId,
  sealed: Uint8Array,
): TenantKeyPair {
  const text = unseal(ctx.keyring, context(tenantId), sealed)
  if (text === null) {
    throw new Error('the sealed credentials of a tenant do not open')
  }
  const [managementKey, applicationKey] = JSON.parse(text) as [string, string]
  return { managementKey, applicationKey }
}
