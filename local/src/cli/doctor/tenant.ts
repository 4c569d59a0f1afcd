import { readSocialLogin } from '../../api/social-login.ts'
import { readStatus } from '../../api/tenants.ts'
import type { Project } from '../../credentials/read.ts'
import { inWords } from '../../duration.ts'
import { Problem } from '../../problem.ts'
import { type Finding, fail, failed, ok, warn } from './finding.ts'

type Status = Awaited<ReturnType<typeof readStatus>>

const SOON_SECONDS = 24 * 3_600

export async function checkTenant(project: Project): Promise<readonly Finding[]> {
  let status: Status
  try {
    status = await readStatus(project)
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    return [failed('tenant', error)]
  }
  const isSame = status.tenant_id === project.credentials.tenant_id
  if (!isSame) return [fail('tenant', 'The key in .service is of another tenant.', 'Restore the file as it was.')]
  const isUsable = status.status === 'ephemeral' || status.status === 'claimed'
  return [checkState(status), ...(isUsable ? [await checkCallbacks(project)] : []), ...checkLimits(status)]
}

function checkState({ status, seconds_left: left, pause_reason: reason }: Status): Finding {
  if (status === 'claimed') return ok('tenant', 'It is owned and does not expire.')
  if (status === 'expired') {
    return fail('tenant', 'It has ended.', 'mv .service .service.old, then gatehouse-local init')
  }
  if (status === 'paused') return fail('tenant', `It is paused (${reason}).`, 'gatehouse-local claim')
  const time = `It is a guest that ends in ${inWords(left ?? 0)}.`
  return (left ?? 0) < SOON_SECONDS ? warn('tenant', time, 'gatehouse-local claim') : ok('tenant', time)
}

async function checkCallbacks(project: Project): Promise<Finding> {
  const urls = (await readSocialLogin(project))?.callback_urls ?? []
  if (urls.length === 0) {
    const fix = 'gatehouse-local provision <callback url>'
    return warn('callbacks', 'Social login is not set up, so nobody can sign in.', fix)
  }
  const remote = urls.filter((url) => !/^http:/.test(url))
  const count = `${urls.length} callback URL${urls.length === 1 ? '' : 's'}`
  if (remote.length > 0) return ok('callbacks', `${count} registered.`)
  return warn(
    'callbacks',
    `${count}, only on this machine.`,
    'Before you publish: gatehouse-local provision --add <url>',
  )
}

function checkLimits({ next_limit: limit }: Status): Finding[] {
  if (!limit?.warning) return []
  const run = `${limit.used} of ${limit.limit} used (${limit.allowance}).`
  return [warn('limits', run, limit.warning)]
}
