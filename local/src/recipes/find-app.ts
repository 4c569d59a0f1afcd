import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { type Manifest, portOf, readManifest, startOf, startsFile } from './dev-server.ts'
import { readCode, readSmall, sourcesIn } from './files.ts'
import { FRAMEWORK_NAMES, FRAMEWORKS, type Framework, type FrameworkName } from './frameworks.ts'

/** An app that a project has, as far as its files tell. */
export interface FoundApp {
  readonly name: FrameworkName
  /** The file that creates the app, relative to the project, with slashes. null: none, several, or the framework needs none. */
  readonly entry: string | null
  /** All files that create an app. */
  readonly entries: readonly string[]
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
  const found = wanted === undefined ? await recognize(root) : await findNamed(root, wanted)
  if (found === null) {
    return null
  }
  const { name, entries } = found
  const framework: Framework = FRAMEWORKS[name]
  const manifest = await readManifest(root)
  const entry = chooseEntry(entries, manifest)
  const port = givenPort ?? (await portOf(root, framework, entry, manifest))
  const start = await startOf(root, name, entry, manifest)
  return { name, entry, entries, port, start: start.replaceAll('{port}', String(port)) }
}

interface Candidate {
  readonly name: FrameworkName
  readonly entries: readonly string[]
}

async function findNamed(root: string, name: FrameworkName): Promise<Candidate | null> {
  const hasIt = await hasSign(root, name)
  const entries = hasIt ? await entriesOf(root, name) : []
  // Every project with a package.json could be a plain server: only its file tells.
  return hasIt && (name !== 'node' || entries.length > 0) ? { name, entries } : null
}

async function recognize(root: string): Promise<Candidate | null> {
  // Vite alone may be there for Vitest, or for the packages of a monorepo.
  const hasPage = (await readSmall(root, 'index.html')) !== ''
  const isSpa = hasPage && (await hasSign(root, 'vite'))
  for (const name of IN_ORDER) {
    const found = await findNamed(root, name)
    if (found !== null && isConvincing(found, isSpa)) {
      return found
    }
  }
  return null
}

function isConvincing({ name, entries }: Candidate, isSpa: boolean): boolean {
  if (name === 'vite') {
    return isSpa
  }
  // go.mod or a requirements.txt without a server is no reason against an SPA.
  const { language }: Framework = FRAMEWORKS[name]
  return !isSpa || language === undefined || entries.length > 0
}

async function hasSign(root: string, name: FrameworkName): Promise<boolean> {
  const [file, text] = FRAMEWORKS[name].sign
  const present = await readdir(root, { withFileTypes: true })
  for (const each of present.filter((one) => one.isFile() && file.test(one.name))) {
    if (text.test(await readSmall(root, each.name))) {
      return true
    }
  }
  return false
}

/** A folder with an underscore, such as _examples, which the go command ignores, has no app to start. */
const NOT_SOURCES =
  /\.(?:test|spec|config|d)\.\w+$|_test\.\w+$|(?:^|\/)(?:test_\w*|conftest|gatehouse)\.py$|(?:^|\/)_[^/]*\//

/** The files in the root, in its folders and in theirs that create an app. */
async function entriesOf(root: string, name: FrameworkName): Promise<readonly string[]> {
  const scripts = name === 'vite' ? await moduleScripts(root) : []
  const { creates }: Framework = FRAMEWORKS[name]
  if (scripts.length > 0 || creates === undefined) {
    return scripts
  }
  const entries: string[] = []
  for (const file of await sourcesIn(root, '', 2)) {
    if (!creates.file.test(file) || NOT_SOURCES.test(file)) {
      continue
    }
    const code = await readCode(root, file)
    if (code !== '' && creates.statement.test(code)) {
      entries.push(file)
    }
  }
  return entries
}

/** The module scripts of index.html. */
async function moduleScripts(root: string): Promise<readonly string[]> {
  const page = (await readSmall(root, 'index.html')).replaceAll(/<!--[\s\S]*?(?:-->|$)/g, '')
  const scripts: string[] = []
  for (const [tag] of page.matchAll(/<script\s[^>]*>/gi)) {
    const [, src = ''] = /\ssrc\s*=\s*["']?([^"'\s?>]+)/i.exec(tag) ?? []
    const file = path.posix.join('.', src.replace(/^\/+/, ''))
    const isModule = /\stype\s*=\s*["']?module\b/i.test(tag)
    const isSource = /\.[cm]?[jt]sx?$/.test(file) && !file.startsWith('..')
    if (isModule && isSource && (await readSmall(root, file)) !== '') {
      scripts.push(file)
    }
  }
  return scripts
}

const USUAL_ENTRIES = ['index', 'server', 'main', 'app', 'wsgi', 'run', '__init__']

/** Chooses the file that package.json starts, then the one with the most usual name. null: it would be a guess. */
function chooseEntry(entries: readonly string[], manifest: Manifest): string | null {
  for (const command of manifest.commands) {
    const [named, another] = entries.filter((file) => startsFile(command, file))
    if (named !== undefined && another === undefined) {
      return named
    }
  }
  if (entries.length === 1) {
    return entries[0] ?? null
  }
  return mostUsual(entries)
}

/** The file with the most usual name; null: none has one, or two share it. */
function mostUsual(entries: readonly string[]): string | null {
  const rank = (file: string): number => USUAL_ENTRIES.indexOf(path.posix.parse(file).name)
  const usual = entries.filter((file) => rank(file) >= 0).sort((a, b) => rank(a) - rank(b))

  const [first, second] = usual
  if (first === undefined) {
    return null
  }
  const isShared = second !== undefined && rank(first) === rank(second)
  return isShared ? null : first
}
