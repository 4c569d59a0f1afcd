import { giveFeedback as definition } from '@gatehouse/contract'
import { leaveFeedback } from '../../../operations/feedback/leave-feedback.ts'
import { type NamedTenant, tenantAt } from '../doors.ts'
import { defineTool } from './tool.ts'

interface Input extends NamedTenant {
  readonly feedback: string
}

export const giveFeedback = defineTool<Input>({
  definition,
  async run({ ctx, door, concerns }, { feedback, ...named }) {
    const tenant = await tenantAt(ctx, door, named)
    concerns(tenant)
    await leaveFeedback(ctx, tenant, feedback)
    return { success: true }
  },
})
