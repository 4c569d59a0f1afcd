import { isLoopback } from '../callbacks/host.ts'
import { type Cidr, isWithin, readCidr, readIpAddress } from './ip-address.ts'

/** Privileged ports other than 443 belong to mail, databases and remote shells, which a request of ours must not reach. */
const PRIVILEGED_PORT_MAX = 1_023

type ReadPublicUrl =
  | { readonly ok: true; readonly url: URL }
  | { readonly ok: false; readonly problem: string }

/**
 * Checks a URL to which this service is to send requests. Which addresses its name resolves to is checked at every request,
 * on the connection itself (identity/public-https.ts): a check here would be outdated by the next DNS answer. Only a service
 * that itself is on this machine may use others there.
 */
export function readPublicUrl(text: string, baseUrl: string): ReadPublicUrl {
  const url = URL.canParse(text) ? new URL(text) : null
  if (url === null) {
    return refused('This is not an absolute URL.')
  }
  if (url.username !== '' || url.password !== '') {
    return refused('Leave user name and password out of the URL.')
  }
  if (url.hash !== '' || text.includes('#')) {
    return refused('A fragment is never sent. Leave it out.')
  }
  if (isLoopback(url)) {
    return isLoopback(new URL(baseUrl)) && url.protocol === 'http:'
      ? { ok: true, url }
      : notPublic()
  }
  if (url.protocol !== 'https:') {
    return refused('Only https is accepted.')
  }
  if (readIpAddress(url.hostname.replace(/^\[|\]$/g, '')) !== null || !url.hostname.includes('.')) {
    return notPublic()
  }
  if (url.port !== '' && Number(url.port) <= PRIVILEGED_PORT_MAX) {
    return refused(`Use port 443, or one above ${PRIVILEGED_PORT_MAX}.`)
  }
  return { ok: true, url }
}

const refused = (problem: string): ReadPublicUrl => ({ ok: false, problem })

const notPublic = (): ReadPublicUrl =>
  refused(
    'Use a host name on the public internet. On a local service, http://localhost works, too.',
  )

function blocks(list: string): Cidr[] {
  const texts = list.trim().split(/\s+/)
  return texts.map(requireBlock)
}

function requireBlock(text: string): Cidr {
  const block = readCidr(text)
  if (block === null) {
    throw new Error(`${text} is no block of addresses`)
  }
  return block
}

/** IANA's special-purpose IPv4 blocks: loopback, private, carrier-grade NAT, documentation, multicast, reserved. */
const SPECIAL_IPV4 = blocks(`
  0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24 192.88.99.0/24
  192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/4 240.0.0.0/4`)

/** In public blocks, but reached only inside a cloud: Azure's platform, the service networks of IBM Cloud. */
const PLATFORM_IPV4 = blocks('168.63.129.16/32 161.26.0.0/16 166.8.0.0/14')

/** Global unicast IPv6, without its special blocks: Teredo and 6to4, for example, embed an IPv4 address. */
const GLOBAL_IPV6 = blocks('2000::/3')
const SPECIAL_IPV6 = blocks('2001::/23 2001:db8::/32 2002::/16 3fff::/20')

/**
 * Whether this is a public internet address. Unknown forms are not: a request could reach the machine's private network
 * (SSRF). An IPv4-mapped IPv6 address is checked as IPv4.
 */
export function isPublicAddress(text: string): boolean {
  const address = readIpAddress(text)
  if (address === null || text.includes('%')) {
    return false
  }
  const among = (list: readonly Cidr[]): boolean => list.some((block) => isWithin(address, block))
  return address.version === 4
    ? !among(SPECIAL_IPV4) && !among(PLATFORM_IPV4)
    : among(GLOBAL_IPV6) && !among(SPECIAL_IPV6)
}
