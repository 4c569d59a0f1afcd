import { readFile, stat } from 'node:fs/promises'
import { LOGO_MAX_BYTES } from '@gatehouse-auth/contract'
import {
  addDomain,
  type Brand,
  checkDomain,
  type Domain,
  findDomains,
  loadBrand,
  removeBrand,
  removeDomain,
  removeLogo,
  saveBrand,
  uploadLogo,
} from '../../api/management.ts'
import type { Project } from '../../credentials/project.ts'
import { commandLine } from '../../invocation.ts'
import { singleLine } from '../../problem.ts'
import { type Command, usageProblem } from '../command.ts'
import type { CommandIo } from '../command-io.ts'
import { EXIT_CODES } from '../exit-codes.ts'

const FIELDS = ['name', 'privacy_url', 'terms_url', 'accent'] as const

type Field = (typeof FIELDS)[number]

export const brand: Command = {
  name: 'brand',
  synopsis: '[<field>=<value>… | logo <file> | delete-logo | delete]',
  summary: 'show or change what the consent page shows of your app on a verified domain',
  details: [
    'Without arguments: one line per field, and where the brand is shown. An empty value clears a field:',
    '',
    'brand name="Example Notes" accent=blue             change these, and keep the others',
    'brand privacy_url=https://example.com/privacy      on a verified domain; likewise terms_url=',
    'brand logo logo.png                                a square PNG of 64 to 512 pixels, at most 64 KiB',
    'brand delete-logo                                  show the first letters of the name again',
    'brand delete                                       delete the brand and its logo',
  ],
  positionals: { min: 0, max: FIELDS.length },
  async run(io, [action, ...rest]) {
    if (action === 'delete' || action === 'delete-logo') {
      if (rest.length > 0) {
        throw usageProblem(`${action} takes no argument.`, 'brand')
      }
      const result = await (action === 'delete' ? removeBrand : removeLogo)(await io.project())
      io.printResult(result, () => [
        action === 'delete' ? 'Deleted the brand.' : 'Deleted the logo.',
      ])
    } else if (action === 'logo') {
      const [path, ...more] = rest
      if (path === undefined || more.length > 0) {
        throw usageProblem('Name the file: brand logo <file>.', 'brand')
      }
      const project = await io.project()
      print(io, await uploadLogo(project, await readLogo(path)))
    } else if (action === undefined) {
      print(io, await loadBrand(await io.project()))
    } else {
      const changes = Object.fromEntries([action, ...rest].map(readChange))
      print(io, await change(await io.project(), changes))
    }
    return undefined
  },
}

function readChange(text: string): [Field, string | null] {
  const [, name = '', value = ''] = /^([^=]*)=(.*)$/s.exec(text) ?? []
  const field = FIELDS.find((each) => each === name)
  if (field !== undefined) {
    return [field, value === '' ? null : value]
  }
  throw usageProblem(`Write <field>=<value>, with one of ${FIELDS.join(', ')}.`, 'brand')
}

/** The service replaces the whole brand, so the fields that stay are sent, too. */
async function change(
  project: Project,
  changes: Partial<Record<Field, string | null>>,
): Promise<Brand> {
  const current = await loadBrand(project)
  const { name, ...others } = {
    name: current?.name ?? null,
    privacy_url: current?.privacy_url ?? null,
    terms_url: current?.terms_url ?? null,
    accent: current?.accent ?? null,
    ...changes,
  }
  if (name === null) {
    throw usageProblem('A brand needs a name: brand name=<name>.', 'brand')
  }
  // The service names the accents that it has.
  return saveBrand(project, { name, ...others } as Parameters<typeof saveBrand>[1])
}

async function readLogo(path: string): Promise<Uint8Array> {
  try {
    if ((await stat(path)).size <= LOGO_MAX_BYTES) {
      return await readFile(path)
    }
  } catch {
    throw usageProblem(`${singleLine(path)} cannot be read.`, 'brand')
  }
  throw usageProblem(`The logo has more than ${LOGO_MAX_BYTES / 1_024} KiB.`, 'brand')
}

