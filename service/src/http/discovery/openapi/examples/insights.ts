import { DISCOUNT_REPORT_MIN_CHARACTERS, FEEDBACK_MAX_CHARACTERS } from '@gatehouse/contract'
import { type Examples, SAMPLE, SAMPLE_USER } from './example.ts'

const usage = {
  stored_users: { used: 1, limit: 5_000 },
  events_this_minute: { used: 0, limit: 30 },
  events_this_month: { used: 2, limit: 5_000 },
}
const report =
  'We added sign-in to a notes app. Provisioning took one call and worked the first time. What we missed: the answer to a wrong redirect_uri named the part that differed, and we still looked in the wrong place for a while, because our proxy had added a slash at the end.'

export const insightExamples: Examples<
  'readObservability' | 'readInsights' | 'leaveFeedback' | 'describeDiscountReport' | 'reportForDiscount'
> = {
  readObservability: {
    query: { include: 'recent_events', limit: 1 },
    answer: {
      auth: { mode: 'management_key', via_tenant_id: SAMPLE.tenantId },
      summary: { projects: 1, stored_users: 1, active_sessions: 1 },
      tenants: [
        {
          tenant_id: SAMPLE.tenantId,
          claimed_at: '2026-11-15T12:10:00.000Z',
          runtime_profile: 'v1-1',
          stored_users: 1,
          active_sessions: 1,
        },
      ],
      usage,
      recent_events: [
        {
          source: 'auth',
          tenant_id: SAMPLE.tenantId,
          at_ms: 1_794_744_061_000,
          event: 'authorize',
          user_id: 1,
          email: SAMPLE_USER.email,
        },
      ],
    },
  },
  readInsights: {
    answer: {
      account: { email: SAMPLE_USER.email, tier: 'free', usage },
      projects: [
        {
          tenant_id: SAMPLE.tenantId,
          created_at: '2026-11-15T12:00:00.000Z',
          claimed_at: '2026-11-15T12:10:00.000Z',
          users: {
            total: 1,
            recent: [{ ...SAMPLE_USER, first_seen: '2026-11-15T12:01:00.000Z', last_seen: '2026-11-15T12:01:00.000Z' }],
          },
          active_sessions: 1,
          activity: [{ event: 'authorize', user_id: 1, email: SAMPLE_USER.email, created_at_ms: 1_794_744_061_000 }],
          daily: [{ day: '2026-11-15', logins: 1, refreshes: 0, logouts: 0, failures: 0 }],
        },
      ],
    },
  },
  leaveFeedback: {
    body: { feedback: 'The answer to a wrong redirect_uri told us which part differed. Thank you.' },
    answer: { success: true },
  },
  describeDiscountReport: {
    answer: {
      description: 'A report on how this service worked for you, sent only after the user agreed to send it.',
      endpoint: 'POST {base_url}/api/feedback',
      requires: {
        user_authorized: true,
        minimum_characters: DISCOUNT_REPORT_MIN_CHARACTERS,
        maximum_characters: FEEDBACK_MAX_CHARACTERS,
        one_report_every_days: 30,
        claimed_tenant: true,
      },
    },
  },
  reportForDiscount: {
    body: { feedback: report, user_authorized: true },
    answer: { success: true, accepted_for_discount: true, feedback_token: 'EXAMPLE' },
  },
}
