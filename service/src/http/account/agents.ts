import { SCOPE_DESCRIPTIONS } from '@gatehouse/contract'
import type { Account } from '../../domain/accounts/account.ts'
import { isClientDocumentUrl } from '../../domain/oauth/client.ts'
import type { Context } from '../../operations/context.ts'
import { listConnectedAgents, revokeConnectedAgent } from '../../operations/oauth/clients.ts'
import type { App, HttpDependencies } from '../dependencies.ts'
import type { ConnectedAgent } from './connected-agents.ts'
import { idField, ownerPost } from './form.ts'
import { accountPaths } from './paths.ts'

/** The OAuth clients that an owner has authorized. */
export function agentRoutes(app: App, deps: HttpDependencies): void {
  const { ctx } = deps
  ownerPost(app, deps, accountPaths.revokeAgent, async (c, { owner, form }) => {
    await revokeConnectedAgent(ctx, owner.session.account, idField(form.get('grant')))
    return c.redirect(`${accountPaths.home}?done=agent-revoked`, 303)
  })
}

export async function connectedAgentsOf(ctx: Context, account: Account): Promise<ConnectedAgent[]> {
  const grants = await listConnectedAgents(ctx, account)
  return grants.map(({ id, clientId, clientName, scopes, createdAt, lastUsedAt }) => ({
    id,
    name: clientName,
    describedAt: isClientDocumentUrl(clientId) ? new URL(clientId).host : null,
    permissions: scopes.map((scope) => SCOPE_DESCRIPTIONS[scope]),
    createdAt,
    lastUsedAt,
  }))
}
