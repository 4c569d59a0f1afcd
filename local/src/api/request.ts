import { either, Problem } from '../problem.ts'
import { USER_AGENT } from '../version.ts'

const DEFAULT_TIMEOUT_MS = 15_000

export interface RequestOptions {
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  /** On top of the usual time, for a request that the service holds on purpose. */
  readonly heldMs?: number
  readonly signal?: AbortSignal
}

export interface ApiResponse {
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

/** One request and its whole answer. What goes wrong on the way is a Problem that says where the way ended. */
export async function request(
  service: string,
  method: 'GET' | 'POST',
  path: string,
  { headers = {}, body, heldMs = 0, signal }: RequestOptions = {},
): Promise<ApiResponse> {
  const limit = AbortSignal.timeout(timeoutMs() + heldMs)
  try {
    const response = await fetch(new URL(path, service), {
      method,
      headers: { 'User-Agent': USER_AGENT, Accept: 'application/json', ...headers },
      ...(body === undefined ? {} : { body }),
      // A redirect would take the key along to wherever it leads.
      redirect: 'manual',
      signal: signal === undefined ? limit : AbortSignal.any([limit, signal]),
    })
    return { status: response.status, headers: response.headers, text: await response.text() }
  } catch (error) {
    if (signal?.aborted) throw new Problem('interrupted', 'Stopped.', either('Nothing was changed.'))
    throw unreachable(service, limit.aborted ? 'it did not answer in time' : reasonOf(error), error)
  }
}

export const unreachable = (service: string, reason: string, cause?: unknown): Problem =>
  new Problem(
    'serviceUnreachable',
    `The service at ${service} is out of reach: ${reason}.`,
    {
      cli: 'Check the address and the connection, or start the service; then try again.',
      agent: 'Tell the user. The same call may be sent again once the service is there.',
    },
    { cause },
  )

const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there',
  ENOTFOUND: 'no such host is known',
  EAI_AGAIN: 'its name could not be looked up',
  EHOSTUNREACH: 'there is no way to that host',
  ENETUNREACH: 'there is no way to that network',
}

/** Did it fail before anything was sent? Only then is it certain that nothing happened at the other end. */
export const wasNeverSent = ({ cause }: Problem): boolean => codeOf(cause) in REASONS

const reasonOf = (error: unknown): string => {
  const code = codeOf(error)
  if (/CERT|SELF_SIGNED|UNABLE_TO|ERR_TLS/.test(code)) return `its certificate is not trusted (${code})`
  return REASONS[code] ?? `the connection broke (${code || 'unknown reason'})`
}

/** fetch says "fetch failed", and why is in the cause, or in the cause of each address that was tried. */
function codeOf(error: unknown): string {
  const { code, cause } = (error ?? {}) as { code?: unknown; cause?: unknown }
  if (typeof code === 'string') return code
  return cause === undefined ? '' : codeOf(cause)
}

/** For slow networks: GATEHOUSE_TIMEOUT, in seconds. */
function timeoutMs(): number {
  const seconds = Number(process.env.GATEHOUSE_TIMEOUT)
  return seconds > 0 && seconds <= 600 ? seconds * 1_000 : DEFAULT_TIMEOUT_MS
}
