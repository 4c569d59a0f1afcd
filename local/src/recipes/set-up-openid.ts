import path from 'node:path'
import { issuerOf } from '@gatehouse-auth/contract'
import { saveSettings } from '../api/management.ts'
import { readProject } from '../credentials/project.ts'
import { type AdditionToFile, entryInWords } from './additions.ts'
import { readSmall } from './files.ts'
import type { FoundApp } from './find-app.ts'
import { FRAMEWORKS, type Framework, type FrameworkName } from './frameworks.ts'
import { type OpenIdLibrary, openIdLibraryOf } from './openid-libraries.ts'
import { registerCallbacks, withLoopbackAddress } from './register-callbacks.ts'

/** What an app needs to sign users in with a library for OpenID Connect. The secret itself is not among it. */
export interface OpenIdSetup {
  readonly issuer: string
  readonly client_id: string
  readonly callback_url: string
  readonly callback_registered: boolean
  /** null: none is known for the framework of the app. */
  readonly library: LibrarySetup | null
  /** The page about OpenID libraries. */
  readonly docs: string
}

export interface LibrarySetup {
  readonly name: string
  readonly brings: string
  readonly install: string
  /** What the developer adds to files of the app. */
  readonly additions: readonly AdditionToFile[]
  readonly sign_in: string
  readonly user: string
  /** By what the app stores rows of a user. */
  readonly rows: string
}

/** An app to set up for a library. */
export interface OpenIdApp {
  /** null: the framework is unknown, or has no library that we know. */
  readonly name: FrameworkName | 'rails' | null
  readonly label: string | null
  /** null: its files don't tell. */
  readonly found: FoundApp | null
  readonly port: number
  /** null: unknown. */
  readonly start: string | null
}

const RAILS_PORT = 3_000

const RAILS: OpenIdApp = {
  name: 'rails',
  label: 'Rails',
  found: null,
  port: RAILS_PORT,
  start: 'bin/rails server',
}

/** Rails has no recipe of ours. */
export const isRailsApp = async (root: string): Promise<boolean> =>
  /\bRails::Application\b/.test(await readSmall(root, 'config/application.rb'))

/** The app of this framework, or of Rails. `name` undefined: of an unknown one. */
export function openIdApp(
  name: FrameworkName | 'rails' | undefined,
  found: FoundApp | null,
): OpenIdApp {
  if (name === 'rails') {
    return RAILS
  }
  if (name === undefined) {
    return { name: null, label: null, found: null, port: RAILS_PORT, start: null }
  }
  const { label, port, usualPort = port }: Framework = FRAMEWORKS[name]
  return { name, label, found, port: found?.port ?? usualPort, start: found?.start ?? null }
}

interface AppToSetUp {
  readonly root: string
  readonly app: OpenIdApp
  readonly port: number | undefined
  readonly callback: string | undefined
}

/** Registers the callback of the library, and accepts only logins that end with a code, so that no URL has a token. */
export async function setUpOpenId({ root, app, port, callback }: AppToSetUp): Promise<OpenIdSetup> {
  const library = app.name === null ? null : openIdLibraryOf(app.name)
  const usual = `http://localhost:${port ?? app.port}/auth/callback`
  const callbackUrl = callback ?? callbackOfLibrary(library, usual)
  const isNamed = callback !== undefined || port !== undefined
  const callbacks = callback === undefined ? withLoopbackAddress(callbackUrl, app.name) : [callback]
  const registered = await registerCallbacks(root, callbacks, isNamed)
  if (registered.length > 0) {
    await saveSettings(await readProject(root), { callback_mode: 'code' })
  }
  return describeOpenId(root, app, callbackUrl, registered)
}

/** A library that chooses the path of its callback has another one than our recipe. */
export const callbackOfLibrary = (library: OpenIdLibrary | null, callback: string): string =>
  library?.callbackPath === undefined ? callback : new URL(library.callbackPath, callback).href

/** `registered`: the callbacks that are. */
export async function describeOpenId(
  root: string,
  app: OpenIdApp,
  callbackUrl: string,
  registered: readonly string[],
): Promise<OpenIdSetup> {
  const { base_url, tenant_id } = (await readProject(root)).credentials
  const library = app.name === null ? null : openIdLibraryOf(app.name)
  const values = {
    issuer: issuerOf(base_url, tenant_id),
    client_id: tenant_id,
    callback_url: callbackUrl,
  }
  return {
    ...values,
    callback_registered: registered.includes(callbackUrl),
    library: library === null ? null : await describeLibrary(root, app, library, values),
    docs: `${base_url}/docs/openid`,
  }
}

interface Values {
  readonly issuer: string
  readonly client_id: string
  readonly callback_url: string
}

async function describeLibrary(
  root: string,
  app: OpenIdApp,
  library: OpenIdLibrary,
  values: Values,
): Promise<LibrarySetup> {
  const { name, brings, install, withoutHttps, signIn, user, rows = BY_SUB } = library
  const isWithoutHttps = values.issuer.startsWith('http:') && withoutHttps !== undefined
  const additions = isWithoutHttps ? [...library.additions, withoutHttps] : library.additions
  const isSetUp = await usesLibrary(root, app, values.issuer)
  return {
    name,
    brings,
    install,
    additions: isSetUp ? [] : additions.map((each) => fillInAddition(each, app, values)),
    sign_in: signIn,
    user,
    rows,
  }
}

const BY_SUB = 'store them by the sub of the user, not by email, which can change'

type Addition = OpenIdLibrary['additions'][number]

const fillInAddition = (
  { file, where, lines }: Addition,
  app: OpenIdApp,
  values: Values,
): AdditionToFile => ({
  file: file === undefined ? (app.found?.entry ?? entryInWords(app.found)) : inFolder(file, app),
  where: fillIn(where, values),
  lines: lines.map((line) => fillIn(line, values)),
})

const inFolder = (file: string, { found }: OpenIdApp): string =>
  path.posix.normalize(file.replace('{folder}', path.posix.dirname(found?.entry ?? '')))

const fillIn = (text: string, { issuer, client_id, callback_url }: Values): string =>
  text
    .replaceAll('{issuer}', issuer)
    .replaceAll('{client_id}', client_id)
    .replaceAll('{callback_url}', callback_url)
    .replaceAll('{callback_path}', new URL(callback_url).pathname)

/** True if a file to which the lines of the library belong names the issuer of this project: then it needs no recipe. */
export async function usesLibrary(root: string, app: OpenIdApp, issuer: string): Promise<boolean> {
  const library = app.name === null ? null : openIdLibraryOf(app.name)
  if (library === null) {
    return false
  }

  const named = library.additions.map(({ file = '' }) => inFolder(file, app))
  for (const file of [...(app.found?.entries ?? []), ...named]) {
    if ((await readSmall(root, file)).includes(issuer)) {
      return true
    }
  }
  return false
}
