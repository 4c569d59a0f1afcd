import { domainToASCII } from 'node:url'
import { asciiLowerCase, CALLBACK_URLS_MAX } from '@gatehouse-auth/contract'
import { parse } from 'tldts'
import { hostProblem, isLoopbackHost, isSite } from './host.ts'
import { acceptsOrigin, matchCallback } from './match.ts'
import {
  type CallbackParts,
  type CallbackUrl,
  defaultPort,
  hrefOf,
  isAppScheme,
  isWildcard,
  readParts,
} from './parts.ts'

// The public interface of this folder.
export { type CallbackMatch, type CallbackPart, matchCallback } from './match.ts'
export type { CallbackUrl } from './parts.ts'

type CallbackRead =
  | { readonly ok: true; readonly callback: CallbackUrl; readonly warning?: string }
  | { readonly ok: false; readonly problem: string }

/** Parses a callback URL for registration. A problem or warning is a sentence for the developer. */
export function readCallbackUrl(raw: string): CallbackRead {
  const read = readRegistrable(raw)
  if (!read.ok) {
    return read
  }

  const { callback } = read
  if (isAppScheme(callback.scheme)) {
    const warning = `Another app on a device can register the scheme of ${callback.href}, so it gets one-time codes only. Prefer an https link that your app has claimed.`
    return { ok: true, callback, warning }
  }
  return isWildcard(callback.host) ? readWildcard(callback) : read
}

function readRegistrable(raw: string): CallbackRead {
  const read = readParts(raw)
  if (!read.ok) {
    return read
  }
  // Tokens travel in the query of this URL, so plain http may not cross a network (RFC 9700 §2.6, RFC 8252 §7.3).
  if (read.parts.scheme === 'http' && !isLoopbackHost(read.parts.host)) {
    return {
      ok: false,
      problem: 'http is allowed only for "localhost", "127.0.0.1" and "[::1]". Use https.',
    }
  }
  return { ok: true, callback: callbackOf(read.parts) }
}

function callbackOf(parts: CallbackParts): CallbackUrl {
  const { scheme, host, path, search } = parts
  if (isLoopbackHost(host)) {
    // `:80` stays in the text: stored without it, the URL would mean any port.
    return { href: hrefOf(parts), scheme, host, port: parts.port ?? 'any', path, search }
  }
  const port = parts.port ?? defaultPort(scheme)
  const href = hrefOf({ ...parts, port: port === defaultPort(scheme) ? null : port })
  return { href, scheme, host, port, path, search }
}

/**
 * Checks a wildcard against the Public Suffix List.
 *
 * Under an ICANN suffix (`*.co.uk`) anyone can register a name and receive tokens, so it is rejected. Under a shared host
 * (`*.vercel.app`) anyone can too, but preview deployments need it, so it gives a warning.
 */
function readWildcard(callback: CallbackUrl): CallbackRead {
  const base = callback.host.slice('*.'.length)
  if (isLoopbackHost(base)) {
    const problem =
      'A wildcard cannot stand before "localhost". Register "http://localhost" without a port to allow any port.'
    return { ok: false, problem }
  }

  const options = { allowPrivateDomains: true, extractHostname: false }
  // Some rules of the list are wildcards: every name under `kawasaki.jp` is a suffix although `kawasaki.jp` is not.
  const suffixes = [base, `any.${base}`]
    .map((host) => parse(host, options))
    .filter(({ domain }) => domain === null)
  if (suffixes.length === 0) {
    return { ok: true, callback }
  }

  if (suffixes.some(({ isPrivate }) => isPrivate !== true)) {
    const problem = `"${callback.host}" covers names that anyone can register. Put the "*" under a domain of your own.`
    return { ok: false, problem }
  }
  const warning = `Anyone can get a name under "${base}", so ${callback.href} also lets strangers receive your users' tokens. List the exact hosts that you use.`
  return { ok: true, callback, warning }
}

type CallbackListRead =
  | { readonly ok: true; readonly callbacks: CallbackUrl[]; readonly warnings: string[] }
  | { readonly ok: false; readonly problems: CallbackProblem[] }

interface CallbackProblem {
  /** The index in the list; null: the list itself. */
  readonly index: number | null
  readonly problem: string
}

/** Parses the callback list of a tenant. Reports all problems at once. */
export function readCallbackList(raws: readonly string[]): CallbackListRead {
  if (raws.length === 0) {
    return { ok: false, problems: [{ index: null, problem: 'Give at least one callback URL.' }] }
  }
  if (raws.length > CALLBACK_URLS_MAX) {
    const problem = `There are ${raws.length} callback URLs; at most ${CALLBACK_URLS_MAX} are allowed. A wildcard such as "https://*.example.com/callback" can replace many.`
    return { ok: false, problems: [{ index: CALLBACK_URLS_MAX, problem }] }
  }

  const firstAt = new Map<string, number>()
  const callbacks: CallbackUrl[] = []
  const warnings: string[] = []
  const problems: CallbackProblem[] = []
  for (const [index, raw] of raws.entries()) {
    const read = readCallbackUrl(raw)
    if (!read.ok) {
      problems.push({ index, problem: read.problem })
      continue
    }

    const { href } = read.callback
    const first = firstAt.get(href)
    if (first === undefined) {
      firstAt.set(href, index)
    } else {
      problems.push({
        index,
        problem: `It is the same URL as entry ${first} (${href}). Remove one.`,
      })
    }
    callbacks.push(read.callback)
    if (read.warning !== undefined) {
      warnings.push(read.warning)
    }
  }
  if (problems.length > 0) {
    return { ok: false, problems }
  }
  return { ok: true, callbacks, warnings }
}

