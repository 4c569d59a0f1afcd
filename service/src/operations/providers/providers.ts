import { OIDC_PROVIDERS_MAX, type ProviderName, providerKind } from '@gatehouse-auth/contract'
import { ApiError, type InputProblem, invalidRequest } from '../../domain/api-error.ts'
import type { TenantId } from '../../domain/ids.ts'
import { callbackPath, fixedIssuer } from '../../domain/providers/provider.ts'
import * as clientRules from '../../domain/providers/provider-client.ts'
import type { Resource } from '../../domain/stores/stores.ts'
import type { Author } from '../../domain/tenants/audit.ts'
import { requireTenantAccess, type Tenant } from '../../domain/tenants/tenant.ts'
import type { Context } from '../context.ts'
import { recordAction } from '../tenants/audit.ts'
import { lockResource, requireResource } from '../tenants/require-tenant.ts'

/** A client that the owner registered at the provider. */
export interface OwnClient {
  readonly credentials: clientRules.ProviderCredentials
  /** Of an OpenID provider. */
  readonly displayName: string | null
  /** A relay of the app; null: our callback. */
  readonly redirectUri: string | null
}

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
  if (own === null && ctx.providers.shared(name) === null) {
    throw noSharedClient()
  }
  if (own !== null && tenant.owner === null) {
    throw ownerRequired()
  }
  return ctx.stores.transaction(async (stores) => {
    const current = await stores.providerClients.lockCurrent(tenant.id)
    const resource = await lockResource(stores, tenant)
    const client =
      own === null
        ? sharedClient(ctx, tenant, name)
        : ownClient(ctx, tenant, name, readOwnClient(ctx, own, resource))
    requireRoom(current, name)
    await stores.providerClients.retire(tenant.id, name, now, own === null ? undefined : 'pending')
    // Google without a row is shared.
    if (own !== null || name !== 'google') {
      await stores.providerClients.add(client)
    }
    await recordAction(stores, {
      tenantId: tenant.id,
      author,
      action: 'provider.changed',
      target: name,
      at: now,
    })
    return describeProvider(ctx, tenant, name, await stores.providerClients.listCurrent(tenant.id))
  })
}

/** Checks what a schema cannot, and normalizes. Throws one error that names every problem. */
function readOwnClient(
  { baseUrl, operatorName }: Pick<Context, 'baseUrl' | 'operatorName'>,
  own: OwnClient,
  { callbackUrls }: Pick<Resource, 'callbackUrls'>,
): OwnClient {
  const { credentials, displayName, redirectUri } = own
  const problems: InputProblem[] = []
  const check = (path: string, problem: string | null): void => {
    if (problem !== null) {
      problems.push({ path, problem })
    }
  }
  if (credentials.kind === 'apple') {
    check('private_key', clientRules.applePrivateKeyProblem(credentials.privateKey))
    if (redirectUri !== null) {
      check('redirect_uri', 'Leave it out: Apple posts a form, which no relay can redirect.')
    }
  } else if (redirectUri !== null) {
    check('redirect_uri', clientRules.relayProblem(redirectUri, callbackUrls))
  }
  let read = own
  if (credentials.kind === 'oidc') {
    const issuer = clientRules.normalizeIssuer(credentials.issuer)
    check('issuer', clientRules.issuerProblem(issuer, baseUrl))
    const name = clientRules.readProviderName(displayName ?? '', issuer, operatorName)
    if (!name.ok) {
      check('display_name', name.problem)
    } else {
      read = { ...own, credentials: { ...credentials, issuer }, displayName: name.name }
    }
  }
  if (problems.length > 0) {
    throw invalidRequest('This client cannot be used. Nothing was changed.', problems)
  }
  return read
}

