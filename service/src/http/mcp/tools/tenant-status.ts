import { tenantStatus as definition } from '@gatehouse/contract'
import { readStatus } from '../../../operations/tenants/status.ts'
import { statusView } from '../../views.ts'
import { resolveTenant } from '../caller.ts'
import { implementTool } from './tool.ts'

/** Returns the same object as `GET /api/status`. */
export const tenantStatus = implementTool({
  definition,
  async run({ ctx, recordTenant }, request) {
    const { tenant } = await resolveTenant(ctx, request)
    recordTenant(tenant)
    return statusView(ctx.baseUrl, await readStatus(ctx, tenant))
  },
})
