import { giveFeedback as definition } from '@gatehouse/contract'
import { leaveFeedback } from '../../../operations/feedback/leave-feedback.ts'
import { tenantAt } from '../doors.ts'
import { implementTool } from './tool.ts'

export const giveFeedback = implementTool({
  definition,
  async run({ ctx, concerns }, request) {
    const tenant = await tenantAt(ctx, request)
    concerns(tenant)
    await leaveFeedback(ctx, tenant, request.input.feedback)
    return { success: true as const }
  },
})
