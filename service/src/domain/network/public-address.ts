import { type Cidr, isWithin, readCidr, readIpAddress } from './ip-address.ts'

const blocks = (list: string): Cidr[] =>
  list
    .trim()
    .split(/\s+/)
    .map((text) => readCidr(text) as Cidr)

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
  if (address === null || text.includes('%')) return false
  const among = (list: readonly Cidr[]): boolean => list.some((block) => isWithin(address, block))
  return address.version === 4
    ? !among(SPECIAL_IPV4) && !among(PLATFORM_IPV4)
    : among(GLOBAL_IPV6) && !among(SPECIAL_IPV6)
}
