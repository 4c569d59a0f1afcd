import { asciiLowerCase, CALLBACK_URL_MAX_CHARACTERS } from '@gatehouse-auth/contract'
import { parse } from 'tldts'
import { hostProblem, isSystemScheme } from './host.ts'

/** A registered callback URL. */
export interface CallbackUrl {
  /** The canonical text: returned to the developer, stored, and parsed by `callbackFromStored`. */
  readonly href: string
  /** `http`, `https`, or the private-use scheme of an app, such as `com.example.app` (RFC 8252 §7.1). */
  readonly scheme: string
  /** Lower-case; `*.example.com` matches any one label in front. An app has its scheme with the colon: no host has one. */
  readonly host: string
  /** `any`: a loopback URL registered without a port, because local tools use any free port (RFC 8252 §7.3). */
  readonly port: number | 'any'
  readonly path: string
  /** `''`, or starts with `?`. */
  readonly search: string
}

/** The parts of a URL, as written. */
export interface CallbackParts {
  readonly scheme: string
  /** Lower-case; `*.example.com` when the left-most label is a wildcard. An app has its scheme with the colon. */
  readonly host: string
  /** null when the URL has none. */
  readonly port: number | null
  readonly path: string
  /** `''`, or starts with `?`. A lone `?` differs from none. */
  readonly search: string
}

type PartsRead =
  | { readonly ok: true; readonly parts: CallbackParts }
  | { readonly ok: false; readonly problem: string }

const SHAPE = /^(https?):\/\/([^/?]+)([^?]*)(\?.*)?$/i
const AUTHORITY = /^(\[[0-9a-f:.]+\]|[^:[\]]+)(?::(.*))?$/
const PORT = /^[1-9][0-9]{0,4}$/
const PORT_MAX = 65_535

/**
 * The strict parser of callback URLs, for registration, matching and origins: parses by hand, then compares with the
 * platform's URL parser.
 *
 * Browsers and the WHATWG parser repair URLs: tabs vanish, `\` becomes `/`, `%2a` and full-width letters become host
 * characters, `127.1` becomes an address. Then the checked text and the redirect lead to different places. So every URL
 * that would be repaired is rejected: the parser may lower the case of scheme and host, drop a default port and add the
 * first `/`, and must change nothing else.
 */
export function readParts(raw: string): PartsRead {
  const problemOfText = textProblem(raw)
  if (problemOfText !== null) {
    return invalid(problemOfText)
  }

  const shape = SHAPE.exec(raw)
  if (shape === null) {
    return readApp(raw)
  }
  const [, rawScheme = '', rawAuthority = '', rawPath = '', search = ''] = shape
  const scheme = rawScheme.toLowerCase() === 'https' ? 'https' : 'http'

  const authority = readAuthority(rawAuthority)
  if (!authority.ok) {
    return authority
  }

  const { host, port } = authority
  const path = rawPath === '' ? '/' : rawPath
  const parts: CallbackParts = { scheme, host, port, path, search }
  const problem =
    hostProblem(host) ?? pathProblem(path) ?? queryProblem(search) ?? parserProblem(parts)
  return problem === null ? { ok: true, parts } : invalid(problem)
}

type AuthorityRead =
  | { readonly ok: true; readonly host: string; readonly port: number | null }
  | { readonly ok: false; readonly problem: string }

/** The host and port of a URL, without a user. */
function readAuthority(raw: string): AuthorityRead {
  // `https://app.example.com@evil.test` goes to evil.test, and parsers disagree about `a@b@host` (CVE-2026-7504).
  if (raw.includes('@')) {
    return invalid('It contains a user name or "@" before the host. Remove it.')
  }
  if (raw.includes('%')) {
    return invalid('The host is percent-encoded. Write it in plain letters.')
  }

  const authority = AUTHORITY.exec(asciiLowerCase(raw))
  if (authority === null) {
    return invalid('The host is not valid. Write a domain name, or an IPv6 address in brackets.')
  }

  const [, host = '', rawPort] = authority
  if (rawPort === undefined) {
    return { ok: true, host, port: null }
  }
  if (!PORT.test(rawPort) || Number(rawPort) > PORT_MAX) {
    return invalid(
      'The port must be a number from 1 to 65535, without leading zeros. Leave out the ":" if there is none.',
    )
  }
  return { ok: true, host, port: Number(rawPort) }
}

