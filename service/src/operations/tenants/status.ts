import type { Tier } from '@gatehouse-auth/contract'
import type { Account } from '../../domain/accounts/account.ts'
import { ApiError, invalidRequest } from '../../domain/api-error.ts'
import type { Author } from '../../domain/audit.ts'
import type { Logo } from '../../domain/brand/brand.ts'
import type { TenantId } from '../../domain/ids.ts'
import { enforcedLimits, scopesOf } from '../../domain/limits/allowance.ts'
import type { Usage } from '../../domain/limits/over-limit.ts'
import type { ProviderClient } from '../../domain/providers/provider-client.ts'
import { REFUSALS_KEPT_MS, type RefusalCount } from '../../domain/refusal.ts'
import {
  type OwnedTenant,
  projectName,
  readProjectName,
  statusAt,
  type Tenant,
  type TenantStatus,
  tierOf,
} from '../../domain/tenants/tenant.ts'
import { isTenantId } from '../../domain/tenants/tenant-id.ts'
import type { Webhook } from '../../domain/webhooks/webhook.ts'
import { recordAction } from '../audit.ts'
import type { Context } from '../context.ts'
import { listRefusals } from '../refusals.ts'
import { readCallbackHosts } from '../social-login/provision.ts'
import { type NewTenant, unsealKeyPair } from './keys.ts'

export interface StatusReport {
  readonly tenant: Tenant
  readonly status: TenantStatus
  readonly tier: Tier
  readonly now: number
  readonly provisioned: boolean
  /** The limits of events are not enforced. */
  readonly unlimited: boolean
  readonly usage: {
    readonly storedUsers: Usage
    readonly eventsThisMinute: Usage
    readonly eventsThisMonth: Usage
    readonly authenticatedEventsThisMinute: Usage
    readonly authenticatedEventsThisMonth: Usage
    readonly eventsLifetime: Usage
  }
  /** The newest kinds of the last 24 hours. */
  readonly refusals: readonly RefusalCount[]
  /** Those that the owner did not disable. */
  readonly disabledWebhooks: readonly Webhook[]
  /** Own clients that the provider refused. */
  readonly failingProviders: readonly ProviderClient[]
}

const REFUSALS_SHOWN = 3

/** Works in every status, so that an agent can always find out why other calls fail. */
export async function readStatus(ctx: Context, tenant: Tenant): Promise<StatusReport> {
  const now = ctx.now()
  const limits = enforcedLimits(tierOf(tenant), ctx.unlimited)
  const status = statusAt(tenant, now)
  const isExpired = status === 'expired'
  // Those of this process first: an agent asks right after it saw one.
  if (!isExpired) {
    await ctx.refusals.flush()
  }
  const { eventCounts, providerClients, webhooks } = ctx.stores
  const reported = { tenantId: tenant.id, refusedSince: now - REFUSALS_KEPT_MS }
  const found = await eventCounts.read(scopesOf(tenant), now, reported)
  const { users, lifetime, minute, month } = found
  const clients = found.hasFailingProvider ? await providerClients.listCurrent(tenant.id) : []
  const endpoints = found.hasDisabledWebhook ? await webhooks.listByTenant(tenant.id) : []
  return {
    tenant,
    status,
    tier: tierOf(tenant),
    now,
    unlimited: ctx.unlimited,
    provisioned: !isExpired && found.isProvisioned,
    usage: {
      storedUsers: { used: users, limit: limits.storedUsers },
      eventsThisMinute: { used: minute.used, limit: limits.eventsPerMinute },
      eventsThisMonth: { used: month.used, limit: limits.eventsPerMonth },
      authenticatedEventsThisMinute: { used: minute.authenticated, limit: limits.eventsPerMinute },
      authenticatedEventsThisMonth: { used: month.authenticated, limit: limits.eventsPerMonth },
      eventsLifetime: { used: lifetime, limit: limits.eventsPerLifetime },
    },
    refusals:
      !isExpired && found.hasRefusals ? await listRefusals(ctx, tenant, REFUSALS_SHOWN) : [],
    disabledWebhooks: endpoints.filter(
      ({ disabledReason }) => ![null, 'owner'].includes(disabledReason),
    ),
    failingProviders: clients.filter(({ status: health }) => health === 'failing'),
  }
}

