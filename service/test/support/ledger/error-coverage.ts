import {
  API_ERRORS,
  ENDPOINTS,
  LOGIN_ERRORS,
  OAUTH_ENDPOINTS,
  OAUTH_ERRORS,
  OAUTH_REDIRECT_ERRORS,
  OPENID_ENDPOINTS,
} from '@gatehouse-auth/contract'
import { inRedirect, type RecordedResponse } from './response-ledger.ts'

/** An endpoint and the error codes that its documentation lists. */
export interface DocumentedEndpoint {
  readonly method: string
  readonly path: string
  readonly errors: readonly string[]
  /** The same by POST: what is documented holds for it, too. */
  readonly alsoPost?: boolean
}

export const DOCUMENTED_ENDPOINTS: readonly DocumentedEndpoint[] = [
  ...ENDPOINTS,
  ...[...OPENID_ENDPOINTS, ...OAUTH_ENDPOINTS].map(({ redirects = [], errors, ...endpoint }) => ({
    ...endpoint,
    errors: [...errors, ...redirects.map(inRedirect)],
  })),
].map(({ method, path, errors, ...rest }) => ({
  method,
  path: path.replace(/:([A-Za-z_]+)/g, '{$1}'),
  errors,
  alsoPost: 'alsoPost' in rest,
}))

/** Any endpoint may respond with these without listing them. */
const ANYWHERE = new Set([
  'internalError',
  'temporarilyUnavailable',
  'server_error',
  'temporarily_unavailable',
])

/**
 * Documented errors that no response of the run carried, and errors of responses that are not documented.
 */
export function errorCoverageProblems(
  responses: readonly RecordedResponse[],
  endpoints: readonly DocumentedEndpoint[] = DOCUMENTED_ENDPOINTS,
  codes: readonly string[] = EVERY_CODE,
): string[] {
  const produced = new Set(responses.map(({ method, path, code }) => `${method} ${path} ${code}`))
  const isProduced = ({ method, path, alsoPost }: DocumentedEndpoint, code: string): boolean =>
    produced.has(`${method} ${path} ${code}`) ||
    (alsoPost === true && produced.has(`POST ${path} ${code}`))
  const producedAnywhere = new Set(responses.map(({ code }) => code))
  const missing = endpoints.flatMap((endpoint) =>
    endpoint.errors
      .filter((code) => !isProduced(endpoint, code))
      .map(
        (code) => `${endpoint.method} ${endpoint.path} documents ${code}, but no test produced it`,
      ),
  )
  const missingEverywhere = codes
    .filter((code) => !producedAnywhere.has(code))
    .map((code) => `${code} is documented, but no test produced it anywhere`)
  return [...missingEverywhere, ...missing, ...undocumented(responses, endpoints)]
}

function undocumented(
  responses: readonly RecordedResponse[],
  endpoints: readonly DocumentedEndpoint[],
): string[] {
  return responses.flatMap(({ method, path, status, code }) => {
    if (code === null || ANYWHERE.has(code)) {
      return []
    }
    const endpoint = endpoints.find(
      (each) => each.path === path && (each.method === method || each.alsoPost),
    )
    // Pages are not documented one by one, but the errors of their redirects are.
    const documented = endpoint?.errors ?? [...EVERY_CODE, ...(path === null ? [] : [code])]
    return documented.includes(code)
      ? []
      : [`${method} ${path ?? '(a page)'} responded ${status} ${code}, which is not documented`]
  })
}

const EVERY_CODE: readonly string[] = [
  ...Object.keys(API_ERRORS),
  ...Object.keys(OAUTH_ERRORS),
  ...new Set([...LOGIN_ERRORS, ...OAUTH_REDIRECT_ERRORS].map(inRedirect)),
]
