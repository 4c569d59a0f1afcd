import type { ProviderName } from '@gatehouse/contract'
import { ApiError } from '../../domain/api-error.ts'
import type { TenantId } from '../../domain/ids.ts'
import type { Attempt } from '../../domain/login/attempt.ts'
import type { IdentityProvider } from '../../domain/login/identity-provider.ts'
import { callbackPath } from '../../domain/providers/callback-path.ts'
import { clientInUse, type ProviderClient } from '../../domain/providers/provider-client.ts'
import type { Context } from '../context.ts'
import { loginOver } from '../login/attempt-errors.ts'

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
export async function providerForStart(ctx: Resolving, tenantId: TenantId, name: ProviderName): Promise<LoginProvider> {
  const client = clientInUse(await ctx.stores.providerClients.listCurrent(tenantId), name)
  if (client?.mode === 'own') return ownProvider(ctx, client)
  // Google needs no row: it is enabled for every app.
  const shared = client !== null || name === 'google' ? sharedProvider(ctx, tenantId, name) : null
  if (shared === null) throw providerNotEnabled()
  return shared
}

/** For a login that returns: with the client that it began with, also if the owner has replaced it meanwhile. */
export async function providerOfAttempt(
  ctx: Resolving,
  { tenantId, provider, providerClientId: id }: Pick<Attempt, 'tenantId' | 'provider' | 'providerClientId'>,
): Promise<LoginProvider> {
  if (id === null) {
    const shared = sharedProvider(ctx, tenantId, provider)
    if (shared === null) throw loginOver()
    return shared
  }
  const client = await ctx.stores.providerClients.find({ tenantId, id })
  if (client === null) throw loginOver()
  return ownProvider(ctx, client)
}

export const ownProvider = (ctx: Pick<Context, 'providers'>, client: ProviderClient): LoginProvider => ({
  name: client.provider,
  identity: ctx.providers.own(client),
  redirectUri: client.redirectUri,
  client,
})

export function sharedProvider(
  { providers, baseUrl }: Pick<Context, 'providers' | 'baseUrl'>,
  tenantId: TenantId,
  name: ProviderName,
): LoginProvider | null {
  const identity = providers.shared(name)
  return identity && { name, identity, redirectUri: baseUrl + callbackPath(name, tenantId), client: null }
}

const providerNotEnabled = (): ApiError =>
  new ApiError('providerNotEnabled', 'This app does not offer this way to sign in. Start at the login page of the app.')
