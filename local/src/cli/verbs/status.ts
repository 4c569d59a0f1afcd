import { readSocialLogin } from '../../api/social-login.ts'
import { readStatus } from '../../api/tenants.ts'
import { inWords } from '../../duration.ts'
import type { CommandIo } from '../desk.ts'
import type { Verb } from '../verb.ts'

type Status = Awaited<ReturnType<typeof readStatus>>
type SocialLogin = Awaited<ReturnType<typeof readSocialLogin>>

export const status: Verb = {
  name: 'status',
  takes: '',
  summary: 'state, time left, what is set up, and usage against the limits',
  words: { min: 0, max: 0 },
  async run(io) {
    const project = await io.project()
    const report = await readStatus(project)
    // A paused tenant tells its status, and nothing else.
    const isUsable = report.status === 'ephemeral' || report.status === 'claimed'
    const socialLogin = isUsable && !io.json ? await readSocialLogin(project) : null
    io.response(report, () => lines(io, project.credentials.base_url, report, socialLogin))
    return undefined
  },
}

function lines({ paint }: CommandIo, service: string, report: Status, socialLogin: SocialLogin): string[] {
  const row = (name: string, text: string): string => `  ${paint.dim(name.padEnd(12))} ${text}`
  const { usage, next_limit: nextLimit } = report
  return [
    `${paint.bold(report.tenant_id)}  ${stateOf(report, paint)}`,
    row('Service', `${service} (${report.tier} tier, runtime profile ${report.runtime_profile})`),
    ...(socialLogin === null ? [] : [row('Login link', socialLogin.login_url)]),
    ...(socialLogin?.callback_urls ?? []).map((url, at) => row(at === 0 ? 'Callbacks' : '', url)),
    row('Users', used(usage.stored_users)),
    row('This minute', used(usage.events_this_minute, ' events')),
    row('This month', used(usage.events_this_month, ' events')),
    row('Lifetime', used(usage.events_lifetime, ' events')),
    ...(nextLimit?.warning ? [row('Soon', paint.yellow(nextLimit.warning))] : []),
    ...nextSteps(report).map((step, at) => row(at === 0 ? 'Next' : '', step)),
  ]
}

function stateOf({ status, seconds_left: left, pause_reason: reason }: Status, paint: CommandIo['paint']): string {
  if (status === 'claimed') return paint.green('owned, does not expire')
  if (status === 'expired') return paint.red('ended')
  const time = `ends in ${inWords(left ?? 0)}`
  return status === 'paused' ? paint.red(`paused (${reason}), ${time}`) : paint.yellow(`guest, ${time}`)
}

const used = ({ used, limit }: { used: number; limit: number | null }, what = ''): string =>
  `${used.toLocaleString('en')}${limit === null ? '' : ` of ${limit.toLocaleString('en')}`}${what}`

function nextSteps({ status, resources }: Status): string[] {
  if (status === 'expired') return ['mv .service .service.old, then gatehouse-local init']
  if (status === 'paused') return ['gatehouse-local claim']
  const steps = resources.length === 0 ? ['gatehouse-local provision <callback url>'] : []
  return status === 'ephemeral' ? [...steps, 'gatehouse-local claim'] : steps
}
