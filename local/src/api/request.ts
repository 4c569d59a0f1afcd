import { API_VERSION, HEADERS } from '@gatehouse-auth/contract'
import { interrupted, interruption } from '../interruption.ts'
import { commandLine, programFrom, USER_AGENT } from '../invocation.ts'
import { nextStep, Problem, singleLine } from '../problem.ts'

const DEFAULT_TIMEOUT_MS = 15_000

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

export interface RequestOptions {
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array
  /** Added to the timeout, for long polls. */
  readonly extraTimeoutMs?: number
  /** Ctrl-C does not abort it: the response contains a token that cannot be requested again. */
  readonly mustFinish?: boolean
}

export interface ApiResponse {
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

/** Sends one request and reads the whole response. A failed connection or a timeout throws a Problem. */
export async function request(
  service: string,
  method: Method,
  path: string,
  { headers = {}, body, extraTimeoutMs = 0, mustFinish = false }: RequestOptions = {},
): Promise<ApiResponse> {
  const timeout = AbortSignal.timeout(timeoutMs() + extraTimeoutMs)
  try {
    const response = await fetch(new URL(path, service), {
      method,
      headers: { 'User-Agent': USER_AGENT, Accept: 'application/json', ...headers },
      ...(body === undefined ? {} : { body: body as string | Uint8Array<ArrayBuffer> }),
      // Following a redirect would send the key to another address.
      redirect: 'manual',
      signal: mustFinish ? timeout : AbortSignal.any([timeout, interruption]),
    })
    return { status: response.status, headers: response.headers, text: await response.text() }
  } catch (error) {
    if (interruption.aborted && !mustFinish) {
      throw interruptedRequest(method)
    }
    throw unreachable(service, timeout.aborted ? 'the request timed out' : reasonOf(error), error)
  }
}

const interruptedRequest = (method: Method): Problem =>
  interrupted(
    method === 'GET'
      ? 'Nothing was changed.'
      : `The service may have received the request. To see the outcome, run: ${commandLine('status')}`,
  )

export const unreachable = (service: string, reason: string, cause?: unknown): Problem =>
  new Problem(
    'serviceUnreachable',
    `The service at ${service} is unreachable: ${reason}.`,
    {
      cli: 'Check the address and the connection, or start the service, then try again.',
      agent: 'Tell the user. The same call may be repeated once the service is reachable.',
    },
    { cause },
  )

const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused',
  ENOTFOUND: 'the host name does not exist',
  EAI_AGAIN: 'the host name could not be resolved',
  EHOSTUNREACH: 'no route to the host',
  ENETUNREACH: 'no route to the network',
}

/** True when the connection failed before the request was sent: only then did the service certainly do nothing. */
export const wasNeverSent = ({ cause }: Problem): boolean => Object.hasOwn(REASONS, codeOf(cause))

const reasonOf = (error: unknown): string => {
  const code = codeOf(error)
  if (/CERT|SELF_SIGNED|UNABLE_TO|ERR_TLS/.test(code)) {
    return `its certificate is not trusted (${code})`
  }
  return Object.hasOwn(REASONS, code)
    ? (REASONS[code] as string)
    : `the connection failed (${code || 'unknown reason'})`
}

/** `fetch` rejects with "fetch failed"; the error code is in its `cause`, possibly nested. */
function codeOf(error: unknown): string {
  const { code, cause } = (error ?? {}) as { code?: unknown; cause?: unknown }
  if (typeof code === 'string') {
    return code
  }
  return cause === undefined ? '' : codeOf(cause)
}

/** GATEHOUSE_TIMEOUT, in seconds, for slow networks. */
function timeoutMs(): number {
  const seconds = Number(process.env.GATEHOUSE_TIMEOUT)
  return seconds > 0 && seconds <= 600 ? seconds * 1_000 : DEFAULT_TIMEOUT_MS
}

/** Every REST response has the API-Version header (spec, Versioning 1). A response without it is not the service's. */
export function requireVersion(service: string, { status, headers }: ApiResponse): void {
  const version = headers.get(HEADERS.apiVersion)
  if (version === API_VERSION) {
    return
  }
  if (version !== null) {
    throw otherVersion(service, singleLine(version).slice(0, 20))
  }
  if (status >= 502 && status <= 504) {
    throw unreachable(service, `its proxy responds with status ${status}`)
  }
  throw notGatehouse(service, status)
}

export const notGatehouse = (service: string, status: number): Problem =>
  new Problem(
    'notGatehouse',
    `The server at ${service} is not Gatehouse (status ${status}).`,
    nextStep('Check the address: --service, GATEHOUSE_URL, or base_url in the .service file.'),
  )

/** `@latest`, because npx prefers a package that is installed to a newer one. */
const useOwnTools = (service: string) =>
  nextStep(`Run the tools of the service: ${programFrom(service)}@latest`)

const otherVersion = (service: string, version: string): Problem =>
  new Problem(
    'otherVersion',
    `The service at ${service} has API version ${version}; this program supports version ${API_VERSION}.`,
    useOwnTools(service),
  )

export const unexpectedResponse = (service: string): Problem =>
  new Problem(
    'otherVersion',
    `The response of the service at ${service} does not match API version ${API_VERSION}.`,
    useOwnTools(service),
  )
