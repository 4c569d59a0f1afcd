import { lstat, stat } from 'node:fs/promises'
import { homedir } from 'node:os'
import path from 'node:path'
import { CREDENTIALS_FILENAME } from '@gatehouse-auth/contract'
import { Problem } from '../problem.ts'

// The files of this program in a project. The entries in .gitignore cover all of them.

export const credentialsPath = (root: string): string => path.join(root, CREDENTIALS_FILENAME)

/** Exists while a process creates a tenant for the project. */
export const lockPath = (root: string): string => path.join(root, `${CREDENTIALS_FILENAME}.lock`)

/** The credentials file before it is renamed. Only an interrupted creation leaves it behind. */
export const draftPath = (root: string): string => path.join(root, `${CREDENTIALS_FILENAME}.new`)

/** The idempotency key of a creation for an account, until the creation has succeeded. */
export const pendingPath = (root: string): string =>
  path.join(root, `${CREDENTIALS_FILENAME}.pending`)

/** GATEHOUSE_SECRET of the app, which the recipes read. */
export const appSecretPath = (root: string): string =>
  path.join(root, `${CREDENTIALS_FILENAME}.secret`)

/** The signing secret of a webhook. */
export const webhookSecretPath = (root: string, id: string): string =>
  path.join(root, `${CREDENTIALS_FILENAME}.${id}`)

/**
 * Validates a project root. A relative path is ambiguous, because an agent's working folder is not the user's; `..` could
 * lead out of a folder that the user approved.
 */
export async function requireProjectRoot(written: string): Promise<string> {
  if (!path.isAbsolute(written)) {
    throw invalid('The project root must be an absolute path.')
  }
  if (written.includes('\0')) {
    throw invalid('The project root must be a path, without control characters.')
  }
  if (written.split(/[\\/]/).includes('..')) {
    throw invalid('The project root may not contain "..".')
  }
  const root = path.resolve(written)
  const found = await stat(root).catch(() => null)
  if (found === null) {
    throw invalid('The project root does not exist.')
  }
  if (!found.isDirectory()) {
    throw invalid('The project root is not a folder.')
  }
  return root
}

const invalid = (message: string): Problem =>
  new Problem('projectRootInvalid', message, {
    cli: 'Name an existing folder with --project, or run this inside the project.',
    agent: 'Send the absolute path of the existing folder that the user is working in.',
  })

/**
 * The nearest ancestor folder with a .service file, or null. The search ends at the root of the repository or at the home
 * folder.
 */
export async function findProjectRoot(from: string): Promise<string | null> {
  const home = homedir()
  for (let folder = path.resolve(from); ; folder = path.dirname(folder)) {
    if (await exists(credentialsPath(folder))) {
      return folder
    }
    const isLast =
      folder === home ||
      folder === path.dirname(folder) ||
      (await exists(path.join(folder, '.git')))
    if (isLast) {
      return null
    }
  }
}

/** True for symbolic links too, so that reading the file reports them as unsafe. */
const exists = (file: string): Promise<boolean> =>
  lstat(file).then(
    () => true,
    () => false,
  )
