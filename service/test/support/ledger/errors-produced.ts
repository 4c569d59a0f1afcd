import {
  API_ERRORS,
  ENDPOINTS,
  LOGIN_ERRORS,
  OAUTH_ENDPOINTS,
  OAUTH_ERRORS,
  OAUTH_REDIRECT_ERRORS,
} from '@gatehouse/contract'
import { inRedirect, type Seen } from './answers-seen.ts'

/** What an endpoint may say no with, as its documentation lists it. */
export interface Declared {
  readonly method: string
  readonly path: string
  readonly errors: readonly string[]
}

export const DECLARED: readonly Declared[] = [
  ...ENDPOINTS,
  ...OAUTH_ENDPOINTS.map(({ redirects = [], errors, ...endpoint }) => ({
    ...endpoint,
    errors: [...errors, ...redirects.map(inRedirect)],
  })),
].map(({ method, path, errors }) => ({ method, path: path.replace(/:([A-Za-z_]+)/g, '{$1}'), errors }))

/** Anything may break, and anything may be out of reach: every endpoint may say these without listing them. */
const ANYWHERE = new Set(['internalError', 'temporarilyUnavailable', 'server_error', 'temporarily_unavailable'])

/**
 * What the documentation promises and no test of the run was answered, and what one was answered that it does not
 * promise. By what came over the wire, not by what tests are called.
 */
export function errorProblems(
  seen: readonly Seen[],
  declared: readonly Declared[] = DECLARED,
  codes: readonly string[] = EVERY_CODE,
): string[] {
  const met = new Set(seen.map(({ method, path, code }) => `${method} ${path} ${code}`))
  const metAnywhere = new Set(seen.map(({ code }) => code))
  const unmet = declared.flatMap(({ method, path, errors }) =>
    errors
      .filter((code) => !met.has(`${method} ${path} ${code}`))
      .map((code) => `${method} ${path} documents ${code}, and no test was answered so`),
  )
  const nowhere = codes
    .filter((code) => !metAnywhere.has(code))
    .map((code) => `${code} is documented, and no test was answered so anywhere`)
  return [...nowhere, ...unmet, ...undeclared(seen, declared)]
}

function undeclared(seen: readonly Seen[], declared: readonly Declared[]): string[] {
  return seen.flatMap(({ method, path, status, code }) => {
    if (code === null || ANYWHERE.has(code)) return []
    const endpoint = declared.find((each) => each.method === method && each.path === path)
    // Pages are not described one by one; what they redirect with is.
    const documented = endpoint?.errors ?? [...EVERY_CODE, ...(path === null ? [] : [code])]
    return documented.includes(code)
      ? []
      : [`${method} ${path ?? '(a page)'} answered ${status} ${code}, which is not documented`]
  })
}

const EVERY_CODE: readonly string[] = [
  ...Object.keys(API_ERRORS),
  ...Object.keys(OAUTH_ERRORS),
  ...new Set([...LOGIN_ERRORS, ...OAUTH_REDIRECT_ERRORS].map(inRedirect)),
]