function sharedClient(
  ctx: Context,
  tenant: Tenant,
  name: ProviderName,
): clientRules.ProviderClient {
  return {
    tenantId: tenant.id,
    id: clientRules.newProviderClientId(ctx.random),
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

function ownClient(
  ctx: Context,
  tenant: Tenant,
  name: ProviderName,
  own: OwnClient,
): clientRules.ProviderClient {
  const { credentials, displayName, redirectUri } = own
  const shared = sharedClient(ctx, tenant, name)
  return {
    ...shared,
    mode: 'own',
    clientId: credentials.clientId,
    issuer: credentials.kind === 'oidc' ? credentials.issuer : null,
    displayName,
    sealed: clientRules.sealCredentials(ctx.keyring, shared, credentials, ctx.random),
    redirectUri: redirectUri ?? shared.redirectUri,
    status: 'pending',
  }
}

function requireRoom(clients: readonly clientRules.ProviderClient[], name: ProviderName): void {
  if (providerKind(name) !== 'oidc') {
    return
  }
  const others = new Set(
    clients.map(({ provider }) => provider).filter((each) => providerKind(each) === 'oidc'),
  )
  others.delete(name)
  if (others.size < OIDC_PROVIDERS_MAX) {
    return
  }
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

/** Switches a provider off; Google returns to the operator's client. Logins in progress end with the client they have. */
export async function removeProvider(
  ctx: Context,
  tenant: Tenant,
  name: ProviderName,
  author: Author,
): Promise<void> {
  const now = ctx.now()
  requireTenantAccess(tenant, 'use', now)
  await ctx.stores.transaction(async (stores) => {
    await lockResource(stores, tenant)
    if ((await stores.providerClients.retire(tenant.id, name, now)) === 0) {
      throw providerNotSet()
    }
    await recordAction(stores, {
      tenantId: tenant.id,
      author,
      action: 'provider.removed',
      target: name,
      at: now,
    })
  })
}

export const providerNotSet = (): ApiError =>
  new ApiError(
    'providerNotFound',
    'This tenant has not set up this provider: GET /api/social-login/providers.',
  )

/** A provider of an app, as its owner sees it. */
export interface DescribedProvider {
  readonly name: ProviderName
  /** What the owner set last; null: nothing, so that Google is shared. */
  readonly client: clientRules.ProviderClient | null
  /** null: the provider is not enabled. */
  readonly inUse: Pick<clientRules.ProviderClient, 'mode' | 'clientId'> | null
  readonly redirectUri: string
}

/** Google first, which every app has, then the others in the order in which they were set up. */
export async function listProviders(ctx: Context, tenant: Tenant): Promise<DescribedProvider[]> {
  requireTenantAccess(tenant, 'read', ctx.now())
  await requireResource(ctx.stores, tenant)
  const clients = await ctx.stores.providerClients.listCurrent(tenant.id)
  const names = new Set<ProviderName>(['google', ...clients.map(({ provider }) => provider)])
  return [...names].map((name) => describeProvider(ctx, tenant, name, clients))
}

const SHARED = { mode: 'shared', clientId: null } as const

export function describeProvider(
  { baseUrl }: Pick<Context, 'baseUrl'>,
  tenant: Tenant,
  name: ProviderName,
  clients: readonly clientRules.ProviderClient[],
): DescribedProvider {
  const client = clientRules.newestClient(clients, name)
  const redirectUri = client?.redirectUri ?? baseUrl + callbackPath(name, tenant.id)
  return {
    name,
    client,
    inUse: clientRules.clientInUse(clients, name) ?? (name === 'google' ? SHARED : null),
    redirectUri,
  }
}

/**
 * Notes on an owner's client whether the provider accepts it. One that it refuses stays in use: falling back to another
 * client would hide the problem from the owner.
 */
export async function noteClientHealth(
  { stores, log }: Pick<Context, 'stores' | 'log'>,
  client: clientRules.ProviderClient | null,
  accepted: boolean,
): Promise<void> {
  if (client === null || client.status !== (accepted ? 'failing' : 'active')) {
    return
  }
  try {
    await stores.providerClients.setStatus(client, client.status, accepted ? 'active' : 'failing')
  } catch (error) {
    // The login itself must not fail with it: the next one notes it.
    log.warn('the status of a provider client could not be changed', error)
  }
}

/** Which provider of this tenant an issuer is. null: an OpenID provider that the owner has removed. */
export type NameIssuer = (issuer: string) => ProviderName | null

/** For users' identities. Users are stored by issuer, because a provider can be renamed or removed. */
export async function nameIssuers(
  ctx: Pick<Context, 'identity' | 'stores'>,
  tenantId: TenantId,
): Promise<NameIssuer> {
  const clients = await ctx.stores.providerClients.listCurrent(tenantId)
  return (issuer) => {
    if (ctx.identity.isIssuer(issuer)) {
      return 'google'
    }
    return (
      fixedIssuer(issuer) ?? clients.find((client) => client.issuer === issuer)?.provider ?? null
    )
  }
}
