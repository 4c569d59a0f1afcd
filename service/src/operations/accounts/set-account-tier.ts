import type { Account, OwnerTier } from '../../domain/accounts/account.ts'
import type { Context } from '../context.ts'
import { findAccount } from './find-account.ts'

/** Returns the account before the change. */
export async function setAccountTier(ctx: Pick<Context, 'stores'>, email: string, tier: OwnerTier): Promise<Account> {
  const account = await findAccount(ctx, email)
  await ctx.stores.accounts.setTier(account.id, tier)
  return account
}
