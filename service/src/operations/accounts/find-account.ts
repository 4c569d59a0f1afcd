import type { Account } from '../../domain/accounts/account.ts'
import type { Context } from '../context.ts'

/** For the operator, who names an account by its e-mail address. Throws unless exactly one account has it. */
export async function findAccount(ctx: Pick<Context, 'stores'>, email: string): Promise<Account> {
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
  return account
}
