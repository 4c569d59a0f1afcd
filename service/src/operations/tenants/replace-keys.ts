import type { Author } from '../../domain/audit/action.ts'
import { isRepeatable } from '../../domain/repeated-decision.ts'
import type { TransactionStores } from '../../domain/stores/stores.ts'
import type { Tenant } from '../../domain/tenants/tenant.ts'
import { requireTenantAccess } from '../../domain/tenants/tenant-access.ts'
import type { DecisionSecrets } from '../accounts/account-session.ts'
import { recordAction } from '../audit/record-action.ts'
import type { Context } from '../context.ts'
import { withAdvice } from '../unknown-outcome.ts'
import {
  findIssuedKeys,
  issueKeys,
  KEY_REPLACEMENTS,
  type KeyDecision,
  type KeyReplacement,
  type ReplacedKeys,
} from './key-replacement.ts'

/** A press of "Replace keys" on a page of an owner. */
export interface ReplaceKeys {
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
export const replaceKeys = (ctx: Context, input: ReplaceKeys): Promise<boolean> =>
  withAdvice(
    'The keys may have been replaced. Replace them again to get keys that work.',
    ctx.stores.confirmedTransaction(async (stores) => {
      const now = ctx.now()
      const { tenant, generation } = input
      requireTenantAccess(tenant, 'use', now)
      if (await stores.ownership.endKeyGeneration(tenant.id, generation, now)) {
        await issueKeys(ctx, stores, { ...decisionOf(input), at: now })
        const { author } = input
        await recordAction(stores, { tenantId: tenant.id, author, action: 'tenant.keys_replaced', at: now })
        return true
      }
      const { generation: current, since } = await stores.ownership.keyGeneration(tenant.id)
      return current === generation + 1 && (await findRepeated(ctx, stores, input, since)) !== null
    }),
  )

/** Which keys a page is about to replace. */
export const readKeyGeneration = async (ctx: Pick<Context, 'stores'>, { id }: Tenant): Promise<number> =>
  (await ctx.stores.ownership.keyGeneration(id)).generation

/** The keys that this account session got less than a minute ago, for the page that shows them; otherwise null. */
export async function readReplacedKeys(
  ctx: Context,
  { tenant, secrets }: Pick<ReplaceKeys, 'tenant' | 'secrets'>,
): Promise<ReplacedKeys | null> {
  const { generation: current, since } = await ctx.stores.ownership.keyGeneration(tenant.id)
  for (const replacement of KEY_REPLACEMENTS) {
    const input = { tenant, secrets, replacement, generation: current - 1 }
    const found = await findRepeated(ctx, ctx.stores, input, since)
    if (found !== null) return found
  }
  return null
}

const findRepeated = async (
  ctx: Context,
  stores: Pick<TransactionStores, 'tenants'>,
  input: Omit<ReplaceKeys, 'author'>,
  since: number | null,
): Promise<ReplacedKeys | null> =>
  since !== null && isRepeatable(since, ctx.now())
    ? findIssuedKeys(ctx, stores, { ...decisionOf(input), at: since })
    : null

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
