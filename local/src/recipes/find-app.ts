import { readdir, readFile, stat } from 'node:fs/promises'
import path from 'node:path'
import { parseJson } from '../json.ts'
import { FRAMEWORK_NAMES, FRAMEWORKS, type Framework, type FrameworkName } from './frameworks.ts'

/** An app that a project has, as far as its files tell. */
export interface FoundApp {
  readonly name: FrameworkName
  /** The file that creates the app, relative to the project, with slashes. null: none, or the framework needs none. */
  readonly entry: string | null
  /** The port of its development server. */
  readonly port: number
  /** The command that starts its development server. */
  readonly start: string
}

/** Looks for an app of any framework that `init` knows, or of the one that the user named. */
export async function findApp(root: string, wanted?: FrameworkName): Promise<FoundApp | null> {
  const names = (await readdir(root, { withFileTypes: true })).filter((each) => each.isFile()).map(({ name }) => name)
  for (const name of wanted === undefined ? FRAMEWORK_NAMES : [wanted]) {
    const framework: Framework = FRAMEWORKS[name]
    if (!(await hasSign(root, names, framework.sign))) continue
    const entry = await findEntry(root, framework)
    // Every project with a package.json could be one: only the server tells.
    if (name === 'node' && entry === null) continue
    const manifest = await readManifest(root)
    const port = (await findPort(root, entry, manifest)) ?? framework.usualPort ?? framework.port
    const start = startOf(manifest, names, framework, entry).replaceAll('{port}', String(port))
    return { name, entry, port, start }
  }
  return null
}

async function hasSign(root: string, names: readonly string[], [file, text]: Framework['sign']): Promise<boolean> {
  for (const name of names.filter((each) => file.test(each))) {
    if (text.test(await readSmall(root, name))) return true
  }
  return false
}

const NOT_SOURCES = /\.(?:test|spec|config|d)\.\w+$|(?:^|\/)(?:test_\w*|conftest|gatehouse)\.py$/
const NO_SOURCE_FOLDER = /^(?:\.|_)|^(?:node_modules|vendor|venv|env|dist|build|tests?|static|templates)$/

/** The file of package.json's `main` first, then those in the root, then those in its folders. */
async function findEntry(root: string, { creates }: Framework): Promise<string | null> {
  if (creates === undefined) return null
  const { main } = await readManifest(root)
  const folders = (await readdir(root, { withFileTypes: true }))
    .filter((each) => each.isDirectory() && !NO_SOURCE_FOLDER.test(each.name))
    .map(({ name }) => name)
  const listed = await Promise.all(['', ...folders.sort()].map((folder) => sourcesIn(root, folder)))
  const files = [...(typeof main === 'string' ? [path.posix.normalize(main)] : []), ...listed.flat()]
  for (const file of files.filter((each) => creates.file.test(each) && !NOT_SOURCES.test(each))) {
    const text = await readSmall(root, file)
    if (text !== '' && creates.statement.test(text)) return file
  }
  return null
}

const sourcesIn = async (root: string, folder: string): Promise<string[]> =>
  (await readdir(path.join(root, folder)).catch(() => [])).sort().map((name) => path.posix.join(folder, name))

interface Manifest {
  readonly main?: unknown
  readonly scripts?: Readonly<Record<string, unknown>>
}

const readManifest = async (root: string): Promise<Manifest> =>
  (parseJson(await readSmall(root, 'package.json')) ?? {}) as Manifest

const MAX_BYTES = 256 * 1_024

/** Empty for a file that is missing, too large, or no file. */
export async function readSmall(root: string, name: string): Promise<string> {
  const file = path.join(root, name)
  const found = await stat(file).catch(() => null)
  return found?.isFile() && found.size <= MAX_BYTES ? readFile(file, 'utf8').catch(() => '') : ''
}

/** In the order in which they win: the command, the environment, the configuration, the code. */
async function findPort(root: string, entry: string | null, { scripts = {} }: Manifest): Promise<number | null> {
  const written = [String(scripts.dev ?? ''), String(scripts.start ?? '')]
  const places: [text: string, port: RegExp][] = [
    ...written.map((text): [string, RegExp] => [text, /(?:\bPORT=|--port[= ]|-p )(\d{2,5})\b/]),
    ...(await readAll(root, ['.env.local', '.env', '.env.development', '.flaskenv'])).map((text): [string, RegExp] => [
      text,
      /^(?:export )?(?:FLASK_RUN_)?PORT=["']?(\d{2,5})\b/m,
    ]),
    ...(await readAll(root, ['vite.config.ts', 'vite.config.js', 'vite.config.mts', 'astro.config.mjs'])).map(
      (text): [string, RegExp] => [text, /\bport:\s*(\d{2,5})\b/],
    ),
    [entry === null ? '' : await readSmall(root, entry), CODE_PORT],
  ]
  for (const [text, port] of places) {
    const [found] = (port.exec(text) ?? []).slice(1).filter(Boolean)
    if (found !== undefined && Number(found) > 0 && Number(found) < 65_536) return Number(found)
  }
  return null
}

/** `PORT || 4000`, `listen(4000`, `port: 4000`, `port=4000`, `":4000"`, `set :port, 4000`. */
const CODE_PORT =
  /\bPORT\b[^\n\d]{0,24}?(?:\|\||\?\?|,)\s*['"]?(\d{2,5})\b|\blisten\(\s*(\d{2,5})\b|\b[pP]ort\s*[:=,]\s*['"]?(\d{2,5})\b|["'](?:localhost|127\.0\.0\.1|0\.0\.0\.0)?:(\d{2,5})["']/

const readAll = (root: string, names: readonly string[]): Promise<string[]> =>
  Promise.all(names.map((name) => readSmall(root, name)))

/** The script that starts a development server, as the package manager of the lock file runs it. */
function startOf(
  { scripts = {} }: Manifest,
  names: readonly string[],
  framework: Framework,
  entry: string | null,
): string {
  const run = packageManager(names)
  if (framework.language === undefined && typeof scripts.dev === 'string') return `${run} run dev`
  if (framework.language === undefined && typeof scripts.start === 'string') return `${run} start`
  if (framework.runsInNode && entry !== null) return `node ${entry}`
  const module = entry?.replace(/\.\w+$/, '').replaceAll('/', '.') ?? 'app'
  return (framework.runs ?? framework.start).replaceAll('{entry}', entry ?? '').replaceAll('{module}', module)
}

const LOCK_FILES = { 'pnpm-lock.yaml': 'pnpm', 'yarn.lock': 'yarn', 'bun.lock': 'bun', 'bun.lockb': 'bun' } as const

export const packageManagerOf = async (root: string) => packageManager(await readdir(root))

const packageManager = (names: readonly string[]): 'npm' | 'pnpm' | 'yarn' | 'bun' =>
  Object.entries(LOCK_FILES).find(([file]) => names.includes(file))?.[1] ?? 'npm'
