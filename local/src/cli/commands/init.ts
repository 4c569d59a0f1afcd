import { existsSync } from 'node:fs'
import path from 'node:path'
import { issuerOf as issuerOfTenant } from '@gatehouse-auth/contract'
import { signOut as endSignIn, openBrowser, signIn } from '../../account/sign-in.ts'
import { accountToken } from '../../account/token-request.ts'
import { readProjectIfPresent } from '../../credentials/project.ts'
import { formatDuration } from '../../duration.ts'
import { commandLine } from '../../invocation.ts'
import { hasScopeLine, npmrcOf, registrySetting } from '../../npm-registry.ts'
import { nextStep, Problem } from '../../problem.ts'
import { accountOrGuest, type Creator, createTenant } from '../../project/create-tenant.ts'
import type { CreatedTenant } from '../../project/reuse-tenant.ts'
import { findApp } from '../../recipes/find-app.ts'
import {
  FRAMEWORK_NAMES,
  FRAMEWORKS,
  type Framework,
  type FrameworkName,
  isFramework,
} from '../../recipes/frameworks.ts'
import {
  type AppSetup,
  agentsSection,
  openIdAgentsSection,
  setUpApp,
  testCommands,
  writeAgentsSection,
} from '../../recipes/set-up-app.ts'
import {
  isRailsApp,
  type OpenIdApp,
  openIdApp,
  setUpOpenId,
  usesLibrary,
} from '../../recipes/set-up-openid.ts'
import {
  type Command,
  type Options,
  parseInteger,
  SERVICE_OPTION,
  usageProblem,
} from '../command.ts'
import type { CommandIo } from '../command-io.ts'
import type { Finding } from '../doctor/files.ts'
import { EXIT_CODES } from '../exit-codes.ts'
import { findingLines, runChecks } from './doctor.ts'
import { additionLines, callbackLine, openIdLines, recommendationLines } from './openid-lines.ts'

export const init: Command = {
  name: 'init',
  synopsis: '[--framework <name>] [--openid] [--port <n> | --callback <url>] [--account | --guest]',
  summary:
    'create a tenant for this project, write its .service file, and set up sign-in in its app',
  details: [
    'Adds .service to .gitignore, then writes it with mode 0600 into the current folder (or --project).',
    'If the project already has a tenant, keeps it. Never overwrites an existing file.',
    'Writes the registry of the service into .npmrc, so that npm and npx find its packages.',
    'If the folder has an app, recognizes its framework, port and start command, registers its callback, prints the lines to',
    'add and where, and ends with doctor. Changes no file of the app. Writes a section about sign-in into AGENTS.md.',
    'Also writes GATEHOUSE_SECRET, with which a session of your app survives a lost response: into .service.secret, which',
    'the recipes read, or into .env.local for Next.js. A secret that the project has is kept.',
    'For Django, Flask, FastAPI, Sinatra, PHP and Go it also prints the lines of a well-kept OpenID library, which is the better choice',
    'there. For Rails, and with --openid, it writes no recipe, prints issuer, client id and where the secret is for any OpenID',
    'library, and sets callback_mode to code, so that no URL has a token.',
    '',
    `--framework <name> name the framework: ${FRAMEWORK_NAMES.join(', ')}.`,
    '                   In a folder without an app, writes a small one; in other folders example pages, too',
    '--openid           sign in with an OpenID library instead of our SDK or a recipe, in any framework or language',
    '--port <n>         the port of your development server, for the callback (default: that of --callback, or of the project)',
    '--callback <url>   the callback URL of your app (default: http://localhost:<port>/auth/callback)',
    '--account          sign in with Google in the browser first: your account owns the tenant, and it does not expire',
    '--guest            create a guest tenant that ends after 72 hours, even if you are signed in on this machine',
    '--no-open          print the sign-in URL without opening a browser',
    '--service <url>    the service (default: GATEHOUSE_URL, the one that this package came from, or http://localhost:8787)',
  ],
  options: {
    ...SERVICE_OPTION,
    framework: { type: 'string' },
    openid: { type: 'boolean' },
    port: { type: 'string' },
    callback: { type: 'string' },
    account: { type: 'boolean' },
    guest: { type: 'boolean' },
    'no-open': { type: 'boolean' },
  },
  positionals: { min: 0, max: 0 },
  async run(io, _positionals, options) {
    if (options.account === true && options.guest === true) {
      throw usageProblem('Choose --account or --guest, not both.', 'init')
    }
    const named = frameworkOf(options)
    const callback = callbackOf(options)
    const port = parseInteger(options.port, 'port', PORT_MAX, 1) ?? portOf(callback)
    const root = await io.namedRoot()
    const isRails = named === undefined && (await isRailsApp(root))
    const app = isRails ? null : await findApp(root, named, port)
    const name = named ?? app?.name
    const isOpenId = isRails || options.openid === true
    if (named !== undefined && app === null && !isOpenId) {
      requireApp(io, root, named)
    }

    const tenant = await tenantFor(io, root, options, name)
    const forLibrary = openIdApp(isRails ? 'rails' : name, app)
    if (isOpenId || (await usesLibrary(root, forLibrary, issuerOf(tenant)))) {
      return initOpenId(io, { root, tenant, app: forLibrary, port, callback })
    }
    if (name === undefined) {
      io.printResult(withNpmrc(root, tenant), () => [
        ...tenantLines(io, root, tenant),
        ...nextLines(tenant),
      ])
      return undefined
    }

    const isNamed = named !== undefined
    const setup = await setUpApp({ root, name, app, isNamed, port, callback })
    const agents = await writeAgentsSection(root, agentsSection(tenant.base_url, setup))
    const checks = await runChecks(io, root)
    const result = { ...withNpmrc(root, tenant), framework: setup, agents_file: agents, checks }
    io.printResult(result, () => [
      ...tenantLines(io, root, tenant),
      agentsLine(io, agents),
      ...setupLines(io, tenant, setup),
      ...checkLines(io, checks),
    ])
    return exitCodeOf(checks)
  },
}

