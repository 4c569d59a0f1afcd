import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import {
  LOCAL_PACKAGE,
  npmFolder,
  registrySetting,
  serviceOfInstallation,
  serviceOfNpmrc,
} from './npm-registry.ts'

// The relative path is the same from src/ and from dist/.
const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))

export const VERSION: string = version

/** The service rejects creations from generic HTTP clients such as curl. */
export const USER_AGENT = `gatehouse-local/${VERSION}`

export const DEFAULT_SERVICE = 'http://localhost:8787'

/** The service whose registry this program came from. Its user means this service, unless they name another. */
export function servedFrom(): string | null {
  const modules = ownModules()
  const installed = modules === null ? null : serviceOfInstallation(modules)
  return installed ?? serviceOfNpmrc(npmFolder(process.cwd()))
}

/**
 * True if npx runs a global installation. npx prefers it to the registry that its command names, doesn't tell that name, and
 * npm has not noted where the installation came from.
 */
export function isGlobalUnderNpx(): boolean {
  if (process.env.npm_command !== 'exec') {
    return false
  }
  const modules = ownModules()
  return modules === null
    ? path.basename(process.argv[1] ?? '') === COMMAND
    : !existsSync(path.join(modules, '.package-lock.json'))
}

/** Of package.json. A global installation starts it outside of node_modules, except on Windows. */
const COMMAND = 'gatehouse-local'

/** The folder node_modules that this program was started from. */
function ownModules(): string | null {
  // npx and npm start a file of node_modules/.bin, and other programs that of the package.
  const file = process.argv[1] ?? ''
  return /^(.*[\\/]node_modules)[\\/](?:\.bin|@gatehouse-auth)[\\/]/.exec(file)?.[1] ?? null
}

/**
 * The command that runs this program in the current folder, with every npm, installed or not. It needs the line of .npmrc, or
 * names the registry itself: without both, npx would run whatever package has this name in the public registry.
 */
export function program(): string {
  const hasLine = serviceOfNpmrc(npmFolder(process.cwd())) !== null
  return hasLine ? `npx ${LOCAL_PACKAGE}` : programFrom(likelyService())
}

/** The same in any folder. */
export const programFrom = (service: string, options = ''): string =>
  `npx ${options}--${registrySetting(service)} ${LOCAL_PACKAGE}`

/** For usage lines, which are printed before a service is chosen. */
export function likelyService(): string {
  const written = process.env.GATEHOUSE_URL?.trim() ?? ''
  const named = URL.canParse(written) ? new URL(written).origin : null
  return servedFrom() ?? named ?? DEFAULT_SERVICE
}

/** A word of a shell command that the user can copy. */
export const quoted = (word: string): string =>
  /^[\w@%+=:,./\\-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`

let project: string | undefined

/** Hints repeat --project: without it the suggested command would run in another folder. */
export function repeatProject(folder: string | undefined): void {
  project = folder
}

/** A command line that the user can copy. */
export const commandLine = (command: string): string =>
  [program(), command, ...(project === undefined ? [] : ['--project', quoted(project)])]
    .join(' ')
    .trimEnd()
