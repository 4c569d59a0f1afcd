import { API_VERSION, readStatus } from '@gatehouse/contract'
import { type ApiResponse, request } from '../../api/request.ts'
import { requireVersion } from '../../api/wrong-service.ts'
import { inWords } from '../../duration.ts'
import { Problem } from '../../problem.ts'
import { type Finding, fail, failed, ok, warn } from './finding.ts'

const SKEW_WARN_SECONDS = 30
const SKEW_FAIL_SECONDS = 300

/** Is it there, is it ready, is it ours, and does it have the same time? */
export async function checkService(service: string): Promise<{ findings: readonly Finding[]; isUsable: boolean }> {
  let ready: ApiResponse
  const asked = performance.now()
  try {
    ready = await request(service, 'GET', '/readyz')
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    return { findings: [failed('service', error)], isUsable: false }
  }
  const ms = Math.round(performance.now() - asked)
  const findings: Finding[] = [
    ready.status === 200
      ? ok('service', `${service} answers in ${ms} ms.`)
      : warn(
          'service',
          `${service} answers, but is not ready (status ${ready.status}).`,
          'Wait a moment, or ask its operator.',
        ),
  ]
  try {
    // Without a key it refuses, and says on the way which API it speaks.
    requireVersion(service, await request(service, 'GET', readStatus.path))
    findings.push(ok('version', `It speaks API version ${API_VERSION}, and so do we.`), checkClock(ready))
    return { findings, isUsable: true }
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    return { findings: [...findings, failed('version', error)], isUsable: false }
  }
}

/** Times in answers are the service's; expiry is counted by its clock, and sign-in tokens by ours. */
function checkClock({ headers }: ApiResponse): Finding {
  const there = Date.parse(headers.get('date') ?? '')
  if (Number.isNaN(there)) return warn('clock', 'The service does not say what time it has.', 'Nothing to do.')
  // The header has whole seconds.
  const seconds = Math.round(Math.max(0, Math.abs(Date.now() - there) - 1_000) / 1_000)
  if (seconds <= SKEW_WARN_SECONDS) return ok('clock', 'This machine and the service agree on the time.')
  const level = seconds > SKEW_FAIL_SECONDS ? fail : warn
  return level('clock', `This machine and the service are ${inWords(seconds)} apart.`, 'Set the clock (NTP).')
}