interface OpenIdInit {
  readonly root: string
  readonly tenant: CreatedTenant
  readonly app: OpenIdApp
  readonly port: number | undefined
  readonly callback: string | undefined
}

/** Sets up sign-in with an OpenID library: writes no file of an app. */
async function initOpenId(io: CommandIo, options: OpenIdInit): Promise<number | undefined> {
  const { root, tenant, app } = options
  const openid = await setUpOpenId(options)
  const agents = await writeAgentsSection(root, openIdAgentsSection(tenant.base_url, openid))
  const checks = await runChecks(io, root)
  const start = app.start === null ? [] : [app.start]
  const result = { ...withNpmrc(root, tenant), openid, agents_file: agents, checks }
  io.printResult(result, () => [
    ...tenantLines(io, root, tenant),
    agentsLine(io, agents),
    ...openIdLines(io, app, openid),
    '',
    io.colors.bold('Next'),
    ...(openid.library === null ? [] : [`  ${openid.library.install}`]),
    ...[...start, ...claimSteps(tenant)].map((step) => `  ${step}`),
    ...checkLines(io, checks),
  ])
  return exitCodeOf(checks)
}

const issuerOf = ({ base_url, tenant_id }: CreatedTenant): string =>
  issuerOfTenant(base_url, tenant_id)

const exitCodeOf = (checks: readonly Finding[]): number | undefined =>
  checks.some(({ level }) => level === 'fail') ? EXIT_CODES.failed : undefined

/** In an empty folder, the recipe of some frameworks is no app, and their own command refuses a folder with our files. */
function requireApp(io: CommandIo, root: string, name: FrameworkName): void {
  const { label, create }: Framework = FRAMEWORKS[name]
  const { service, serviceIsExplicit } = io.service
  const isEmpty = !['package.json', 'deno.json', 'deno.jsonc'].some((file) =>
    existsSync(path.join(root, file)),
  )
  if (create === undefined || !isEmpty) {
    return
  }
  const named = serviceIsExplicit ? ` --service ${service}` : ''
  const again = commandLine(`init --framework ${name}${named}`)
  throw new Problem(
    'appMissing',
    `There is no ${label} app in this folder, and sign-in needs one. Nothing was created.`,
    nextStep(`Run: ${create}. Then run this again: ${again}`),
  )
}

/** The tenant of the project, or a new one. */
async function tenantFor(
  io: CommandIo,
  root: string,
  options: Options,
  name: FrameworkName | undefined,
): Promise<CreatedTenant> {
  const { envFile }: Partial<Framework> = name === undefined ? {} : FRAMEWORKS[name]
  const { service, serviceIsExplicit } = io.service
  const creator = options.guest === true ? guest : () => accountOrGuest(service)
  const onWait = (): void =>
    io.printNote('Another program is creating a tenant for this project: waiting to use it…')
  const create = (): Promise<CreatedTenant> =>
    createTenant({ root, service, serviceIsExplicit, creator, envFile, onWait })
  if (options.account !== true) {
    return create()
  }
  const signIn = (): Promise<void> => signInWithBrowser(io, service, options['no-open'] !== true)
  return createOwned({ root, service, create, signIn })
}

/** `npmrc_file`: null if the line could not be written. */
function withNpmrc(root: string, tenant: CreatedTenant) {
  const hasLine = hasScopeLine(root, tenant.base_url)
  return { ...tenant, npmrc_file: hasLine ? npmrcOf(root) : null }
}

const PORT_MAX = 65_535

