import { existsSync, renameSync, rmSync } from 'node:fs'
import { isBusy } from '../database-errors.ts'
import { openExclusively, type SqliteFile } from '../sqlite/file.ts'
import { describeFileError } from '../sqlite/file-errors.ts'
import { MoveRefused, type Source } from './sides.ts'
import { readsOf } from './sqlite-side.ts'

export function sqliteSource(file: string, now: number): Source {
  const opened = lock(file)
  return {
    engine: 'sqlite',
    name: file,
    ...readsOf(opened),
    // Locked since it was opened.
    async begin() {},
    async retire() {
      const moved = `${file}.moved-${new Date(now).toISOString().slice(0, 19).replaceAll(':', '-')}`
      opened.run('rollback', [])
      opened.run('pragma query_only = off', [])
      // Writes the log into the file and removes it: a renamed file could not be read with the log of its old name.
      opened.run('pragma journal_mode = delete', [])
      rmSync(`${file}-shm`, { force: true })
      // While it is locked: a service that starts now finds no database, and refuses to create one beside keys.json.
      renameSync(file, moved)
      return `The SQLite file is now ${moved}. Delete it when you no longer need it.`
    },
    async close() {
      opened.close()
    },
  }
}

function lock(file: string): SqliteFile {
  if (!existsSync(file)) throw new MoveRefused(`There is no database ${file}. Set DATA_DIR. Nothing was moved.`)
  try {
    return openExclusively(file)
  } catch (error) {
    if (isBusy(error)) {
      throw new MoveRefused(`A process is using ${file}. Stop the service, then try again. Nothing was moved.`)
    }
    const reason = describeFileError(error, file)
    if (reason === null) throw error
    throw new MoveRefused(`Nothing was moved: ${reason}`)
  }
}
