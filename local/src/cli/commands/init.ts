import { signOut as endSignIn, openBrowser, signIn } from '../../account/sign-in.ts'
import { accountToken } from '../../account/token-request.ts'
import { provision, readSocialLogin } from '../../api/tenants.ts'
import { readPending } from '../../credentials/draft.ts'
import { readProject, readProjectIfPresent } from '../../credentials/project.ts'
import { formatDuration } from '../../duration.ts'
import { commandLine } from '../../invocation.ts'
import { Problem } from '../../problem.ts'
import { accountOrGuest, type Creator, createTenant } from '../../project/create-tenant.ts'
import type { CreatedTenant } from '../../project/reuse-tenant.ts'
import {
  callbackOf,
  FRAMEWORK_NAMES,
  FRAMEWORKS,
  type Framework,
  type FrameworkName,
  isFramework,
} from '../../recipes/frameworks.ts'
import { type WrittenRecipe, writeRecipe } from '../../recipes/write-recipe.ts'
import { type Command, type Options, SERVICE_OPTION, usageProblem } from '../command.ts'
import type { CommandIo } from '../command-io.ts'

export const init: Command = {
  name: 'init',
  synopsis: '[--framework <name>] [--account | --guest]',
  summary: 'create a tenant for this project and write its .service file',
  details: [
    'Adds .service to .gitignore, then writes it with mode 0600 into the current folder (or --project).',
    'If the project already has a tenant, keeps it. Never overwrites an existing file.',
    'Also writes GATEHOUSE_SECRET, with which a session of your app survives a lost response: into .service.secret, which',
    'the recipes read, or into .env.local for Next.js. A secret that the project has is kept.',
    '',
    `--framework <name> also write its route files, without overwriting any: ${FRAMEWORK_NAMES.join(', ')}`,
    '                   registers the callback URL of its development server, unless some are registered already',
    '--account          sign in with Google in the browser first: your account owns the tenant, and it does not expire',
    '--guest            create a guest tenant that ends after 72 hours, even if you are signed in on this machine',
    '--no-open          print the sign-in URL without opening a browser',
    '--service <url>    the service (default: GATEHOUSE_URL, the one that served this package, or http://localhost:8787)',
  ],
  options: {
    ...SERVICE_OPTION,
    framework: { type: 'string' },
    account: { type: 'boolean' },
    guest: { type: 'boolean' },
    'no-open': { type: 'boolean' },
  },
  positionals: { min: 0, max: 0 },
  async run(io, _positionals, options) {
    if (options.account === true && options.guest === true)
      throw usageProblem('Choose --account or --guest, not both.', 'init')
    const framework = frameworkOf(options)
    const { envFile }: Partial<Framework> = framework === undefined ? {} : FRAMEWORKS[framework]
    const { service, serviceIsExplicit } = io.service
    const root = await io.namedRoot()
    const creator = options.guest === true ? guest : () => accountOrGuest(service)
    const onWait = (): void => io.printNote('Another program is creating a tenant for this project: waiting to use it…')
    const create = (): Promise<CreatedTenant> =>
      createTenant({ root, service, serviceIsExplicit, creator, envFile, onWait })
    const signIn = (): Promise<void> => signInWithBrowser(io, root, service, options['no-open'] !== true)
    const created = options.account === true ? await createOwned({ root, service, create, signIn }) : await create()
    const setup = framework === undefined ? undefined : await setUpFramework(root, framework)
    io.printResult({ ...created, ...(setup === undefined ? {} : { framework: setup }) }, () =>
      lines(io, created, setup),
    )
    return undefined
  },
}

function frameworkOf({ framework }: Options): FrameworkName | undefined {
  if (framework === undefined || isFramework(framework)) return framework
  throw usageProblem(`--framework must be one of ${FRAMEWORK_NAMES.join(', ')}.`, 'init')
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
    if ((await readProjectIfPresent(root)) === null && (await accountToken(service)) === null) await signIn()
    return await create()
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== 'signInNeeded') throw error
    await signIn()
    return create()
  }
}

