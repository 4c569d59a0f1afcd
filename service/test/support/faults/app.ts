import { randomBytes } from 'node:crypto'
import type { TestContext } from 'node:test'
import type { Pair, Tenant } from '../actors/agent.ts'
import { OAuthClient, type Tokens, tokensOf } from '../actors/oauth-client.ts'
import { raw } from '../postgres/storage.ts'
import { newTenant, type Settings } from '../process/service-process.ts'
import { Secrets } from '../transport/secrets.ts'
import type { Cluster } from './cluster.ts'
import {
  acceptAnyUser,
  providerCallback,
  type ScriptedProvider,
  scriptedProvider,
} from './scripted-provider.ts'

/** A provider that accepts any user, and the service settings for it. */
export async function permissiveProvider(
  t: Pick<TestContext, 'after'>,
): Promise<{ readonly provider: ScriptedProvider; readonly settings: Settings }> {
  const provider = await scriptedProvider(t)
  acceptAnyUser(provider)
  return { provider, settings: providerSettings(provider) }
}

export const providerSettings = ({ issuer }: Pick<ScriptedProvider, 'issuer'>): Settings => ({
  GOOGLE_ISSUER: issuer,
  GOOGLE_CLIENT_ID: 'client.apps.example',
  GOOGLE_CLIENT_SECRET: 'client-secret-that-no-log-may-show',
})

/** An app whose owner is on the largest plan, so that the event limits allow a realistic load. */
export async function ownedApp(cluster: Cluster): Promise<Tenant> {
  const app = await newTenant(cluster.any())
  const [owner] = await raw(
    cluster.database,
    `insert into accounts (issuer, subject, email, tier, created_at, last_seen)
     values ('i', '${app.id}', 'owner@example.com', 'pro', 1, 1) returning id`,
  )
  await raw(
    cluster.database,
    `update tenants set owner_account_id = ${owner?.id}, claimed_at = 1, expires_at = null where id = '${app.id}'`,
  )
  return app
}

/** Signs a user in. Resolves to null when the service rejects the login for now. */
export type SignIn = (cluster: Cluster, app: Tenant, email: string) => Promise<Pair | null>

/** Signs in at the scripted provider. */
export const signIn: SignIn = async (cluster, app, email) => {
  const browser = cluster.browser()
  const authorize = await browser.open(`${cluster.baseUrl}/edge/auth/${app.id}/google`)
  if (!authorize.searchParams.has('nonce')) {
    return null
  }
  await browser.open(providerCallback(authorize, email))
  if (!browser.page.text.includes('Continue')) {
    return null
  }
  return pairIn(await browser.press('Continue'))
}

/** Signs in at the development Google. */
export const signInAtDevGoogle =
  (googleOrigin: string): SignIn =>
  async (cluster, app, email) => {
    const browser = cluster.browser({}, [googleOrigin])
    await browser.open(`${cluster.baseUrl}/edge/auth/${app.id}/google`)
    if (!browser.page.text.includes('name="email"')) {
      return null
    }
    await browser.press('Continue', { email })
    if (!browser.page.text.includes('Continue')) {
      return null
    }
    return pairIn(await browser.press('Continue'))
  }

function pairIn(redirectUrl: URL): Pair | null {
  const access_token = redirectUrl.searchParams.get('access_token')
  const refresh_token = redirectUrl.searchParams.get('refresh_token')
  return access_token === null || refresh_token === null ? null : { access_token, refresh_token }
}

export const randomEmail = (): string => `${randomBytes(6).toString('hex')}@example.com`

/** An agent that a user has granted all scopes: its client and its tokens. */
export async function connectAgent(
  cluster: Cluster,
): Promise<{ readonly client: OAuthClient; readonly tokens: Tokens }> {
  const served = { agent: cluster.first.agent, baseUrl: cluster.baseUrl, secrets: new Secrets() }
  const client = await OAuthClient.register(served)
  const browser = cluster.browser()
  await browser.open(client.authorizeUrl())
  const authorize = await browser.press('Sign in with Google')
  await browser.open(providerCallback(authorize, randomEmail()))
  const code = client.codeIn(await browser.press('Allow'))
  return { client, tokens: tokensOf(await client.exchange(code)) }
}
