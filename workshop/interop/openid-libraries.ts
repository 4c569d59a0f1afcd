import { copyFile } from 'node:fs/promises'
import { join } from 'node:path'
import { unpackedPackages } from '../../service/test/support/actors/debian-program.ts'
import { freshFolder } from '../../service/test/support/postgres/engines.ts'
import { run } from '../../service/test/support/process/run.ts'
import { LANGUAGES, unpackedLanguage } from './languages.ts'

/** The apps, each of which is the shortest that the documentation of its library allows. */
export const APPS = join(import.meta.dirname, 'openid')

/** An app with a library of others, which /docs/openid shows. */
export interface OpenIdLibrary {
  /** The title of its block in /docs/openid. */
  readonly title: string
  /** The app, below `APPS`. */
  readonly file: string
  readonly callbackPath: string
  /** What starts a sign-in: a link of the app, or the button of a page. */
  readonly login: { readonly path: string; readonly button?: string }
  /** What the app shows after a cancelled sign-in. */
  readonly cancelled: RegExp
  /** Refreshes the tokens, then shows the user. */
  readonly refreshPath?: string
  readonly logout: {
    /** `{app}` stands for the URL of the app. */
    readonly path: string
    readonly button?: string
    /** It only ends the session of the app, not ours. */
    readonly isLocal?: true
  }
  /** Its page about an error is followed by a second response, which browsers ignore. */
  readonly endsErrorsTwice?: true
  /** The clock of the program can't be moved. */
  readonly hasFixedClock?: true
  /** Where the app shows its user; `/` if it isn't here. */
  readonly userPath?: string
  /** Finds the programs; throws if they can't be had. */
  prepare(): Promise<Start>
}

/** How to start the app on a port. */
export type Start = (port: number) => Promise<StartedBy>

export interface StartedBy {
  readonly program: string
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
}

const onNode = (file: string) => (): Promise<Start> =>
  Promise.resolve(() =>
    Promise.resolve({ program: process.execPath, args: [join(APPS, file)], env: {} }),
  )

/** Debian's libraries are for Debian's interpreter, whatever is first on the PATH. */
const PYTHON = '/usr/bin/python3'
const PYTHON_LIBRARIES = 'usr/lib/python3/dist-packages'

async function prepareAuthlib(): Promise<Start> {
  const packages = ['python3-authlib', 'python3-flask', 'python3-requests']
  const root = await unpackedPackages(
    'authlib',
    packages,
    `${PYTHON_LIBRARIES}/authlib/__init__.py`,
  )
  return async (port) => ({
    program: PYTHON,
    args: ['-m', 'flask', '--app', join(APPS, 'authlib/app.py'), 'run', '--port', String(port)],
    env: pythonEnv(root),
  })
}

const pythonEnv = (root: string): Record<string, string> => ({
  PYTHONPATH: join(root, PYTHON_LIBRARIES),
  PYTHONDONTWRITEBYTECODE: '1',
  PYTHONUNBUFFERED: '1',
})

async function preparePythonSocialAuth(): Promise<Start> {
  const packages = ['python3-social-django', 'python3-django', 'python3-jose']
  const root = await unpackedPackages(
    'python-social-auth',
    packages,
    `${PYTHON_LIBRARIES}/jose/__init__.py`,
  )
  const manage = join(APPS, 'python-social-auth/manage.py')
  return async (port) => ({
    program: PYTHON,
    args: [manage, 'runserver', '--noreload', `localhost:${port}`],
    env: pythonEnv(root),
  })
}

/** Debian's package is the strategy of GitLab, which has the same options. */
async function prepareOmniAuth(): Promise<Start> {
  const packages = ['ruby-omniauth-openid-connect', 'ruby-sinatra', 'ruby-webrick']
  const root = await unpackedPackages('omniauth-openid-connect', packages, 'usr/bin/ruby3.1')
  const env: Record<string, string> = { ...LANGUAGES.sinatra?.command(root, 0, '.').env }
  // The gems that come with Ruby itself.
  const gems = join(root, 'usr/lib/ruby/gems/3.1.0')
  const app = join(APPS, 'omniauth/app.rb')
  return async (port) => ({
    program: join(root, 'usr/bin/ruby3.1'),
    args: [app, '-p', String(port), '-o', 'localhost', '-s', 'webrick'],
    env: { ...env, GEM_PATH: `${env.GEM_PATH}:${gems}` },
  })
}

async function prepareGo(): Promise<Start> {
  const { go } = LANGUAGES
  const compiler = go && (await unpackedLanguage('go', go))
  if (typeof compiler !== 'object') {
    throw new Error(compiler)
  }
  const library = await unpackedPackages(
    'go-oidc',
    ['golang-github-coreos-go-oidc-dev'],
    'usr/share/gocode/src/github.com/coreos/go-oidc/oidc.go',
  )
  const folder = await freshFolder()
  await copyFile(join(APPS, 'go/main.go'), join(folder, 'main.go'))
  const { build: [program = ''] = [], env } = go?.command(compiler.root, 0, folder) ?? { env: {} }
  const goEnv = { ...env, GOPATH: join(library, 'usr/share/gocode'), HOME: folder }
  await run(program, ['build', '-o', 'app', 'main.go'], { cwd: folder, env: goEnv })
  return async () => ({ program: join(folder, 'app'), args: [], env: {} })
}

