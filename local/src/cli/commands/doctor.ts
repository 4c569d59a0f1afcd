import { readAccount } from '../../account/account-file.ts'
import { Problem } from '../../problem.ts'
import { type Command, SERVICE_OPTION } from '../command.ts'
import type { CommandIo } from '../command-io.ts'
import { checkFiles, type Finding, failed, ok } from '../doctor/files.ts'
import { checkService } from '../doctor/service.ts'
import { checkTenant } from '../doctor/tenant.ts'
import { EXIT_CODES } from '../exit-codes.ts'

export const doctor: Command = {
  name: 'doctor',
  synopsis: '[--service <url>]',
  summary: 'check the .service file, the service and the tenant, and print the fix for each problem',
  details: [
    'Each check is ok, warn or fail, with the fix on the next line. Exits with 1 if a check fails.',
    '',
    '--service <url>    the service to check if the project has no .service file',
  ],
  options: SERVICE_OPTION,
  positionals: { min: 0, max: 0 },
  async run(io) {
    const findings = await runChecks(io, await io.root())
    const isOk = findings.every(({ level }) => level !== 'fail')
    io.printResult({ ok: isOk, checks: findings }, () => findings.flatMap((finding) => findingLines(io, finding)))
    return isOk ? undefined : EXIT_CODES.failed
  },
}

export async function runChecks(io: CommandIo, root: string): Promise<Finding[]> {
  const files = await checkFiles(root)
  const { project } = files
  const serviceUrl = project?.credentials.base_url ?? io.service.service
  const service = await checkService(serviceUrl)
  const tenant = project !== null && service.isUsable ? await checkTenant(project) : []
  return [...files.findings, ...service.findings, ...tenant, ...(await checkAccount(serviceUrl))]
}

/** Reads the account file only; does not refresh the tokens. */
async function checkAccount(service: string): Promise<Finding[]> {
  try {
    const account = await readAccount(service)
    if (account === null || account.tokens === null) return []
    return [ok('account', 'You are signed in on this machine: your account will own new tenants.')]
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    return [failed('account', error)]
  }
}

const COLORS = { ok: 'green', warn: 'yellow', fail: 'red' } as const

export function findingLines({ colors }: CommandIo, { check, level, message, fix }: Finding): string[] {
  const head = `${colors[COLORS[level]](level.padEnd(4))}  ${check.padEnd(16)}  ${message}`
  return fix === undefined ? [head] : [head, `${' '.repeat(24)}${colors.dim('→')} ${fix}`]
}
