import { OIDC_PROVIDERS_MAX, type ProviderName, providerKind } from '@gatehouse/contract'
import { ApiError } from '../../domain/api-error.ts'
import type { Author } from '../../domain/audit/action.ts'
import { callbackPath } from '../../domain/providers/callback-path.ts'
import { newProviderClientId, type ProviderClient } from '../../domain/providers/provider-client.ts'
import { sealCredentials } from '../../domain/providers/sealed-credentials.ts'
import type { Tenant } from '../../domain/tenants/tenant.ts'
import { requireTenantAccess } from '../../domain/tenants/tenant-access.ts'
import { recordAction } from '../audit/record-action.ts'
import type { Context } from '../context.ts'
import { lockResource } from '../tenants/require-tenant.ts'
import { checkOwnClient, type OwnClient } from './check-own-client.ts'
import { type DescribedProvider, describeProvider } from './list-providers.ts'

/**
 * Sets what users sign in with at a provider. The operator's client is used at once; an owner's own one after a test
 * sign-in, and until then what was in use stays in use.
 */
export async function setProvider(
  ctx: Context,
  tenant: Tenant,
  name: ProviderName,
  own: OwnClient | null,
  author: Author,
): Promise<DescribedProvider> {
  const now = ctx.now()
  requireTenantAccess(tenant, 'use', now)
  if (own === null && ctx.providers.shared(name) === null) throw noSharedClient()
  if (own !== null && tenant.owner === null) throw ownerRequired()
  const client = own === null ? sharedClient(ctx, tenant, name) : ownClient(ctx, tenant, name, own)
  return ctx.stores.transaction(async (stores) => {
    const resource = await lockResource(stores, tenant)
    if (own !== null) checkOwnClient(ctx, own, resource)
    requireRoom(await stores.providerClients.lockCurrent(tenant.id), name)
    await stores.providerClients.retire(tenant.id, name, now, own === null ? undefined : 'pending')
    // Google without a row is shared.
    if (own !== null || name !== 'google') await stores.providerClients.add(client)
    await recordAction(stores, { tenantId: tenant.id, author, action: 'provider.changed', target: name, at: now })
    return describeProvider(ctx, tenant, name, await stores.providerClients.listCurrent(tenant.id))
  })
}

function sharedClient(ctx: Context, tenant: Tenant, name: ProviderName): ProviderClient {
  return {
    tenantId: tenant.id,
    id: newProviderClientId(ctx.random),
    provider: name,
    mode: 'shared',
    clientId: null,
    issuer: null,
    displayName: null,
    sealed: null,
    redirectUri: ctx.baseUrl + callbackPath(name, tenant.id),
    status: 'active',
    createdAt: ctx.now(),
    testedAt: null,
    retiredAt: null,
  }
}

function ownClient(ctx: Context, tenant: Tenant, name: ProviderName, own: OwnClient): ProviderClient {
  const { credentials, displayName, redirectUri } = own
  const shared = sharedClient(ctx, tenant, name)
  return {
    ...shared,
    mode: 'own',
    clientId: credentials.clientId,
    issuer: credentials.kind === 'oidc' ? credentials.issuer : null,
    displayName,
    sealed: sealCredentials(ctx.keyring, shared, credentials, ctx.random),
    redirectUri: redirectUri ?? shared.redirectUri,
    status: 'pending',
  }
}

function requireRoom(clients: readonly ProviderClient[], name: ProviderName): void {
  if (providerKind(name) !== 'oidc') return
  const others = new Set(clients.map(({ provider }) => provider).filter((each) => providerKind(each) === 'oidc'))
  others.delete(name)
  if (others.size < OIDC_PROVIDERS_MAX) return
  const message = `This tenant has ${OIDC_PROVIDERS_MAX} OpenID providers, as many as it may. Remove one first.`
  throw new ApiError('providerLimit', message, { details: { limit: OIDC_PROVIDERS_MAX } })
}

const noSharedClient = (): ApiError =>
  new ApiError(
    'noSharedClient',
    'This service has no client at this provider that apps can share. Register one there, and send its id and secret.',
  )

const ownerRequired = (): ApiError =>
  new ApiError(
    'ownerRequired',
    'Only a claimed tenant can have a client of its own: POST /api/claim/url. A guest can use a shared one: { "mode": "shared" }.',
  )
