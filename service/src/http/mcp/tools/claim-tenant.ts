import { claimTenant as definition } from '@gatehouse/contract'
import { requestClaim } from '../../../operations/claims/request-claim.ts'
import { resolveTenant } from '../caller.ts'
import { implementTool } from './tool.ts'

/** Returns the approval link for the user. The wait token is not returned to the agent (spec, MCP tools, rule 2). */
export const claimTenant = implementTool({
  definition,
  async run({ ctx, requestId, recordTenant }, request) {
    const { tenant, actor } = await resolveTenant(ctx, request)
    recordTenant(tenant)
    const { token } = await requestClaim(ctx, tenant, { actor, requestId })
    return { approval_url: `${ctx.baseUrl}/c/${token}` }
  },
})
