import type { Account } from '../../domain/accounts/account.ts'
import type { Tenant } from '../../domain/tenants/tenant.ts'
import type { Context } from '../context.ts'

/** The projects of an account, without what happened in them. */
export const listOwnedTenants = (ctx: Context, account: Account): Promise<readonly Tenant[]> =>
  ctx.stores.ownership.ownedBy(account.id)
