import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { parseJson } from '../json.ts'
import { FRAMEWORK_NAMES, FRAMEWORKS, type Framework, type FrameworkName } from './frameworks.ts'
import { findAll, readSmall, type Source, sourceOf, sourcesIn } from './source-text.ts'

/** An app that a project has, as far as its files tell. */
export interface FoundApp {
  readonly name: FrameworkName
  /** The file that creates the app, relative to the project, with slashes. null: none, several, or the framework needs none. */
  readonly entry: string | null
  /** All files that create an app. */
  readonly entries: readonly string[]
  /** The dot of an import of Python beside the entry, if that is a module of a package. */
  readonly dot: '' | '.'
  /** The port of its development server. */
  readonly port: number
  /** The command that starts its development server. */
  readonly start: string
}

/** Vite builds the pages of many servers: such a project is its server, and only without one an SPA. */
const LATE: readonly FrameworkName[] = ['vite', 'node']
const IN_ORDER = FRAMEWORK_NAMES.toSorted((a, b) => LATE.indexOf(a) - LATE.indexOf(b))

/** Looks for an app of any framework that `init` knows, or of the one that the user named. `givenPort`: of --port. */
export async function findApp(
  root: string,
  wanted?: FrameworkName,
  givenPort?: number,
): Promise<FoundApp | null> {
  const names = (await readdir(root, { withFileTypes: true }))
    .filter((each) => each.isFile())
    .map(({ name }) => name)
  const manifest = await readManifest(root)
  // Vite alone may be there for Vitest, or for the packages of a monorepo.
  const isSpa = names.includes('index.html') && (await hasSign(root, names, FRAMEWORKS.vite.sign))
  for (const name of wanted === undefined ? IN_ORDER : [wanted]) {
    const framework: Framework = FRAMEWORKS[name]
    if (!(await hasSign(root, names, framework.sign))) {
      continue
    }
    if (name === 'vite' && wanted === undefined && !isSpa) {
      continue
    }
    const entries =
      name === 'vite' ? await findSpaEntries(root) : await findEntries(root, framework)
    // Every project with a package.json could be one: only the server tells.
    if (name === 'node' && entries.length === 0) {
      continue
    }
    // go.mod or a requirements.txt without a server is no reason against an SPA.
    if (isSpa && wanted === undefined && framework.language !== undefined && entries.length === 0) {
      continue
    }
    const entry = chooseEntry(entries, manifest)
    const source = entry === null ? null : sourceOf(entry, await readSmall(root, entry))
    const python = await pythonModule(root, name, entry, source)
    const started = framework.runsInNode ? await startedSource(root, manifest) : null
    const port =
      givenPort ??
      (await findPort(root, [source, started], manifest)) ??
      framework.usualPort ??
      framework.port
    const target = source === null ? '' : targetOf(framework, python, source)
    const start = startOf({ manifest, names, framework, entry, source, target }).replaceAll(
      '{port}',
      String(port),
    )
    return { name, entry, entries, dot: python.dot, port, start }
  }
  return null
}

async function hasSign(
  root: string,
  names: readonly string[],
  [file, text]: Framework['sign'],
): Promise<boolean> {
  for (const name of names.filter((each) => file.test(each))) {
    if (text.test(await readSmall(root, name))) {
      return true
    }
  }
  return false
}

/** A folder with an underscore, such as _examples, which the go command ignores, has no app to start. */
const NOT_SOURCES =
  /\.(?:test|spec|config|d)\.\w+$|_test\.\w+$|(?:^|\/)(?:test_\w*|conftest|gatehouse)\.py$|(?:^|\/)_[^/]*\//

/** The files in the root, in its folders and in theirs that create an app. */
async function findEntries(root: string, { creates }: Framework): Promise<readonly string[]> {
  if (creates === undefined) {
    return []
  }
  const entries: string[] = []
  for (const file of await sourcesIn(root, '', 2)) {
    if (!creates.file.test(file) || NOT_SOURCES.test(file)) {
      continue
    }
    const text = await readSmall(root, file)
    if (text !== '' && findAll(sourceOf(file, text), creates.statement).length > 0) {
      entries.push(file)
    }
  }
  return entries
}

