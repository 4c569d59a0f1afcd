/** An address as a number, so that all spellings of one address are equal. */
export interface IpAddress {
  readonly version: 4 | 6
  readonly value: bigint
}

/** All addresses that share the first `prefix` bits of `address`. */
export interface Cidr {
  readonly address: IpAddress
  readonly prefix: number
}

const ZONE = /^[0-9A-Za-z._~-]+$/

/**
 * Reads an address in any textual form of RFC 4291 §2.2: `::`, embedded IPv4, either case, with or without a zone
 * (`fe80::1%eth0`, RFC 4007 §11). An IPv4-mapped address is the IPv4 address. Null for everything else.
 */
export function readIpAddress(text: string): IpAddress | null {
  if (!text.includes(':')) {
    const value = readIpv4(text)
    return value === null ? null : { version: 4, value }
  }
  const [address = '', zone, ...more] = text.split('%')
  if (more.length > 0 || (zone !== undefined && !ZONE.test(zone))) {
    return null
  }
  const value = readIpv6(address)
  return value === null ? null : unmapped(value)
}

const BITS = { 4: 32, 6: 128 } as const

const PREFIX = /^(?:0|[1-9][0-9]{0,2})$/

/** `::ffff:0:0/96`: the IPv4 peers of a dual-stack socket (RFC 4291 §2.5.5.2). */
const MAPPED_PREFIX_BITS = 96
const MAPPED_PREFIX = 0xffffn

/** `10.0.0.0/8`, `2001:db8::/32`, or one bare address. Bits beyond the prefix are ignored. Null for anything else. */
export function readCidr(text: string): Cidr | null {
  const [start = '', prefixText, ...more] = text.split('/')
  if (more.length > 0 || start.includes('%')) {
    return null
  }
  const address = readIpAddress(start)
  if (address === null) {
    return null
  }
  if (prefixText === undefined) {
    return { address, prefix: BITS[address.version] }
  }
  if (!PREFIX.test(prefixText)) {
    return null
  }

  // The prefix of `::ffff:10.0.0.0/104` includes the 96 bits of the mapping.
  const written = Number(prefixText)
  const prefix =
    start.includes(':') && address.version === 4 ? written - MAPPED_PREFIX_BITS : written
  return prefix >= 0 && prefix <= BITS[address.version] ? { address, prefix } : null
}

export function isWithin(address: IpAddress, { address: start, prefix }: Cidr): boolean {
  if (address.version !== start.version) {
    return false
  }
  const ignored = BigInt(BITS[address.version] - prefix)
  return address.value >> ignored === start.value >> ignored
}

const OCTET = /^(?:0|[1-9][0-9]{0,2})$/

/** Strict dotted decimal: `010.1.1.1`, `127.1` and `0x7f.0.0.1` mean different things to different programs. */
function readIpv4(text: string): bigint | null {
  const octets = text.split('.')
  if (octets.length !== 4 || !octets.every((octet) => OCTET.test(octet) && Number(octet) <= 255)) {
    return null
  }
  return octets.reduce((value, octet) => (value << 8n) | BigInt(octet), 0n)
}

function readIpv6(text: string): bigint | null {
  const [head = '', tail, ...more] = text.split('::')
  if (more.length > 0) {
    return null
  }
  const left = readGroups(head, tail === undefined)
  if (left === null) {
    return null
  }
  if (tail === undefined) {
    return left.length === 8 ? joined(left) : null
  }

  const right = readGroups(tail, true)
  // `::` stands for at least one group of zeros.
  if (right === null || left.length + right.length > 7) {
    return null
  }
  const zeros = Array<bigint>(8 - left.length - right.length).fill(0n)
  return joined([...left, ...zeros, ...right])
}

const GROUP = /^[0-9a-f]{1,4}$/i

/** The groups of one side of `::`. At the end of the address, the last may be an IPv4 address, which counts as two. */
function readGroups(text: string, atEnd: boolean): bigint[] | null {
  if (text === '') {
    return []
  }
  const texts = text.split(':')
  const last = texts.at(-1) ?? ''
  const embedded = atEnd && last.includes('.') ? readIpv4(last) : undefined
  if (embedded === null) {
    return null
  }
  const plain = embedded === undefined ? texts : texts.slice(0, -1)
  if (!plain.every((group) => GROUP.test(group))) {
    return null
  }
  const groups = plain.map((group) => BigInt(`0x${group}`))
  return embedded === undefined ? groups : [...groups, embedded >> 16n, embedded & 0xffffn]
}

const joined = (groups: readonly bigint[]): bigint =>
  groups.reduce((value, group) => (value << 16n) | group, 0n)

const unmapped = (value: bigint): IpAddress =>
  value >> 32n === MAPPED_PREFIX
    ? { version: 4, value: value & 0xffffffffn }
    : { version: 6, value }
