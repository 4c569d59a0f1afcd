import { readFileSync } from 'node:fs'
import path from 'node:path'
import { parseJson } from './json.ts'

// The relative path is the same from src/ and from dist/.
const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))

export const VERSION: string = version

/** The service rejects creations from generic HTTP clients such as curl. */
export const USER_AGENT = `gatehouse-local/${VERSION}`

const BIN = 'gatehouse-local'
/** This package at a service. */
const PACKAGE = /^https?:\/\/[^/]+\/packages\/local[^/]*\.tgz$/

export interface Invocation {
  /** The file that Node was started with: the second element of process.argv. */
  readonly file: string
  readonly env: Readonly<Record<string, string | undefined>>
}

/**
 * How the user started this program: npx with the package as they named it, the command of a global installation, or Node
 * with a file. `npm exec` runs the same cached package as npx, and nothing tells the two apart.
 */
export function programName({ file, env }: Invocation): string {
  const installed = installationOf(file)
  if (installed !== undefined) {
    const named = npxPackage(installed)
    // --no: where it is not installed, npx would download whatever package has this name in the registry.
    return named === null ? `npx --no ${BIN}` : `npx ${quoted(named)}`
  }
  const isOnPath = (env.PATH ?? '').split(path.delimiter).includes(path.dirname(file))
  return isOnPath ? BIN : `node ${quoted(file)}`
}

/** The service that served this package to npm or npx, at /packages: its user means this service, unless they name another. */
export function servedFrom({ file }: Pick<Invocation, 'file'>): string | null {
  const installed = installationOf(file)
  const named = installed === undefined ? null : (npxPackage(installed) ?? npmPackage(installed))
  const url = named !== null && URL.canParse(named) ? new URL(named) : null
  return url !== null && PACKAGE.test(url.href) ? url.origin : null
}

/** The folder with the node_modules that contain this program. */
const installationOf = (file: string): string | undefined =>
  /^(.*)[\\/]node_modules[\\/](?:\.bin|@gatehouse)[\\/]/.exec(file)?.[1]

/** npx notes in its cache folder which package the user named: a name, a version, a URL or a file. */
function npxPackage(folder: string): string | null {
  try {
    const manifest = parseJson(readFileSync(path.join(folder, 'package.json'), 'utf8')) as {
      _npx?: unknown
    }
    const { packages } = (manifest?._npx ?? {}) as { packages?: unknown }
    return Array.isArray(packages) && typeof packages[0] === 'string' ? packages[0] : null
  } catch {
    return null
  }
}

/** npm notes in node_modules where it got each package. */
function npmPackage(folder: string): string | null {
  try {
    const text = readFileSync(path.join(folder, 'node_modules/.package-lock.json'), 'utf8')
    const { packages } = parseJson(text) as { packages?: Record<string, { resolved?: unknown }> }
    const resolved = Object.values(packages ?? {}).map((each) => String(each.resolved))
    return resolved.find((url) => PACKAGE.test(url)) ?? null
  } catch {
    return null
  }
}

/** A word of a shell command that the user can copy. */
export const quoted = (word: string): string =>
  /^[\w@%+=:,./\\-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`

/** For usage lines. */
export const program = programName({ file: process.argv[1] ?? BIN, env: process.env })
let project: string | undefined

/** Hints repeat --project: without it the suggested command would run in another folder. */
export function repeatProject(folder: string | undefined): void {
  project = folder
}

/** A command line that the user can copy. */
export const commandLine = (command: string): string =>
  [program, command, ...(project === undefined ? [] : ['--project', quoted(project)])]
    .join(' ')
    .trimEnd()