/** The module scripts of index.html; without any, files with the usual names. */
async function findSpaEntries(root: string): Promise<readonly string[]> {
  const page = await readSmall(root, 'index.html')
  const entries: string[] = []
  for (const [tag] of page.matchAll(/<!--[\s\S]*?(?:-->|$)|<script\s[^>]*>/gi)) {
    const [, src = ''] = /^<script\s(?:[^>]*\s)?src\s*=\s*["']?([^"'\s?>]+)/i.exec(tag) ?? []
    const file = path.posix.join('.', src.replace(/^\/+/, ''))
    const isSource = /\.[cm]?[jt]sx?$/.test(file) && !file.startsWith('..')
    if (
      /\stype\s*=\s*["']?module\b/i.test(tag) &&
      isSource &&
      (await readSmall(root, file)) !== ''
    ) {
      entries.push(file)
    }
  }
  return entries.length > 0 ? entries : findEntries(root, FRAMEWORKS.vite)
}

/** The file that package.json starts: it may listen for the app that another one creates. */
async function startedSource(
  root: string,
  { main, scripts = {} }: Manifest,
): Promise<Source | null> {
  const commands = [scripts.dev, scripts.start, main].map((text) =>
    typeof text === 'string' ? text : '',
  )
  const files = (await sourcesIn(root, '', 2)).filter((file) => /\.[cm]?[jt]s$/.test(file))
  const started = commands
    .map((command) => files.find((file) => names(command, file)))
    .find(Boolean)
  return started === undefined ? null : sourceOf(started, await readSmall(root, started))
}

const USUAL_ENTRIES = ['index', 'server', 'main', 'app', 'wsgi', 'run', '__init__']

/** Of several files, the one that package.json starts, then the one with the most usual name. null: that is a guess. */
function chooseEntry(entries: readonly string[], { main, scripts = {} }: Manifest): string | null {
  const started = [scripts.dev, scripts.start, main].map((text) =>
    typeof text === 'string' ? text : '',
  )
  for (const text of started) {
    const named = entries.filter((file) => names(text, file))
    if (named.length === 1) {
      return named[0] ?? null
    }
  }
  const rank = (file: string): number => USUAL_ENTRIES.indexOf(path.posix.parse(file).name)
  const ranked = entries.filter((file) => rank(file) >= 0).sort((a, b) => rank(a) - rank(b))
  const [first, second] = entries.length === 1 ? entries : ranked
  if (first === undefined) {
    return null
  }
  return entries.length === 1 || second === undefined || rank(first) !== rank(second) ? first : null
}

/** `tsx watch src/index.ts`, `node .`, and `node dist/index.js` for src/index.ts. */
function names(command: string, file: string): boolean {
  const stem = file.replace(/\.\w+$/, '').replace(/^src\//, '')
  const written = stem.replaceAll(/[^\w/-]/g, '\\$&')
  return new RegExp(
    `(?:^|[\\s"'=])(?:\\./)?(?:(?:src|dist|build|out|lib)/)?${written}(?:\\.\\w+)?(?=$|[\\s"'])`,
  ).test(command)
}

interface PythonModule {
  /** The folder from which the module is imported. */
  readonly folder: string
  readonly module: string
  readonly dot: '' | '.'
}

/**
 * A folder without __init__.py is a package, too, if the server imports it from the root. Flask imports the file by its path, and
 * FastAPI does what the other imports of the file need.
 */
async function pythonModule(
  root: string,
  name: FrameworkName,
  entry: string | null,
  source: Source | null,
): Promise<PythonModule> {
  const file = entry?.replace(/\.py$/, '') ?? 'app'
  const own = path.posix.dirname(file)
  const filesOf = (folder: string): Promise<string[]> =>
    readdir(path.join(root, folder)).catch(() => [])
  let folder = own
  while (folder !== '.' && (await filesOf(folder)).includes('__init__.py')) {
    folder = path.posix.dirname(folder)
  }
  if (folder === own && own !== '.' && name === 'fastapi') {
    const siblings = (await filesOf(own))
      .filter((each) => /^\w+\.py$/.test(each))
      .map((each) => each.slice(0, -3))
    const sibling = new RegExp(`^(?:from|import)[ \\t]+(?:${siblings.join('|')})\\b`, 'm')
    if (source !== null && findAll(source, sibling).length === 0) {
      folder = '.'
    }
  }
  const module = path.posix
    .relative(folder, file)
    .replace(/\/__init__$/, '')
    .replaceAll('/', '.')
  return { folder, module, dot: folder === own ? '' : '.' }
}

/** `shop.main:web --app-dir src`, for uvicorn. An app that a function creates is that of a variable, or the result of the function. */
function targetOf(
  { creates }: Framework,
  { folder, module }: PythonModule,
  source: Source,
): string {
  const [created] = creates === undefined ? [] : findAll(source, creates.statement)
  const from = folder === '.' ? '' : ` --app-dir ${folder}`
  const variable = created?.groups?.app ?? 'app'
  if (created === undefined || /^\S/.test(created[0])) {
    return `${module}:${variable}${from}`
  }
  const factory = findAll(source, /^(?:async )?def (?<name>\w+)/m).findLast(
    ({ index }) => index < created.index,
  )?.groups?.name
  if (factory === undefined) {
    return `${module}:${variable}${from}`
  }
  const [assigned] = findAll(
    source,
    new RegExp(`^(?<app>\\w+)\\s*(?::[^=\\n]*)?=\\s*${factory}\\(`, 'm'),
  )
  return assigned === undefined
    ? `${module}:${factory} --factory${from}`
    : `${module}:${assigned.groups?.app}${from}`
}

interface Manifest {
  readonly main?: unknown
  readonly scripts?: Readonly<Record<string, unknown>>
}

const readManifest = async (root: string): Promise<Manifest> =>
  (parseJson(await readSmall(root, 'package.json')) ?? {}) as Manifest

/** In the order in which they win: the command, the environment, the configuration, the code. */
async function findPort(
  root: string,
  sources: readonly (Source | null)[],
  { scripts = {} }: Manifest,
): Promise<number | null> {
  const written = [String(scripts.dev ?? ''), String(scripts.start ?? '')]
  const places: [text: string, port: RegExp][] = [
    ...written.map((text): [string, RegExp] => [text, /(?:\bPORT=|--port[= ]|-p )(\d{2,5})\b/]),
    ...(await readAll(root, ['.env.local', '.env', '.env.development', '.flaskenv'])).map(
      (text): [string, RegExp] => [text, /^(?:export )?(?:FLASK_RUN_)?PORT=["']?(\d{2,5})\b/m],
    ),
    ...(
      await readAll(root, [
        'vite.config.ts',
        'vite.config.js',
        'vite.config.mts',
        'astro.config.mjs',
      ])
    ).map((text): [string, RegExp] => [text, /\bport:\s*(\d{2,5})\b/]),
    ...sources.flatMap((source) =>
      CODE_PORTS.map((port): [string, RegExp] => [source?.code ?? '', port]),
    ),
  ]
  for (const [text, port] of places) {
    const [found] = (port.exec(text) ?? []).slice(1).filter(Boolean)
    if (found !== undefined && Number(found) > 0 && Number(found) < 65_536) {
      return Number(found)
    }
  }
  return null
}

/** Where code names the port of its own server, the surest first. `port: 5432` alone is that of a database. */
const CODE_PORTS: readonly RegExp[] = [
  /\blisten\(\s*(?:\{[^}]*?\bport:\s*)?(\d{2,5})\b/,
  /\bPORT\b[^\n\d]{0,24}?(?:\|\||\?\?|,)\s*['"]?(\d{2,5})\b/,
  /(?:\bserve\(\s*|\bexport default )\{[^}]*?\bport:\s*(\d{2,5})\b/,
  /\brun\([^)]*?\bport\s*=\s*(\d{2,5})\b/,
  /\bListenAndServe\(\s*"[^"]*:(\d{2,5})"|\bhttp\.Server\{[^}]*?\bAddr:\s*"[^"]*:(\d{2,5})"/,
  /^set :port, (\d{2,5})\b/m,
  /^[ \t]*(?:export\s+)?(?:(?:const|let|var)\s+)?(?:port|PORT)\s*:?=\s*['"]?(\d{2,5})\b/m,
  /["']:(\d{2,5})["']/,
]

const readAll = (root: string, names: readonly string[]): Promise<string[]> =>
  Promise.all(names.map((name) => readSmall(root, name)))

interface Startable {
  readonly manifest: Manifest
  readonly names: readonly string[]
  readonly framework: Framework
  readonly entry: string | null
  readonly source: Source | null
  readonly target: string
}

/** The script that starts a development server, as the package manager of the lock file runs it. */
function startOf({
  manifest: { scripts = {} },
  names,
  framework,
  entry,
  source,
  target,
}: Startable): string {
  const run = packageManager(names)
  if (framework.language === undefined && typeof scripts.dev === 'string') {
    return `${run} run dev`
  }
  if (framework.language === undefined && typeof scripts.start === 'string') {
    return `${run} start`
  }
  if (framework.runsInNode && entry !== null) {
    return `node ${entry}`
  }
  const { runs = framework.start } = framework
  if (entry === null && /\{(?:entry|target)\}/.test(runs)) {
    return framework.start
  }
  const folder = path.posix.dirname(entry ?? '')
  const isMain = folder !== '.' && /^package main\b/m.test(source?.code ?? '')
  const values = { entry: entry ?? '', target, folder: isMain ? `./${folder}` : '.' }
  return runs.replaceAll(/\{(entry|target|folder)\}/g, (_, key: keyof typeof values) => values[key])
}

const LOCK_FILES = {
  'pnpm-lock.yaml': 'pnpm',
  'yarn.lock': 'yarn',
  'bun.lock': 'bun',
  'bun.lockb': 'bun',
} as const

export const packageManagerOf = async (root: string) => packageManager(await readdir(root))

const packageManager = (names: readonly string[]): 'npm' | 'pnpm' | 'yarn' | 'bun' =>
  Object.entries(LOCK_FILES).find(([file]) => names.includes(file))?.[1] ?? 'npm'
