import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { notWritable } from '../credentials/draft.ts'
import { parseJson } from '../json.ts'
import { FRAMEWORK_NAMES, FRAMEWORKS, type FrameworkName } from './frameworks.ts'

/** The one copy of this code, which the documentation prints and tests run. The build copies it into the package. */
const RECIPES = fileURLToPath(new URL('../../../examples/recipes/', import.meta.url))
const LANGUAGES = fileURLToPath(new URL('../../../service/content/recipes/languages/', import.meta.url))

interface RecipeFile {
  /** Relative to the project, with slashes. */
  readonly name: string
  readonly text: string
}

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

/** True if a file of a recipe is in the project and imports the SDK there. */
export async function hasRecipe(root: string): Promise<boolean> {
  for (const framework of FRAMEWORK_NAMES) {
    for (const { name } of await fitProject(root, framework, await readRecipe(framework))) {
      const text = await readFile(path.join(root, name), 'utf8').catch(() => '')
      if (/['"]@gatehouse\/sdk['"/]/.test(text)) return true
    }
  }
  return false
}

async function readRecipe(framework: FrameworkName): Promise<RecipeFile[]> {
  const folder = path.join('language' in FRAMEWORKS[framework] ? LANGUAGES : RECIPES, framework)
  const names = (await readdir(folder, { recursive: true })).sort()
  const files = await Promise.all(names.map((name) => readIfFile(path.join(folder, name))))
  return names.flatMap((name, index) => {
    const text = files[index] ?? null
    return text === null ? [] : [{ name: name.replaceAll(path.sep, '/'), text }]
  })
}

const readIfFile = async (file: string): Promise<string | null> =>
  (await stat(file)).isFile() ? readFile(file, 'utf8') : null

/** Adapts a recipe to the project: its module type, and the folder of its sources. */
async function fitProject(
  root: string,
  framework: FrameworkName,
  files: readonly RecipeFile[],
): Promise<readonly RecipeFile[]> {
  if (framework === 'next') return (await usesSrcFolder(root)) ? files.map(inSrc) : files
  if (!('runsInNode' in FRAMEWORKS[framework])) return files
  const type = await moduleType(root)
  if (type === 'module') return files
  // npm init writes "type": "commonjs", with which Node cannot import these files as .js.
  return type === 'none' ? [...files, MANIFEST] : files.map(asMjs)
}

const MANIFEST: RecipeFile = { name: 'package.json', text: '{\n  "private": true,\n  "type": "module"\n}\n' }

async function moduleType(root: string): Promise<'none' | 'module' | 'other'> {
  const text = await readFile(path.join(root, 'package.json'), 'utf8').catch(() => null)
  if (text === null) return 'none'
  const { type } = (parseJson(text) ?? {}) as { type?: unknown }
  return type === 'module' ? 'module' : 'other'
}

const asMjs = ({ name, text }: RecipeFile): RecipeFile => ({ name: name.replace(/\.js$/, '.mjs'), text })

/** Next.js looks for app/ in the root first, then in src/, and for proxy.ts beside it. */
const usesSrcFolder = async (root: string): Promise<boolean> =>
  !(await isFolder(path.join(root, 'app'))) && (await isFolder(path.join(root, 'src/app')))

const inSrc = ({ name, text }: RecipeFile): RecipeFile => ({ name: `src/${name}`, text })

const isFolder = (folder: string): Promise<boolean> =>
  stat(folder).then(
    (found) => found.isDirectory(),
    () => false,
  )

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
