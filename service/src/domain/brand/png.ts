import { createHash } from 'node:crypto'
import { crc32, inflateSync } from 'node:zlib'
import { LOGO_MAX_BYTES, LOGO_MAX_PIXELS, LOGO_MIN_PIXELS } from '@gatehouse-auth/contract'

type ReadPng =
  | { readonly ok: true; readonly png: Uint8Array; readonly size: number }
  | { readonly ok: false; readonly problem: string }

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
/** The chunks that are kept. Everything else (texts, profiles, times, places, animations) is dropped. */
const KEPT = ['IHDR', 'PLTE', 'tRNS', 'IDAT', 'IEND']

/**
 * Checks an uploaded logo and returns it with nothing but its pixels. A picture is shown on the consent page, so no byte of it
 * is trusted: every length and CRC is checked, and the pixel data must inflate to exactly the size that the header
 * states, which also bounds the inflation (a few megabytes at most).
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
  const unknown = chunks.find(({ type }) => !KEPT.includes(type) && /^[A-Z]/.test(type))
  if (unknown !== undefined) {
    return refused('The file has a critical chunk that PNG does not define.')
  }
  const kept = chunks.filter(({ type }) => KEPT.includes(type))
  const header = headerOf(kept)
  if ('problem' in header) {
    return refused(header.problem)
  }
  const problem = orderProblem(kept, header) ?? pixelProblem(kept, header)
  if (problem !== null) {
    return refused(problem)
  }
  return {
    ok: true,
    png: Buffer.concat([SIGNATURE, ...kept.map((chunk) => chunk.bytes)]),
    size: header.size,
  }
}

const refused = (problem: string): ReadPng => ({ ok: false, problem })

interface Chunk {
  readonly type: string
  readonly data: Buffer
  /** With length, type and CRC. */
  readonly bytes: Buffer
}

/** Up to IEND; null if the file breaks off, or a checksum is wrong. What follows IEND is dropped. */
function chunksOf(bytes: Buffer): Chunk[] | null {
  const chunks: Chunk[] = []
  for (let at = 0; at + 12 <= bytes.length; ) {
    const length = bytes.readUInt32BE(at)
    const end = at + 12 + length
    if (end > bytes.length) {
      return null
    }
    const typed = bytes.subarray(at + 4, end - 4)
    const type = typed.toString('latin1', 0, 4)
    if (!/^[A-Za-z]{4}$/.test(type) || crc32(typed) !== bytes.readUInt32BE(end - 4)) {
      return null
    }
    chunks.push({ type, data: typed.subarray(4), bytes: bytes.subarray(at, end) })
    if (type === 'IEND') {
      return chunks
    }
    at = end
  }
  return null
}

interface Header {
  readonly size: number
  readonly depth: number
  readonly colorType: number
  readonly bitsPerPixel: number
}

/** Channels and allowed bit depths by color type (PNG, section 11.2.1). */
const COLOR_TYPES: ReadonlyMap<
  number,
  { readonly channels: number; readonly depths: readonly number[] }
> = new Map([
  [0, { channels: 1, depths: [1, 2, 4, 8, 16] }],
  [2, { channels: 3, depths: [8, 16] }],
  [3, { channels: 1, depths: [1, 2, 4, 8] }],
  [4, { channels: 2, depths: [8, 16] }],
  [6, { channels: 4, depths: [8, 16] }],
])

function headerOf([first]: readonly Chunk[]): Header | { readonly problem: string } {
  if (first?.type !== 'IHDR' || first.data.length !== 13) {
    return { problem: 'The file does not start with a header.' }
  }
  const { data } = first
  const [width, height] = [data.readUInt32BE(0), data.readUInt32BE(4)]
  const [depth = 0, colorType = 0, compression, filter, interlace] = data.subarray(8)
  if (width !== height || width < LOGO_MIN_PIXELS || width > LOGO_MAX_PIXELS) {
    return { problem: `A logo is a square of ${LOGO_MIN_PIXELS} to ${LOGO_MAX_PIXELS} pixels.` }
  }
  const color = COLOR_TYPES.get(colorType)
  if (!color?.depths.includes(depth) || compression !== 0 || filter !== 0) {
    return { problem: 'The header has values that PNG does not define.' }
  }
  if (interlace !== 0) {
    return { problem: 'Save the picture without interlacing.' }
  }
  return { size: width, depth, colorType, bitsPerPixel: color.channels * depth }
}

/** One header, palette and transparency before the pixels, the pixels in one piece, an empty end (PNG, section 5.6). */
function orderProblem(chunks: readonly Chunk[], { depth, colorType }: Header): string | null {
  const order = chunks.map(({ type }) => type).join(' ')
  if (!/^IHDR( PLTE)?( tRNS)?( IDAT)+ IEND$/.test(order)) {
    return 'The chunks of the file are in a wrong order.'
  }
  const of = (type: string): number | null =>
    chunks.find((chunk) => chunk.type === type)?.data.length ?? null
  const [palette, transparency] = [of('PLTE'), of('tRNS')]
  const colors = palette === null ? 0 : palette / 3
  const isPaletteValid =
    palette === null
      ? colorType !== 3
      : [2, 3, 6].includes(colorType) &&
        Number.isInteger(colors) &&
        colors > 0 &&
        colors <= (colorType === 3 ? 2 ** depth : 256)
  const expected = new Map([
    [0, 2],
    [2, 6],
  ]).get(colorType)
  const isTransparencyValid =
    transparency === null ||
    (colorType === 3 ? transparency > 0 && transparency <= colors : transparency === expected)
  const isEndEmpty = of('IEND') === 0
  return isPaletteValid && isTransparencyValid && isEndEmpty
    ? null
    : 'The palette of the file is invalid.'
}

/** Prevents a decompression bomb: the inflation stops one byte after the size that the header states. */
function pixelProblem(chunks: readonly Chunk[], { size, bitsPerPixel }: Header): string | null {
  const row = 1 + Math.ceil((size * bitsPerPixel) / 8)
  const compressed = Buffer.concat(
    chunks.filter(({ type }) => type === 'IDAT').map(({ data }) => data),
  )
  const pixels = inflated(compressed, row * size)
  if (pixels === null) {
    return 'The pixels of the file are damaged, or more than its header states.'
  }
  for (let at = 0; at < pixels.length; at += row) {
    if ((pixels[at] ?? 0) > 4) {
      return 'The pixels of the file are damaged.'
    }
  }
  return null
}

/** null unless the data is one zlib stream of exactly this length, with nothing after it. */
function inflated(compressed: Buffer, length: number): Buffer | null {
  try {
    const { buffer, engine } = inflateSync(compressed, {
      maxOutputLength: length,
      info: true,
    }) as unknown as {
      readonly buffer: Buffer
      readonly engine: { readonly bytesWritten: number }
    }
    return buffer.length === length && engine.bytesWritten === compressed.length ? buffer : null
  } catch {
    return null
  }
}

/** Names a picture in its URL, which never changes its content and can be cached forever. */
export const logoHash = (png: Uint8Array): string => createHash('sha256').update(png).digest('hex')
