import { API_VERSION, readStatus } from '@gatehouse-auth/contract'
import { readAccount } from '../../account/account-file.ts'
import { type ApiResponse, request, requireVersion } from '../../api/request.ts'
import { newerTools } from '../../api/tenants.ts'
import { formatDuration } from '../../duration.ts'
import { Problem } from '../../problem.ts'
import { type Command, SERVICE_OPTION } from '../command.ts'
import type { CommandIo } from '../command-io.ts'
import { checkFiles, type Finding, fail, failed, ok, warn } from '../doctor/files.ts'
import { checkPackages } from '../doctor/packages.ts'
import { checkTenant } from '../doctor/tenant.ts'
import { EXIT_CODES } from '../exit-codes.ts'

export const doctor: Command = {
  name: 'doctor',
  synopsis: '[--service <url>]',
  summary:
    'check the .service file, the service and the tenant, and print the fix for each problem',
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
    io.printResult({ ok: isOk, checks: findings }, () =>
      findings.flatMap((finding) => findingLines(io, finding)),
    )
    return isOk ? undefined : EXIT_CODES.failed
  },
}

export async function runChecks(io: CommandIo, root: string): Promise<Finding[]> {
  const files = await checkFiles(root)
  const { project } = files
  const serviceUrl = project?.credentials.base_url ?? io.service.service
  const service = await checkService(serviceUrl)
  const tenant = project !== null && service.isUsable ? await checkTenant(project) : []
  return [
    ...files.findings,
    ...(project === null ? [] : await checkPackages(root, serviceUrl)),
    ...service.findings,
    ...tenant,
    ...(await checkAccount(serviceUrl)),
  ]
}

/** Reads the account file only; does not refresh the tokens. */
async function checkAccount(service: string): Promise<Finding[]> {
  try {
    const account = await readAccount(service)
    if (account === null || account.tokens === null) {
      return []
    }
    return [ok('account', 'You are signed in on this machine: your account will own new tenants.')]
  } catch (error) {
    if (!(error instanceof Problem)) {
      throw error
    }
    return [failed('account', error)]
  }
}

const COLORS = { ok: 'green', warn: 'yellow', fail: 'red' } as const

export function findingLines(
  { colors }: CommandIo,
  { check, level, message, fix }: Finding,
): string[] {
  const head = `${colors[COLORS[level]](level.padEnd(4))}  ${check.padEnd(16)}  ${message}`
  return fix === undefined ? [head] : [head, `${' '.repeat(24)}${colors.dim('→')} ${fix}`]
}

const SKEW_WARN_SECONDS = 30
const SKEW_FAIL_SECONDS = 300

/** Checks reachability, readiness, API version and clock skew. */
async function checkService(
  service: string,
): Promise<{ findings: readonly Finding[]; isUsable: boolean }> {
  let ready: ApiResponse
  const started = performance.now()
  try {
    ready = await request(service, 'GET', '/readyz')
  } catch (error) {
    if (!(error instanceof Problem)) {
      throw error
    }
    return { findings: [failed('service', error)], isUsable: false }
  }
  const ms = Math.round(performance.now() - started)
  const findings: Finding[] = [
    ready.status === 200
      ? ok('service', `${service} responded in ${ms} ms.`)
      : warn(
          'service',
          `${service} is not ready (status ${ready.status}).`,
          'Try again in a minute, or contact its operator.',
        ),
  ]
  try {
    // A call without a key is rejected, but its response has the API-Version header.
    requireVersion(service, await request(service, 'GET', readStatus.path))
    const newer = await newerTools(service)
    const version =
      newer === null
        ? ok('version', `API version ${API_VERSION}.`)
        : warn('version', newer.message, newer.fix)
    findings.push(version, checkClock(ready))
    return { findings, isUsable: true }
  } catch (error) {
    if (!(error instanceof Problem)) {
      throw error
    }
    return { findings: [...findings, failed('version', error)], isUsable: false }
  }
}

/** The service computes tenant expiry by its clock; this program computes token expiry by the local one. */
function checkClock({ headers }: ApiResponse): Finding {
  const serviceTime = Date.parse(headers.get('date') ?? '')
  if (Number.isNaN(serviceTime)) {
    return warn(
      'clock',
      'The service sends no Date header, so its clock was not checked.',
      'No action is needed.',
    )
  }
  // The Date header has a resolution of one second.
  const seconds = Math.round(Math.max(0, Math.abs(Date.now() - serviceTime) - 1_000) / 1_000)
  if (seconds <= SKEW_WARN_SECONDS) {
    return ok('clock', 'The clocks of this machine and the service agree.')
  }
  const level = seconds > SKEW_FAIL_SECONDS ? fail : warn
  const message = `The clocks of this machine and the service differ by ${formatDuration(seconds)}.`
  return level('clock', message, 'Synchronize the clock of this machine (NTP).')
}