function frameworkOf({ framework }: Options): FrameworkName | undefined {
  if (framework === undefined || isFramework(framework)) {
    return framework
  }
  throw usageProblem(`--framework must be one of ${FRAMEWORK_NAMES.join(', ')}.`, 'init')
}

const CALLBACK_PATH = /^\/[\w./-]+$/

function callbackOf({ callback }: Options): string | undefined {
  if (callback === undefined) {
    return undefined
  }
  const url = URL.canParse(String(callback)) ? new URL(String(callback)) : null
  if (
    url !== null &&
    /^https?:$/.test(url.protocol) &&
    CALLBACK_PATH.test(url.pathname) &&
    url.search === ''
  ) {
    return url.href
  }
  throw usageProblem(
    '--callback must be a URL of your app, such as http://localhost:3000/auth/callback.',
    'init',
  )
}

/** The port of a callback on this machine, where the app must listen. */
function portOf(callback: string | undefined): number | undefined {
  const { protocol, port } = new URL(callback ?? 'https://unknown')
  return protocol === 'http:' && port !== '' ? Number(port) : undefined
}

const guest = async (): Promise<Creator> => ({ kind: 'guest' })

interface Owned {
  readonly root: string
  readonly service: string
  create(): Promise<CreatedTenant>
  signIn(): Promise<void>
}

/** Signs in if there is no account token, or if the service rejects it; not if the project already has a tenant. */
async function createOwned({ root, service, create, signIn }: Owned): Promise<CreatedTenant> {
  try {
    if ((await readProjectIfPresent(root)) === null && (await accountToken(service)) === null) {
      await signIn()
    }
    return await create()
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== 'signInNeeded') {
      throw error
    }
    await signIn()
    return create()
  }
}

async function signInWithBrowser(
  io: CommandIo,
  service: string,
  opensBrowser: boolean,
): Promise<void> {
  let waiting = { stop: () => {} }
  const showUrl = (url: string): void => {
    io.printNote(`Sign in with your browser:\n\n  ${url}\n`)
    if (opensBrowser) {
      openBrowser(url)
    }
    waiting = io.spinner('Waiting for you to sign in and allow access…')
  }
  try {
    await signIn(service, { showUrl })
  } finally {
    waiting.stop()
  }
  io.printNote('Signed in.')
}

function tenantLines(io: CommandIo, root: string, tenant: CreatedTenant): string[] {
  const { colors } = io
  const { reused, base_url: service } = tenant
  const did = reused ? 'This project already has' : 'Created'
  const npmrc = npmrcOf(root)
  return [
    `${colors.green('✓')} ${did} tenant ${colors.bold(tenant.tenant_id)} (${expiryOf(tenant)}).`,
    `  Credentials  ${tenant.credentials_path} (mode 0600, in .gitignore)`,
    `  App secret   ${tenant.secret_path} (GATEHOUSE_SECRET)`,
    `  Service      ${service}`,
    hasScopeLine(root, service)
      ? `  Registry     ${npmrc} (npm gets @gatehouse-auth/… from the service)`
      : `  ${colors.yellow('skipped')}      ${npmrc}: add the line ${registrySetting(service)}`,
  ]
}

function expiryOf({ expires_at }: CreatedTenant): string {
  if (expires_at === null) {
    return 'claimed, does not expire'
  }
  const left = (Date.parse(expires_at) - Date.now()) / 1_000
  return `guest, ends in ${formatDuration(left)}`
}

/** For a project without an app that init knows. */
const nextLines = ({ reused, base_url }: CreatedTenant): string[] => [
  `  Next         ${commandLine(reused ? 'status' : 'provision http://localhost:3000/auth/callback')}`,
  `               How to add sign-in to your app: ${base_url}/docs/recipes.md`,
  `               With an OpenID library: ${commandLine('init --openid')}`,
]

const agentsLine = ({ colors }: CommandIo, agents: string | null): string =>
  agents === null
    ? `  ${colors.yellow('skipped')}      AGENTS.md: it is not a regular file that you can change, not UTF-8, or its section has no end`
    : `  For agents   ${agents} (section about sign-in)`

