import { randomBytes } from 'node:crypto'
import type { TestContext } from 'node:test'
import type { Pair, Tenant } from '../actors/agent.ts'
import { OAuthClient, type Tokens, tokensOf } from '../actors/oauth-client.ts'
import { raw } from '../postgres/storage.ts'
import { newTenant, type Settings } from '../process/service-process.ts'
import { Secrets } from '../transport/secrets.ts'
import type { Cluster } from './cluster.ts'
import { letAnybodyIn, returnFrom, type ScriptedProvider, scriptedProvider } from './scripted-provider.ts'

/** A provider that lets anybody in, and the settings that lead to it. */
export async function openProvider(
  t: Pick<TestContext, 'after'>,
): Promise<{ readonly provider: ScriptedProvider; readonly settings: Settings }> {
  const provider = await scriptedProvider(t)
  letAnybodyIn(provider)
  return { provider, settings: providerSettings(provider) }
}

export const providerSettings = ({ issuer }: Pick<ScriptedProvider, 'issuer'>): Settings => ({
  GOOGLE_ISSUER: issuer,
  GOOGLE_CLIENT_ID: 'client.apps.example',
  GOOGLE_CLIENT_SECRET: 'client-secret-that-no-log-may-show',
})

/** An app whose owner has the largest plan: enough allowance for a load of real events. */
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

/** How somebody signs in: through whichever provider the service was given. */
export type SignIn = (cluster: Cluster, app: Tenant, email: string) => Promise<Pair | null>

/** Through the scripted provider. null: the service would not, for now. */
export const signIn: SignIn = async (cluster, app, email) => {
  const browser = cluster.browser()
  const authorize = await browser.open(`${cluster.baseUrl}/edge/auth/${app.id}/google`)
  if (!authorize.searchParams.has('nonce')) return null
  await browser.open(returnFrom(authorize, email))
  if (!browser.page.text.includes('Continue')) return null
  return pairIn(await browser.press('Continue'))
}

/** Through the development Google. */
export const signInAtDevGoogle =
  (googleOrigin: string): SignIn =>
  async (cluster, app, email) => {
    const browser = cluster.browser({}, [googleOrigin])
    await browser.open(`${cluster.baseUrl}/edge/auth/${app.id}/google`)
    if (!browser.page.text.includes('name="email"')) return null
    await browser.press('Continue', { email })
    if (!browser.page.text.includes('Continue')) return null
    return pairIn(await browser.press('Continue'))
  }

function pairIn(landed: URL): Pair | null {
  const access_token = landed.searchParams.get('access_token')
  const refresh_token = landed.searchParams.get('refresh_token')
  return access_token === null || refresh_token === null ? null : { access_token, refresh_token }
}

export const somebody = (): string => `${randomBytes(6).toString('hex')}@example.com`

/** An agent that a person has connected, with all scopes: its client, and the tokens it got. */
export async function connectAgent(
  cluster: Cluster,
): Promise<{ readonly client: OAuthClient; readonly tokens: Tokens }> {
  const served = { agent: cluster.first.agent, baseUrl: cluster.baseUrl, secrets: new Secrets() }
  const client = await OAuthClient.register(served)
  const browser = cluster.browser()
  await browser.open(client.authorizeUrl())
  const authorize = await browser.press('Sign in with Google')
  await browser.open(returnFrom(authorize, somebody()))
  const code = client.codeIn(await browser.press('Allow'))
  return { client, tokens: tokensOf(await client.exchange(code)) }
}
