// Tarballs of npm: ustar in gzip. https://pubs.opengroup.org/onlinepubs/9699919799/utilities/pax.html

const RECORD = 512

/** The time of every file in a tarball of npm, 1985-10-26T08:15:00Z. The same input gives the same bytes. */
const MTIME_SECONDS = 499_162_500

/** Adds a file at the end. Its name has at most 100 bytes. */
export async function addToTarball(
  tarball: Uint8Array<ArrayBuffer>,
  name: string,
  text: string,
): Promise<Uint8Array<ArrayBuffer>> {
  const archive = Buffer.from(await transformed(tarball, new DecompressionStream('gzip')))
  const content = Buffer.from(text)
  const added = Buffer.concat([
    archive.subarray(0, endOfFiles(archive)),
    headerOf(name, content.length),
    content,
    Buffer.alloc(roundUp(content.length) - content.length),
    // Two empty records end an archive.
    Buffer.alloc(2 * RECORD),
  ])
  return transformed(added, new CompressionStream('gzip'))
}

/** Not node:zlib, whose functions for this block the process or take a callback. */
async function transformed(
  bytes: Uint8Array<ArrayBuffer>,
  transform: CompressionStream | DecompressionStream,
): Promise<Uint8Array<ArrayBuffer>> {
  const stream = new Blob([bytes]).stream().pipeThrough(transform)
  return new Uint8Array(await new Response(stream).arrayBuffer())
}

const roundUp = (size: number): number => Math.ceil(size / RECORD) * RECORD

/** Where the record after the last file begins: an empty one, or the end. */
function endOfFiles(archive: Buffer): number {
  let at = 0
  while (at < archive.length && archive[at] !== 0) {
    const size = Number.parseInt(archive.toString('latin1', at + 124, at + 136), 8)
    at += RECORD + roundUp(size)
  }
  return at
}

/** A regular file that everyone may read. */
function headerOf(name: string, size: number): Buffer {
  const header = Buffer.alloc(RECORD)
  const octal = (value: number, digits: number): string => value.toString(8).padStart(digits, '0')
  header.write(name, 0)
  header.write(octal(0o644, 7), 100)
  header.write(octal(size, 11), 124)
  header.write(octal(MTIME_SECONDS, 11), 136)
  header.write('0', 156)
  header.write('ustar\x0000', 257)

  // The sum of all bytes, as if the field of the checksum had spaces.
  header.fill(' ', 148, 156)
  const sum = header.reduce((total, byte) => total + byte, 0)
  header.write(`${octal(sum, 6)}\0 `, 148)
  return header
}
