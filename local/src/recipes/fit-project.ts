import { readFile, stat } from 'node:fs/promises'
import path from 'node:path'
import { parseJson } from '../json.ts'
import { FRAMEWORKS, type FrameworkName } from './frameworks.ts'
import type { RecipeFile } from './recipe-files.ts'

/** Adapts a recipe to the project: its module type, and the folder of its sources. */
export async function fitProject(
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

const asMjs = ({ name, text }: RecipeFile): RecipeFile => ({
  name: name.replace(/\.js$/, '.mjs'),
  text: text.replaceAll(/('\.\/[\w-]+)\.js'/g, "$1.mjs'"),
})

/** Next.js looks for app/ in the root first, then in src/, and for proxy.ts beside it. */
const usesSrcFolder = async (root: string): Promise<boolean> =>
  !(await isFolder(path.join(root, 'app'))) && (await isFolder(path.join(root, 'src/app')))

const inSrc = ({ name, text }: RecipeFile): RecipeFile => ({ name: `src/${name}`, text })

const isFolder = (folder: string): Promise<boolean> =>
  stat(folder).then(
    (found) => found.isDirectory(),
    () => false,
  )
