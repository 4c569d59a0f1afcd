import type { ProviderName } from '@gatehouse-auth/contract'
import { ApiError, type InputProblem, invalidRequest } from '../../domain/api-error.ts'
import type { TenantId } from '../../domain/ids.ts'
import type { Attempt } from '../../domain/login/attempt.ts'
import type { IdentityProvider } from '../../domain/login/identity-provider.ts'
import { callbackPath, providerName } from '../../domain/providers/provider.ts'
import {
  clientInUse,
  type ProviderClient,
  relayProblem,
} from '../../domain/providers/provider-client.ts'
import type { Resource, TransactionStores } from '../../domain/stores/stores.ts'
import type { Context } from '../context.ts'
import { loginOver } from '../login/attempts.ts'
import { requireResource, requireTenant } from '../tenants/require-tenant.ts'

/** What a login uses: a provider, and the client there. */
export interface LoginProvider {
  readonly name: ProviderName
  readonly identity: IdentityProvider
  readonly redirectUri: string
  /** The owner's client; null: the operator's. */
  readonly client: ProviderClient | null
}

type Resolving = Pick<Context, 'stores' | 'providers' | 'baseUrl'>

/** For a login that starts. Throws `providerNotEnabled`. */
export async function providerForStart(
  ctx: Resolving,
  tenantId: TenantId,
  name: ProviderName,
): Promise<LoginProvider> {
  const client = clientInUse(await ctx.stores.providerClients.listCurrent(tenantId), name)
  if (client?.mode === 'own') {
    return ownProvider(ctx, client)
  }

  // Google needs no row: it is enabled for every app.
  const isEnabled = client !== null || name === 'google'
  const shared = isEnabled ? sharedProvider(ctx, tenantId, name) : null
  if (shared === null) {
    throw providerNotEnabled(name)
  }
  return shared
}

/** For a login that returns: with the client that it began with, also if the owner has replaced it meanwhile. */
export async function providerOfAttempt(
  ctx: Resolving,
  attempt: Pick<Attempt, 'tenantId' | 'provider' | 'providerClientId'>,
): Promise<LoginProvider> {
  const { tenantId, provider, providerClientId: id } = attempt
  if (id === null) {
    const shared = sharedProvider(ctx, tenantId, provider)
    if (shared === null) {
      throw loginOver()
    }
    return shared
  }

  const client = await ctx.stores.providerClients.find({ tenantId, id })
  if (client === null) {
    throw loginOver()
  }
  return ownProvider(ctx, client)
}

export const ownProvider = (
  ctx: Pick<Context, 'providers'>,
  client: ProviderClient,
): LoginProvider => ({
  name: client.provider,
  identity: ctx.providers.own(client),
  redirectUri: client.redirectUri,
  client,
})

/** null: the operator has no client there. */
export function sharedProvider(
  { providers, baseUrl }: Pick<Context, 'providers' | 'baseUrl'>,
  tenantId: TenantId,
  name: ProviderName,
): LoginProvider | null {
  const identity = providers.shared(name)
  if (identity === null) {
    return null
  }
  return { name, identity, redirectUri: baseUrl + callbackPath(name, tenantId), client: null }
}

const providerNotEnabled = (name: ProviderName): ApiError =>
  new ApiError(
    'providerNotEnabled',
    `This app does not offer ${name}. Start at the login page of the app.`,
  )

export interface LoginChoice {
  readonly name: ProviderName
  readonly displayName: string
}

/** What users of an app can sign in with. Public, as the login links are: it shows what opening each of them shows. */
export async function listLoginProviders(ctx: Context, tenantId: TenantId): Promise<LoginChoice[]> {
  const tenant = await requireTenant(ctx.stores, tenantId, ctx.now())
  await requireResource(ctx.stores, tenant)
  const clients = await ctx.stores.providerClients.listCurrent(tenant.id)
  const names = new Set<ProviderName>(['google', ...clients.map(({ provider }) => provider)])

  const choices: LoginChoice[] = []
  for (const name of names) {
    const client = clientInUse(clients, name)
    const isShared = client?.mode !== 'own' && (client !== null || name === 'google')
    const hasSharedClient = isShared && ctx.providers.shared(name) !== null
    if (client?.mode === 'own' || hasSharedClient) {
      choices.push({ name, displayName: providerName(name, client?.displayName ?? null) })
    }
  }
  return choices
}

/**
 * Refuses a callback list without the host of a relay that a client uses, or will use after its test sign-in. The provider's
 * responses pass there, so an owner who drops the host must decide what the client does instead; switching the client off
 * would end sign-ins without a word.
 */
export async function requireRelays(
  { baseUrl }: Pick<Context, 'baseUrl'>,
  stores: Pick<TransactionStores, 'providerClients'>,
  { tenantId, callbackUrls }: Resource,
  { pathOf }: { readonly pathOf: (index: number | null) => string },
): Promise<void> {
  const clients = await stores.providerClients.listCurrent(tenantId)
  const problems: InputProblem[] = []
  for (const { mode, provider, displayName, redirectUri } of clients) {
    const isRelay = mode === 'own' && redirectUri !== baseUrl + callbackPath(provider, tenantId)
    if (!isRelay || relayProblem(redirectUri, callbackUrls) === null) {
      continue
    }
    const name = providerName(provider, displayName)
    problems.push({
      path: pathOf(null),
      problem: `Your client at ${name} has the redirect_uri ${redirectUri}. Keep a callback URL with its scheme and host, or change the client first: PUT /api/social-login/providers/${provider}.`,
    })
  }
  if (problems.length > 0) {
    throw invalidRequest(
      'A client at a provider needs a host that is missing in this list. Nothing was changed.',
      problems,
    )
  }
}
