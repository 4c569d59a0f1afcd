import { mkdir, readdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { notWritable } from '../credentials/draft.ts'
import { fitProject } from './fit-project.ts'
import type { FrameworkName } from './frameworks.ts'
import { type RecipeFile, readRecipe } from './recipe-files.ts'

export interface WrittenRecipe {
  readonly written: readonly string[]
  readonly skipped: readonly { readonly file: string; readonly exists: string }[]
}

/** Writes the files of a recipe that the project does not have yet. Never overwrites. */
export async function writeRecipe(root: string, framework: FrameworkName): Promise<WrittenRecipe> {
  const written: string[] = []
  const skipped: { file: string; exists: string }[] = []
  try {
    for (const file of await fitProject(root, framework, await readRecipe(framework))) {
      const exists = (await siblingOf(root, file)) ?? (await writeNew(root, file))
      if (exists === null) written.push(file.name)
      else skipped.push({ file: file.name, exists })
    }
  } catch (error) {
    throw 'code' in (error as object) ? notWritable(root, error as NodeJS.ErrnoException) : error
  }
  return { written, skipped }
}

/** Frameworks reject two files for one purpose, such as proxy.ts beside proxy.js, or beside middleware.ts before Next.js 16. */
async function siblingOf(root: string, { name }: RecipeFile): Promise<string | null> {
  const folder = path.posix.dirname(name)
  const stem = stemOf(path.posix.basename(name))
  const stems = stem === 'proxy' ? [stem, 'middleware'] : [stem]
  const present = await readdir(path.join(root, folder)).catch(() => [])
  const found = present.find((each) => SOURCE.test(each) && SOURCE.test(name) && stems.includes(stemOf(each)))
  return found === undefined ? null : path.posix.join(folder, found)
}

const SOURCE = /\.[cm]?[jt]sx?$/

const stemOf = (name: string): string => name.replace(SOURCE, '')

/** Returns the name if the file exists, also as a symbolic link. */
async function writeNew(root: string, { name, text }: RecipeFile): Promise<string | null> {
  await mkdir(path.join(root, path.dirname(name)), { recursive: true })
  try {
    await writeFile(path.join(root, name), text, { flag: 'wx' })
    return null
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return name
    throw error
  }
}
