import { closeSync, fsyncSync, openSync } from 'node:fs'
import { openToWrite } from './file.ts'

/**
 * Copies a snapshot of the database to a new file, without blocking writers. The target is created first, empty and with
 * mode 0600, because SQLite would create one that others can read. The connection is writable, because only such a one
 * removes the write-ahead log when it closes as the last.
 */
export function copySqlite(file: string, target: string): void {
  const copy = openSync(target, 'wx', 0o600)
  try {
    const source = openToWrite(file)
    try {
      source.run('vacuum into ?', [target])
    } finally {
      source.close()
    }
    fsyncSync(copy)
  } finally {
    closeSync(copy)
  }
}
