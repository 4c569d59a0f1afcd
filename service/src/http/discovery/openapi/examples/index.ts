import type { Examples } from './example.ts'
import { insightExamples } from './insights.ts'
import { sessionExamples } from './sessions.ts'
import { socialLoginExamples } from './social-login.ts'
import { tenantExamples } from './tenants.ts'

export const EXAMPLES: Examples = {
  ...tenantExamples,
  ...socialLoginExamples,
  ...insightExamples,
  ...sessionExamples,
}
