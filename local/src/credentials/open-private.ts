import { constants, type Stats } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'

/** What makes a file with secrets unfit to be read. */
export type Unsafe = 'symlink' | 'not-a-file' | 'other-owner' | 'readable-by-others' | 'too-large'

export type PrivateRead =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'missing' }
  | { readonly kind: 'unreadable'; readonly reason: string }
  | { readonly kind: 'unsafe'; readonly why: Unsafe }

const MAX_BYTES = 64 * 1_024

// Not followed when it is a link, and not waited for when it is a pipe. Windows knows neither flag.
const FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0)

/**
 * Reads a file that holds secrets. What is checked is the open file itself: between a look at a path and opening it,
 * somebody could put another file there.
 */
export async function readPrivate(path: string): Promise<PrivateRead> {
  let file: FileHandle
  try {
    file = await open(path, FLAGS)
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? ''
    if (code === 'ENOENT') return { kind: 'missing' }
    if (code === 'ELOOP' || code === 'EMLINK') return { kind: 'unsafe', why: 'symlink' }
    return code === 'ENXIO' ? { kind: 'unsafe', why: 'not-a-file' } : { kind: 'unreadable', reason: code }
  }
  try {
    const why = whyUnsafe(await file.stat())
    return why === null ? { kind: 'text', text: await file.readFile('utf8') } : { kind: 'unsafe', why }
  } catch (error) {
    return { kind: 'unreadable', reason: (error as NodeJS.ErrnoException).code ?? 'failed' }
  } finally {
    await file.close()
  }
}

function whyUnsafe(stats: Stats): Unsafe | null {
  if (!stats.isFile()) return 'not-a-file'
  // Windows keeps permissions elsewhere, and shows the same mode for every file.
  if (process.platform !== 'win32') {
    const self = process.getuid?.() ?? 0
    // In a container, root works on files of whoever mounted them.
    if (self !== 0 && stats.uid !== self) return 'other-owner'
    if ((stats.mode & 0o077) !== 0) return 'readable-by-others'
  }
  return stats.size > MAX_BYTES ? 'too-large' : null
}
