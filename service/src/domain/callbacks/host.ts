import { domainToASCII, domainToUnicode } from 'node:url'

const HOST_MAX_CHARACTERS = 253

/** Letters, digits and inner hyphens (RFC 1123 §2.1). */
const LABEL = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/

/**
 * What is wrong with a lower-case host, as a sentence; null when nothing is. `*` may stand for the whole left-most
 * label. Whether an IP address is written in its one canonical form is left to the URL parser.
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

  const odd = named.find((label) => !LABEL.test(label))
  if (odd !== undefined) {
    return `"${odd}" is not a host label: use letters, digits and inner hyphens, at most 63 of them.`
  }
  const broken = named.find((label) => label.startsWith('xn--') && !isCanonicalIdn(label))
  if (broken !== undefined) return `"${broken}" is not the "xn--" form of any name. Convert the name again.`
  return null
}

/**
 * The URL parser accepts any `xn--` label, and a browser that decodes an invalid one may show or visit another name.
 * So the label must decode (one that does not is returned as it was) and be what its name encodes to.
 */
function isCanonicalIdn(label: string): boolean {
  const name = domainToUnicode(label)
  return name !== label && domainToASCII(name) === label
}
