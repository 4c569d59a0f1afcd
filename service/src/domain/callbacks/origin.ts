import { acceptsOrigin } from './match.ts'
import { type CallbackUrl, defaultPort, hrefOf, isWildcard, readParts } from './parts.ts'

/**
 * May a page of this origin call the edge from a browser? Yes when a login of the tenant could end on that origin.
 * Browsers send one canonical form (`https://host`, default port left out), so anything else is not from a browser.
 */
export function allowsOrigin(origin: string, registered: readonly CallbackUrl[]): boolean {
  const read = readParts(origin)
  if (!read.ok || isWildcard(read.parts.host)) return false
  const { scheme, port } = read.parts
  const canonical = hrefOf({ ...read.parts, port: port === defaultPort(scheme) ? null : port, path: '', search: '' })
  return origin === canonical && registered.some((callback) => acceptsOrigin(callback, read.parts))
}

/** The origins of a callback list, each once, as Content-Security-Policy writes them: `https://*.a.com`, `http://localhost:*`. */
export function originsOf(registered: readonly CallbackUrl[]): string[] {
  return [...new Set(registered.map(originOf))]
}

function originOf({ scheme, host, port }: CallbackUrl): string {
  return `${scheme}://${host}${port === defaultPort(scheme) ? '' : `:${port === 'any' ? '*' : port}`}`
}
