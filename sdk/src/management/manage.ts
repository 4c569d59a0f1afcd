import { recordOf } from '../encoding.ts'
import { API_ERRORS, type ErrorClasses } from '../service/api-errors.ts'
import {
  GatehouseError,
  type ManagementErrorCode,
  type ResponseDetails,
} from '../service/errors.ts'
import { mismatch } from '../service/read-response.ts'
import {
  type ApiRequest,
  type ApiResponse,
  RETRY_ONCE,
  type Send,
  systemClock,
  withRetry,
} from '../service/send.ts'

type Query = Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>

interface ManageOptions extends Omit<ApiRequest, 'method' | 'path'> {
  readonly query?: Query
}

/** Sends a request with the management key. */
export type Manage = (
  method: ApiRequest['method'],
  path: string,
  options?: ManageOptions,
) => Promise<ApiResponse>

/** Only reads are retried: a second `DELETE` would fail, and a second `POST` could create another webhook. */
export const createManage =
  (send: Send, key: string): Manage =>
  (method, path, { query = {}, headers, ...options } = {}) => {
    const request: ApiRequest = {
      ...options,
      method,
      path: path + searchOf(query),
      headers: { ...headers, Authorization: `Bearer ${key}` },
    }
    return method === 'GET'
      ? withRetry(RETRY_ONCE, systemClock, () => send(request))
      : send(request)
  }

function searchOf(query: Query): string {
  const present = Object.entries(query)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]): [string, string] => [name, String(value)])
  return present.length === 0 ? '' : `?${new URLSearchParams(present)}`
}

/** Sends a JSON body. */
export const json = (value: object): ManageOptions => ({ body: JSON.stringify(value) })

/** A field that every successful response of the endpoint has. */
export function fieldOf<T>(response: ApiResponse, name: string): T {
  const value = recordOf(response.json)[name]
  if (value === undefined) {
    throw mismatch(response)
  }
  return value as T
}

/** The whole body, recognized by one of its fields. */
export function bodyWith<T>(response: ApiResponse, name: keyof T & string): T {
  fieldOf(response, name)
  return response.json as T
}

/** A whole path segment. An empty id, or `..`, would address something else: a list instead of an entry. */
export function segment(id: number | string, name: string): string {
  if (typeof id === 'number' ? Number.isSafeInteger(id) && id >= 0 : /^[\w-]+$/.test(id)) {
    return String(id)
  }
  throw new TypeError(`${name} is not an id.`)
}

/** A host name, with a port on this computer. Browsers and `fetch` resolve dot segments: `..` would address the list. */
export function hostSegment(host: string): string {
  if (typeof host === 'string' && !/^\.{0,2}$/.test(host)) {
    return encodeURIComponent(host)
  }
  throw new TypeError('host is not a host name.')
}

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
  identityNotFound: ManagementError,
  onlyIdentity: ManagementError,
  userBlocked: ManagementError,
  mergeRefused: ManagementError,
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
  invitationLimit: ManagementError,
  invitationNotFound: ManagementError,
  webhookLimit: ManagementError,
  outcomeUnknown: ManagementError,
} as const satisfies ErrorClasses
