import { claimTenant as definition } from '@gatehouse/contract'
import { requestClaim } from '../../../operations/claims/request-claim.ts'
import { type NamedTenant, tenantAt } from '../doors.ts'
import { defineTool } from './tool.ts'

/** The link for a person. The capability to wait for their decision stays here (spec, MCP tools, rule 2). */
export const claimTenant = defineTool<NamedTenant>({
  definition,
  async run({ ctx, door, concerns }, named) {
    const tenant = await tenantAt(ctx, door, named)
    concerns(tenant)
    const { claim, token } = await requestClaim(ctx, tenant)
    return {
      approval_url: `${ctx.baseUrl}/c/${token}`,
      confirmation_code: claim.confirmationCode,
      expires_at: new Date(claim.expiresAt).toISOString(),
    }
  },
})
