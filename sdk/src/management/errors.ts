import { API_ERRORS, type ErrorClasses } from '../service/api-errors.ts'
import { GatehouseError, type ManagementErrorCode, type ResponseDetails } from '../service/errors.ts'

/** The service refused a management call. Nothing was changed, unless `code` is `outcomeUnknown`. */
export class ManagementError extends GatehouseError {
  override readonly name = 'ManagementError'
  readonly code: ManagementErrorCode
  readonly status: number
  /** What the API returns with the code, such as `problems` of `invalidRequest`. */
  readonly details: Readonly<Record<string, unknown>>

  constructor(message: string, response: ResponseDetails) {
    super(message, response)
    this.code = response.code as ManagementErrorCode
    this.status = response.status
    this.details = response.details
  }
}

/** The error codes of all management calls. A test compares them with the contract. */
export const MANAGEMENT_ERRORS = {
  tenantPaused: API_ERRORS.tenantPaused,
  tenantSuspended: API_ERRORS.tenantSuspended,
  tenantExpired: API_ERRORS.tenantExpired,
  notProvisioned: API_ERRORS.notProvisioned,
  rateLimited: API_ERRORS.rateLimited,
  temporarilyUnavailable: API_ERRORS.temporarilyUnavailable,
  internalError: API_ERRORS.internalError,
  missingCredentials: ManagementError,
  invalidCredentials: ManagementError,
  wrongKeyKind: ManagementError,
  invalidRequest: ManagementError,
  unsupportedMediaType: ManagementError,
  bodyTooLarge: ManagementError,
  userNotFound: ManagementError,
  sessionNotFound: ManagementError,
  metadataChanged: ManagementError,
  importRequiresClaim: ManagementError,
  ownerRequired: ManagementError,
  providerNotFound: ManagementError,
  providerLimit: ManagementError,
  noSharedClient: ManagementError,
  brandNotFound: ManagementError,
  domainNotFound: ManagementError,
  domainLimit: ManagementError,
  webhookNotFound: ManagementError,
  webhookUrlRefused: ManagementError,
  webhookLimit: ManagementError,
  outcomeUnknown: ManagementError,
} as const satisfies ErrorClasses
