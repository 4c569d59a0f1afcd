import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { notWritable } from '../credentials/draft.ts'
import { parseJson } from '../json.ts'
import { readCode } from './files.ts'
import { FRAMEWORKS, type Framework, type FrameworkName } from './frameworks.ts'

/** The one copy of this code, which the documentation prints and tests run. The build copies it into the package. */
const RECIPES = fileURLToPath(new URL('../../../examples/recipes/', import.meta.url))

interface RecipeFile {
  /** Relative to the project, with slashes. */
  readonly name: string
  readonly text: string
}

export interface WrittenRecipe {
  readonly written: readonly string[]
  readonly skipped: readonly { readonly file: string; readonly exists: string }[]
}

interface RecipeOptions {
  /** Write the example pages, too, or the server of a new app. */
  readonly withExample: boolean
  /** The folder of the project, with slashes. */
  readonly folder: string
  readonly port: number
  readonly callbackPath: string
  readonly base_url: string
  readonly tenant_id: string
}

/** Writes the files of a recipe that the project does not have yet. Never overwrites. */
export async function writeRecipe(
  root: string,
  framework: FrameworkName,
  options: RecipeOptions,
): Promise<WrittenRecipe> {
  const written: string[] = []
  const skipped: { file: string; exists: string }[] = []
  try {
    const { example, port }: Framework = FRAMEWORKS[framework]
    const wanted = (await readRecipe(framework)).filter(
      ({ name }) => options.withExample || !example.test(name),
    )
    const goPackage =
      framework === 'go' ? await goPackageOf(path.join(root, options.folder)) : 'main'
    const filled = wanted.map(({ name, text }) => ({
      name: path.posix.join(options.folder, name),
      text: fillIn(text, port, options).replace(/^package main$/m, `package ${goPackage}`),
    }))
    for (const file of await fitProject(root, framework, filled)) {
      const exists = (await siblingOf(root, file)) ?? (await writeNew(root, file))
      if (exists === null) {
        written.push(file.name)
      } else if (!(await isWritten(root, file))) {
        skipped.push({ file: file.name, exists })
      }
    }
  } catch (error) {
    throw 'code' in (error as object) ? notWritable(root, error as NodeJS.ErrnoException) : error
  }
  return { written, skipped }
}

/** The package of the files in a folder: Go allows one. */
async function goPackageOf(folder: string): Promise<string> {
  const files = (await readdir(folder).catch(() => [])).filter((name) =>
    /(?<!_test)\.go$/.test(name),
  )
  for (const name of files.sort()) {
    const [, found] = /^package (\w+)/m.exec(await readCode(folder, name)) ?? []
    if (found !== undefined) {
      return found
    }
  }
  return 'main'
}

/** An earlier run wrote it. */
const isWritten = async (root: string, { name, text }: RecipeFile): Promise<boolean> =>
  (await readFile(path.join(root, name), 'utf8').catch(() => null)) === text

/** A recipe is an app that runs. These are the values of the project in it. */
function fillIn(text: string, recipePort: number, options: RecipeOptions): string {
  const { withExample, port, callbackPath, base_url, tenant_id } = options
  // The port first: the service may listen on that of the recipe.
  const filled = withCallbackPath(text, callbackPath)
    .replaceAll(new RegExp(`\\b${recipePort}\\b`, 'g'), String(port))
    .replaceAll('https://login.example.com', base_url)
    .replaceAll(/(?:<|&lt;)service>/g, base_url)
    .replaceAll('swift-fox-running-k3qd', tenant_id)
  if (withExample) {
    return filled
  }
  return filled
    .replace("home: '/notes', ", '')
    .replace("protect: ['/notes']", 'protect: []')
    .replace('guards /notes', 'guards the paths in protect')
}

