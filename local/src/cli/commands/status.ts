import { readSocialLogin } from '../../api/social-login.ts'
import { readStatus } from '../../api/tenants.ts'
import { wildcardProblem } from '../../api/wildcard-callbacks.ts'
import { formatDuration } from '../../duration.ts'
import { commandLine } from '../../invocation.ts'
import { appLoginUrls } from '../../project/app-login.ts'
import { singleLine } from '../../redact.ts'
import type { Command } from '../command.ts'
import type { CommandIo } from '../command-io.ts'

type Status = Awaited<ReturnType<typeof readStatus>>
type SocialLogin = Awaited<ReturnType<typeof readSocialLogin>>

export const status: Command = {
  name: 'status',
  synopsis: '',
  summary: 'show state, time left, where users sign in, callbacks and usage against the limits',
  positionals: { min: 0, max: 0 },
  async run(io) {
    const project = await io.project()
    const report = await readStatus(project)
    // While a tenant is paused, its status is the only readable resource.
    const isUsable = report.status === 'ephemeral' || report.status === 'claimed'
    const socialLogin = isUsable && !io.json ? await readSocialLogin(project) : null
    const appLogins = socialLogin === null ? null : await appLoginUrls(project.root, socialLogin.callback_urls)
    io.printResult(report, () => lines(io, project.credentials.base_url, report, socialLogin, appLogins))
    return undefined
  },
}

function lines(
  { colors }: CommandIo,
  service: string,
  report: Status,
  socialLogin: SocialLogin,
  appLogins: readonly string[] | null,
): string[] {
  const row = (name: string, text: string): string => `  ${colors.dim(name.padEnd(12))} ${text}`
  const { usage } = report
  return [
    `${colors.bold(report.tenant_id)}  ${stateOf(report, colors)}`,
    row('Service', `${service} (${report.tier} tier, runtime profile ${report.runtime_profile})`),
    ...(socialLogin === null ? [] : loginRows(socialLogin.login_url, appLogins)).map((each) => row(...each)),
    ...(socialLogin?.callback_urls ?? []).map((url, index) => row(index === 0 ? 'Callbacks' : '', url)),
    row('Users', counted(usage.stored_users)),
    row('This minute', events(usage.events_this_minute, usage.authenticated_events_this_minute)),
    row('This month', events(usage.events_this_month, usage.authenticated_events_this_month)),
    row('Lifetime', used(usage.events_lifetime, 'event')),
    ...warningsOf(report, socialLogin).map((text, index) => row(index === 0 ? 'Warning' : '', colors.yellow(text))),
    ...nextSteps(report).map((step, index) => row(index === 0 ? 'Next' : '', step)),
  ]
}

/** With the SDK, users sign in at /login of the app. The login link is that of the service. */
const loginRows = (loginUrl: string, appLogins: readonly string[] | null): [name: string, text: string][] =>
  appLogins === null
    ? [['Login link', `${loginUrl} (of the service; with an adapter of the SDK: /login of your app)`]]
    : [...appLogins, ...(appLogins.length === 0 ? ['/login of your app'] : [])].map((url, index) => [
        index === 0 ? 'App login' : '',
        url,
      ])

function stateOf(
  { status, seconds_left: left, pause_reason: reason, suspension }: Status,
  colors: CommandIo['colors'],
): string {
  if (status === 'suspended') return colors.red(`suspended by the operator: ${singleLine(suspension?.reason ?? '')}`)
  if (status === 'claimed') return colors.green('claimed, does not expire')
  if (status === 'expired') return colors.red('expired')
  const time = `ends in ${formatDuration(left ?? 0)}`
  return status === 'paused' ? colors.red(`paused (${reason}), ${time}`) : colors.yellow(`guest, ${time}`)
}

type Allowance = Status['usage']['stored_users']

const counted = ({ used, limit }: Allowance): string =>
  limit === null ? used.toLocaleString('en') : `${used.toLocaleString('en')} of ${limit.toLocaleString('en')}`

const used = (allowance: Allowance, one: string, many = `${one}s`): string =>
  `${counted(allowance)} ${(allowance.limit ?? allowance.used) === 1 ? one : many}`

/** All events, which limit new logins, and those of signed-in users, which have the limit to themselves. */
const events = (all: Allowance, authenticated: Allowance): string =>
  `${used(all, 'event')} (${used(authenticated, 'sign-in or refresh', 'sign-ins and refreshes')})`

const warningsOf = ({ next_limit: limit }: Status, socialLogin: SocialLogin): string[] =>
  [limit?.warning ? limit.warning : [], wildcardProblem(socialLogin?.callback_urls ?? []) ?? []].flat()

function nextSteps({ status, resources }: Status): string[] {
  if (status === 'expired') return [`mv .service .service.old && ${commandLine('init')}`]
  if (status === 'suspended') return [commandLine('feedback')]
  if (status === 'paused') return [commandLine('claim')]
  const steps = resources.length === 0 ? [commandLine('provision <callback URL>')] : []
  return status === 'ephemeral' ? [...steps, commandLine('claim')] : steps
}
