import { closeSync, fsyncSync, openSync } from 'node:fs'

/** Makes a file durable, or the names in a folder: a power failure can undo a new name whose folder was not synced. */
export function flush(fileOrFolder: string): void {
  const descriptor = openSync(fileOrFolder, 'r')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}
