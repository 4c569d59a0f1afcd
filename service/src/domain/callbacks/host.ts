import { domainToASCII, domainToUnicode } from 'node:url'

const HOST_MAX_CHARACTERS = 253

/** Letters, digits and inner hyphens (RFC 1123 §2.1). */
const LABEL = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/

/**
 * The problem with a lower-case host, as a sentence; null for a valid one. The left-most label may be `*`. The URL parser
 * checks whether an IP address is in its canonical form.
 */
export function hostProblem(host: string): string | null {
  if (host.startsWith('[')) return null
  if (host.length > HOST_MAX_CHARACTERS) return `The host is longer than ${HOST_MAX_CHARACTERS} characters.`
  if (host.endsWith('.')) return 'The host ends with a dot. Remove the dot.'

  const labels = host.split('.')
  if (labels.includes('')) return 'The host has an empty label (two dots in a row, or a dot in front). Remove the dot.'

  const named = labels[0] === '*' ? labels.slice(1) : labels
  if (named.some((label) => label.includes('*'))) {
    return 'A "*" may only be the whole left-most label of the host, once, as in "https://*.example.com/callback".'
  }
  if (named.length === 0) return 'A "*" needs a domain after it, as in "https://*.example.com/callback".'

  const invalid = named.find((label) => !LABEL.test(label))
  if (invalid !== undefined) {
    return `"${invalid}" is not a host label: use letters, digits and inner hyphens, at most 63 of them.`
  }
  const broken = named.find((label) => label.startsWith('xn--') && !isCanonicalIdn(label))
  if (broken !== undefined) return `"${broken}" is not the "xn--" form of any name. Convert the name again.`
  return null
}

/**
 * The URL parser accepts any `xn--` label, but a browser may show or visit another name for an invalid one. So the label
 * must decode (`domainToUnicode` returns an invalid one unchanged) and be the encoding of its name.
 */
function isCanonicalIdn(label: string): boolean {
  const name = domainToUnicode(label)
  return name !== label && domainToASCII(name) === label
}

/** The only hosts allowed with plain http, because the traffic does not leave the machine (RFC 8252, section 8.3). */
const LOOPBACK_HOSTS: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]'])

/** Exact names: `localhost.evil.example` is not loopback. */
export const isLoopbackHost = (host: string): boolean => LOOPBACK_HOSTS.has(host)

/** On a parsed URL, so that `127.0.0.1@evil.example` is not loopback either. */
export const isLoopback = (url: URL): boolean => isLoopbackHost(url.hostname)
