import { API_VERSION, readStatus } from '@gatehouse/contract'
import { requireVersion } from '../../api/api-version.ts'
import { type ApiResponse, request } from '../../api/request.ts'
import { formatDuration } from '../../duration.ts'
import { Problem } from '../../problem.ts'
import { type Finding, fail, failed, ok, warn } from './files.ts'

const SKEW_WARN_SECONDS = 30
const SKEW_FAIL_SECONDS = 300

/** Checks reachability, readiness, API version and clock skew. */
export async function checkService(service: string): Promise<{ findings: readonly Finding[]; isUsable: boolean }> {
  let ready: ApiResponse
  const started = performance.now()
  try {
    ready = await request(service, 'GET', '/readyz')
  } catch (error) {
    if (!(error instanceof Problem)) throw error
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
    findings.push(ok('version', `API version ${API_VERSION}.`), checkClock(ready))
    return { findings, isUsable: true }
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    return { findings: [...findings, failed('version', error)], isUsable: false }
  }
}

/** The service computes tenant expiry by its clock; this program computes token expiry by the local one. */
function checkClock({ headers }: ApiResponse): Finding {
  const serviceTime = Date.parse(headers.get('date') ?? '')
  if (Number.isNaN(serviceTime)) {
    return warn('clock', 'The service sends no Date header, so its clock was not checked.', 'No action is needed.')
  }
  // The Date header has a resolution of one second.
  const seconds = Math.round(Math.max(0, Math.abs(Date.now() - serviceTime) - 1_000) / 1_000)
  if (seconds <= SKEW_WARN_SECONDS) return ok('clock', 'The clocks of this machine and the service agree.')
  const level = seconds > SKEW_FAIL_SECONDS ? fail : warn
  const message = `The clocks of this machine and the service differ by ${formatDuration(seconds)}.`
  return level('clock', message, 'Synchronize the clock of this machine (NTP).')
}
