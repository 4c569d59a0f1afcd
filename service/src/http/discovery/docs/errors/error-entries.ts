import { API_ERRORS, type ApiErrorCode, endpointsOf } from '@gatehouse/contract'
import { operationPath } from '../api/groups.ts'
import { ERROR_EXAMPLES } from './error-examples.ts'

/** A code of `/docs/errors`: its cause, the fix, an example, and the operations that return it. */
export interface ErrorEntry {
  readonly code: string
  readonly status: number
  readonly retryable: boolean
  readonly cause: string
  readonly fix: string
  /** The body of a response. */
  readonly example: string
  readonly operations: readonly { readonly name: string; readonly path: string }[]
}

/** In the order of the contract, which is by status. */
export const errorEntries = (baseUrl: string, development: boolean): readonly ErrorEntry[] =>
  Object.entries(API_ERRORS).map(([code, { status, retryable, meaning, remedy }]) => ({
    code,
    status,
    retryable,
    cause: meaning,
    fix: remedy,
    example: exampleOf(code as ApiErrorCode, retryable, baseUrl),
    operations: endpointsOf(development)
      .filter(({ errors }) => errors.includes(code as ApiErrorCode))
      .map(({ id, tag, method, path }) => ({ name: `${method} ${path}`, path: operationPath(tag, id) })),
  }))

function exampleOf(code: ApiErrorCode, retryable: boolean, baseUrl: string): string {
  const { message = API_ERRORS[code].meaning.replaceAll('`', ''), details } = ERROR_EXAMPLES[code] ?? {}
  const error = {
    code,
    message,
    retryable,
    request_id: 'k3J9vQ0aXw7LmN2p',
    docs_url: `${baseUrl}/docs/errors#${code}`,
    ...(details === undefined ? {} : { details }),
  }
  return JSON.stringify({ error }, null, 2)
}
