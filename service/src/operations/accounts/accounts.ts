import type { Account, OwnerTier } from '../../domain/accounts/account.ts'
import { ApiError } from '../../domain/api-error.ts'
import type { AccountId } from '../../domain/ids.ts'
import type { Counter } from '../../domain/limits/counter.ts'
import type { TransactionStores } from '../../domain/stores/stores.ts'
import type { Context } from '../context.ts'

/** For the operator, who names an account by its email address. Throws unless exactly one account has it. */
export async function findAccount(ctx: Pick<Context, 'stores'>, email: string): Promise<Account> {
  const accounts = await ctx.stores.accounts.findByEmail(email.trim())
  const [account, other] = accounts
  if (account === undefined) {
    throw new Error(`No account has the address ${email}. Nothing was changed.`)
  }
  if (other !== undefined) {
    const ids = accounts.map(({ id }) => id).join(', ')
    throw new Error(
      `More than one account has had the address ${email} (${ids}). Nothing was changed.`,
    )
  }
  return account
}

/** Returns the account before the change. */
export async function setAccountTier(
  ctx: Pick<Context, 'stores'>,
  email: string,
  tier: OwnerTier,
): Promise<Account> {
  const account = await findAccount(ctx, email)
  await ctx.stores.accounts.setTier(account.id, tier)
  return account
}

const projectCounter = (accountId: AccountId): Counter => ({
  scope: `account:${accountId}`,
  window: 'projects',
  start: 0,
})

/**
 * Counts a tenant that the account is about to own, in the transaction that makes it the owner. One conditional statement,
 * so two concurrent creations cannot both take the last place. Throws `projectLimit`, which rolls the transaction back.
 */
export async function countProject(
  stores: Pick<TransactionStores, 'counters'>,
  { id, projectLimit }: Pick<Account, 'id' | 'projectLimit'>,
): Promise<void> {
  const owned = await stores.counters.spend(projectCounter(id), 1, projectLimit)
  if (owned === null) {
    throw new ApiError(
      'projectLimit',
      `An account may own ${projectLimit} projects, and this one does. Delete one at /account, or ask the operator to raise the limit.`,
      { details: { limit: projectLimit } },
    )
  }
}

/** Called in the transaction that ends the tenant. */
export const releaseProject = (
  stores: Pick<TransactionStores, 'counters'>,
  accountId: AccountId,
): Promise<void> => stores.counters.release(projectCounter(accountId), 1)
