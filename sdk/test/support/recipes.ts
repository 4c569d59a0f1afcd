import { cp, glob, mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { freshFolder } from '../../../service/test/support/postgres/engines.ts'
import { buildSdk, ROOT, tsc } from './build.ts'

const RECIPES = join(ROOT, 'examples/recipes')

export type SourceFile = readonly [name: string, code: string]

/** The files of one recipe, with paths relative to its folder. */
export async function readRecipe(recipe: string): Promise<SourceFile[]> {
  const files: SourceFile[] = []
  for await (const entry of glob('**/*', { cwd: join(RECIPES, recipe), withFileTypes: true })) {
    if (!entry.isFile()) {
      continue
    }
    const file = join(entry.parentPath, entry.name)
    files.push([file.slice(join(RECIPES, recipe).length + 1), await readFile(file, 'utf8')])
  }
  return files.sort(([a], [b]) => (a < b ? -1 : 1))
}

export async function writeFiles(folder: string, files: readonly SourceFile[]): Promise<void> {
  for (const [name, code] of files) {
    await mkdir(dirname(join(folder, name)), { recursive: true })
    await writeFile(join(folder, name), code)
  }
}

/** Writes a recipe into a temporary folder with the SDK, Hono and Node's types in node_modules. */
export async function writeRecipe(recipe: string): Promise<string> {
  const folder = await freshFolder()
  const modules = join(folder, 'node_modules')
  await writeFiles(folder, [
    ...(await readRecipe(recipe)),
    ['package.json', JSON.stringify({ type: 'module' })],
  ])
  await mkdir(join(modules, '@gatehouse-auth/sdk'), { recursive: true })
  await cp(await buildSdk(), join(modules, '@gatehouse-auth/sdk/dist'), { recursive: true })
  await cp(join(ROOT, 'sdk/package.json'), join(modules, '@gatehouse-auth/sdk/package.json'))
  for (const each of ['hono', '@hono/node-server', '@types/node', 'undici-types']) {
    await mkdir(dirname(join(modules, each)), { recursive: true })
    await symlink(join(ROOT, 'node_modules', each), join(modules, each))
  }
  return folder
}

/** Checks JavaScript for wrong names and arguments, TypeScript strictly. */
export async function checkTypes(folder: string, files: readonly string[]): Promise<void> {
  const compilerOptions = {
    strict: !files.some((file) => file.endsWith('.js')),
    exactOptionalPropertyTypes: !files.some((file) => file.endsWith('.js')),
    allowJs: true,
    checkJs: true,
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