/** The identities of a browser: a signed-in account, a guest cookie, or both. */
interface Reader {
  readonly account: Account | null
  readonly guest: string | null
}

/**
 * The keys of a tenant that a grant created, for its owner or, while it has none, for the guest who created it (spec,
 * Authentication 9). All other cases give the same error.
 */
export async function readCredentials(
  ctx: Context,
  tenantId: TenantId,
  reader: Reader,
): Promise<NewTenant> {
  const tenant = isTenantId(tenantId) ? await ctx.stores.tenants.find(tenantId) : null
  if (
    tenant === null ||
    statusAt(tenant, ctx.now()) === 'expired' ||
    !mayRead(ctx, tenant, reader)
  ) {
    throw credentialsNotFound()
  }
  const kept = await findKeptKeys(ctx, tenant)
  if (kept === null) {
    throw credentialsNotFound()
  }
  return kept
}

/** The keys of a tenant whose credentials can be downloaded again; null for any other. */
export async function findKeptKeys(
  ctx: Pick<Context, 'stores' | 'keyring'>,
  tenant: Tenant,
): Promise<NewTenant | null> {
  const sealed = await ctx.stores.credentials.find(tenant.id)
  return sealed === null ? null : { tenant, ...unsealKeyPair(ctx, tenant.id, sealed) }
}

function mayRead({ keyring }: Context, tenant: Tenant, { account, guest }: Reader): boolean {
  if (tenant.claimedAt !== null) {
    return account !== null && tenant.owner?.accountId === account.id
  }
  const { creatorGuestHash } = tenant
  return (
    guest !== null &&
    creatorGuestHash !== null &&
    keyring.hashes('guest', guest).includes(creatorGuestHash)
  )
}

const credentialsNotFound = (): ApiError =>
  new ApiError(
    'tenantNotFound',
    'There are no credentials here that this browser may download. Those of a project that was created without signing in are shown once and not kept; its owner can replace them on its page.',
  )

export interface DescribedProject {
  readonly tenantId: string
  /** What the console calls it (domain/tenants/tenant.ts). */
  readonly name: string
  /** What the owner calls it. */
  readonly ownName: string | null
  readonly callbackHosts: readonly string[]
  readonly logo: Logo | null
}

/** How the console names a project. */
export async function describeProject(
  ctx: Pick<Context, 'stores'>,
  tenant: OwnedTenant,
): Promise<DescribedProject> {
  const callbackHosts = await readCallbackHosts(ctx, tenant)
  const brand = await ctx.stores.brands.find(tenant.id)
  const names = {
    tenantId: tenant.id,
    name: tenant.name,
    brandName: brand?.name ?? null,
    callbackHosts,
  }
  return {
    tenantId: tenant.id,
    name: projectName(names),
    ownName: tenant.name,
    callbackHosts,
    logo: brand?.logo ?? null,
  }
}

/** Gives the project a name in the console of its owner; an empty one removes it. */
export async function renameProject(
  ctx: Context,
  tenant: Tenant,
  text: string,
  author: Author,
): Promise<void> {
  const read = readProjectName(text)
  if (!read.ok) {
    throw invalidRequest('The name was not changed.', [{ path: 'name', problem: read.problem }])
  }
  await ctx.stores.transaction(async (stores) => {
    await stores.ownership.rename(tenant.id, read.name)
    await recordAction(stores, {
      tenantId: tenant.id,
      author,
      action: 'tenant.renamed',
      at: ctx.now(),
    })
  })
}
