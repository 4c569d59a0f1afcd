import type { TokenPair, User, Verification } from '../types.ts'
import type { ApiResponse } from './call.ts'
import { UnexpectedResponseError } from './errors.ts'

/** The response body of `POST /refresh`, under its wire names. */
export interface TokenPairBody {
  readonly access_token: string
  readonly refresh_token: string
}

export function readVerification(response: ApiResponse): Verification {
  const { json } = response
  if (has(json, 'valid')) {
    if (json.valid === false) return { valid: false }
    if (json.valid === true && has(json, 'user') && isUser(json.user)) {
      const { id, email, name, picture } = json.user
      return { valid: true, user: { id, email, name, picture } }
    }
  }
  throw unexpected(response)
}

export function readPair(response: ApiResponse): TokenPair {
  if (!isPair(response.json)) throw unexpected(response)
  return { accessToken: response.json.access_token, refreshToken: response.json.refresh_token }
}

export function readSuccess(response: ApiResponse): void {
  if (!has(response.json, 'success') || response.json.success !== true) throw unexpected(response)
}

function has<Name extends string>(value: unknown, name: Name): value is Record<Name, unknown> {
  return typeof value === 'object' && value !== null && name in value
}

const isText = (value: unknown): value is string => typeof value === 'string' && value !== ''
const isTextOrNull = (value: unknown): value is string | null => value === null || typeof value === 'string'

const isUser = (value: unknown): value is User =>
  has(value, 'id') &&
  Number.isSafeInteger(value.id) &&
  has(value, 'email') &&
  isText(value.email) &&
  has(value, 'name') &&
  isTextOrNull(value.name) &&
  has(value, 'picture') &&
  isTextOrNull(value.picture)

const isPair = (value: unknown): value is TokenPairBody =>
  has(value, 'access_token') && isText(value.access_token) && has(value, 'refresh_token') && isText(value.refresh_token)

const unexpected = ({ status, requestId }: ApiResponse): UnexpectedResponseError =>
  new UnexpectedResponseError(
    'The response from baseUrl does not match the API. Check the address, or update this package.',
    { status, requestId },
  )
