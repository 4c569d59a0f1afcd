import { addAbortSignal } from 'node:stream'
import { text as readText } from 'node:stream/consumers'
import { FEEDBACK_MAX_CHARACTERS, FeedbackText } from '@gatehouse-auth/contract'
import { acceptsCodesOnly, describeLoginLink } from '../../api/login-link.ts'
import { type Action, loadUsage, newestActions } from '../../api/management.ts'
import { leaveFeedback, readSocialLogin, readStatus } from '../../api/tenants.ts'
import { newAppSecret } from '../../credentials/app-secret.ts'
import { formatDuration } from '../../duration.ts'
import { interrupted, interruption } from '../../interruption.ts'
import { commandLine, program } from '../../invocation.ts'
import { singleLine } from '../../problem.ts'
import { type AppLogin, findAppLogin } from '../../recipes/app-login.ts'
import { FRAMEWORKS } from '../../recipes/frameworks.ts'
import { type Command, parseInteger, usageProblem } from '../command.ts'
import type { CommandIo } from '../command-io.ts'

type Status = Awaited<ReturnType<typeof readStatus>>

interface SignIn {
  readonly callbacks: readonly string[]
  readonly logins: readonly Row[]
  readonly warnings: readonly string[]
}

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
    const callbacks = socialLogin?.callback_urls ?? []
    const codesOnly = socialLogin !== null && (await acceptsCodesOnly(project))
    const { refused, problem } = describeLoginLink(project, callbacks, codesOnly)
    const logins =
      socialLogin === null
        ? []
        : loginRows(socialLogin.login_url, refused, await findAppLogin(project.root, callbacks))
    const warnings = [report.next_limit?.warning || [], problem ?? []].flat()
    io.printResult(report, () =>
      lines(io, project.credentials.base_url, report, { callbacks, logins, warnings }),
    )
    return undefined
  },
}

function lines(
  { colors }: CommandIo,
  service: string,
  report: Status,
  { callbacks, logins, warnings }: SignIn,
): string[] {
  const row = (name: string, text: string): string => `  ${colors.dim(name.padEnd(12))} ${text}`
  const { usage } = report
  return [
    `${colors.bold(report.tenant_id)}  ${stateOf(report, colors)}`,
    row('Service', `${service} (${report.tier} tier, runtime profile ${report.runtime_profile})`),
    ...logins.map((each) => row(...each)),
    ...callbacks.map((url, index) => row(index === 0 ? 'Callbacks' : '', url)),
    row('Users', counted(usage.stored_users)),
    row('This minute', events(usage.events_this_minute, usage.login_starts_this_minute)),
    row('This month', events(usage.events_this_month, usage.login_starts_this_month)),
    row('Lifetime', used(usage.events_lifetime, 'event')),
    ...warnings.map((text, index) => row(index === 0 ? 'Warning' : '', colors.yellow(text))),
    ...nextSteps(report).map((step, index) => row(index === 0 ? 'Next' : '', step)),
  ]
}

type Row = readonly [name: string, text: string]

/** With the SDK or a recipe, users sign in at /login of the app. The login link is that of the service. */
function loginRows(
  loginUrl: string,
  refused: string | null,
  login: AppLogin | null,
): readonly Row[] {
  if (login !== null) {
    const { urls, isSpa } = login
    const page = isSpa ? FRAMEWORKS.vite.buttons[0] : '/login of your app'
    return (urls.length === 0 ? [page] : urls).map((each, index) => [
      index === 0 ? 'App login' : '',
      each,
    ])
  }
  return refused === null
    ? [
        [
          'Login link',
          `${loginUrl} (of the service; with the SDK or one of our recipes: /login of your app)`,
        ],
      ]
    : [
        ['Login link', loginUrl],
        ['', `${refused}.`],
      ]
}

function stateOf(
  { status, seconds_left: left, pause_reason: reason, suspension }: Status,
  colors: CommandIo['colors'],
): string {
  if (status === 'suspended') {
    return colors.red(`suspended by the operator: ${singleLine(suspension?.reason ?? '')}`)
  }
  if (status === 'claimed') {
    return colors.green('claimed, does not expire')
  }
  if (status === 'expired') {
    return colors.red('expired')
  }
  const time = `ends in ${formatDuration(left ?? 0)}`
  return status === 'paused'
    ? colors.red(`paused (${reason}), ${time}`)
    : colors.yellow(`guest, ${time}`)
}

type Allowance = Status['usage']['stored_users']

const counted = ({ used, limit }: Allowance): string =>
  limit === null
    ? used.toLocaleString('en')
    : `${used.toLocaleString('en')} of ${limit.toLocaleString('en')}`

const used = (allowance: Allowance, one: string, many = `${one}s`): string =>
  `${counted(allowance)} ${(allowance.limit ?? allowance.used) === 1 ? one : many}`

/** All events, and the login starts among them, which may use half of the limit. */
const events = (all: Allowance, starts: Allowance): string =>
  `${used(all, 'event')} (${used(starts, 'login start')})`