/**
 * Parses a stored callback URL. Does not check wildcards against the Public Suffix List again: the list changes with
 * releases, and existing logins must keep working.
 */
export function callbackFromStored(href: string): CallbackUrl {
  const known = storedCallbacks.get(href)
  if (known !== undefined) {
    return known
  }
  const read = readRegistrable(href)
  if (!read.ok) {
    throw new Error(`A stored callback URL can no longer be read: ${read.problem}`)
  }
  if (storedCallbacks.size >= STORED_CALLBACKS_MAX) {
    storedCallbacks.clear()
  }
  storedCallbacks.set(href, read.callback)
  return read.callback
}

/** Every login parses the callback URLs of its app twice, and most apps have the same ones for months. */
const storedCallbacks = new Map<string, CallbackUrl>()
const STORED_CALLBACKS_MAX = 1_000

/** A login to an installed app needs a challenge: no token may be in its URL, which another app could receive. */
export const needsCode = (redirectUri: string): boolean => !isSite(new URL(redirectUri))

/** The hosts of stored callback URLs, or the schemes of apps with their colon, each once. */
export const callbackHostsOf = (callbackUrls: readonly string[]): string[] => [
  ...new Set(callbackUrls.map((href) => callbackFromStored(href).host)),
]

/** The callback of a login without `redirect_uri`: the first URL without a wildcard. null: all have one. */
export function defaultCallback(registered: readonly CallbackUrl[]): string | null {
  return registered.find((callback) => !isWildcard(callback.host))?.href ?? null
}

/**
 * Whether CORS allows this origin: a login of the tenant can end on it. Browsers send the canonical form (`https://host`,
 * without the default port), so any other form is rejected.
 */
export function allowsOrigin(origin: string, registered: readonly CallbackUrl[]): boolean {
  const read = readParts(origin)
  if (!read.ok || isWildcard(read.parts.host) || isAppScheme(read.parts.scheme)) {
    return false
  }
  const { scheme, port } = read.parts
  const canonical = hrefOf({
    ...read.parts,
    port: port === defaultPort(scheme) ? null : port,
    path: '',
    search: '',
  })
  return origin === canonical && registered.some((callback) => acceptsOrigin(callback, read.parts))
}

/**
 * Where the app of a login link is, for the button of an error page: the host of `requested` if that is registered, otherwise
 * the only public host on the list; null: unknown. Never an unregistered address, because anyone can write one into a link.
 */
export function appAddress(
  registered: readonly CallbackUrl[],
  requested: string | undefined,
): string | null {
  const match = requested === undefined ? null : matchCallback(requested, registered)
  if (match?.ok) {
    return homeOf(match.href)
  }
  const [home, ...others] = new Set(registered.filter(isPublic).map(({ href }) => homeOf(href)))
  return home !== undefined && others.length === 0 ? home : null
}

/** Only a computer on which the app is developed has it at localhost. */
const isPublic = ({ scheme, host }: CallbackUrl): boolean => scheme === 'https' && !isWildcard(host)

/** The start page of a site; null for an app, which a link of ours must not open. */
export const homeOf = (href: string): string | null =>
  isSite(new URL(href)) ? new URL('/', href).href : null

type BlockedHostRead =
  | { readonly ok: true; readonly host: string }
  | { readonly ok: false; readonly problem: string }

const IPV4 = /^\d{1,3}(?:\.\d{1,3}){3}$/

/** A host that the operator may block, in lower case and Punycode. */
export function readBlockedHost(text: string): BlockedHostRead {
  const lower = asciiLowerCase(text.trim())
  if (/[/:@?#*\s]/.test(lower)) {
    return refused('Name a host alone, such as evil.example: no scheme, port, path or "*".')
  }
  const host = domainToASCII(lower)
  const problem = host === '' ? 'This is not a host name.' : hostProblem(host)
  if (problem !== null) {
    return refused(problem)
  }
  if (isLoopbackHost(host)) {
    return refused('This is the computer of each user: no app of others is there.')
  }
  // Prevents a block of everything below `co.uk` or `github.io`.
  const isShared =
    parse(host, { allowPrivateDomains: true, extractHostname: false }).domain === null
  if (isShared && !IPV4.test(host)) {
    return refused('Names under this suffix belong to different people. Block the host of the app.')
  }
  return { ok: true, host }
}

/** The hosts whose block applies to this one: itself and the names above it; for a wildcard, only those above it. */
export function blockingHosts(host: string): string[] {
  const named = isWildcard(host) ? host.slice('*.'.length) : host
  // An IPv6 address has no dots.
  if (IPV4.test(named)) {
    return [named]
  }
  // `com.evil.app:` belongs to app.evil.com.
  const labels = named.endsWith(':') ? named.slice(0, -1).split('.').reverse() : named.split('.')
  return labels.map((_, at) => labels.slice(at).join('.'))
}

const refused = (problem: string): BlockedHostRead => ({ ok: false, problem })
