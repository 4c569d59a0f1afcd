import type { Account, OwnerTier } from '../../domain/accounts/account.ts'
import type { Context } from '../context.ts'

/** Returns the account before the change. */
export async function setAccountTier(ctx: Pick<Context, 'stores'>, email: string, tier: OwnerTier): Promise<Account> {
  const accounts = await ctx.stores.accounts.findByEmail(email.trim())
  const [account, other] = accounts
  if (account === undefined) {
    throw new Error(`No account has the address ${email}. Nothing was changed.`)
  }
  if (other !== undefined) {
    throw new Error(
      `More than one account has had the address ${email} (${accounts.map(({ id }) => id).join(', ')}). Nothing was changed.`,
    )
  }
  await ctx.stores.accounts.setTier(account.id, tier)
  return account
}
