import { readSocialLogin } from '../../api/social-login.ts'
import { readStatus } from '../../api/tenants.ts'
import { formatDuration } from '../../duration.ts'
import type { Command } from '../command.ts'
import type { CommandIo } from '../command-io.ts'

type Status = Awaited<ReturnType<typeof readStatus>>
type SocialLogin = Awaited<ReturnType<typeof readSocialLogin>>

export const status: Command = {
  name: 'status',
  synopsis: '',
  summary: 'show state, time left, login link, callbacks and usage against the limits',
  positionals: { min: 0, max: 0 },
  async run(io) {
    const project = await io.project()
    const report = await readStatus(project)
    // While a tenant is paused, its status is the only readable resource.
    const isUsable = report.status === 'ephemeral' || report.status === 'claimed'
    const socialLogin = isUsable && !io.json ? await readSocialLogin(project) : null
    io.printResult(report, () => lines(io, project.credentials.base_url, report, socialLogin))
    return undefined
  },
}

function lines({ colors }: CommandIo, service: string, report: Status, socialLogin: SocialLogin): string[] {
  const row = (name: string, text: string): string => `  ${colors.dim(name.padEnd(12))} ${text}`
  const { usage, next_limit: nextLimit } = report
  return [
    `${colors.bold(report.tenant_id)}  ${stateOf(report, colors)}`,
    row('Service', `${service} (${report.tier} tier, runtime profile ${report.runtime_profile})`),
    ...(socialLogin === null ? [] : [row('Login link', socialLogin.login_url)]),
    ...(socialLogin?.callback_urls ?? []).map((url, index) => row(index === 0 ? 'Callbacks' : '', url)),
    row('Users', used(usage.stored_users)),
    row('This minute', used(usage.events_this_minute, ' events')),
    row('This month', used(usage.events_this_month, ' events')),
    row('Lifetime', used(usage.events_lifetime, ' events')),
    ...(nextLimit?.warning ? [row('Warning', colors.yellow(nextLimit.warning))] : []),
    ...nextSteps(report).map((step, index) => row(index === 0 ? 'Next' : '', step)),
  ]
}

function stateOf({ status, seconds_left: left, pause_reason: reason }: Status, colors: CommandIo['colors']): string {
  if (status === 'claimed') return colors.green('claimed, does not expire')
  if (status === 'expired') return colors.red('expired')
  const time = `ends in ${formatDuration(left ?? 0)}`
  return status === 'paused' ? colors.red(`paused (${reason}), ${time}`) : colors.yellow(`guest, ${time}`)
}

const used = ({ used, limit }: { used: number; limit: number | null }, unit = ''): string =>
  `${used.toLocaleString('en')}${limit === null ? '' : ` of ${limit.toLocaleString('en')}`}${unit}`

function nextSteps({ status, resources }: Status): string[] {
  if (status === 'expired') return ['mv .service .service.old && gatehouse-local init']
  if (status === 'paused') return ['gatehouse-local claim']
  const steps = resources.length === 0 ? ['gatehouse-local provision <callback URL>'] : []
  return status === 'ephemeral' ? [...steps, 'gatehouse-local claim'] : steps
}
