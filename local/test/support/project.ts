import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { freshFolder } from '../../../service/test/support/postgres/engines.ts'

/** The text of each file, by its path in the project. */
export type Files = Readonly<Record<string, string>>

/** Returns the folder. Default: a new one. */
export async function writeProject(files: Files, folder?: string): Promise<string> {
  const root = folder ?? (await freshFolder())
  for (const [name, text] of Object.entries(files)) {
    await mkdir(path.dirname(path.join(root, name)), { recursive: true })
    await writeFile(path.join(root, name), text)
  }
  return root
}
