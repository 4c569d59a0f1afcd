import { tenantStatus as definition } from '@gatehouse/contract'
import { readStatus } from '../../../operations/tenants/read-status.ts'
import { statusView } from '../../views.ts'
import { type NamedTenant, tenantAt } from '../doors.ts'
import { defineTool } from './tool.ts'

/** The same object that `GET /api/status` answers. */
export const tenantStatus = defineTool<NamedTenant>({
  definition,
  async run({ ctx, door, concerns }, named) {
    const tenant = await tenantAt(ctx, door, named)
    concerns(tenant)
    return statusView(ctx.baseUrl, await readStatus(ctx, tenant))
  },
})
