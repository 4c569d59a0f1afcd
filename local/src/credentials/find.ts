import { lstat } from 'node:fs/promises'
import { homedir } from 'node:os'
import path from 'node:path'
import { credentialsPath } from './files.ts'

/**
 * The nearest folder with a .service file, from here upwards: as far as the repository reaches, and never as far as the
 * home folder. null: there is none.
 */
export async function findProjectRoot(from: string): Promise<string | null> {
  const home = homedir()
  for (let folder = path.resolve(from); ; folder = path.dirname(folder)) {
    if (await exists(credentialsPath(folder))) return folder
    const isEnd = folder === home || folder === path.dirname(folder) || (await exists(path.join(folder, '.git')))
    if (isEnd) return null
  }
}

/** A link counts, wherever it leads: reading it says what is wrong with it. */
const exists = (file: string): Promise<boolean> =>
  lstat(file).then(
    () => true,
    () => false,
  )
