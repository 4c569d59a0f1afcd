import type { Account } from '../../domain/accounts/account.ts'
import type { GrantId } from '../../domain/ids.ts'
import type { Grant } from '../../domain/oauth/grant.ts'
import type { Context } from '../context.ts'

/** The active grants of this account, most recently used first. */
export const listConnectedAgents = (ctx: Context, account: Account): Promise<Grant[]> =>
  ctx.stores.oauthGrants.listByAccount(account.id, ctx.now())

/** The tokens of the grant stop working before this resolves. A grant of another account is not revoked. */
export async function revokeConnectedAgent(ctx: Context, account: Account, grantId: GrantId): Promise<void> {
  await ctx.stores.oauthGrants.revokeForAccount(account.id, grantId, ctx.now())
}
