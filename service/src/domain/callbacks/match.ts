import { type CallbackParts, type CallbackUrl, defaultPort, hrefOf, isWildcard, readParts } from './parts.ts'

export type CallbackPart = 'scheme' | 'host' | 'port' | 'path' | 'query'

export type CallbackMatch =
  | { readonly ok: true; readonly href: string }
  | { readonly ok: false; readonly problem: string; readonly closest?: string; readonly differs?: CallbackPart }

/** When a URL matches nothing, these tell what was meant: a different host weighs more than all the rest together. */
const MOST_TELLING_FIRST: readonly CallbackPart[] = ['host', 'scheme', 'path', 'port', 'query']

/**
 * May a login end at this URL? Compared part by part on parsed values, never as text or pattern: an unescaped dot or a
 * suffix test is how `evilexample.com` passes for `example.com` (authentik CVE-2024-52289). What comes back is printed
 * from the parsed parts, so the browser is sent to exactly what was compared (RFC 9700 §2.1).
 */
export function matchCallback(requested: string, registered: readonly CallbackUrl[]): CallbackMatch {
  const read = readParts(requested)
  if (!read.ok) return { ok: false, problem: `This redirect_uri cannot be used. ${read.problem}` }
  if (isWildcard(read.parts.host)) {
    return { ok: false, problem: 'A redirect_uri must name one host. Put a real name in place of the "*".' }
  }

  const port = portOf(read.parts)
  const href = hrefOf({ ...read.parts, port: port === defaultPort(read.parts.scheme) ? null : port })
  let closest: { readonly callback: CallbackUrl; readonly differs: CallbackPart; readonly distance: number } | null =
    null
  for (const callback of registered) {
    const [differs, ...rest] = MOST_TELLING_FIRST.filter((part) => !accepts[part](callback, read.parts))
    if (differs === undefined) return { ok: true, href }
    const distance = distanceOf([differs, ...rest]) - kinship(callback.host, read.parts.host)
    if (closest === null || distance < closest.distance) closest = { callback, differs, distance }
  }
  if (closest === null) return { ok: false, problem: 'No callback URL is registered yet. Register this one first.' }

  const { callback, differs } = closest
  return {
    ok: false,
    problem: `${href} is not a registered callback URL. The closest is ${callback.href}; the ${differs} differs. Use that one, or register this one.`,
    closest: callback.href,
    differs,
  }
}

/** Could a page of this scheme, host and port be (part of) a place where a login ends? */
export const acceptsOrigin = (callback: CallbackUrl, parts: CallbackParts): boolean =>
  accepts.scheme(callback, parts) && accepts.host(callback, parts) && accepts.port(callback, parts)

const accepts: Readonly<Record<CallbackPart, (callback: CallbackUrl, parts: CallbackParts) => boolean>> = {
  scheme: (callback, parts) => callback.scheme === parts.scheme,
  host: (callback, parts) => acceptsHost(callback.host, parts.host),
  port: (callback, parts) => callback.port === 'any' || callback.port === portOf(parts),
  path: (callback, parts) => callback.path === parts.path,
  query: (callback, parts) => callback.search === parts.search,
}

/** A wildcard stands for exactly one label: not for none (the apex), and not for two. */
function acceptsHost(pattern: string, host: string): boolean {
  if (!isWildcard(pattern)) return pattern === host
  const [, ...base] = pattern.split('.')
  const [, ...rest] = host.split('.')
  return rest.length === base.length && rest.every((label, index) => label === base[index])
}

const distanceOf = (differing: readonly CallbackPart[]): number =>
  differing.reduce((sum, part) => sum + 2 ** (MOST_TELLING_FIRST.length - MOST_TELLING_FIRST.indexOf(part)), 0)

/** From 0 to 1, by how many labels two hosts share from the right: of two wrong hosts, the related one was meant. */
function kinship(pattern: string, host: string): number {
  const labels = host.split('.').reverse()
  const shared = pattern
    .split('.')
    .reverse()
    .findIndex((label, index) => label !== labels[index])
  return shared === -1 ? 1 : shared / labels.length
}

const portOf = ({ scheme, port }: CallbackParts): number => port ?? defaultPort(scheme)
