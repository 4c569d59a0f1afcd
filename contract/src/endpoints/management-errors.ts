import type { ApiErrorCode } from '../api-errors.ts'

/** The errors of an endpoint that requires the management key of an active tenant. */
export const MANAGEMENT_ERRORS = [
  'missingCredentials',
  'invalidCredentials',
  'wrongKeyKind',
  'tenantPaused',
  'tenantExpired',
  'invalidRequest',
  'rateLimited',
] as const satisfies readonly ApiErrorCode[]