function textProblem(raw: string): string | null {
  if (raw.length > CALLBACK_URL_MAX_CHARACTERS) {
    return `It is ${raw.length} characters long; at most ${CALLBACK_URL_MAX_CHARACTERS} are allowed.`
  }
  if (!/^[\x21-\x7e]*$/.test(raw)) {
    return 'It contains a space, a control character or a character outside ASCII. Percent-encode it in the path or query; write an international host in its "xn--" form.'
  }
  if (raw.includes('\\')) {
    return 'It contains a backslash, which browsers read as "/". Use "/".'
  }
  if (raw.includes('#')) {
    return 'It contains a fragment ("#"). Remove it; a login cannot end at a fragment.'
  }
  return null
}

const APP_SHAPE = /^([a-z][a-z0-9+.-]*):([^?]*)(\?.*)?$/i

/** The callback of an installed app: the reverse of its domain as the scheme, then a path (RFC 8252 §7.1). */
function readApp(raw: string): PartsRead {
  const [, rawScheme = '', path = '', search = ''] = APP_SHAPE.exec(raw) ?? []
  const scheme = asciiLowerCase(rawScheme)
  if (!scheme.includes('.')) {
    return invalid(
      'It must be an absolute URL that starts with "https://" and a host. The scheme of an app is the reverse of a domain that you control, as in "com.example.app:/callback".',
    )
  }
  const parts: CallbackParts = { scheme, host: `${scheme}:`, port: null, path, search }
  const problem =
    schemeProblem(scheme) ?? appPathProblem(path) ?? pathProblem(path) ?? queryProblem(search)
  if (problem !== null) {
    return invalid(problem)
  }

  // We, browsers and the device read the same text: nothing is repaired.
  const href = hrefOf(parts)
  if (URL.parse(href)?.href !== href) {
    return invalid('Browsers read it differently.')
  }
  return { ok: true, parts }
}

function schemeProblem(scheme: string): string | null {
  const domain = scheme.split('.').reverse().join('.')
  const { isIcann, domain: registrable } = parse(domain, { extractHostname: false })
  const isReversedDomain = hostProblem(domain) === null && isIcann === true && registrable !== null
  if (!isReversedDomain || isSystemScheme(scheme)) {
    return 'The scheme of an app must be the reverse of a domain that you control, as in "com.example.app:/callback".'
  }
  return null
}

/** Not `scheme:path`, which has no path to the URL parser, and no `@`, after which parsers see another host. */
function appPathProblem(path: string): string | null {
  if (!/^\/{1,2}[^/]/.test(path)) {
    return 'A path must follow the scheme of an app, as in "com.example.app:/callback".'
  }
  return path.includes('@') ? 'It contains an "@". Remove it.' : null
}

/** True for the scheme of an app, which is no site: it has no host, no origin, and gets codes only. */
export const isAppScheme = (scheme: string): boolean => scheme.includes('.')

const invalid = (problem: string) => ({ ok: false, problem }) as const

/** Replaces `*` for the URL parser. */
const ANY_LABEL = 'w-x'

function parserProblem(parts: CallbackParts): string | null {
  const host = isWildcard(parts.host) ? `${ANY_LABEL}${parts.host.slice(1)}` : parts.host
  const url = URL.parse(hrefOf({ ...parts, host }))
  if (url === null) {
    return `"${parts.host}" is not a host that a browser can go to.`
  }
  if (url.hostname !== host) {
    return `Browsers read the host "${parts.host}" as "${url.hostname}". Write it that way.`
  }
  // `URL.search` is '' for a lone `?`.
  const search = parts.search === '?' ? '' : parts.search
  if (url.pathname !== parts.path || url.search !== search) {
    return `Browsers change its path or query to "${url.pathname}${url.search}". Write it that way.`
  }
  return null
}

/**
 * The problem with the path of a callback, as a sentence; null for a valid one.
 *
 * Paths are compared as a whole, so a dot segment matches nothing else. It is rejected because a proxy or server in front
 * of the app may resolve it later: `/x/..;/cb` is `/cb` to some, `/x/..;/cb` to others (Keycloak CVE-2026-3872).
 */
