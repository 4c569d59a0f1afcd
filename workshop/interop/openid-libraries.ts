import { join } from 'node:path'
import { unpackedPackages } from '../../service/test/support/actors/debian-program.ts'

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
    readonly path: string
    readonly button?: string
    /** It only ends the session of the app, not ours. */
    readonly isLocal?: true
  }
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
    cancelled: /The person cancelled the sign-in\./,
    logout: { path: '/app/callback?logout=%2F' },
    prepare: prepareApache,
  },
]