function nextSteps({ status, resources }: Status): string[] {
  if (status === 'expired') {
    return [`mv .service .service.old && ${commandLine('init')}`]
  }
  if (status === 'suspended') {
    return [commandLine('feedback')]
  }
  if (status === 'paused') {
    return [commandLine('claim')]
  }
  const steps = resources.length === 0 ? [commandLine('provision <callback URL>')] : []
  return status === 'ephemeral' ? [...steps, commandLine('claim')] : steps
}

export const usage: Command = {
  name: 'usage',
  synopsis: '',
  summary:
    "show users, sessions and events of all of the owner's projects against the limits of the account",
  details: [
    'One line per project, and the limits that they share. A guest has no owner: claim it first.',
  ],
  positionals: { min: 0, max: 0 },
  async run(io) {
    const report = await loadUsage(await io.project())
    const { tenants, usage } = report
    io.printResult(report, () => [
      ...tenants.map(
        ({ tenant_id, stored_users, active_sessions }) =>
          `${tenant_id}  ${amount(stored_users, 'user')}  ${amount(active_sessions, 'active session')}`,
      ),
      `All projects: ${used(usage.stored_users, 'user')}, ${used(usage.events_this_month, 'event')} this month, ${used(usage.events_this_minute, 'event')} this minute`,
    ])
    return undefined
  },
}

const amount = (count: number, one: string): string => used({ used: count, limit: null }, one)

const LIMIT_DEFAULT = 20
const LIMIT_MAX = 10_000

export const audit: Command = {
  name: 'audit',
  synopsis: '[--limit <n>]',
  summary: 'list the newest management actions: who changed what',
  details: [
    'One line per action, oldest first: when, what, on what, and by which key, account or agent. With --json: one API object per line.',
    '',
    `--limit <n>        number of actions, default ${LIMIT_DEFAULT}`,
  ],
  options: { limit: { type: 'string' } },
  positionals: { min: 0, max: 0 },
  async run(io, _positionals, { limit }) {
    const count = parseInteger(limit, 'limit', LIMIT_MAX) ?? LIMIT_DEFAULT
    const actions = await newestActions(await io.project(), Math.max(count, 1))
    for (const action of actions) {
      io.printResult(action, () => [line(io, action)])
    }
    if (actions.length === 0) {
      io.printNote('No actions in the last 90 days.')
    }
    return undefined
  },
}

function line({ colors }: CommandIo, { at_ms, action, target, actor }: Action): string {
  const at = new Date(at_ms).toISOString().replace('T', ' ').slice(0, 19)
  return `${colors.dim(`${at}Z`)}  ${action.padEnd(24)}  ${singleLine([...(target === null ? [] : [target]), actor].join('  '))}`
}

export const env: Command = {
  name: 'env',
  synopsis: '[--secret]',
  summary: 'print the environment variables that your app needs; never the keys',
  details: [
    'In the format of .env files: GATEHOUSE_URL and GATEHOUSE_TENANT, which are not secret. On the machine where .service is,',
    'the recipes read both from the file.',
    '',
    '--secret           also generate GATEHOUSE_SECRET, for the option `secret` of the SDK: the same for all processes of the app.',
    '                   Not the one that init wrote, which is for this machine',
  ],
  options: { secret: { type: 'boolean' } },
  positionals: { min: 0, max: 0 },
  async run(io, _positionals, { secret }) {
    const { base_url, tenant_id } = (await io.project()).credentials
    const variables = {
      GATEHOUSE_URL: base_url,
      GATEHOUSE_TENANT: tenant_id,
      ...(secret === true ? { GATEHOUSE_SECRET: newAppSecret() } : {}),
    }
    io.printResult(variables, () =>
      Object.entries(variables).map(([name, value]) => `${name}=${value}`),
    )
    if (secret === true) {
      io.printNote('GATEHOUSE_SECRET is new and stored nowhere. Keep it out of version control.')
    }
    return undefined
  },
}

export const feedback: Command = {
  name: 'feedback',
  synopsis: '[text…]',
  summary: 'send feedback to the operator of the service',
  details: [
    `At most ${FEEDBACK_MAX_CHARACTERS.toLocaleString('en')} characters. Without an argument, the text is read from standard input.`,
    'Also works while the tenant is paused.',
  ],
  positionals: { min: 0, max: Number.POSITIVE_INFINITY },
  async run(io, positionals) {
    const project = await io.project()
    const isArgument = positionals.length > 0
    if (!isArgument && process.stdin.isTTY) {
      throw usageProblem(`Usage: ${program()} feedback <text…>`, 'feedback')
    }
    const parsed = FeedbackText.safeParse(isArgument ? positionals.join(' ') : await readInput())
    if (!parsed.success) {
      throw usageProblem(parsed.error.issues[0]?.message ?? 'The text is not valid.', 'feedback')
    }
    const response = await leaveFeedback(project, parsed.data)
    io.printResult(response, () => [`${io.colors.green('✓')} Feedback sent. Thank you.`])
    return undefined
  },
}

async function readInput(): Promise<string> {
  try {
    return await readText(addAbortSignal(interruption, process.stdin))
  } catch (error) {
    throw interruption.aborted ? interrupted('Nothing was sent.') : error
  }
}
