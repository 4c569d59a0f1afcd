import { type Cidr, type IpAddress, isWithin, readIpAddress } from './ip-address.ts'

export { type Cidr, readCidr } from './ip-address.ts'

/** The key of all peers without a readable address. They share one rate limit, so that hiding the address gains nothing. */
const UNKNOWN_ADDRESS = 'unknown'

/** An entry of X-Forwarded-For: an address, `v4:port`, `[v6]` or `[v6]:port`. */
const HOP = /^(?:\[([^\]]+)\](?::[0-9]{1,5})?|([0-9.]+):[0-9]{1,5}|(.+))$/

/**
 * The client address as the key of its rate limits.
 *
 * Anyone can send `X-Forwarded-For`, so it is trusted only from a configured proxy, and read from the right: each trusted
 * proxy appended one entry, and the first entry that is not a trusted proxy is the client. The client controls the
 * entries further left (RFC 9700 §4.13).
 */
export function clientAddressKey(
  socketAddress: string,
  forwardedFor: string | undefined,
  trusted: readonly Cidr[],
): string {
  const socket = readIpAddress(socketAddress)
  if (socket === null) {
    return UNKNOWN_ADDRESS
  }

  const isTrusted = (address: IpAddress): boolean => trusted.some((cidr) => isWithin(address, cidr))
  let client = socket
  for (const hop of (forwardedFor ?? '').split(',').reverse()) {
    if (!isTrusted(client)) {
      break
    }
    const address = readHop(hop.trim())
    // An unreadable header is treated as absent.
    if (address === null) {
      return clientAddressKeyOf(socket)
    }
    client = address
  }
  return clientAddressKeyOf(client)
}

/**
 * An IPv4 address, or the /64 of an IPv6 address: a single subscriber has a whole /64 and could use a new address for
 * every request (better-auth CVE-2026-45364).
 */
function clientAddressKeyOf({ version, value }: IpAddress): string {
  if (version === 4) {
    return [24n, 16n, 8n, 0n].map((shift) => (value >> shift) & 0xffn).join('.')
  }
  const groups = [112n, 96n, 80n, 64n].map((shift) => ((value >> shift) & 0xffffn).toString(16))
  // The right half is zero, so the longest run of zeros is always the one at the end (RFC 5952 §4.2).
  return `${groups.join(':').replace(/(?:^|:)0(?::0)*$/, '')}::/64`
}

function readHop(text: string): IpAddress | null {
  const [, bracketed, withPort, bare] = HOP.exec(text) ?? []
  const address = bracketed ?? withPort ?? bare
  return address === undefined ? null : readIpAddress(address)
}
