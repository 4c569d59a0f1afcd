import {
  DISCOUNT_REPORT_MIN_CHARACTERS,
  describeDiscountReport as describeEndpoint,
  FEEDBACK_MAX_CHARACTERS,
  leaveFeedback as leaveFeedbackEndpoint,
  reportForDiscount as reportEndpoint,
} from '@gatehouse/contract'
import { DISCOUNT_EVERY_DAYS } from '../../domain/tenants/feedback.ts'
import { leaveFeedback, reportForDiscount } from '../../operations/feedback.ts'
import type { App, HttpDependencies } from '../dependencies.ts'
import { setRateHeaders } from '../headers.ts'
import { mount, mountForManagementKey } from '../mount-endpoint.ts'

export function feedbackRoutes(app: App, deps: HttpDependencies): void {
  const { ctx } = deps

  mountForManagementKey(app, deps, leaveFeedbackEndpoint, async ({ body }, c, tenant) => {
    setRateHeaders(c, await leaveFeedback(ctx, tenant, body.feedback), ctx.now())
    return { success: true as const }
  })

  mount(app, deps, describeEndpoint, async () => ({
    description:
      'A report on how this service worked for you, sent only after the user agreed to send it. A thorough one earns the project’s owner a discount.',
    endpoint: `POST ${ctx.baseUrl}${reportEndpoint.path}`,
    requires: {
      user_authorized: true as const,
      minimum_characters: DISCOUNT_REPORT_MIN_CHARACTERS,
      maximum_characters: FEEDBACK_MAX_CHARACTERS,
      one_report_every_days: DISCOUNT_EVERY_DAYS,
      claimed_tenant: true as const,
    },
  }))

  mountForManagementKey(app, deps, reportEndpoint, async ({ body }, c, tenant) => {
    const report = await reportForDiscount(ctx, tenant, body.feedback)
    setRateHeaders(c, report.rate, ctx.now())
    return report.accepted
      ? { success: true as const, accepted_for_discount: true, feedback_token: report.token }
      : { success: true as const, accepted_for_discount: false, rejection_reason: report.reason }
  })
}
