import { recordOf } from '../encoding.ts'
import { isProviderName, type LoginProvider } from '../login/provider.ts'
import type { IssuedIdToken, TokenPair, Verification } from '../types.ts'
import type { UnexpectedResponseError } from './errors.ts'
import {
  type ApiRequest,
  type ApiResponse,
  RETRY_ONCE,
  type Send,
  systemClock,
  unexpected,
  withRetry,
} from './send.ts'

/** Posts to an endpoint of the app's users. */
export type ApiCall = (
  operation: 'token' | 'verify' | 'refresh' | 'logout' | 'id-token' | 'link',
  body: object,
  options?: Pick<ApiRequest, 'headers' | 'signal'>,
) => Promise<ApiResponse>

export const createApiCall =
  (send: Send, authPath: string): ApiCall =>
  (operation, body, options) =>
    send({
      ...options,
      method: 'POST',
      path: `${authPath}/${operation}`,
      body: JSON.stringify(body),
    })

/** Where a tenant's users sign in. */
export const authPathOf = (tenantId: string): string => `/edge/auth/${tenantId}`

export async function listProviders(send: Send, authPath: string): Promise<LoginProvider[]> {
  const response = await withRetry(RETRY_ONCE, systemClock, () =>
    send({ method: 'GET', path: `${authPath}/providers` }),
  )
  const { providers } = recordOf(response.json)
  if (!Array.isArray(providers)) {
    throw mismatch(response)
  }
  // A provider that a later version of the service adds is left out: this package has no name for it.
  return providers
    .map(recordOf)
    .flatMap(({ name, display_name: displayName }) =>
      isText(name) && isText(displayName) && isProviderName(name) ? [{ name, displayName }] : [],
    )
}

/** The response body of `POST /refresh`, under its wire names. */
export interface TokenPairBody {
  readonly access_token: string
  readonly refresh_token: string
}

export function readVerification(response: ApiResponse): Verification {
  const { valid, user } = recordOf(response.json)
  if (valid === false) {
    return { valid }
  }
  const { id, email, name, picture } = recordOf(user)
  if (
    valid === true &&
    Number.isSafeInteger(id) &&
    isText(email) &&
    isTextOrNull(name) &&
    isTextOrNull(picture)
  ) {
    return { valid, user: { id: id as number, email, name, picture } }
  }
  throw mismatch(response)
}

export function readPair(response: ApiResponse): TokenPair {
  const { access_token: accessToken, refresh_token: refreshToken } = recordOf(response.json)
  if (isText(accessToken) && isText(refreshToken)) {
    return { accessToken, refreshToken }
  }
  throw mismatch(response)
}

/** null if these are not the fields of a response with an ID token. */
export function readIdToken(json: unknown): IssuedIdToken | null {
  const { id_token: idToken, expires_in: expiresIn } = recordOf(json)
  return typeof idToken === 'string' && typeof expiresIn === 'number'
    ? { idToken, expiresIn }
    : null
}

export function readSuccess(response: ApiResponse): void {
  if (recordOf(response.json).success !== true) {
    throw mismatch(response)
  }
}

const isText = (value: unknown): value is string => typeof value === 'string' && value !== ''
const isTextOrNull = (value: unknown): value is string | null =>
  value === null || typeof value === 'string'

/** For a response without the fields of its endpoint. */
export const mismatch = ({ response }: ApiResponse): UnexpectedResponseError =>
  unexpected(response, 'with a body that does not match the API')
