import {
  OIDC_PROVIDERS_MAX,
  PROVIDER_KINDS,
  type ProviderName,
  providerKind,
} from '@gatehouse-auth/contract'
import { ApiError, type InputProblem, invalidRequest } from '../../domain/api-error.ts'
import type { TenantId } from '../../domain/ids.ts'
import { callbackPath, fixedIssuer } from '../../domain/providers/provider.ts'
import {
  applePrivateKeyProblem,
  clientInUse,
  issuerProblem,
  newestClient,
  newProviderClientId,
  normalizeIssuer,
  type ProviderClient,
  type ProviderCredentials,
  readProviderName,
  relayProblem,
  sealCredentials,
} from '../../domain/providers/provider-client.ts'
import type { Resource } from '../../domain/stores/stores.ts'
import type { Author } from '../../domain/tenants/audit.ts'
import { requireTenantAccess, type Tenant } from '../../domain/tenants/tenant.ts'
import type { Context } from '../context.ts'
import { recordAction } from '../tenants/audit.ts'
import { lockResource, requireResource } from '../tenants/require-tenant.ts'

/** A client that the owner registered at the provider. */
export interface OwnClient {
  readonly credentials: ProviderCredentials
  /** The name of an OpenID provider; null: another provider. */
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
    const checked = own === null ? null : readOwnClient(ctx, own, resource)
    requireRoom(current, name)
    if (checked === null) {
      await stores.providerClients.retire(tenant.id, name, now)
      // Google without a row is shared.
      if (name !== 'google') {
        await stores.providerClients.add(sharedClient(ctx, tenant, name))
      }
    } else {
      await stores.providerClients.retire(tenant.id, name, now, 'pending')
      await stores.providerClients.add(ownClient(ctx, tenant, name, checked))
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
  ctx: Pick<Context, 'baseUrl' | 'operatorName'>,
  own: OwnClient,
  { callbackUrls }: Pick<Resource, 'callbackUrls'>,
): OwnClient {
  const problems = [...keyProblems(own), ...relayProblems(own, callbackUrls)]
  const named = readOpenIdProvider(ctx, own)
  problems.push(...named.problems)
  if (problems.length > 0) {
    throw invalidRequest('This client cannot be used. Nothing was changed.', problems)
  }
  return named.own
}

function keyProblems({ credentials }: OwnClient): InputProblem[] {
  if (credentials.kind !== 'apple') {
    return []
  }
  const problem = applePrivateKeyProblem(credentials.privateKey)
  return problem === null ? [] : [{ path: 'private_key', problem }]
}

function relayProblems(
  { credentials, redirectUri }: OwnClient,
  callbackUrls: readonly string[],
): InputProblem[] {
  if (redirectUri === null) {
    return []
  }
  const { formPost, label } = PROVIDER_KINDS[credentials.kind]
  const problem = formPost
    ? `Leave it out: ${label} posts a form, which no relay can redirect.`
    : relayProblem(redirectUri, callbackUrls)
  return problem === null ? [] : [{ path: 'redirect_uri', problem }]
}

interface ReadOpenIdProvider {
  readonly own: OwnClient
  readonly problems: readonly InputProblem[]
}

/** Normalizes issuer and name of an OpenID provider; another client stays as it is. */
function readOpenIdProvider(
  { baseUrl, operatorName }: Pick<Context, 'baseUrl' | 'operatorName'>,
  own: OwnClient,
): ReadOpenIdProvider {
  const { credentials, redirectUri } = own
  if (credentials.kind !== 'oidc') {
    return { own, problems: [] }
  }

  const problems: InputProblem[] = []
  const issuer = normalizeIssuer(credentials.issuer)
  const problem = issuerProblem(issuer, baseUrl)
  if (problem !== null) {
    problems.push({ path: 'issuer', problem })
  }
  const name = readProviderName(own.displayName ?? '', issuer, operatorName)
  if (!name.ok) {
    problems.push({ path: 'display_name', problem: name.problem })
    return { own, problems }
  }
  const read = { credentials: { ...credentials, issuer }, displayName: name.name, redirectUri }
  return { own: read, problems }
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

function ownClient(
  ctx: Context,
  tenant: Tenant,
  name: ProviderName,
  own: OwnClient,
): ProviderClient {
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
  if (providerKind(name) !== 'oidc') {
    return
  }

  const others = new Set<ProviderName>()
  for (const { provider } of clients) {
    if (provider !== name && providerKind(provider) === 'oidc') {
      others.add(provider)
    }
  }
  if (others.size >= OIDC_PROVIDERS_MAX) {
    throw new ApiError(
      'providerLimit',
      `This tenant has ${OIDC_PROVIDERS_MAX} OpenID providers, as many as it may. Remove one first.`,
      { details: { limit: OIDC_PROVIDERS_MAX } },
    )
  }
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
  readonly client: ProviderClient | null
  /** null: the provider is not enabled. */
  readonly inUse: Pick<ProviderClient, 'mode' | 'clientId'> | null
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
  clients: readonly ProviderClient[],
): DescribedProvider {
  const client = newestClient(clients, name)
  const redirectUri = client?.redirectUri ?? baseUrl + callbackPath(name, tenant.id)
  return {
    name,
    client,
    inUse: clientInUse(clients, name) ?? (name === 'google' ? SHARED : null),
    redirectUri,
  }
}

/**
 * Notes on an owner's client whether the provider accepts it. One that it refuses stays in use: falling back to another
 * client would hide the problem from the owner.
 */
export async function noteClientHealth(
  { stores, log }: Pick<Context, 'stores' | 'log'>,
  client: ProviderClient | null,
  accepted: boolean,
): Promise<void> {
  const [from, to] = accepted ? (['failing', 'active'] as const) : (['active', 'failing'] as const)
  if (client?.status !== from) {
    return
  }
  try {
    await stores.providerClients.setStatus(client, from, to)
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
    const own = clients.find((client) => client.issuer === issuer)
    return fixedIssuer(issuer) ?? own?.provider ?? null
  }
}
