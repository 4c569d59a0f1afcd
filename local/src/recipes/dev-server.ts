import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { parseJson } from '../json.ts'
import { readCode, readSmall, sourcesIn } from './files.ts'
import { FRAMEWORKS, type Framework, type FrameworkName } from './frameworks.ts'

// How an app that exists is started in development, and at which port.

export interface Manifest {
  readonly scripts: Readonly<Record<string, unknown>>
  /** What starts the app, the likeliest first: scripts, and the main file. */
  readonly commands: readonly string[]
}

export async function readManifest(root: string): Promise<Manifest> {
  const read = (parseJson(await readSmall(root, 'package.json')) ?? {}) as {
    main?: unknown
    scripts?: Record<string, unknown>
  }
  const { main, scripts = {} } = read
  const commands = [scripts.dev, scripts.start, main].filter((each) => typeof each === 'string')
  return { scripts, commands }
}

/** True for `tsx watch src/index.ts`, `node .`, and `node dist/index.js` for src/index.ts. */
export function startsFile(command: string, file: string): boolean {
  const stem = file.replace(/\.\w+$/, '').replace(/^src\//, '')
  const written = stem.replaceAll(/[^\w/-]/g, '\\$&')
  return new RegExp(
    `(?:^|[\\s"'=])(?:\\./)?(?:(?:src|dist|build|out|lib)/)?${written}(?:\\.\\w+)?(?=$|[\\s"'])`,
  ).test(command)
}

const ENVIRONMENTS = ['.env.local', '.env', '.env.development', '.flaskenv']
const CONFIGURATIONS = ['vite.config.ts', 'vite.config.js', 'vite.config.mts', 'astro.config.mjs']

const PORT_OF_COMMAND = /(?:\bPORT=|--port[= ]|-p )(\d{2,5})\b/
const PORT_OF_ENVIRONMENT = /^(?:export )?(?:FLASK_RUN_)?PORT=["']?(\d{2,5})\b/m
const PORT_OF_CONFIGURATION = /\bport:\s*(\d{2,5})\b/

/** Where code names the port of its own server, the surest first. `port: 5432` alone is that of a database. */
const PORTS_OF_CODE: readonly RegExp[] = [
  /\blisten\(\s*(?:\{[^}]*?\bport:\s*)?(\d{2,5})\b/,
  /\bPORT\b[^\n\d]{0,24}?(?:\|\||\?\?|,)\s*['"]?(\d{2,5})\b/,
  /(?:\bserve\(\s*|\bexport default )\{[^}]*?\bport:\s*(\d{2,5})\b/,
  /\brun\([^)]*?\bport\s*=\s*(\d{2,5})\b/,
  /\bListenAndServe\(\s*"[^"]*:(\d{2,5})"|\bhttp\.Server\{[^}]*?\bAddr:\s*"[^"]*:(\d{2,5})"/,
  /^set :port, (\d{2,5})\b/m,
  /^[ \t]*(?:export\s+)?(?:(?:const|let|var)\s+)?(?:port|PORT)\s*:?=\s*['"]?(\d{2,5})\b/m,
  /["']:(\d{2,5})["']/,
]

/** In the order in which they win: the command, the environment, the configuration, the code, what is usual. */
export async function portOf(
  root: string,
  framework: Framework,
  entry: string | null,
  { scripts, commands }: Manifest,
): Promise<number> {
  const written = [String(scripts.dev ?? ''), String(scripts.start ?? '')]
  const environments = await readAll(root, ENVIRONMENTS)
  const configurations = await readAll(root, CONFIGURATIONS)
  const code = entry === null ? '' : await readCode(root, entry)
  // Another file may listen for the app that the entry creates.
  const started = framework.runsInNode ? await startedCode(root, commands) : ''
  const found =
    firstPort(written, [PORT_OF_COMMAND]) ??
    firstPort(environments, [PORT_OF_ENVIRONMENT]) ??
    firstPort(configurations, [PORT_OF_CONFIGURATION]) ??
    firstPort([code, started], PORTS_OF_CODE)
  return found ?? framework.usualPort ?? framework.port
}

const readAll = (root: string, names: readonly string[]): Promise<string[]> =>
  Promise.all(names.map((name) => readSmall(root, name)))

function firstPort(texts: readonly string[], patterns: readonly RegExp[]): number | null {
  for (const text of texts) {
    for (const pattern of patterns) {
      const written = pattern.exec(text)?.slice(1).find(Boolean)
      const port = Number(written)
      if (port > 0 && port < 65_536) {
        return port
      }
    }
  }
  return null
}

/** The file that package.json starts. */
async function startedCode(root: string, commands: readonly string[]): Promise<string> {
  const files = (await sourcesIn(root, '', 2)).filter((file) => /\.[cm]?[jt]s$/.test(file))
  for (const command of commands) {
    const started = files.find((file) => startsFile(command, file))
    if (started !== undefined) {
      return readCode(root, started)
    }
  }
  return ''
}

/** The script that starts a development server, as the package manager of the lock file runs it, or what the framework starts. */
export async function startOf(
  root: string,
  name: FrameworkName,
  entry: string | null,
  { scripts }: Manifest,
): Promise<string> {
  const framework: Framework = FRAMEWORKS[name]
  if (framework.language === undefined) {
    const manager = await packageManagerOf(root)
    if (typeof scripts.dev === 'string') {
      return `${manager} run dev`
    }
    if (typeof scripts.start === 'string') {
      return `${manager} start`
    }
  }
  if (framework.runsInNode && entry !== null) {
    return `node ${entry}`
  }
  const { start, runs = start } = framework
  if (entry === null) {
    return /\{(?:entry|target|folder)\}/.test(runs) ? start : runs
  }
  return runs
    .replaceAll('{entry}', entry)
    .replaceAll('{folder}', await programFolder(root, entry))
    .replaceAll('{target}', await uvicornTarget(root, entry))
}

/** What `go run` starts: the folder of the file, if that is a program. */
async function programFolder(root: string, entry: string): Promise<string> {
  const folder = path.posix.dirname(entry)
  const isProgram = /^package main\b/m.test(await readCode(root, entry))
  return folder !== '.' && isProgram ? `./${folder}` : '.'
}

/** `shop.main:web --app-dir src`, for uvicorn. */
async function uvicornTarget(root: string, entry: string): Promise<string> {
  const code = await readCode(root, entry)
  const folder = await importFolder(root, entry, code)
  const module = path.posix
    .relative(folder, entry.replace(/\.py$/, ''))
    .replace(/\/__init__$/, '')
    .replaceAll('/', '.')
  const from = folder === '.' ? '' : ` --app-dir ${folder}`
  return `${module}:${appOfModule(code)}${from}`
}

/**
 * The folder from which a module is imported. A folder without __init__.py is a package, too, unless its file imports one beside
 * it without a dot.
 */
async function importFolder(root: string, entry: string, code: string): Promise<string> {
  const filesOf = (folder: string): Promise<string[]> =>
    readdir(path.join(root, folder)).catch(() => [])
  const own = path.posix.dirname(entry)
  let folder = own
  while (folder !== '.' && (await filesOf(folder)).includes('__init__.py')) {
    folder = path.posix.dirname(folder)
  }
  if (folder !== own || own === '.') {
    return folder
  }
  const modules = (await filesOf(own)).filter((each) => /^\w+\.py$/.test(each))
  const names = modules.map((each) => each.slice(0, -3)).join('|')
  return new RegExp(`^(?:from|import)[ \\t]+(?:${names})\\b`, 'm').test(code) ? folder : '.'
}

/** The variable of the app; if a function creates it, the variable that gets the result, or the function. */
function appOfModule(code: string): string {
  const created = FRAMEWORKS.fastapi.creates.statement.exec(code)
  const variable = created?.groups?.app ?? 'app'
  if (created === null || /^\S/.test(created[0])) {
    return variable
  }
  const before = code.slice(0, created.index)
  const functions = [...before.matchAll(/^(?:async )?def (\w+)/gm)]
  const factory = functions.at(-1)?.[1]
  if (factory === undefined) {
    return variable
  }
  const assigned = new RegExp(`^(\\w+)\\s*(?::[^=\\n]*)?=\\s*${factory}\\(`, 'm').exec(code)
  return assigned?.[1] ?? `${factory} --factory`
}

const LOCK_FILES = {
  'pnpm-lock.yaml': 'pnpm',
  'yarn.lock': 'yarn',
  'bun.lock': 'bun',
  'bun.lockb': 'bun',
} as const

export async function packageManagerOf(root: string): Promise<'npm' | 'pnpm' | 'yarn' | 'bun'> {
  const names = await readdir(root)
  return Object.entries(LOCK_FILES).find(([file]) => names.includes(file))?.[1] ?? 'npm'
}
