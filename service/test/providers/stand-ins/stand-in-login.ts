import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import type { TestContext } from 'node:test'
import { OWN_CLIENTS, PROVIDER_KINDS, type ProviderKind } from '@gatehouse-auth/contract'
import { readConfig } from '../../../src/config.ts'
import type {
  AuthRequestSecrets,
  IdentityProvider,
  SignIn,
} from '../../../src/domain/login/identity-provider.ts'
import {
  credentialsOf,
  type ProviderCredentials,
} from '../../../src/domain/providers/provider-client.ts'
import { type Identity, identityFor } from '../../../src/identity-for.ts'
import { Browser } from '../../support/actors/browser.ts'
import { readControls } from '../../support/actors/html-controls.ts'
import { ownClient } from '../../support/actors/providers.ts'
import { listen } from '../../support/transport/listen.ts'

/** A relay of an owner's app, which no stand-in knows. */
export const REDIRECT_URI = 'https://app.example.com/relay'

export interface Development extends Identity {
  readonly baseUrl: string
  newBrowser(person?: string): Browser
}

/** The stand-ins as the service composes them in development, on a port. */
export async function development(t: TestContext): Promise<Development> {
  const { server, port } = await listen(t)
  const baseUrl = `http://localhost:${port}`
  const read = readConfig({ BASE_URL: baseUrl })
  assert.ok(read.ok)
  const identity = identityFor(read.config, { now: Date.now })
  assert.ok(identity.devProvider)
  server.on('request', identity.devProvider.listener)
  return {
    ...identity,
    baseUrl,
    newBrowser(person) {
      const browser = new Browser({ origins: [baseUrl] })
      if (person !== undefined) {
        browser.cookies.keep(new URL(baseUrl), [`gatehouse_dev_person=${person}; Path=/`])
      }
      return browser
    },
  }
}

export const PROVIDER_KIND_NAMES = Object.keys(PROVIDER_KINDS) as readonly ProviderKind[]

/** What the service stores of the client that an owner enters. */
export const ownCredentials = (
  baseUrl: string,
): Readonly<Record<ProviderKind, ProviderCredentials>> =>
  Object.fromEntries(
    PROVIDER_KIND_NAMES.map((kind) => [
      kind,
      credentialsOf(kind, OWN_CLIENTS[kind].parse(ownClient(baseUrl, kind))),
    ]),
  ) as Record<ProviderKind, ProviderCredentials>

export const newRequestSecrets = (): AuthRequestSecrets => {
  const secret = () => randomBytes(32).toString('base64url')
  return { state: secret(), nonce: secret(), codeVerifier: secret() }
}

export interface Login {
  readonly provider: IdentityProvider
  readonly browser: Browser
  readonly redirectUri?: string
}

/** The response that the browser brings back: by a redirect, or by a form that it posts. */
export async function returned({ page }: Browser, reached: URL, redirectUri: string): Promise<URL> {
  if (reached.href.startsWith(redirectUri)) {
    return reached
  }
  const [form] = readControls(page.text).forms
  assert.equal(form?.action, redirectUri, page.text)
  const back = new URL(redirectUri)
  for (const [name, value] of form?.fields ?? []) {
    back.searchParams.set(name, value)
  }
  return back
}

/** A login from the authorization URL to the response; a cookie chooses if there is no button to press. */
export async function respond(
  { provider, browser, redirectUri = REDIRECT_URI }: Login,
  secrets: AuthRequestSecrets,
  button?: string,
  fields: Readonly<Record<string, string>> = {},
): Promise<URL> {
  const opened = await browser.open(await provider.authorizeUrl({ ...secrets, redirectUri }))
  const reached = button === undefined ? opened : await browser.press(button, fields)
  return returned(browser, reached, redirectUri)
}

export async function signIn(login: Login, button?: string, fields = {}): Promise<SignIn> {
  const secrets = newRequestSecrets()
  return login.provider.signIn({
    ...secrets,
    currentUrl: await respond(login, secrets, button, fields),
  })
}
