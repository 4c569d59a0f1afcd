import { tenantStatus as definition } from '@gatehouse/contract'
import { readStatus } from '../../../operations/tenants/read-status.ts'
import { statusView } from '../../views.ts'
import { tenantAt } from '../doors.ts'
import { implementTool } from './tool.ts'

/** The same object that `GET /api/status` answers. */
export const tenantStatus = implementTool({
  definition,
  async run({ ctx, concerns }, request) {
    const tenant = await tenantAt(ctx, request)
    concerns(tenant)
    return statusView(ctx.baseUrl, await readStatus(ctx, tenant))
  },
})
