import { addDomain, checkDomain, type Domain, findDomains, removeDomain } from '../../api/domains.ts'
import type { Project } from '../../credentials/project.ts'
import { commandLine } from '../../invocation.ts'
import { singleLine } from '../../redact.ts'
import { type Command, usageProblem } from '../command.ts'
import type { CommandIo } from '../command-io.ts'
import { EXIT_CODES } from '../exit-codes.ts'

type Run = (io: CommandIo, project: Project, host: string) => Promise<number | undefined>

const ACTIONS: Readonly<Record<string, Run>> = {
  async add(io, project, host) {
    const domain = await addDomain(project, host)
    io.printResult(domain, () => [line(io, domain), ...proofs(domain)])
    if (domain.status !== 'verified') {
      io.printNote(`Add the record or the file, then run: ${commandLine(`domains check ${domain.host}`)}`)
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
    if (action === undefined) return list(io)
    const run = Object.hasOwn(ACTIONS, action) ? ACTIONS[action] : undefined
    if (run === undefined)
      throw usageProblem(`Unknown action. Use one of ${Object.keys(ACTIONS).join(', ')}.`, 'domains')
    if (host === undefined) throw usageProblem(`Name the host: domains ${action} <host>.`, 'domains')
    return run(io, await io.project(), host)
  },
}

async function list(io: CommandIo): Promise<undefined> {
  const found = await findDomains(await io.project())
  for (const domain of found) io.printResult(domain, () => [line(io, domain)])
  if (found.length === 0) io.printNote('No domains.')
  return undefined
}

const proofs = ({ dns, file }: Domain): string[] => [
  ...(dns === null ? [] : [`  DNS   ${singleLine(`${dns.name}  ${dns.type}  ${dns.value}`)}`]),
  `  File  ${singleLine(`${file.url}  ${file.content}`)}`,
]

function line({ colors }: CommandIo, { host, status, method, missed_checks }: Domain): string {
  const color = { verified: colors.green, pending: colors.yellow, lapsed: colors.red }[status]
  const missed = status === 'verified' && missed_checks > 0 ? colors.yellow('  not found at the last check') : ''
  return `${singleLine(host)}  ${color(status)}${method === null ? '' : ` (${method})`}${missed}`
}
