import { readAccount } from '../../account/account-file.ts'
import { Problem } from '../../problem.ts'
import type { CommandIo } from '../desk.ts'
import { checkFiles } from '../doctor/files.ts'
import { type Finding, failed, ok } from '../doctor/finding.ts'
import { checkService } from '../doctor/service.ts'
import { checkTenant } from '../doctor/tenant.ts'
import { EXIT_CODES } from '../exit-codes.ts'
import { SERVICE_OPTION, type Verb } from '../verb.ts'

export const doctor: Verb = {
  name: 'doctor',
  takes: '[--service <url>]',
  summary: 'check the file, the service and the tenant, and say how to put right what is wrong',
  more: [
    'Each line is ok, warn or fail, with the fix below it. Ends with 1 when something fails.',
    '',
    '--service <url>    the service to look for when the project has no .service file yet',
  ],
  options: SERVICE_OPTION,
  words: { min: 0, max: 0 },
  async run(io) {
    const findings = await examine(io)
    const isWell = findings.every(({ level }) => level !== 'fail')
    io.response({ ok: isWell, checks: findings }, () => findings.flatMap((finding) => lines(io, finding)))
    return isWell ? undefined : EXIT_CODES.refused
  },
}

async function examine(io: CommandIo): Promise<Finding[]> {
  const files = await checkFiles(await io.root())
  const { project } = files
  const address = project?.credentials.base_url ?? io.service.service
  const service = await checkService(address)
  const tenant = project !== null && service.isUsable ? await checkTenant(project) : []
  return [...files.findings, ...service.findings, ...tenant, ...(await checkAccount(address))]
}

/** Only looked at: nothing is refreshed by looking. */
async function checkAccount(service: string): Promise<Finding[]> {
  try {
    const account = await readAccount(service)
    if (account === null || account.tokens === null) return []
    return [ok('account', 'Somebody is signed in on this machine: new tenants will be theirs.')]
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    return [failed('account', error)]
  }
}

const COLOURS = { ok: 'green', warn: 'yellow', fail: 'red' } as const

function lines({ paint }: CommandIo, { check, level, message, fix }: Finding): string[] {
  const head = `${paint[COLOURS[level]](level.padEnd(4))}  ${check.padEnd(16)}  ${message}`
  return fix === undefined ? [head] : [head, `${' '.repeat(24)}${paint.dim('→')} ${fix}`]
}
