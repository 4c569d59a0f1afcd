import { existsSync, lstatSync, readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import path from 'node:path'
import { parseJson } from './json.ts'

// The service is the npm registry of our packages. npm learns that from one line of the app's .npmrc; without it, npm would look
// for these names in the public registry, where anyone could publish them.

const SCOPE = '@gatehouse-auth'
export const LOCAL_PACKAGE = `${SCOPE}/local`
export const SDK_PACKAGE = `${SCOPE}/sdk`

const REGISTRY_PATH = '/packages/npm/'
const LINES = /^[ \t]*@gatehouse-auth:registry[ \t]*=[ \t]*(.*?)[ \t]*$/gm

/** The setting of npm, as a line of .npmrc. After `--` it is an option of npm and npx. */
export const registrySetting = (service: string): string =>
  `${SCOPE}:registry=${service}${REGISTRY_PATH}`

/** The service of the line in the .npmrc of this folder; null without a line, or if it names another registry. */
export function serviceOfNpmrc(folder: string): string | null {
  const lines = readText(path.join(folder, '.npmrc')).matchAll(LINES)
  const registries = Array.from(lines, ([, registry = '']) => registry)

  // npm takes the last of several lines.
  return serviceOfRegistry(registries.at(-1) ?? '')
}

function serviceOfRegistry(registry: string): string | null {
  const url = URL.canParse(registry) ? new URL(registry) : null
  return url !== null && `${url.pathname}/`.startsWith(REGISTRY_PATH) ? url.origin : null
}

/**
 * The folder whose .npmrc npm reads in this one: the nearest with package.json or node_modules, or the root of its workspaces;
 * without any, this one.
 */
export function npmFolder(from: string): string {
  const folders = upwards(from)
  const own = folders.find((folder) => hasAny(folder, ['package.json', 'node_modules']))
  if (own === undefined) {
    return from
  }
  const above = folders.slice(folders.indexOf(own) + 1)
  return above.find((folder) => hasWorkspace(folder, own)) ?? own
}

function hasWorkspace(folder: string, member: string): boolean {
  const manifest = parseJson(readText(path.join(folder, 'package.json')))
  const { workspaces } = (manifest ?? {}) as { workspaces?: unknown }
  const listed = Array.isArray(workspaces)
    ? workspaces
    : (workspaces as { packages?: unknown } | undefined)?.packages
  const name = path.relative(folder, member).replaceAll(path.sep, '/')
  return Array.isArray(listed) && listed.some((pattern) => matches(String(pattern), name))
}

/** A pattern of workspaces, such as `packages/*`. */
function matches(pattern: string, name: string): boolean {
  const trimmed = pattern.replace(/^\.?\//, '').replace(/\/$/, '')
  const escaped = trimmed.replaceAll(/[.+^${}()|[\]\\]/g, '\\$&')
  const expression = escaped.replaceAll(/\*+/g, (stars) => (stars === '*' ? '[^/]*' : '.*'))
  return new RegExp(`^${expression}$`).test(name)
}

/**
 * The folder for the line: where npm reads it, or the root of a workspace of pnpm. Nothing outside the repository is written,
 * such as an .npmrc in the home folder.
 */
function folderForLine(root: string): string {
  const folders = upwards(root)
  const last = folders.findIndex((folder) => hasAny(folder, ['.git']))
  const inRepository = last === -1 ? [root] : folders.slice(0, last + 1)
  const pnpm = inRepository.find((folder) => hasAny(folder, ['pnpm-workspace.yaml']))
  const npm = npmFolder(root)
  return pnpm ?? (inRepository.includes(npm) ? npm : root)
}

/** True if the .npmrc of this project names its service. */
export const hasScopeLine = (root: string, service: string): boolean =>
  serviceOfNpmrc(folderForLine(root)) === service

/** The .npmrc of this project. */
export const npmrcOf = (root: string): string => path.join(folderForLine(root), '.npmrc')

/** Writes the line into .npmrc, instead of an older one, unless the file can't be changed, or not safely. */
export async function writeScopeLine(root: string, service: string): Promise<void> {
  const file = npmrcOf(root)
  const stats = lstatSync(file, { throwIfNoEntry: false })
  if (stats !== undefined && !stats.isFile()) {
    return
  }
  try {
    const before = stats === undefined ? '' : readFileSync(file, 'latin1')
    const after = withScopeLine(before, service)
    if (after !== before) {
      // Read and written as single bytes: whatever else is in the file stays as it is.
      await writeFile(file, after, 'latin1')
    }
  } catch {
    // The keys are written, and doctor reports the missing line.
  }
}

/** A new line is the first one: the last may have no line break, or stand in a section. */
function withScopeLine(text: string, service: string): string {
  const line = registrySetting(service)
  if (text.search(LINES) !== -1) {
    return text.replaceAll(LINES, () => line)
  }
  const ending = text.includes('\r\n') ? '\r\n' : '\n'
  return `${line}${ending}${text}`
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}

/** This folder and those above it, up to the home folder or the root of the file system. */
function upwards(from: string): readonly string[] {
  const parent = path.dirname(from)
  return from === parent || from === homedir() ? [from] : [from, ...upwards(parent)]
}

const hasAny = (folder: string, names: readonly string[]): boolean =>
  names.some((name) => existsSync(path.join(folder, name)))
