import { lstat } from 'node:fs/promises'
import { homedir } from 'node:os'
import path from 'node:path'
import { credentialsPath } from './paths.ts'

/**
 * The nearest ancestor folder with a .service file, or null. The search ends at the root of the repository or at the home
 * folder.
 */
export async function findProjectRoot(from: string): Promise<string | null> {
  const home = homedir()
  for (let folder = path.resolve(from); ; folder = path.dirname(folder)) {
    if (await exists(credentialsPath(folder))) return folder
    const isLast = folder === home || folder === path.dirname(folder) || (await exists(path.join(folder, '.git')))
    if (isLast) return null
  }
}

/** True for symbolic links too, so that reading the file reports them as unsafe. */
const exists = (file: string): Promise<boolean> =>
  lstat(file).then(
    () => true,
    () => false,
  )
