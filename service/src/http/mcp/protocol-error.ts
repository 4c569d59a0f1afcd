import { INTERNAL_ERROR, INVALID_PARAMS } from './error-responses.ts'
import { scrubText } from './scrub.ts'

const MESSAGE_MAX_CHARACTERS = 300
const DATA_MAX_CHARACTERS = 500

interface RpcErrorBody {
  readonly error: { readonly code: number; readonly message: string; readonly data?: unknown }
}

/**
 * Shortens an error of the MCP library, which quotes the message it rejects: a list of every mistake can be many times as
 * long as what was sent. Params that don't fit are -32602; the library calls them an internal error. Other responses stay
 * as they are.
 */
export function shortError(response: string, method: unknown): string {
  // Inside a string its quotes would be escaped, so this finds members only.
  if (!response.includes('"error":{"code":')) return response
  const body = JSON.parse(response) as RpcErrorBody
  const { code, message, data } = body.error
  const problem = code === INTERNAL_ERROR ? firstProblem(message) : null
  const error = {
    code: problem === null ? code : INVALID_PARAMS,
    message: shorten(problem === null ? message : `The params do not fit ${nameOf(method)}. ${problem}`),
    ...(data === undefined || JSON.stringify(data).length > DATA_MAX_CHARACTERS ? {} : { data }),
  }
  return JSON.stringify({ ...body, error })
}

/** The library reports the issues of its validator as a JSON list. */
function firstProblem(message: string): string | null {
  if (!message.startsWith('[')) return null
  try {
    const [issue] = JSON.parse(message) as readonly { readonly path: readonly unknown[]; readonly message: string }[]
    return issue === undefined ? null : `${issue.message} at ${issue.path.join('.')}.`
  } catch {
    return null
  }
}

const nameOf = (method: unknown): string => (typeof method === 'string' ? method.slice(0, 50) : 'this method')

function shorten(text: string): string {
  const scrubbed = scrubText(text.slice(0, 2 * MESSAGE_MAX_CHARACTERS))
  return scrubbed.length <= MESSAGE_MAX_CHARACTERS
    ? scrubbed
    : `${scrubbed.slice(0, MESSAGE_MAX_CHARACTERS - 1).toWellFormed()}…`
}