/** What init wrote and skipped, and the steps from here to the first sign-in. */
function setupLines(io: CommandIo, tenant: CreatedTenant, setup: AppSetup): string[] {
  const { colors } = io
  const { name, label, exists, entry, skipped, note } = setup
  const framework: Framework = FRAMEWORKS[name]
  const comparison = `${tenant.base_url}/docs/recipes/${framework.recipe ?? name}`
  const lines = [`  App          ${label}${entry === null ? '' : ` (${entry})`}`]

  for (const file of setup.written) {
    lines.push(`  ${colors.green('wrote')}        ${file}`)
  }
  for (const each of skipped) {
    lines.push(`  ${colors.yellow('skipped')}      ${each.file}: ${same(each.file, each.exists)}`)
  }
  if (skipped.length > 0) {
    lines.push(`               Compare with ${comparison}`)
  }

  lines.push(callbackLine(io, setup))
  if (setup.openid?.library) {
    const { name: library } = setup.openid.library
    lines.push(`  Choose       ${library} (recommended: its lines are below), or this recipe`)
  }
  for (const addition of setup.additions) {
    lines.push(...additionLines(io, addition))
  }
  if (note !== null) {
    lines.push('', note)
  }

  // The recipe of an SPA has no page: it needs them in a new app, too. A skipped file is of an app in an unknown file.
  const needsUsage = exists || skipped.length > 0 || framework.buttons !== undefined
  if (needsUsage) {
    lines.push('', ...usageLines(framework))
  }

  if (setup.openid !== null) {
    lines.push('', ...recommendationLines(io, setup.openid))
  }

  lines.push('', colors.bold('Next'))
  for (const step of stepsFrom(tenant, setup)) {
    lines.push(`  ${step}`)
  }
  return lines
}

/** The commands from here to the first sign-in, and to keeping the project. */
function stepsFrom(tenant: CreatedTenant, setup: AppSetup): string[] {
  const steps = [...(setup.install === null ? [] : [setup.install]), setup.start]
  const { buttons }: Framework = FRAMEWORKS[setup.name]
  if (buttons === undefined) {
    steps.push(`${commandLine('dev')}   # opens /login of the app`)
    steps.push(...commented(testCommands(tenant.base_url, setup.callback_url)))
  }
  return [...steps, ...claimSteps(tenant)]
}

const claimSteps = ({ expires_at }: CreatedTenant): string[] =>
  expires_at === null
    ? []
    : [`${commandLine('claim --no-wait')}   # a link with which your user keeps the project`]

const commented = (commands: readonly string[]): string[] =>
  commands.map((command, at) => `${command}   # ${TEST_COMMENTS[at]}`)

const TEST_COMMENTS = [
  'or without a browser, as any email address, if the service has no GOOGLE_CLIENT_ID',
  'then as this person; send the Origin with a POST',
]

const BUTTONS = [
  '<a href="/login">Sign in</a>, a full page load; /login?return_to=/path returns there',
  '<form method="post" action="/logout"><button>Sign out</button></form>',
] as const

/** What an app needs of its own, beside the recipe. */
function usageLines({ user, fields = FIELDS, guard, buttons }: Framework): string[] {
  const [signIn, signOut] = buttons ?? BUTTONS
  const lines = [
    'In your pages:',
    `  Sign in      ${signIn}`,
    `  Sign out     ${signOut}`,
    `  User         ${user}: ${fields} if signed out`,
  ]
  const rows =
    '  Rows         store them by the id of the user, an integer, not by email, which can change'
  const failures = '  Failures     a user who cancels or is refused sees'

  // Nothing guards requests to the server of an SPA.
  const isSpa = buttons !== undefined
  if (isSpa) {
    return [
      ...lines,
      `  Guard        ${guard}`,
      rows,
      `${failures} what happened, and a button to sign in: nothing to add`,
    ]
  }
  return [
    ...lines,
    `  Guard        ${guard}; a signed-out POST is not repeated after the sign-in`,
    rows,
    '  Posts        from pages of other origins get 403: nothing to add',
    `${failures} why, and can try again: nothing to add`,
  ]
}

const FIELDS = '{ id, email, name, picture }, name and picture possibly null; or null'

const same = (file: string, exists: string): string =>
  file === exists ? 'it exists' : `${exists} exists`

/** The checks of doctor that need attention. */
function checkLines(io: CommandIo, checks: readonly Finding[]): string[] {
  const open = checks.filter(({ level }) => level !== 'ok')
  return [
    '',
    `${io.colors.bold('Doctor')}: ${checks.length - open.length} of ${checks.length} checks ok`,
  ].concat(open.flatMap((finding) => findingLines(io, finding)).map((line) => `  ${line}`))
}

export const signOut: Command = {
  name: 'sign-out',
  synopsis: '[--service <url>]',
  summary: 'sign out the account of init --account on this machine',
  options: SERVICE_OPTION,
  positionals: { min: 0, max: 0 },
  async run(io) {
    const { service } = io.service
    const result = await endSignIn(service)
    io.printResult({ service, result }, () => [
      result === 'not-signed-in'
        ? `You are not signed in to ${service} on this machine.`
        : `${io.colors.green('✓')} Signed out of ${service}. Projects and their keys are not changed.`,
      ...(result === 'signed-out-here-only'
        ? [`  The service could not be reached. Revoke the access there too: ${service}/account`]
        : []),
    ])
    return undefined
  },
}
