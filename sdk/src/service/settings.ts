import { localTools } from './local-tools.ts'

/** The settings of a server that its code does not give: variables first, then the files that `init` writes. */
interface Settings {
  readonly baseUrl: string
  readonly tenantId: string
  readonly secret: string | undefined
}

/** The parts of `process` that are used. Not an import: bundles for other runtimes would have to resolve it. */
interface ProcessLike {
  readonly env?: Readonly<Record<string, string | undefined>>
  readonly argv?: readonly string[]
  cwd?(): string
  /** Node, Bun, Deno. */
  getBuiltinModule?(
    name: 'node:fs',
  ): { readFileSync(file: string, encoding: 'utf8'): string } | undefined
}

const FILE = '.service'

/**
 * If both values are given, nothing is read. Of the credentials file only `base_url` and `tenant_id` are, which are not
 * secret; the app has no use for its keys.
 */
export function readSettings(
  given: { readonly [Name in keyof Settings]?: string | undefined },
  { process } = globalThis as { readonly process?: ProcessLike },
): Settings {
  const { baseUrl, tenantId, secret } = given
  if (baseUrl !== undefined && tenantId !== undefined) {
    return { baseUrl, tenantId, secret }
  }
  if ('document' in globalThis) {
    throw new TypeError(
      'In a browser, pass baseUrl and tenantId: base_url and tenant_id of .service, which are not secret.',
    )
  }
  const variable = (name: string): string | undefined => process?.env?.[name]?.trim() || undefined
  const credentials = readLines(process, FILE)
  const address = baseUrl ?? variable('GATEHOUSE_URL') ?? credentials.value('base_url')
  const tenant = tenantId ?? variable('GATEHOUSE_TENANT') ?? credentials.value('tenant_id')
  if (address === undefined) {
    throw missing('base_url', 'GATEHOUSE_URL', credentials)
  }
  if (tenant === undefined) {
    throw missing('tenant_id', 'GATEHOUSE_TENANT', credentials, address)
  }
  return {
    baseUrl: address,
    tenantId: tenant,
    secret:
      secret ??
      variable('GATEHOUSE_SECRET') ??
      readLines(process, `${FILE}.secret`).value('GATEHOUSE_SECRET'),
  }
}

interface Lines {
  /** Where the file is, or why it has no values, for a sentence. */
  readonly place: string
  readonly command: 'init' | 'doctor' | null
  value(name: string): string | undefined
}

/** The Edge Runtime of Next.js has the function, and throws when it is called. */
function fileSystem(
  process: ProcessLike | undefined,
): ReturnType<NonNullable<ProcessLike['getBuiltinModule']>> {
  try {
    return process?.getBuiltinModule?.('node:fs')
  } catch {
    return undefined
  }
}

/**
 * A file with lines of the form `name=value`: in the folder where the app was started, else beside the file that was started, or
 * up to two folders above, as in an app that systemd starts.
 */
function readLines(process: ProcessLike | undefined, file: string): Lines {
  const fs = fileSystem(process)
  if (fs === undefined) {
    return {
      place: 'in files, which this runtime does not read',
      command: null,
      value: () => undefined,
    }
  }
  const cwd = process?.cwd?.().replace(/\/$/, '') ?? ''
  for (const folder of [cwd, ...foldersAbove(process?.argv?.[1] ?? '').slice(0, 3)]) {
    const path = `${folder}/${file}`
    try {
      const text = fs.readFileSync(path, 'utf8')
      const value = (name: string): string | undefined =>
        new RegExp(`^${name}=(.*)$`, 'm').exec(text)?.[1]?.trim() || undefined
      return { place: `in ${path}`, command: 'doctor', value }
    } catch (error) {
      const { code } = error as { readonly code?: string }
      if (code !== 'ENOENT') {
        const place = `in ${path}, which cannot be read (${code ?? error})`
        return { place, command: 'doctor', value: () => undefined }
      }
    }
  }
  const place = `in ${cwd}/${file}, which does not exist`
  return { place, command: 'init', value: () => undefined }
}

/** The nearest first, without the root. */
function foldersAbove(path: string): readonly string[] {
  const end = path.search(/[\\/][^\\/]*$/)
  const folder = path.slice(0, Math.max(0, end))
  return folder === '' ? [] : [folder, ...foldersAbove(folder)]
}

function missing(
  name: string,
  variable: string,
  { place, command }: Lines,
  service = '<your service>',
): TypeError {
  const run = localTools(service)
  const mend = {
    init: `To create a project and write ${FILE}, run in that folder: ${run} init\n`,
    doctor: `To check the file, run in that folder: ${run} doctor\n`,
  }
  return new TypeError(
    `Gatehouse: there is no ${name} ${place}, and ${variable} is not set.\n${command === null ? '' : mend[command]}Where there is no ${FILE}, as in production, set the variables that this command prints on your machine: ${run} env --secret`,
  )
}
