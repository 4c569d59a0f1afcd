import type { Tier } from '@gatehouse-auth/contract'
import { enforcedLimits, loginStartUsage, scopesOf } from '../../domain/limits/allowance.ts'
import type { UsedCounts } from '../../domain/limits/counter.ts'
import type { Usage } from '../../domain/limits/usage-forecast.ts'
import { REFUSALS_KEPT_MS, type RefusalCount } from '../../domain/login/refusal.ts'
import type { ProviderClient } from '../../domain/providers/provider-client.ts'
import { statusAt, type Tenant, type TenantStatus, tierOf } from '../../domain/tenants/tenant.ts'
import type { Webhook } from '../../domain/webhooks/webhook.ts'
import type { Context } from '../context.ts'
import { listRefusals } from '../login/refusals.ts'

export interface StatusReport {
  readonly tenant: Tenant
  readonly status: TenantStatus
  readonly tier: Tier
  readonly now: number
  readonly provisioned: boolean
  /** The limits of events are not enforced. */
  readonly unlimited: boolean
  readonly usage: TenantUsage
  /** The newest kinds of the last 24 hours. */
  readonly refusals: readonly RefusalCount[]
  /** Webhooks that the service disabled, not the owner. */
  readonly disabledWebhooks: readonly Webhook[]
  /** The owner's clients that their provider refused. */
  readonly failingProviders: readonly ProviderClient[]
}

interface TenantUsage {
  readonly storedUsers: Usage
  readonly eventsThisMinute: Usage
  readonly eventsThisMonth: Usage
  readonly loginStartsThisMinute: Usage
  readonly loginStartsThisMonth: Usage
  /** Sign-ins and refreshes, for earlier tools. */
  readonly authenticatedEventsThisMinute: Usage
  readonly authenticatedEventsThisMonth: Usage
  readonly eventsLifetime: Usage
}

const REFUSALS_SHOWN = 3

/** Works in every status, so that an agent can always find out why other calls fail. */
export async function readStatus(ctx: Context, tenant: Tenant): Promise<StatusReport> {
  const now = ctx.now()
  const status = statusAt(tenant, now)
  const isExpired = status === 'expired'

  // An agent asks right after it saw a refusal, which this process may not have written yet.
  if (!isExpired) {
    await ctx.refusals.flush()
  }

  const found = await ctx.stores.eventCounts.read(scopesOf(tenant), now, {
    tenantId: tenant.id,
    refusedSince: now - REFUSALS_KEPT_MS,
  })
  const showsRefusals = !isExpired && found.hasRefusals
  return {
    tenant,
    status,
    tier: tierOf(tenant),
    now,
    unlimited: ctx.unlimited,
    provisioned: !isExpired && found.isProvisioned,
    usage: usageOf(ctx, tenant, found),
    refusals: showsRefusals ? await listRefusals(ctx, tenant, REFUSALS_SHOWN) : [],
    disabledWebhooks: found.hasDisabledWebhook ? await listDisabledWebhooks(ctx, tenant) : [],
    failingProviders: found.hasFailingProvider ? await listFailingProviders(ctx, tenant) : [],
  }
}

function usageOf(
  { unlimited }: Pick<Context, 'unlimited'>,
  tenant: Tenant,
  { users, lifetime, minute, month }: UsedCounts,
): TenantUsage {
  const limits = enforcedLimits(tierOf(tenant), unlimited)
  return {
    storedUsers: { used: users, limit: limits.storedUsers },
    eventsThisMinute: { used: minute.used, limit: limits.eventsPerMinute },
    eventsThisMonth: { used: month.used, limit: limits.eventsPerMonth },
    loginStartsThisMinute: loginStartUsage(minute, limits.eventsPerMinute),
    loginStartsThisMonth: loginStartUsage(month, limits.eventsPerMonth),
    authenticatedEventsThisMinute: { used: minute.authenticated, limit: limits.eventsPerMinute },
    authenticatedEventsThisMonth: { used: month.authenticated, limit: limits.eventsPerMonth },
    eventsLifetime: { used: lifetime, limit: limits.eventsPerLifetime },
  }
}

async function listDisabledWebhooks(
  { stores }: Pick<Context, 'stores'>,
  tenant: Tenant,
): Promise<readonly Webhook[]> {
  const endpoints = await stores.webhooks.listByTenant(tenant.id)
  return endpoints.filter(
    ({ disabledReason }) => disabledReason !== null && disabledReason !== 'owner',
  )
}

async function listFailingProviders(
  { stores }: Pick<Context, 'stores'>,
  tenant: Tenant,
): Promise<readonly ProviderClient[]> {
  const clients = await stores.providerClients.listCurrent(tenant.id)
  return clients.filter(({ status }) => status === 'failing')
}