function pathProblem(path: string): string | null {
  if (path.includes('*')) {
    return 'A "*" is not allowed in the path; the path must match exactly. List each path.'
  }
  const encoding = percentProblem(path)
  if (encoding !== null) {
    return encoding
  }

  const decoded = decodeFully(path)
  if (hasControlCharacter(decoded)) {
    return 'The path contains an encoded control character. Remove it.'
  }
  if (decoded.includes('\\')) {
    return 'The path contains an encoded backslash, which some servers read as "/". Remove it.'
  }
  if (decoded.split('/').some(isDotSegment)) {
    return 'The path contains a "." or ".." segment, plain or encoded. Write the path that it leads to.'
  }
  return null
}

/** Some servers drop a `;parameter` and surrounding spaces before they resolve the segment. */
const isDotSegment = (segment: string): boolean => /^\s*\.{1,2}\s*(;|$)/.test(segment)

/**
 * Parameters that a login adds to the callback, or that OAuth clients act on. A callback that already has one would
 * arrive with two values, and apps differ in which one they use (Keycloak CVE-2026-9689).
 */
const RESERVED =
  /^(?:access_token|linked|refresh_token|return_to|error|error_description|code|state|iss|token)$/

/** The problem with the query of a callback (`''` or `?…`), as a sentence; null for a valid one. */
function queryProblem(search: string): string | null {
  if (search.includes('*')) {
    return 'A "*" is not allowed in the query; the query must match exactly. Remove it.'
  }
  const encoding = percentProblem(search)
  if (encoding !== null) {
    return encoding
  }
  if (hasControlCharacter(decodeFully(search))) {
    return 'The query contains an encoded control character. Remove it.'
  }

  const reserved = parameterNames(search)
    .flatMap(possibleNames)
    .find((name) => RESERVED.test(name))
  if (reserved === undefined) {
    return null
  }
  return `The query already has "${reserved}", a name that a login uses itself. Rename or remove it.`
}

/** Also splits at `;`, because some servers do. */
function parameterNames(search: string): string[] {
  const pairs = search.slice(1).split(/[&;]/)
  return pairs.map((pair) => {
    const [name = ''] = pair.split('=', 1)
    return decodeFully(decodeURIComponent(name))
  })
}

/**
 * All names that a framework may read this parameter as: `error[]` is `error` to many, and `access.token`, `access+token`
 * and `access[token` are all `access_token` to PHP.
 */
function possibleNames(name: string): string[] {
  const folded = name.normalize('NFKC').toLowerCase()
  return [folded, ...folded.split(/[=&;?[\]]/)].map((part) => part.trim().replace(/[ .+[]/g, '_'))
}

/** The problem with the percent-encoding of a path or query, as a sentence; null for a valid one. */
function percentProblem(text: string): string | null {
  try {
    decodeURIComponent(text)
    return null
  } catch {
    // Servers disagree about `%zz` and about overlong forms such as `%c0%ae` (a dot to some), so both are rejected.
    return 'It has a "%" that does not start a valid UTF-8 percent-encoding. Write a literal "%" as "%25".'
  }
}

/**
 * Decodes percent-encoded ASCII repeatedly until none is left.
 *
 * Only to detect what later hops may decode: a proxy decodes once, the app behind it again (Keycloak CVE-2026-3872). The
 * result is never compared or sent. Terminates because every pass shortens the text.
 */
function decodeFully(text: string): string {
  const next = text.replace(/%([0-7][0-9a-f])/gi, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  )
  return next === text ? text : decodeFully(next)
}

const hasControlCharacter = (text: string): boolean => /\p{Cc}/u.test(text)

/** Contains a port if and only if the parts have one. */
export function hrefOf({ scheme, host, port, path, search }: CallbackParts): string {
  if (isAppScheme(scheme)) {
    return `${scheme}:${path}${search}`
  }
  const authority = port === null ? host : `${host}:${port}`
  return `${scheme}://${authority}${path}${search}`
}

export const isWildcard = (host: string): boolean => host.startsWith('*.')

export const defaultPort = (scheme: string): number => (scheme === 'https' ? 443 : 80)