/** For a callback at another path than that of the recipes, which the SDK and the routes of the app must know. */
export function withCallbackPath(text: string, callbackPath: string): string {
  if (callbackPath === '/auth/callback') {
    return text
  }
  const option = `paths: { callback: '${callbackPath}' }`
  const withOption = /\bprotect: \[[^\]]*\]/.test(text)
    ? text.replace(/\bprotect: \[[^\]]*\]/, (protect) => `${protect}, ${option}`)
    : text.replace(/\bgatehouse\(\{ (?=\w)/, (call) => `${call}${option}, `)
  return withOption.replaceAll(
    /(\/?)\bauth\/callback\b/g,
    (_, slash: string) => slash + callbackPath.slice(1),
  )
}

async function readRecipe(framework: FrameworkName): Promise<RecipeFile[]> {
  const { recipe = framework }: Framework = FRAMEWORKS[framework]
  const folder = path.join(RECIPES, recipe)
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
  if (framework === 'next') {
    const named = (await isBeforeNext16(root)) ? files.map(asMiddleware) : files
    return (await usesSrcFolder(root)) ? named.map(inSrc) : named
  }
  if (!('runsInNode' in FRAMEWORKS[framework])) {
    return files
  }
  const type = await moduleType(root)
  if (type === 'module') {
    return files
  }
  // npm init writes "type": "commonjs", with which Node cannot import these files as .js.
  return type === 'none' ? [...files, MANIFEST] : files.map(asMjs)
}

const MANIFEST: RecipeFile = {
  name: 'package.json',
  text: '{\n  "private": true,\n  "type": "module"\n}\n',
}

async function moduleType(root: string): Promise<'none' | 'module' | 'other'> {
  const text = await readFile(path.join(root, 'package.json'), 'utf8').catch(() => null)
  if (text === null) {
    return 'none'
  }
  const { type } = (parseJson(text) ?? {}) as { type?: unknown }
  return type === 'module' ? 'module' : 'other'
}

/** False for a version that package.json doesn't tell, such as `latest` or `>=15`. */
async function isBeforeNext16(root: string): Promise<boolean> {
  const { next } = await dependenciesOf(root)
  const [, major] = /^[\^~=v]?(\d+)(?:\.(?:\d+|[x*]))*(?:-[\w.]+)?$/.exec(String(next).trim()) ?? []
  return major !== undefined && Number(major) < 16
}

const BEFORE_15_5 =
  '// Next.js 15.5 and newer. Before, leave runtime out and set GATEHOUSE_URL and GATEHOUSE_TENANT in .env.local.'

/**
 * Before Next.js 16 the file of the proxy has another name, and runs in the Edge Runtime, which can't read `.service`, unless it asks
 * for Node, which it can from 15.5 on.
 */
const asMiddleware = ({ name, text }: RecipeFile): RecipeFile =>
  name !== 'proxy.ts'
    ? { name, text }
    : {
        name: 'middleware.ts',
        text: text
          .replace('export const proxy =', 'export const middleware =')
          .replace(
            'export const config = {',
            `${BEFORE_15_5}\nexport const config = { runtime: 'nodejs',`,
          ),
      }

const asMjs = ({ name, text }: RecipeFile): RecipeFile => ({
  name: name.replace(/\.js$/, '.mjs'),
  text,
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

/** Frameworks reject two files for one purpose, such as proxy.ts beside proxy.js, or beside middleware.ts before Next.js 16. */
async function siblingOf(root: string, { name }: RecipeFile): Promise<string | null> {
  const folder = path.posix.dirname(name)
  const stem = stemOf(path.posix.basename(name))
  const stems = stem === 'proxy' ? [stem, 'middleware'] : [stem]
  const present = await readdir(path.join(root, folder)).catch(() => [])
  const found = present.find(
    (each) => SOURCE.test(each) && SOURCE.test(name) && stems.includes(stemOf(each)),
  )
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
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') {
      return name
    }
    throw error
  }
}

/** What package.json lists, by name. */
export async function dependenciesOf(root: string): Promise<Readonly<Record<string, unknown>>> {
  const manifest = parseJson(
    await readFile(path.join(root, 'package.json'), 'utf8').catch(() => ''),
  )
  const { dependencies, devDependencies } = (manifest ?? {}) as Record<string, object | undefined>
  return { ...dependencies, ...devDependencies }
}
