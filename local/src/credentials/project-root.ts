import { stat } from 'node:fs/promises'
import path from 'node:path'
import { Problem } from '../problem.ts'

/**
 * The folder a tool call means. An agent's own working folder is not the user's, so a relative path would be a guess;
 * and `..` is how a path that was checked leads to a folder that was not.
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
