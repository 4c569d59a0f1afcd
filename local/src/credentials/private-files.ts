import { randomBytes } from 'node:crypto'
import { constants, type Stats } from 'node:fs'
import { type FileHandle, open, rename, rm } from 'node:fs/promises'

/** Why a file with secrets must not be read. */
export type Unsafe = 'symlink' | 'not-a-file' | 'other-owner' | 'readable-by-others' | 'too-large'

type PrivateRead =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'missing' }
  | { readonly kind: 'unreadable'; readonly reason: string }
  | { readonly kind: 'unsafe'; readonly why: Unsafe }

const MAX_BYTES = 64 * 1_024

// Does not follow a symbolic link and does not block on a FIFO. Windows has neither flag.
const FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0)

/**
 * Reads a file that contains secrets. Checks the open file descriptor, not the path: another process could replace the
 * file between a check of the path and the open.
 */
export async function readPrivate(path: string): Promise<PrivateRead> {
  let file: FileHandle
  try {
    file = await open(path, FLAGS)
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? ''
    if (code === 'ENOENT') {
      return { kind: 'missing' }
    }
    if (code === 'ELOOP' || code === 'EMLINK') {
      return { kind: 'unsafe', why: 'symlink' }
    }
    return code === 'ENXIO'
      ? { kind: 'unsafe', why: 'not-a-file' }
      : { kind: 'unreadable', reason: code }
  }
  try {
    const why = whyUnsafe(await file.stat())
    return why === null
      ? { kind: 'text', text: await file.readFile('utf8') }
      : { kind: 'unsafe', why }
  } catch (error) {
    return { kind: 'unreadable', reason: (error as NodeJS.ErrnoException).code ?? 'failed' }
  } finally {
    await file.close()
  }
}

function whyUnsafe(stats: Stats): Unsafe | null {
  if (!stats.isFile()) {
    return 'not-a-file'
  }
  // On Windows, permissions are in ACLs, and every file has the same mode.
  if (process.platform !== 'win32') {
    const self = process.getuid?.() ?? 0
    // In a container, root works on mounted files of another user.
    if (self !== 0 && stats.uid !== self) {
      return 'other-owner'
    }
    if ((stats.mode & 0o077) !== 0) {
      return 'readable-by-others'
    }
  }
  return stats.size > MAX_BYTES ? 'too-large' : null
}

/** Replaces a file atomically, with mode 0600: a reader sees the old content or the new content. */
export async function writePrivate(path: string, text: string): Promise<void> {
  const draft = `${path}.${randomBytes(6).toString('hex')}`
  const file = await open(draft, 'wx', 0o600)
  try {
    try {
      await file.chmod(0o600)
      await file.writeFile(text)
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(draft, path)
  } catch (error) {
    await rm(draft, { force: true })
    throw error
  }
}
