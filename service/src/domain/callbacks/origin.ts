import { acceptsOrigin } from './match.ts'
import { type CallbackUrl, defaultPort, hrefOf, isWildcard, readParts } from './parts.ts'

/**
 * Whether CORS allows this origin: a login of the tenant can end on it. Browsers send the canonical form (`https://host`,
 * without the default port), so any other form is rejected.
 */
export function allowsOrigin(origin: string, registered: readonly CallbackUrl[]): boolean {
  const read = readParts(origin)
  if (!read.ok || isWildcard(read.parts.host)) return false
  const { scheme, port } = read.parts
  const canonical = hrefOf({ ...read.parts, port: port === defaultPort(scheme) ? null : port, path: '', search: '' })
  return origin === canonical && registered.some((callback) => acceptsOrigin(callback, read.parts))
}

/** The distinct origins of a callback list in CSP syntax: `https://*.a.com`, `http://localhost:*`. */
export function originsOf(registered: readonly CallbackUrl[]): string[] {
  return [...new Set(registered.map(originOf))]
}

function originOf({ scheme, host, port }: CallbackUrl): string {
  return `${scheme}://${host}${port === defaultPort(scheme) ? '' : `:${port === 'any' ? '*' : port}`}`
}
