import { BOOTSTRAP_ENDPOINTS } from './bootstrap.ts'
import { BRAND_ENDPOINTS, DOMAIN_ENDPOINTS } from './brand.ts'
import { CLAIM_ENDPOINTS } from './claims.ts'
import type { Endpoint } from './define-endpoint.ts'
import { FEEDBACK_ENDPOINTS } from './feedback.ts'
import { IDENTITY_ENDPOINTS } from './identities.ts'
import { INVITATION_ENDPOINTS } from './invitations.ts'
import { AUDIT_ENDPOINTS, OBSERVABILITY_ENDPOINTS, REFUSAL_ENDPOINTS } from './observability.ts'
import { DISCOVERY_ENDPOINTS } from './openid.ts'
import { PROVIDER_ENDPOINTS, PROVIDER_LOGIN_ENDPOINTS } from './providers.ts'
import { SESSION_ENDPOINTS } from './sessions.ts'
import { SETTINGS_ENDPOINTS } from './settings.ts'
import { SOCIAL_LOGIN_ENDPOINTS } from './social-login.ts'
import { TENANT_ENDPOINTS } from './tenants.ts'
import { TEST_ENDPOINTS } from './test-support.ts'
import { USER_TRANSFER_ENDPOINTS } from './user-transfer.ts'
import { REMOVAL_ENDPOINTS, USER_ENDPOINTS, USER_SESSION_ENDPOINTS } from './users.ts'
import { WEBHOOK_DELIVERY_ENDPOINTS, WEBHOOK_ENDPOINTS } from './webhooks.ts'

/** Every REST endpoint, those of a development service included, in documentation order. */
export const ENDPOINTS = [
  ...TENANT_ENDPOINTS,
  ...BOOTSTRAP_ENDPOINTS,
  ...AUDIT_ENDPOINTS,
  ...CLAIM_ENDPOINTS,
  ...SOCIAL_LOGIN_ENDPOINTS,
  ...USER_ENDPOINTS,
  ...IDENTITY_ENDPOINTS,
  ...USER_SESSION_ENDPOINTS,
  ...REMOVAL_ENDPOINTS,
  ...USER_TRANSFER_ENDPOINTS,
  ...SETTINGS_ENDPOINTS,
  ...INVITATION_ENDPOINTS,
  ...DOMAIN_ENDPOINTS,
  ...BRAND_ENDPOINTS,
  ...PROVIDER_ENDPOINTS,
  ...WEBHOOK_ENDPOINTS,
  ...WEBHOOK_DELIVERY_ENDPOINTS,
  ...REFUSAL_ENDPOINTS,
  ...OBSERVABILITY_ENDPOINTS,
  ...FEEDBACK_ENDPOINTS,
  ...SESSION_ENDPOINTS,
  ...PROVIDER_LOGIN_ENDPOINTS,
  ...DISCOVERY_ENDPOINTS,
  ...TEST_ENDPOINTS,
] as const

export type EndpointId = (typeof ENDPOINTS)[number]['id']

/** The endpoints of this service. */
export const endpointsOf = (development: boolean): readonly Endpoint[] =>
  (ENDPOINTS as readonly Endpoint[]).filter(
    (endpoint) => development || endpoint.development === undefined,
  )
