import { createHash } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { LOGO_MAX_BYTES, LOGO_MAX_PIXELS, LOGO_MIN_PIXELS } from '@gatehouse-auth/contract'

type ReadPng =
  | { readonly ok: true; readonly png: Uint8Array; readonly size: number }
  | { readonly ok: false; readonly problem: string }

interface Chunk {
  readonly type: string
  readonly data: Buffer
  /** With length, type and CRC. */
  readonly bytes: Buffer
}

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
/** The chunks that are kept. Everything else (texts, profiles, times, places, animations) is dropped. */
const KEPT = ['IHDR', 'PLTE', 'tRNS', 'IDAT', 'IEND']
/** Palette and transparency before the pixels, the pixels in one piece (PNG, section 5.6). */
const ORDER = /^IHDR( PLTE)?( tRNS)?( IDAT)+ IEND$/
/** Length, type and CRC. */
const EMPTY_CHUNK_BYTES = 12
const HEADER_BYTES = 13

/**
 * Checks an uploaded logo and returns it with only the chunks that a browser needs to show it. The pixels are not decoded:
 * that is left to the browser, which the size in the header bounds.
 */
export function readPng(upload: Uint8Array): ReadPng {
  const bytes = Buffer.from(upload.buffer, upload.byteOffset, upload.byteLength)
  if (bytes.length > LOGO_MAX_BYTES) {
    return refused(`The file is larger than ${LOGO_MAX_BYTES} bytes.`)
  }
  if (!bytes.subarray(0, SIGNATURE.length).equals(SIGNATURE)) {
    return refused('This is not a PNG file.')
  }

  const chunks = chunksOf(bytes.subarray(SIGNATURE.length))
  if (chunks === null) {
    return refused('The file is damaged: a chunk has a wrong length or checksum.')
  }

  // The first letter of a chunk that a decoder must understand is a capital (PNG, section 5.4).
  const unknown = chunks.find(({ type }) => !KEPT.includes(type) && /^[A-Z]/.test(type))
  if (unknown !== undefined) {
    return refused('The file has a critical chunk that PNG does not define.')
  }

  const kept = chunks.filter(({ type }) => KEPT.includes(type))
  if (!ORDER.test(kept.map(({ type }) => type).join(' '))) {
    return refused('The chunks of the file are in a wrong order.')
  }

  const header = kept[0]?.data
  if (header?.length !== HEADER_BYTES) {
    return refused('The file does not start with a header.')
  }

  const width = header.readUInt32BE(0)
  const height = header.readUInt32BE(4)
  if (width !== height || width < LOGO_MIN_PIXELS || width > LOGO_MAX_PIXELS) {
    return refused(`A logo is a square of ${LOGO_MIN_PIXELS} to ${LOGO_MAX_PIXELS} pixels.`)
  }

  const png = Buffer.concat([SIGNATURE, ...kept.map((chunk) => chunk.bytes)])
  return { ok: true, png, size: width }
}

const refused = (problem: string): ReadPng => ({ ok: false, problem })

/** Up to IEND; null if the file breaks off, or a checksum is wrong. What follows IEND is dropped. */
function chunksOf(bytes: Buffer): Chunk[] | null {
  const chunks: Chunk[] = []
  let at = 0
  while (at + EMPTY_CHUNK_BYTES <= bytes.length) {
    const end = at + EMPTY_CHUNK_BYTES + bytes.readUInt32BE(at)
    if (end > bytes.length) {
      return null
    }

    const typeAndData = bytes.subarray(at + 4, end - 4)
    const type = typeAndData.toString('latin1', 0, 4)
    if (crc32(typeAndData) !== bytes.readUInt32BE(end - 4)) {
      return null
    }

    chunks.push({ type, data: typeAndData.subarray(4), bytes: bytes.subarray(at, end) })
    if (type === 'IEND') {
      return chunks
    }
    at = end
  }
  return null
}

/** Names a picture in its URL, which never changes its content and can be cached forever. */
export const logoHash = (png: Uint8Array): string => createHash('sha256').update(png).digest('hex')
