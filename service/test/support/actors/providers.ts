import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import {
  isProviderName,
  NAMED_PROVIDERS,
  type Provider,
  type ProviderKind,
  type ProviderName,
  providerKind,
} from '@gatehouse-auth/contract'
import type { World } from '../world.ts'
import type { Tenant } from './agent.ts'
import type { Browser } from './browser.ts'
import { claim } from './claim.ts'

export const GOOGLE_CLIENT = '123456789-abc.apps.googleusercontent.com'

const OWNER_SECRET = 'the-secret-of-the-owner'

const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })

/** What an owner sends for each kind of provider; the stand-ins accept any client whose secret doesn't start with `wrong`. */
const OWN_CLIENTS: Readonly<Record<ProviderKind, (baseUrl: string) => Record<string, string>>> = {
  google: () => ({ client_id: GOOGLE_CLIENT, client_secret: OWNER_SECRET }),
  github: () => ({ client_id: 'Ov23liExample0000000', client_secret: OWNER_SECRET }),
  microsoft: () => ({
    client_id: '11111111-2222-4333-8444-555555555555',
    client_secret: OWNER_SECRET,
  }),
  apple: () => ({
    client_id: 'com.example.app',
    team_id: 'TEAM123456',
    key_id: 'KEY1234567',
    private_key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  }),
  oidc: (baseUrl) => ({
    issuer: `${baseUrl}/dev/oidc`,
    client_id: 'owner-client',
    client_secret: OWNER_SECRET,
    display_name: 'Acme',
  }),
}

export function ownClient(baseUrl: string, provider: string): Record<string, string> {
  const kind = isProviderName(provider) ? providerKind(provider) : 'oidc'
  return OWN_CLIENTS[kind](baseUrl)
}

export const EVERY_PROVIDER = [...NAMED_PROVIDERS, 'oidc-acme'] as const

/** A claimed tenant, and the browser of its owner. */
export async function ownedTenant({ agent, browser }: World, callbackUrls?: readonly string[]) {
  const tenant = await agent.createTenant(callbackUrls)
  const owner = browser()
  await claim(tenant, owner)
  return { tenant, owner }
}

export async function putProvider(tenant: Tenant, name: string, body: unknown): Promise<Provider> {
  const response = await tenant.manage('PUT', `/api/social-login/providers/${name}`, body)
  assert.equal(response.status, 200, response.text)
  return response.json.provider
}

export async function providersOf(tenant: Tenant): Promise<Provider[]> {
  const response = await tenant.manage('GET', '/api/social-login/providers')
  assert.equal(response.status, 200, response.text)
  return response.json.providers
}

export const providerOf = async (
  tenant: Tenant,
  name: ProviderName,
): Promise<Provider | undefined> =>
  (await providersOf(tenant)).find((provider) => provider.name === name)

/** Presses "Test sign-in" of this provider on the project page, and signs in as this user. Returns the page's text. */
export async function testSignIn(
  { baseUrl }: World,
  tenant: Tenant,
  owner: Browser,
  name: string,
  user: string | (() => Promise<unknown>) = 'Ada Lovelace',
): Promise<string> {
  await owner.open(`${baseUrl}/account/projects/${tenant.id}/settings`)
  const csrf = /name="csrf" value="([^"]+)"/.exec(owner.page.text)?.[1] ?? ''
  const started = await owner.request(
    `${baseUrl}/account/projects/${tenant.id}/settings/providers/test`,
    {
      method: 'POST',
      headers: { 'Sec-Fetch-Site': 'same-origin', Accept: 'text/html' },
      body: new URLSearchParams({ csrf, provider: name }),
    },
  )
  assert.equal(started.status, 303, await started.text())
  await owner.open(started.headers.get('location') ?? '')
  await (typeof user === 'string' ? pressAtProvider(owner, user) : user())
  return owner.page.text
}

/** Presses a button of a stand-in, and the one of Apple's form, which a script presses in a real browser. */
export async function pressAtProvider(browser: Browser, button: string): Promise<URL> {
  const reached = await browser.press(button)
  return /<form[^>]+action="[^"]*\/auth\/apple\/callback"/.test(browser.page.text)
    ? browser.press('Continue')
    : reached
}

/** An own client, tested and in use. */
export async function activateProvider(
  service: World,
  { tenant, owner }: { readonly tenant: Tenant; readonly owner: Browser },
  name: string,
  changes: Record<string, string> = {},
): Promise<Provider> {
  await putProvider(tenant, name, { ...ownClient(service.baseUrl, name), ...changes })
  const text = await testSignIn(service, tenant, owner, name)
  assert.match(text, /The test sign-in worked/, text)
  const provider = (await providersOf(tenant)).find((each) => each.name === name)
  assert.equal(provider?.status, 'active')
  return provider as Provider
}
