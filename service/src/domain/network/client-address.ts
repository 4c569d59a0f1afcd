import { type Cidr, type IpAddress, isWithin, readIpAddress } from './ip-address.ts'

export { type Cidr, readCidr } from './ip-address.ts'

/** The key of every peer whose address we cannot read. One for all of them, so that hiding buys no extra allowance. */
const UNKNOWN_SOURCE = 'unknown'

/** What a proxy may write for one hop: an address, `v4:port`, `[v6]` or `[v6]:port`. */
const HOP = /^(?:\[([^\]]+)\](?::[0-9]{1,5})?|([0-9.]+):[0-9]{1,5}|(.+))$/

/**
 * Who is calling, as the key that limits are counted under.
 *
 * Anyone can send `X-Forwarded-For`, so it is believed only from a socket that the operator named as a proxy, and then
 * from the right: each trusted proxy vouches for the entry that it appended, and the first entry that is not a trusted
 * proxy is the client. Entries further left are the client's own words (RFC 9700 §4.13).
 */
export function clientAddressKey(
  socketAddress: string,
  forwardedFor: string | undefined,
  trusted: readonly Cidr[],
): string {
  const socket = readIpAddress(socketAddress)
  if (socket === null) return UNKNOWN_SOURCE

  const isTrusted = (address: IpAddress): boolean => trusted.some((cidr) => isWithin(address, cidr))
  let client = socket
  for (const hop of (forwardedFor ?? '').split(',').reverse()) {
    if (!isTrusted(client)) break
    const address = readHop(hop.trim())
    // A header that we cannot follow says nothing about anyone; an absent one is the same case.
    if (address === null) return clientAddressKeyOf(socket)
    client = address
  }
  return clientAddressKeyOf(client)
}

/**
 * One text per source: an IPv4 address, or the /64 of an IPv6 address, because a single subscriber owns all of a /64
 * and could otherwise come from a new address with every request (better-auth CVE-2026-45364).
 */
function clientAddressKeyOf({ version, value }: IpAddress): string {
  if (version === 4) return [24n, 16n, 8n, 0n].map((shift) => (value >> shift) & 0xffn).join('.')
  const groups = [112n, 96n, 80n, 64n].map((shift) => ((value >> shift) & 0xffffn).toString(16))
  // The right half is zero, so the longest run of zeros is always the one at the end (RFC 5952 §4.2).
  return `${groups.join(':').replace(/(?:^|:)0(?::0)*$/, '')}::/64`
}

function readHop(text: string): IpAddress | null {
  const [, bracketed, withPort, bare] = HOP.exec(text) ?? []
  const address = bracketed ?? withPort ?? bare
  return address === undefined ? null : readIpAddress(address)
}
