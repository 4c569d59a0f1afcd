import { cp, mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { freshFolder } from '../../../service/test/support/postgres/engines.ts'
import { buildSdk, ROOT, tsc } from './build.ts'

const BLOCK = /^```(?:ts|tsx|svelte) file=(\S+)\n(.*?)^```$/gms

export type SourceFile = readonly [name: string, code: string]

/** Every file of every recipe in the README. */
export async function readRecipes(): Promise<SourceFile[]> {
  const readme = await readFile(join(ROOT, 'sdk/README.md'), 'utf8')
  return [...readme.matchAll(BLOCK)].map(([, name = '', code = '']) => [name, code])
}

/** The files of one recipe, with paths relative to its folder. */
export const readRecipe = async (recipe: string): Promise<SourceFile[]> =>
  (await readRecipes())
    .filter(([name]) => name.startsWith(`${recipe}/`))
    .map(([name, code]) => [name.slice(recipe.length + 1), code])

export async function writeFiles(folder: string, files: readonly SourceFile[]): Promise<void> {
  for (const [name, code] of files) {
    await mkdir(dirname(join(folder, name)), { recursive: true })
    await writeFile(join(folder, name), code)
  }
}

/** Writes all recipes into a temporary folder with the SDK, Hono and Node's types in node_modules. */
export async function writeRecipes(): Promise<string> {
  const folder = await freshFolder()
  const modules = join(folder, 'node_modules')
  await writeFiles(folder, [...(await readRecipes()), ['package.json', JSON.stringify({ type: 'module' })]])
  await mkdir(join(modules, '@gatehouse/sdk'), { recursive: true })
  await mkdir(join(modules, '@types'), { recursive: true })
  await cp(await buildSdk(), join(modules, '@gatehouse/sdk/dist'), { recursive: true })
  await cp(join(ROOT, 'sdk/package.json'), join(modules, '@gatehouse/sdk/package.json'))
  for (const each of ['hono', '@types/node', 'undici-types'])
    await symlink(join(ROOT, 'node_modules', each), join(modules, each))
  return folder
}

export async function checkTypes(folder: string, files: readonly string[]): Promise<void> {
  const compilerOptions = {
    strict: true,
    noEmit: true,
    target: 'es2022',
    module: 'esnext',
    moduleResolution: 'bundler',
    allowImportingTsExtensions: true,
    jsx: 'react-jsx',
    lib: ['es2023', 'dom', 'dom.iterable'],
    types: ['node'],
    skipLibCheck: true,
  }
  const config = join(folder, 'tsconfig.recipe.json')
  await writeFile(config, JSON.stringify({ compilerOptions, files }))
  await tsc('-p', config)
}
