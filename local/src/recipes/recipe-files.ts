import { readdir, readFile, stat } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import type { FrameworkName } from './frameworks.ts'

/** The one copy of this code, which the documentation prints and tests run. The build copies it into the package. */
const RECIPES = fileURLToPath(new URL('../../../examples/recipes/', import.meta.url))

export interface RecipeFile {
  /** Relative to the project, with slashes. */
  readonly name: string
  readonly text: string
}

export async function readRecipe(framework: FrameworkName): Promise<RecipeFile[]> {
  const folder = path.join(RECIPES, framework)
  const names = (await readdir(folder, { recursive: true })).sort()
  const files = await Promise.all(names.map((name) => readIfFile(path.join(folder, name))))
  return names.flatMap((name, index) => {
    const text = files[index] ?? null
    return text === null ? [] : [{ name: name.replaceAll(path.sep, '/'), text }]
  })
}

const readIfFile = async (file: string): Promise<string | null> =>
  (await stat(file)).isFile() ? readFile(file, 'utf8') : null