function print(io: CommandIo, brand: Brand | null): void {
  if (brand === null) {
    if (io.json) {
      io.printResult(null, () => [])
    }
    io.printNote('No brand.')
    return
  }
  const { logo, shown_on, ...fields } = brand
  io.printResult(brand, () => [
    ...Object.entries(fields).map(([name, value]) => singleLine(`${name}=${value ?? ''}`)),
    `logo: ${logo === null ? 'none' : `${logo.size} pixels`}`,
    `shown on: ${shown_on.length === 0 ? 'no host yet, because no domain of a callback URL is verified' : singleLine(shown_on.join(', '))}`,
  ])
}

type Run = (io: CommandIo, project: Project, host: string) => Promise<number | undefined>

const ACTIONS: Readonly<Record<string, Run>> = {
  async add(io, project, host) {
    const domain = await addDomain(project, host)
    io.printResult(domain, () => [line(io, domain), ...proofs(domain)])
    if (domain.status !== 'verified') {
      io.printNote(
        `Add the record or the file, then run: ${commandLine(`domains check ${domain.host}`)}`,
      )
    }
    return undefined
  },
  async check(io, project, host) {
    const check = await checkDomain(project, host)
    const { domain, found } = check
    const isVerified = domain.status === 'verified'
    const missing = [`DNS record: ${found.dns}, file: ${found.file}`, ...proofs(domain)]
    io.printResult(check, () => [line(io, domain), ...(isVerified ? [] : missing)])
    return isVerified ? undefined : EXIT_CODES.failed
  },
  async delete(io, project, host) {
    const result = await removeDomain(project, host)
    io.printResult(result, () => [`Deleted ${singleLine(host)}.`])
    return undefined
  },
}

export const domains: Command = {
  name: 'domains',
  synopsis: '[add|check|delete <host>]',
  summary: 'list the domains of your app; verify one, so that the consent page shows your brand',
  details: [
    'One line per domain. With --json: one API domain per line.',
    '',
    'add <host>         print the DNS record or the file that verifies the domain',
    'check <host>       look for them now; exits with 1 if the domain is not verified',
    'delete <host>      delete the domain and its verification',
  ],
  positionals: { min: 0, max: 2 },
  async run(io, [action, host]) {
    if (action === undefined) {
      return list(io)
    }
    const run = Object.hasOwn(ACTIONS, action) ? ACTIONS[action] : undefined
    if (run === undefined) {
      throw usageProblem(
        `Unknown action. Use one of ${Object.keys(ACTIONS).join(', ')}.`,
        'domains',
      )
    }
    if (host === undefined) {
      throw usageProblem(`Name the host: domains ${action} <host>.`, 'domains')
    }
    return run(io, await io.project(), host)
  },
}

async function list(io: CommandIo): Promise<undefined> {
  const found = await findDomains(await io.project())
  for (const domain of found) {
    io.printResult(domain, () => [line(io, domain)])
  }
  if (found.length === 0) {
    io.printNote('No domains.')
  }
  return undefined
}

const proofs = ({ dns, file }: Domain): string[] => [
  ...(dns === null ? [] : [`  DNS   ${singleLine(`${dns.name}  ${dns.type}  ${dns.value}`)}`]),
  `  File  ${singleLine(`${file.url}  ${file.content}`)}`,
]

function line({ colors }: CommandIo, { host, status, method, missed_checks }: Domain): string {
  const color = { verified: colors.green, pending: colors.yellow, lapsed: colors.red }[status]
  const missed =
    status === 'verified' && missed_checks > 0 ? colors.yellow('  not found at the last check') : ''
  return `${singleLine(host)}  ${color(status)}${method === null ? '' : ` (${method})`}${missed}`
}
