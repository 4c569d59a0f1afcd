import { isLoopbackHost } from './host.ts'
import {
  type CallbackParts,
  type CallbackUrl,
  defaultPort,
  hrefOf,
  isAppScheme,
  isWildcard,
  readParts,
} from './parts.ts'

export type CallbackPart = 'scheme' | 'host' | 'port' | 'path' | 'query'

export type CallbackMatch =
  | { readonly ok: true; readonly href: string }
  | {
      readonly ok: false
      readonly problem: string
      readonly closest?: string
      readonly differs?: CallbackPart
    }

interface Closest {
  readonly callback: CallbackUrl
  /** The heaviest of the parts that differ. */
  readonly differs: CallbackPart
  readonly distance: number
}

/** By descending weight, to find the closest registered URL: a different host weighs more than all other parts. */
const PARTS_BY_WEIGHT: readonly CallbackPart[] = ['host', 'scheme', 'path', 'port', 'query']

/**
 * Whether a login may end at this URL. Compares parsed parts, never text or patterns: with an unescaped dot or a suffix
 * test, `evilexample.com` passes for `example.com` (authentik CVE-2024-52289). The result is built from the parsed parts,
 * so that the browser goes to exactly the URL that was compared (RFC 9700 §2.1).
 */
export function matchCallback(
  requested: string,
  registered: readonly CallbackUrl[],
): CallbackMatch {
  const read = readParts(requested)
  if (!read.ok) {
    return { ok: false, problem: `This redirect_uri cannot be used. ${read.problem}` }
  }
  if (isWildcard(read.parts.host)) {
    return {
      ok: false,
      problem: 'A redirect_uri must name one host. Put a real name in place of the "*".',
    }
  }

  const port = portOf(read.parts)
  const href = hrefOf({
    ...read.parts,
    port: port === defaultPort(read.parts.scheme) ? null : port,
  })
  let closest: Closest | null = null
  for (const callback of registered) {
    const differing = PARTS_BY_WEIGHT.filter((part) => !accepts[part](callback, read.parts))
    const [differs] = differing
    if (differs === undefined) {
      return { ok: true, href }
    }

    const distance = distanceOf(differing) - sharedSuffix(callback.host, read.parts.host)
    if (closest === null || distance < closest.distance) {
      closest = { callback, differs, distance }
    }
  }
  if (closest === null) {
    return { ok: false, problem: 'No callback URL is registered yet. Register this one first.' }
  }

  const { callback, differs } = closest
  return {
    ok: false,
    problem: `${href} is not a registered callback URL. The closest is ${callback.href}; the ${differs} differs. ${adviceFor(differs, callback, read.parts)}`,
    closest: callback.href,
    differs,
  }
}

function adviceFor(differs: CallbackPart, callback: CallbackUrl, { host }: CallbackParts): string {
  // Both names lead to the same machine, so a developer may not see that they differ. A browser shares no cookies between them.
  if (differs === 'host' && isLoopbackHost(host) && isLoopbackHost(callback.host)) {
    return `${host} and ${callback.host} are two sites for a browser: open your app at ${callback.host}, or register this URL.`
  }
  return 'Use that one, or register this one.'
}

/** Whether scheme, host and port match those of the callback. */
export const acceptsOrigin = (callback: CallbackUrl, parts: CallbackParts): boolean =>
  accepts.scheme(callback, parts) && accepts.host(callback, parts) && accepts.port(callback, parts)

const accepts: Readonly<
  Record<CallbackPart, (callback: CallbackUrl, parts: CallbackParts) => boolean>
> = {
  scheme: (callback, parts) => callback.scheme === parts.scheme,
  // An app has no host: its scheme identifies it.
  host: (callback, parts) => isAppScheme(parts.scheme) || acceptsHost(callback.host, parts.host),
  port: (callback, parts) => callback.port === 'any' || callback.port === portOf(parts),
  path: (callback, parts) => callback.path === parts.path,
  query: (callback, parts) => callback.search === parts.search,
}

/** A wildcard matches exactly one label: not the apex, and not two labels. */
function acceptsHost(pattern: string, host: string): boolean {
  if (!isWildcard(pattern)) {
    return pattern === host
  }
  const [, ...base] = pattern.split('.')
  const [, ...rest] = host.split('.')
  return rest.length === base.length && rest.every((label, index) => label === base[index])
}

function distanceOf(differing: readonly CallbackPart[]): number {
  let distance = 0
  for (const part of differing) {
    distance += 2 ** (PARTS_BY_WEIGHT.length - PARTS_BY_WEIGHT.indexOf(part))
  }
  return distance
}

/** The share of labels that two hosts have in common from the right, from 0 to 1. Prefers a related host. */
function sharedSuffix(pattern: string, host: string): number {
  const labels = host.split('.').reverse()
  const patternLabels = pattern.split('.').reverse()
  const shared = patternLabels.findIndex((label, index) => label !== labels[index])
  return shared === -1 ? 1 : shared / labels.length
}

const portOf = ({ scheme, port }: CallbackParts): number => port ?? defaultPort(scheme)
