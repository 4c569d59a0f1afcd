import { BOOTSTRAP_ENDPOINTS } from './bootstrap.ts'
import { CLAIM_ENDPOINTS } from './claims.ts'
import { FEEDBACK_ENDPOINTS } from './feedback.ts'
import { OBSERVABILITY_ENDPOINTS } from './observability.ts'
import { SESSION_ENDPOINTS } from './sessions.ts'
import { SOCIAL_LOGIN_ENDPOINTS } from './social-login.ts'
import { TENANT_ENDPOINTS } from './tenants.ts'

/** Every REST endpoint, in documentation order. */
export const ENDPOINTS = [
  ...TENANT_ENDPOINTS,
  ...BOOTSTRAP_ENDPOINTS,
  ...CLAIM_ENDPOINTS,
  ...SOCIAL_LOGIN_ENDPOINTS,
  ...OBSERVABILITY_ENDPOINTS,
  ...FEEDBACK_ENDPOINTS,
  ...SESSION_ENDPOINTS,
] as const

export type EndpointId = (typeof ENDPOINTS)[number]['id']
