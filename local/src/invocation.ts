import { existsSync, readFileSync } from 'node:fs'
import { parseJson } from './json.ts'
import { LOCAL_PACKAGE, npmFolder, registrySetting, serviceOfNpmrc } from './npm-registry.ts'

// The relative path is the same from src/ and from dist/.
const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))

export const VERSION: string = version

/** The service rejects creations from generic HTTP clients such as curl. */
export const USER_AGENT = `gatehouse-local/${VERSION}`

export const DEFAULT_SERVICE = 'http://localhost:8787'

/** The service that this program came from. Its user means this service, unless they name another. */
export function servedFrom(): string | null {
  const own = readOwnService()
  const ofFolder = serviceOfNpmrc(npmFolder(process.cwd()))
  // What npx has downloaded came from the registry that its command names, or from that of the folder. An installation
  // may have come from another one.
  const isDownloaded = import.meta.url.includes('/_npx/')
  return isDownloaded ? (own ?? ofFolder) : (ofFolder ?? own)
}

/** Its service has added this file to the package. The relative path is the same from src/ and from dist/, as above. */
function readOwnService(): string | null {
  const file = new URL('../service.json', import.meta.url)
  if (!existsSync(file)) {
    return null
  }
  const { base_url } = (parseJson(readFileSync(file, 'utf8')) ?? {}) as { base_url?: unknown }
  return typeof base_url === 'string' ? base_url : null
}

/**
 * The command that runs this program in the current folder, with every npm, installed or not. It needs the line of .npmrc, or
 * names the registry itself: without both, npx would run whatever package has this name in the public registry.
 */
export function program(): string {
  const hasLine = serviceOfNpmrc(npmFolder(process.cwd())) !== null
  return hasLine ? `npx ${LOCAL_PACKAGE}` : programFrom(likelyService())
}

/** The command that runs this program in any folder. */
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
