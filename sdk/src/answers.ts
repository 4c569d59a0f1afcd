import type { Answer } from './call.ts'
import { UnexpectedAnswerError } from './errors.ts'
import type { TokenPair, User, Verification } from './types.ts'

/** What goes over the wire, under its own names. */
export interface WirePair {
  readonly access_token: string
  readonly refresh_token: string
}

export function readVerification(answer: Answer): Verification {
  const { json } = answer
  if (has(json, 'valid')) {
    if (json.valid === false) return { valid: false }
    if (json.valid === true && has(json, 'user') && isUser(json.user)) {
      const { id, email, name, picture } = json.user
      return { valid: true, user: { id, email, name, picture } }
    }
  }
  throw unexpected(answer)
}

export function readPair(answer: Answer): TokenPair {
  if (!isPair(answer.json)) throw unexpected(answer)
  return { accessToken: answer.json.access_token, refreshToken: answer.json.refresh_token }
}

export function readSuccess(answer: Answer): void {
  if (!has(answer.json, 'success') || answer.json.success !== true) throw unexpected(answer)
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

const isPair = (value: unknown): value is WirePair =>
  has(value, 'access_token') && isText(value.access_token) && has(value, 'refresh_token') && isText(value.refresh_token)

const unexpected = ({ status, requestId }: Answer): UnexpectedAnswerError =>
  new UnexpectedAnswerError(
    'baseUrl answered, but not in the words of the service. Check the address, or update this package.',
    { status, requestId },
  )
