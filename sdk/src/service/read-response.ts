import { recordOf } from '../json.ts'
import type { TokenPair, Verification } from '../types.ts'
import type { UnexpectedResponseError } from './errors.ts'
import { type ApiResponse, unexpected } from './send.ts'

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
  throw mismatch(response)
}

export function readPair(response: ApiResponse): TokenPair {
  const { access_token: accessToken, refresh_token: refreshToken } = recordOf(response.json)
  if (isText(accessToken) && isText(refreshToken)) return { accessToken, refreshToken }
  throw mismatch(response)
}

export function readSuccess(response: ApiResponse): void {
  if (recordOf(response.json).success !== true) throw mismatch(response)
}

export const isText = (value: unknown): value is string => typeof value === 'string' && value !== ''
const isTextOrNull = (value: unknown): value is string | null => value === null || typeof value === 'string'

/** For a response without the fields of its endpoint. */
export const mismatch = ({ response }: ApiResponse): UnexpectedResponseError =>
  unexpected(response, 'with a body that does not match the API')
