import { lstat, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { provision, readSocialLogin, sdkPackageUrl } from '../api/tenants.ts'
import { readProject } from '../credentials/project.ts'
import { commandLine } from '../invocation.ts'
import { type FoundApp, packageManagerOf } from './find-app.ts'
import { FRAMEWORKS, type Framework, type FrameworkName } from './frameworks.ts'
import { applyPatches, notesFor, type Patch, patchesFor } from './patch.ts'
import { isDamaged } from './source-text.ts'
import { type WrittenRecipe, withCallbackPath, writeRecipe } from './write-recipe.ts'

interface AppToSetUp {
  readonly root: string
  readonly name: FrameworkName
  /** null: the project has no app yet, so the recipe is one. */
  readonly app: FoundApp | null
  /** The user named the framework, so the example pages of its recipe are written too. */
  readonly isNamed: boolean
  readonly port: number | undefined
  readonly callback: string | undefined
  readonly apply: boolean
}

export interface AppSetup extends WrittenRecipe {
  readonly name: FrameworkName
  readonly label: string
  /** The project had an app before, whose pages need links, the user and guards. False: the recipe is the app. */
  readonly exists: boolean
  /** The file of an app that exists and the lines it needs; null for a new app, and for a framework without such a file. */
  readonly entry: string | null
  readonly patches: readonly {
    readonly file: string
    readonly diff: string
    readonly applied: boolean
  }[]
  /** What the developer does where no patch fits. */
  readonly note: string | null
  readonly install: string | null
  readonly start: string
  /** The callback URL of the app in development. */
  readonly callback_url: string
  readonly callback_registered: boolean
}

/**
 * Writes the files of the recipe that are missing, registers the callback of the app, and finds the lines that an app which
 * exists needs: with `apply` they are written.
 */
export async function setUpApp({
  root,
  name,
  app,
  isNamed,
  port,
  callback,
  apply,
}: AppToSetUp): Promise<AppSetup> {
  const framework: Framework = FRAMEWORKS[name]
  const hasEntry = (app?.entries.length ?? 0) > 0
  const exists = app !== null && (!isNamed || framework.creates === undefined || hasEntry)
  const withExample = isNamed && !hasEntry
  const devPort = port ?? app?.port ?? framework.port
  const callback_url = callback ?? `http://localhost:${devPort}/auth/callback`
  const hasNamedCallback = callback !== undefined || port !== undefined
  const alsoAt127 = callback === undefined && framework.prints127 === true
  const callbacks = alsoAt127
    ? [callback_url, callback_url.replace('localhost', '127.0.0.1')]
    : [callback_url]
  const project = await readProject(root)
  const { base_url, tenant_id } = project.credentials
  const callbackPath = new URL(callback_url).pathname
  const folder =
    framework.language === 'beside' && exists ? path.posix.dirname(app.entry ?? '') : '.'
  const files = await writeRecipe(root, name, {
    withExample,
    folder,
    port: devPort,
    callbackPath,
    base_url,
    tenant_id,
  })
  const { patches, missing, notes, done } = exists
    ? await patchesFor(root, app, { withExample, callbackPath })
    : {
        patches: [],
        missing: framework.creates === undefined,
        notes: notesFor(framework),
        done: false,
      }
  const applied = apply ? await applyPatches(root, patches) : []
  return {
    name,
    label: framework.label,
    exists,
    ...files,
    entry: exists ? app.entry : null,
    patches: patches.map(({ file, diff }: Patch) => ({
      file,
      diff,
      applied: applied.includes(file),
    })),
    note:
      [
        done || !(missing || files.skipped.length > 0) ? [] : noteOf(framework, app, callbackPath),
        notes,
      ]
        .flat()
        .join('\n') || null,
    install: framework.language
      ? null
      : await installCommand(root, base_url, exists ? '' : (framework.packages ?? '')),
    start: startCommand(framework, exists ? app : null, files, port),
    callback_url,
    callback_registered: (await registerCallbacks(root, callbacks, hasNamedCallback)).includes(
      callback_url,
    ),
  }
}

function noteOf({ note }: Framework, app: FoundApp | null, callbackPath: string): string[] {
  const files = app?.entry ?? app?.entries.join(' or ') ?? ''
  const entry = files === '' ? 'the file that creates the app' : files
  return note === undefined
    ? []
    : [withCallbackPath(note.replaceAll('{entry}', entry), callbackPath)]
}

/** A list of callback URLs that exists may be in use: only callbacks that the user named are added to it. */
async function registerCallbacks(
  root: string,
  callbacks: readonly string[],
  isNamed: boolean,
): Promise<string[]> {
  const project = await readProject(root)
  const registered = (await readSocialLogin(project))?.callback_urls ?? null
  const missing = callbacks.filter((callback) => !registered?.includes(callback))
  if (missing.length === 0 || (registered !== null && !isNamed)) {
    return registered ?? []
  }
  return (await provision(project, { callback_urls: [...(registered ?? []), ...missing] }))
    .callback_urls
}

/** The URL with a version: a lock file notes the hash of the file, and without a version it changes with each release. */
async function installCommand(root: string, service: string, packages: string): Promise<string> {
  const manager = await packageManagerOf(root)
  const sdk = await sdkPackageUrl(service)
  const install = { npm: `npm install ${sdk}`, pnpm: `pnpm add ${sdk}`, bun: `bun add ${sdk}` }
  const command = manager === 'yarn' ? `yarn add @gatehouse-auth/sdk@${sdk}` : install[manager]
  return `${command} ${packages}`.trimEnd()
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
  service: string,
  { name, callback_url }: AppSetup,
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
  const section = [BEGIN, ...agentsSection(service, FRAMEWORKS[name], callback_url), END].join('\n')
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

const agentsSection = (
  service: string,
  {
    label,
    user,
    fields = 'an object with id, email, name and picture, or null',
    guard,
    buttons,
  }: Framework,
  callback: string,
): string[] => [
  '## Sign-in (Gatehouse)',
  '',
  `- Users sign in with Google at ${service}.`,
  buttons === undefined
    ? `  The app (${label}) answers /login, ${new URL(callback).pathname} and POST /logout: link to /login with \`<a>\`, sign out with a form.`
    : `  Sign in: ${buttons[0]}. Sign out: ${buttons[1]}.`,
  `- The user: \`${user}\`, ${fields} if signed out. Store rows by id: an email address can change.`,
  `- Pages for signed-in users: ${guard}.`,
  '- Keys are in `.service`, the app secret is in `.service.secret` or `.env.local`. git ignores them. Never print, copy or',
  '  commit them; the app itself needs no key.',
  `- Trouble: \`${commandLine('doctor')}\` says what is wrong and how to fix it,`,
  `  \`${commandLine('events')}\` what happened, \`${commandLine('status')}\` shows callbacks and limits.`,
  ...(buttons === undefined ? testLines(testCommands(service, callback)) : []),
  `- A guest project ends after 72 hours. \`${commandLine('claim --no-wait')}\` prints a link with which your user keeps it.`,
]

const testLines = ([signIn, ask]: readonly string[]): string[] =>
  signIn === undefined
    ? []
    : [
        `- Test without a browser, on a service without GOOGLE_CLIENT_ID: \`${signIn}\` signs in,`,
        `  and \`${ask}\` asks as this person; send the Origin with a POST.`,
      ]