/** Modules load their libraries from the unpacked packages, and its own from `ROOT`. */
async function prepareApache(): Promise<Start> {
  const module = 'usr/lib/apache2/modules/mod_auth_openidc.so'
  const packages = ['apache2-bin', 'libapache2-mod-auth-openidc']
  const root = await unpackedPackages('mod-auth-openidc', packages, module)
  const machine = process.arch === 'arm64' ? 'aarch64-linux-gnu' : 'x86_64-linux-gnu'
  return async () => ({
    program: join(root, 'usr/sbin/apache2'),
    args: ['-X', '-f', join(APPS, 'apache/httpd.conf')],
    env: { ROOT: root, APPS, LD_LIBRARY_PATH: join(root, 'usr/lib', machine) },
  })
}

export const OPENID_LIBRARIES: readonly OpenIdLibrary[] = [
  {
    title: 'openid-client',
    file: 'openid-client/app.js',
    callbackPath: '/callback',
    login: { path: '/login' },
    cancelled: /Sign-in failed: The person cancelled the sign-in\./,
    refreshPath: '/refresh',
    logout: { path: '/logout' },
    prepare: onNode('openid-client/app.js'),
  },
  {
    title: 'Auth.js',
    file: 'auth-express/app.js',
    callbackPath: '/auth/callback/gatehouse',
    login: { path: '/auth/signin', button: 'Sign in with Gatehouse' },
    cancelled: /Sign in with Gatehouse/,
    logout: { path: '/auth/signout', button: 'Sign out', isLocal: true },
    prepare: onNode('auth-express/app.js'),
  },
  {
    title: 'express-openid-connect',
    file: 'express-openid-connect/app.js',
    callbackPath: '/callback',
    login: { path: '/login' },
    cancelled: /Sign-in failed: The person cancelled the sign-in\./,
    refreshPath: '/refresh',
    logout: { path: '/logout' },
    prepare: onNode('express-openid-connect/app.js'),
  },
  {
    title: 'Passport',
    file: 'passport-openidconnect/app.js',
    callbackPath: '/callback',
    login: { path: '/login' },
    cancelled: /Sign-in failed: The person cancelled the sign-in\./,
    logout: { path: '/logout', isLocal: true },
    prepare: onNode('passport-openidconnect/app.js'),
  },
  {
    title: 'better-auth',
    file: 'better-auth/app.js',
    callbackPath: '/api/auth/oauth2/callback/gatehouse',
    login: { path: '/login' },
    cancelled: /access_denied/,
    logout: { path: '/logout', isLocal: true },
    prepare: onNode('better-auth/app.js'),
  },
  {
    title: 'Authlib',
    file: 'authlib/app.py',
    callbackPath: '/callback',
    login: { path: '/login' },
    cancelled: /Sign-in failed: The person cancelled the sign-in\./,
    refreshPath: '/refresh',
    logout: { path: '/logout', isLocal: true },
    prepare: prepareAuthlib,
  },
  {
    title: 'Apache',
    file: 'apache/httpd.conf',
    callbackPath: '/app/callback',
    login: { path: '/app/' },
    userPath: '/app/',
    // By the `iss` of an error (RFC 9207) it takes it for a sign-in that the provider starts, and refuses that.
    cancelled: /Invalid Request/,
    logout: { path: '/app/callback?logout={app}%2F' },
    endsErrorsTwice: true,
    prepare: prepareApache,
  },
  {
    title: 'python-social-auth',
    file: 'python-social-auth/settings.py',
    callbackPath: '/complete/oidc/',
    login: { path: '/login/oidc/' },
    cancelled:
      /Sign-in failed: Authentication process canceled: The person cancelled the sign-in\./,
    logout: { path: '/logout', isLocal: true },
    prepare: preparePythonSocialAuth,
  },
  {
    title: 'OmniAuth',
    file: 'omniauth/app.rb',
    callbackPath: '/auth/openid_connect/callback',
    login: { path: '/login', button: 'Sign in' },
    cancelled: /Sign-in failed: access_denied/,
    logout: { path: '/logout', isLocal: true },
    prepare: prepareOmniAuth,
  },
  {
    title: 'go-oidc',
    file: 'go/main.go',
    callbackPath: '/callback',
    login: { path: '/login' },
    cancelled: /Sign-in failed: The person cancelled the sign-in\./,
    logout: { path: '/logout', isLocal: true },
    // Go reads the clock without the C library.
    hasFixedClock: true,
    prepare: prepareGo,
  },
]

/** A page has no server of its own: Chromium is its program. */
export const BROWSER_LIBRARY = {
  title: 'oidc-client-ts',
  file: 'oidc-client-ts/app.js',
}
