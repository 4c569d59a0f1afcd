import { recordOf } from '../json.ts'
import type { TokenPair, Verification } from '../types.ts'
import type { ApiResponse } from './call.ts'
import { UnexpectedResponseError } from './errors.ts'

/** The response body of `POST /refresh`, under its wire names. */
export interface TokenPairBody {
  readonly access_token: string
  readonly refresh_token: string
}

export function readVerification(response: ApiResponse): Verification {
  const { valid, user } = recordOf(response.json)
  if (valid === false) return { valid }
  const { id, email, name, picture } = recordOf(user)
  if (valid === true && Number.isSafeInteger(id) && isText(email) && isTextOrNull(name) && isTextOrNull(picture)) {
    return { valid, user: { id: id as number, email, name, picture } }
  }
  throw unexpected(response)
}

export function readPair(response: ApiResponse): TokenPair {
  const { access_token: accessToken, refresh_token: refreshToken } = recordOf(response.json)
  if (isText(accessToken) && isText(refreshToken)) return { accessToken, refreshToken }
  throw unexpected(response)
}

export function readSuccess(response: ApiResponse): void {
  if (recordOf(response.json).success !== true) throw unexpected(response)
}

const isText = (value: unknown): value is string => typeof value === 'string' && value !== ''
const isTextOrNull = (value: unknown): value is string | null => value === null || typeof value === 'string'

const unexpected = ({ status, requestId }: ApiResponse): UnexpectedResponseError =>
  new UnexpectedResponseError(
    'The response from baseUrl does not match the API. Check the address, or update this package.',
    { status, requestId },
  )
