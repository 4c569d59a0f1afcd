import { stat } from 'node:fs/promises'
import path from 'node:path'
import { Problem } from '../problem.ts'

/**
 * Validates a project root. A relative path is ambiguous, because an agent's working folder is not the user's; `..` could
 * lead out of a folder that the user approved.
 */
export async function requireProjectRoot(written: string): Promise<string> {
  if (!path.isAbsolute(written)) throw invalid('The project root must be an absolute path.')
  if (written.includes('\0')) throw invalid('The project root must be a path, without control characters.')
  if (written.split(/[\\/]/).includes('..')) throw invalid('The project root may not contain "..".')
  const root = path.resolve(written)
  const found = await stat(root).catch(() => null)
  if (found === null) throw invalid('The project root does not exist.')
  if (!found.isDirectory()) throw invalid('The project root is not a folder.')
  return root
}

const invalid = (message: string): Problem =>
  new Problem('projectRootInvalid', message, {
    cli: 'Name an existing folder with --project, or run this inside the project.',
    agent: 'Send the absolute path of the existing folder that the user is working in.',
  })
