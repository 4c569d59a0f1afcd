import { lstat, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { CLIENT_SECRET_FIELD, sdkPackageUrl } from '../api/tenants.ts'
import { readProject } from '../credentials/project.ts'
import { commandLine } from '../invocation.ts'
import { hasScopeLine, registrySetting, SDK_PACKAGE } from '../npm-registry.ts'
import { type AdditionToFile, additionsFor } from './additions.ts'
import { packageManagerOf } from './dev-server.ts'
import { isDamaged } from './files.ts'
import type { FoundApp } from './find-app.ts'
import { FRAMEWORKS, type Framework, type FrameworkName } from './frameworks.ts'
import { openIdLibraryOf } from './openid-libraries.ts'
import { registerCallbacks, withLoopbackAddress } from './register-callbacks.ts'
import { callbackOfLibrary, describeOpenId, type OpenIdSetup, openIdApp } from './set-up-openid.ts'
import { type WrittenRecipe, writeRecipe } from './write-recipe.ts'

interface AppToSetUp {
  readonly root: string
  readonly name: FrameworkName
  /** null: the project has no app yet, so the recipe is one. */
  readonly app: FoundApp | null
  /** The user named the framework, so the example pages of its recipe are written too. */
  readonly isNamed: boolean
  readonly port: number | undefined
  readonly callback: string | undefined
}

export interface AppSetup extends WrittenRecipe {
  readonly name: FrameworkName
  readonly label: string
  /** The project had an app before, whose pages need links, the user and guards. False: the recipe is the app. */
  readonly exists: boolean
  /** The file that creates an app that exists; null for a new app, and for a framework without such a file. */
  readonly entry: string | null
  /** What the developer adds to files of the app. */
  readonly additions: readonly AdditionToFile[]
  readonly note: string | null
  readonly install: string | null
  readonly start: string
  /** The callback URL of the app in development. */
  readonly callback_url: string
  readonly callback_registered: boolean
  /** The library that is recommended instead of the recipe. null: our SDK or recipe is, or the recipe is the app. */
  readonly openid: OpenIdSetup | null
}

/** Writes the files of the recipe that are missing, registers the callback of the app, and says what the developer adds to it. */
export async function setUpApp(options: AppToSetUp): Promise<AppSetup> {
  const { root, name, port } = options
  const framework: Framework = FRAMEWORKS[name]
  const app = existingApp(options)
  const devPort = port ?? options.app?.port ?? framework.port
  const callback_url = options.callback ?? `http://localhost:${devPort}/auth/callback`
  const files = await writeFiles(options, app, devPort, callback_url)
  const additions = isComplete(framework, app, files)
    ? []
    : await additionsFor(root, framework, app, new URL(callback_url).pathname)
  const callbacks = callbacksOf(callback_url, options, app)
  const hasNamedCallback = options.callback !== undefined || port !== undefined
  const registered = await registerCallbacks(root, callbacks, hasNamedCallback)
  return {
    name,
    label: framework.label,
    exists: app !== null,
    ...files,
    entry: app?.entry ?? null,
    additions,
    note: framework.note ?? null,
    install: await installCommand(root, framework, app),
    start: startCommand(framework, app, files, port),
    callback_url,
    callback_registered: registered.includes(callback_url),
    openid: await recommendLibrary(options, app, callback_url, registered),
  }
}

/** null: package.json may name the framework, but the file that creates an app is missing. Then the recipe is the app. */
function existingApp({ name, app, isNamed }: AppToSetUp): FoundApp | null {
  const { creates }: Framework = FRAMEWORKS[name]
  const isExpected = isNamed && creates !== undefined
  return isExpected && app?.entries.length === 0 ? null : app
}

async function writeFiles(
  { root, name, app: found, isNamed }: AppToSetUp,
  app: FoundApp | null,
  port: number,
  callback: string,
): Promise<WrittenRecipe> {
  const { base_url, tenant_id } = (await readProject(root)).credentials
  const { language }: Framework = FRAMEWORKS[name]
  const hasEntry = found !== null && found.entries.length > 0
  const isBeside = language === 'beside' && app !== null
  return writeRecipe(root, name, {
    withExample: isNamed && !hasEntry,
    folder: isBeside ? path.posix.dirname(app.entry ?? '') : '.',
    port,
    callbackPath: new URL(callback).pathname,
    base_url,
    tenant_id,
  })
}

/** The recipe of a new server has the lines to add, unless a file of it was skipped: then an app is there, in an unknown file. */
function isComplete(
  { creates, buttons }: Framework,
  app: FoundApp | null,
  { skipped }: WrittenRecipe,
): boolean {
  const isServer = creates !== undefined && buttons === undefined
  return app === null && isServer && skipped.length === 0
}

/** Those of the recipe, then those of the library that is recommended to an app that exists. */
function callbacksOf(
  url: string,
  { name, callback }: AppToSetUp,
  app: FoundApp | null,
): readonly string[] {
  const library = app === null ? null : openIdLibraryOf(name)
  const both = [...new Set([url, callbackOfLibrary(library, url)])]
  return callback === undefined ? both.flatMap((each) => withLoopbackAddress(each, name)) : both
}

/** null: the framework has no library that serves an app better than our recipe. */
async function recommendLibrary(
  { root, name }: AppToSetUp,
  app: FoundApp | null,
  callbackUrl: string,
  registered: readonly string[],
): Promise<OpenIdSetup | null> {
  const library = openIdLibraryOf(name)
  if (app === null || library === null) {
    return null
  }
  const ofLibrary = callbackOfLibrary(library, callbackUrl)
  return describeOpenId(root, openIdApp(name, app), ofLibrary, registered)
}

/** null: the recipe of another language has nothing to install. */
async function installCommand(
  root: string,
  framework: Framework,
  app: FoundApp | null,
): Promise<string | null> {
  if (framework.language !== undefined) {
    return null
  }
  const packages = app === null ? (framework.packages ?? '') : ''
  const manager = await packageManagerOf(root)
  const { base_url } = (await readProject(root)).credentials
  const hasLine = hasScopeLine(root, base_url)

  if (manager === 'npm') {
    const registry = hasLine ? '' : `--${registrySetting(base_url)} `
    return `npm install ${registry}${SDK_PACKAGE} ${packages}`.trimEnd()
  }
  // Yarn 2 and newer read no .npmrc. The URL has a version: the lock file notes the hash of the file.
  const source = hasLine && manager !== 'yarn' ? '' : `@${await sdkPackageUrl(base_url)}`
  return `${manager} add ${SDK_PACKAGE}${source} ${packages}`.trimEnd()
}

function startCommand(
  framework: Framework,
  app: FoundApp | null,
  { written }: WrittenRecipe,
  port?: number,
): string {
  if (app !== null) {
    return app.start
  }
  // A project with "type": "commonjs" got server.mjs.
  const start = written.includes('server.mjs')
    ? framework.start.replace('.js', '.mjs')
    : framework.start
  const command = start.replaceAll('{port}', String(port ?? framework.port))
  const takesPort =
    port === undefined || framework.runsInNode === true || framework.language !== undefined
  return takesPort ? command : `${command} -- --port ${port}`
}

/**
 * How an agent without a browser tries the app, if the service runs on this machine: a development service signs the person of
 * this cookie in. Any other one ignores it.
 */
export function testCommands(service: string, callback: string): string[] {
  if (!/^http:\/\/(localhost|127\.0\.0\.1|\[::1\])(:|$)/.test(service)) {
    return []
  }
  const { origin } = new URL(callback)
  return [
    `curl -sLc /tmp/jar -b gatehouse_dev_person=ada@example.com ${origin}/login`,
    `curl -s -b /tmp/jar -H 'Origin: ${origin}' …`,
  ]
}

const BEGIN = '<!-- gatehouse:begin, written by init and replaced when it runs again -->'
const END = '<!-- gatehouse:end -->'
const SECTION = /<!-- gatehouse:begin\b[^>]*-->[\s\S]*?<!-- gatehouse:end -->/

/**
 * Writes the section about sign-in into AGENTS.md, which coding agents read first. The rest of the file stays as it is.
 * Returns null if the file can't be changed, or not safely.
 */
export async function writeAgentsSection(
  root: string,
  lines: readonly string[],
): Promise<string | null> {
  const file = path.join(root, 'AGENTS.md')
  const stats = await lstat(file).catch(() => null)
  if (stats !== null && !stats.isFile()) {
    return null
  }
  const before = stats === null ? '' : await readFile(file, 'utf8').catch(() => null)
  if (before === null) {
    return null
  }
  const section = [BEGIN, ...lines, END].join('\n')
  if (isDamaged(before) || (before.includes(BEGIN.slice(0, 20)) && !SECTION.test(before))) {
    return null
  }
  const after = SECTION.test(before)
    ? before.replace(SECTION, () => section)
    : `${before}${gapAfter(before)}${section}\n`
  if (after === before) {
    return file
  }
  return writeFile(file, after).then(
    () => file,
    () => null,
  )
}

/** An empty line before the section. */
function gapAfter(text: string): string {
  if (text === '' || text.endsWith('\n\n')) {
    return ''
  }
  return text.endsWith('\n') ? '\n' : '\n\n'
}

const TITLE = ['## Sign-in (Gatehouse)', '']

const TROUBLE = [
  `- Trouble: \`${commandLine('doctor')}\` says what is wrong and how to fix it,`,
  `  \`${commandLine('events')}\` what happened, \`${commandLine('status')}\` shows callbacks and limits.`,
]

const CLAIM = `- A guest project ends after 72 hours. \`${commandLine('claim --no-wait')}\` prints a link with which your user keeps it.`

/** The section about an app with the SDK or a recipe. */
export function agentsSection(service: string, { name, callback_url }: AppSetup): string[] {
  const {
    label,
    user,
    fields = 'an object with id, email, name and picture, or null',
    guard,
    buttons,
  }: Framework = FRAMEWORKS[name]
  return [
    ...TITLE,
    `- Users sign in with Google at ${service}.`,
    buttons === undefined
      ? `  The app (${label}) answers /login, ${new URL(callback_url).pathname} and POST /logout: link to /login with \`<a>\`, sign out with a form.`
      : `  Sign in: ${buttons[0]}. Sign out: ${buttons[1]}.`,
    `- The user: \`${user}\`, ${fields} if signed out. Store rows by id: an email address can change.`,
    `- Pages for signed-in users: ${guard}.`,
    '- Keys are in `.service`, the app secret is in `.service.secret` or `.env.local`. git ignores them. Never print, copy or',
    '  commit them; the app itself needs no key.',
    ...TROUBLE,
    ...(buttons === undefined ? testLines(testCommands(service, callback_url)) : []),
    CLAIM,
  ]
}

/** The section about an app with an OpenID library. */
export const openIdAgentsSection = (service: string, openid: OpenIdSetup): string[] => [
  ...TITLE,
  `- Users sign in with Google at ${service}, by OpenID Connect${openid.library === null ? '' : ` (${openid.library.name})`}.`,
  `  Issuer: ${openid.issuer}. Client id: ${openid.client_id}. Callback: ${openid.callback_url}.`,
  `- The client secret is \`${CLIENT_SECRET_FIELD}\` in \`.service\`, which git ignores: the app reads it there, or from the variable`,
  '  GATEHOUSE_CLIENT_SECRET in production. Never print, copy or commit it.',
  '- Store rows by `sub`: an email address can change.',
  `- Libraries, sign-out, blocked users: ${openid.docs}.md`,
  ...TROUBLE,
  CLAIM,
]

const testLines = ([signIn, ask]: readonly string[]): string[] =>
  signIn === undefined
    ? []
    : [
        `- Test without a browser, on a service without GOOGLE_CLIENT_ID: \`${signIn}\` signs in,`,
        `  and \`${ask}\` asks as this person; send the Origin with a POST.`,
      ]
