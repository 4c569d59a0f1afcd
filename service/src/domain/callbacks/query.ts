import { decodeFully, hasControlCharacter, percentProblem } from './percent-encoding.ts'

/**
 * Names that a login adds to the callback, or that OAuth clients act on. A callback that already carries one would
 * arrive with two values, and which of them an app believes is anyone's guess (Keycloak CVE-2026-9689).
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

/** What is wrong with the query of a callback (`''` or `?…`), as a sentence; null when nothing is. */
export function queryProblem(search: string): string | null {
  if (search.includes('*')) return 'A "*" is not allowed in the query; the query must match exactly. Remove it.'
  const encoding = percentProblem(search)
  if (encoding !== null) return encoding
  if (hasControlCharacter(decodeFully(search))) return 'The query contains an encoded control character. Remove it.'

  const reserved = parameterNames(search)
    .flatMap(readings)
    .find((reading) => RESERVED.has(reading))
  if (reserved === undefined) return null
  return `The query already has "${reserved}", a name that a login uses itself. Rename or remove it.`
}

/** `;` too, because some servers still split on it. */
const parameterNames = (search: string): string[] =>
  search
    .slice(1)
    .split(/[&;]/)
    .map((pair) => decodeFully(decodeURIComponent(pair.split('=', 1)[0] ?? '')))

/**
 * Everything that some framework could read this parameter name as: `error[]` is `error` to many, and `access.token`,
 * `access+token` and `access[token` are all `access_token` to PHP.
 */
function readings(name: string): string[] {
  const folded = name.normalize('NFKC').toLowerCase()
  return [folded, ...folded.split(/[=&;?[\]]/)].map((reading) => reading.trim().replace(/[ .+[]/g, '_'))
}
