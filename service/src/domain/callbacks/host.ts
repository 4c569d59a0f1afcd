import { domainToASCII, domainToUnicode } from 'node:url'

const HOST_MAX_CHARACTERS = 253

/** Letters, digits and inner hyphens (RFC 1123 §2.1). */
const LABEL = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/

/**
 * The problem with a lower-case host, as a sentence; null for a valid one. The left-most label may be `*`. The URL parser
 * checks whether an IP address is in its canonical form.
 */
export function hostProblem(host: string): string | null {
  if (host.startsWith('[')) {
    return null
  }
  if (host.length > HOST_MAX_CHARACTERS) {
    return `The host is longer than ${HOST_MAX_CHARACTERS} characters.`
  }
  if (host.endsWith('.')) {
    return 'The host ends with a dot. Remove the dot.'
  }

  const labels = host.split('.')
  if (labels.includes('')) {
    return 'The host has an empty label (two dots in a row, or a dot in front). Remove the dot.'
  }

  const named = labels[0] === '*' ? labels.slice(1) : labels
  if (named.some((label) => label.includes('*'))) {
    return 'A "*" may only be the whole left-most label of the host, once, as in "https://*.example.com/callback".'
  }
  if (named.length === 0) {
    return 'A "*" needs a domain after it, as in "https://*.example.com/callback".'
  }

  const invalid = named.find((label) => !LABEL.test(label))
  if (invalid !== undefined) {
    return `"${invalid}" is not a host label: use letters, digits and inner hyphens, at most 63 of them.`
  }
  const broken = named.find((label) => label.startsWith('xn--') && !isCanonicalIdn(label))
  if (broken !== undefined) {
    return `"${broken}" is not the "xn--" form of any name. Convert the name again.`
  }
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

/** Where a callback leads: the host of a site, or the scheme of an app with its colon, which is the end of no host. */
export const placeOf = (callback: URL, part: 'host' | 'hostname' = 'host'): string =>
  isSite(callback) ? callback[part] : callback.protocol

/** False for an app on a device. The host in `com.example.app://example.com/` means nothing. */
export const isSite = ({ protocol }: URL): boolean => protocol === 'https:' || protocol === 'http:'

/** Runs a script, opens a file or shows something other than the client in the browser. */
const BROWSER =
  'javascript vbscript livescript data file filesystem blob about view-source jar resource chrome ws wss ftp'
/** Starts a call, a message, a download or a connection to another machine. */
const COMMUNICATION =
  'mailto tel sms mms callto sip sips facetime news nntp irc ircs magnet webcal ' +
  'ssh sftp telnet rlogin tn3270 rdp vnc ldap ldaps smb cifs afp nfs dav davs webdav gopher'
/**
 * Registered by an operating system, or by what comes with it, for its own programs: the search window and the shell folders
 * of Windows, its help viewers, the Office and Java starters, the installers of macOS, iOS and Linux, Android's intents.
 */
const SYSTEM =
  'search search-ms shell hcp help res mk its mhtml onenote onenote-cmd onenotedesktop odopen outlook outlookfeed ' +
  'windowsdefender bingmaps jnlp jnlps applescript itms itms-apps itms-services itms-appss macappstore ' +
  'apt snap appstream intent android-app market'

const FORBIDDEN = new Set(`${BROWSER} ${COMMUNICATION} ${SYSTEM}`.split(' '))

/** Windows and Office: `ms-word`, `ms-msdt`, `ms-appinstaller`, `microsoft-edge`, `microsoft.windows.camera`, … */
const MICROSOFT = /^(?:ms-|microsoft[-.])/

/** Apple's system programs, such as `x-apple.systempreferences` and `x-help-action`. */
const APPLE = /^x-(?:apple|help|man)/

/**
 * Whether a client may not be reached by this URI scheme. Prevents a registration that turns our redirect into a link that
 * starts a program with a stranger's arguments. A list can't name every program that is installed somewhere: SECURITY.md, D6.
 */
export function isSystemScheme(scheme: string): boolean {
  const folded = scheme.toLowerCase()
  return FORBIDDEN.has(folded) || MICROSOFT.test(folded) || APPLE.test(folded)
}
