import { giveFeedback as definition } from '@gatehouse/contract'
import { leaveFeedback } from '../../../operations/feedback.ts'
import { resolveTenant } from '../caller.ts'
import { implementTool } from './tool.ts'

export const giveFeedback = implementTool({
  definition,
  async run({ ctx, recordTenant }, request) {
    const { tenant } = await resolveTenant(ctx, request)
    recordTenant(tenant)
    await leaveFeedback(ctx, tenant, request.input.feedback)
    return { success: true as const }
  },
})
