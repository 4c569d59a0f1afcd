import { decodeFully, hasControlCharacter, percentProblem } from './percent-encoding.ts'

/**
 * Parameters that a login adds to the callback, or that OAuth clients act on. A callback that already has one would
 * arrive with two values, and apps differ in which one they use (Keycloak CVE-2026-9689).
 */
const RESERVED: ReadonlySet<string> = new Set([
  'access_token',
  'refresh_token',
  'return_to',
  'error',
  'error_description',
  'code',
  'state',
  'iss',
  'token',
])

/** The problem with the query of a callback (`''` or `?…`), as a sentence; null for a valid one. */
export function queryProblem(search: string): string | null {
  if (search.includes('*')) return 'A "*" is not allowed in the query; the query must match exactly. Remove it.'
  const encoding = percentProblem(search)
  if (encoding !== null) return encoding
  if (hasControlCharacter(decodeFully(search))) return 'The query contains an encoded control character. Remove it.'

  const reserved = parameterNames(search)
    .flatMap(possibleNames)
    .find((name) => RESERVED.has(name))
  if (reserved === undefined) return null
  return `The query already has "${reserved}", a name that a login uses itself. Rename or remove it.`
}

/** Also splits at `;`, because some servers do. */
const parameterNames = (search: string): string[] =>
  search
    .slice(1)
    .split(/[&;]/)
    .map((pair) => decodeFully(decodeURIComponent(pair.split('=', 1)[0] ?? '')))

/**
 * All names that a framework may read this parameter as: `error[]` is `error` to many, and `access.token`, `access+token`
 * and `access[token` are all `access_token` to PHP.
 */
function possibleNames(name: string): string[] {
  const folded = name.normalize('NFKC').toLowerCase()
  return [folded, ...folded.split(/[=&;?[\]]/)].map((part) => part.trim().replace(/[ .+[]/g, '_'))
}