async function signInWithBrowser(io: CommandIo, root: string, service: string, opensBrowser: boolean): Promise<void> {
  const pending = await readPending(root)
  const clientId = pending?.service === service ? pending.clientId : undefined
  let waiting = { stop: () => {} }
  const showUrl = (url: string): void => {
    io.printNote(`Sign in with your browser:\n\n  ${url}\n`)
    if (opensBrowser) openBrowser(url)
    waiting = io.spinner('Waiting for you to sign in and allow access…')
  }
  try {
    await signIn(service, { showUrl, ...(clientId === undefined ? {} : { clientId }) })
  } finally {
    waiting.stop()
  }
  io.printNote('Signed in.')
}

function lines(io: CommandIo, tenant: CreatedTenant, setup: FrameworkSetup | undefined): string[] {
  const { colors } = io
  const name = colors.bold(tenant.tenant_id)
  const left = tenant.expires_at === null ? 0 : (Date.parse(tenant.expires_at) - Date.now()) / 1_000
  const expiry = tenant.expires_at === null ? 'claimed, does not expire' : `guest, ends in ${formatDuration(left)}`
  return [
    `${colors.green('✓')} ${tenant.reused ? 'This project already has' : 'Created'} tenant ${name} (${expiry}).`,
    `  Credentials  ${tenant.credentials_path} (mode 0600, in .gitignore)`,
    `  App secret   ${tenant.secret_path} (GATEHOUSE_SECRET)`,
    `  Service      ${tenant.base_url}`,
    ...(setup === undefined
      ? [`  Next         ${commandLine(tenant.reused ? 'status' : 'provision http://localhost:3000/auth/callback')}`]
      : frameworkLines(io, tenant.base_url, setup)),
  ]
}

/** What init --framework wrote and skipped, and the steps from here to the first sign-in. */
function frameworkLines({ colors }: CommandIo, service: string, setup: FrameworkSetup): string[] {
  const { name, written, skipped, callback_url, callback_registered } = setup
  const { packages = '', start, note }: Framework = FRAMEWORKS[name]
  // A project with "type": "commonjs" got server.mjs.
  const startCommand = written.includes('server.mjs') ? start.replace('.js', '.mjs') : start
  const install = `npm install ${service}/packages/sdk.tgz ${packages}`.trimEnd()
  return [
    ...written.map((file) => `  ${colors.green('wrote')}        ${file}`),
    ...skipped.map(({ file, exists }) => `  ${colors.yellow('skipped')}      ${file}: ${same(file, exists)}`),
    ...(skipped.length === 0 ? [] : [`               Compare with ${service}/docs/recipes/${name}`]),
    callback_registered
      ? `  Callback     ${callback_url}`
      : `  ${colors.yellow('Callback')}     ${callback_url} is not registered: ${commandLine(`provision --add ${callback_url}`)}`,
    `  Next         ${install}`,
    ...(note === undefined ? [] : [`               ${note}`]),
    `               ${startCommand}`,
    `               ${commandLine('dev')}`,
  ]
}

const same = (file: string, exists: string): string => (file === exists ? 'it exists' : `${exists} exists`)

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

interface FrameworkSetup extends WrittenRecipe {
  readonly name: FrameworkName
  /** The callback URL of the recipe in development. */
  readonly callback_url: string
  readonly callback_registered: boolean
}

/**
 * Writes the recipe, and registers its callback URL if social login is not set up yet. An existing list of callback URLs is
 * not changed: it may be in use.
 */
async function setUpFramework(root: string, name: FrameworkName): Promise<FrameworkSetup> {
  const files = await writeRecipe(root, name)
  const project = await readProject(root)
  const callback_url = callbackOf(name)
  const { callback_urls } =
    (await readSocialLogin(project)) ?? (await provision(project, { callback_urls: [callback_url] }))
  return { name, ...files, callback_url, callback_registered: callback_urls.includes(callback_url) }
}
