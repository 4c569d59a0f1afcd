import { crc32, deflateSync } from 'node:zlib'

const PNG_SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])

export function pngChunk(type: string, data: Uint8Array = new Uint8Array()): Buffer {
  const typed = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const [length, crc] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  crc.writeUInt32BE(crc32(typed))
  return Buffer.concat([length, typed, crc])
}

export function pngHeader(size: number, height = size): Buffer {
  const data = Buffer.alloc(13)
  data.writeUInt32BE(size, 0)
  data.writeUInt32BE(height, 4)
  // Eight bits for each of red, green, blue and alpha.
  data.set([8, 6, 0, 0, 0], 8)
  return pngChunk('IHDR', data)
}

/** The compressed pixels of a square in one color with alpha. */
export function pngPixels(
  size: number,
  [red = 0, green = 0, blue = 0]: readonly number[] = [],
): Buffer {
  const row = Buffer.alloc(1 + size * 4)
  for (let x = 0; x < size; x++) {
    row.set([red, green, blue, 255], 1 + x * 4)
  }
  return deflateSync(Buffer.concat(Array.from({ length: size }, () => row)))
}

export const pngOf = (...chunks: readonly Uint8Array[]): Buffer =>
  Buffer.concat([PNG_SIGNATURE, ...chunks])

/** A picture in one color. */
export const squarePng = (size: number, color?: readonly number[]): Buffer =>
  pngOf(pngHeader(size), pngChunk('IDAT', pngPixels(size, color)), pngChunk('IEND'))
