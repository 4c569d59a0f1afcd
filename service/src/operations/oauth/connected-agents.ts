import type { Account } from '../../domain/accounts/account.ts'
import type { GrantId } from '../../domain/ids.ts'
import type { Grant } from '../../domain/oauth/grant.ts'
import type { Context } from '../context.ts'

/** What may act for this account now, the last used first. */
export const listConnectedAgents = (ctx: Context, account: Account): Promise<Grant[]> =>
  ctx.stores.oauthGrants.listByAccount(account.id, ctx.now())

/** Its tokens stop working before this is answered. Somebody else's are not touched. */
export async function revokeConnectedAgent(ctx: Context, account: Account, grantId: GrantId): Promise<void> {
  await ctx.stores.oauthGrants.revokeForAccount(account.id, grantId, ctx.now())
}
