import { closeSync, fsyncSync, openSync } from 'node:fs'
import { openToWrite } from './file.ts'

/**
 * The database as it is at one moment, in a new file, while others go on writing: it only reads, and keeps nobody
 * waiting. The file exists, empty and private, before SQLite fills it, because SQLite would make one that others may
 * read. The connection is one that may write, because only such a one clears away its log when it was alone.
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
