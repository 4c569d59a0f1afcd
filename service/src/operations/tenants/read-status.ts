import type { Tier } from '@gatehouse/contract'
import { enforcedLimits, scopesOf } from '../../domain/limits/allowance.ts'
import type { ProviderClient } from '../../domain/providers/provider-client.ts'
import type { RefusalCount } from '../../domain/refusals/refusal.ts'
import { statusAt, type Tenant, type TenantStatus, tierOf } from '../../domain/tenants/tenant.ts'
import type { Webhook } from '../../domain/webhooks/webhook.ts'
import type { Context } from '../context.ts'
import { listRefusals } from '../refusals/list-refusals.ts'

export interface Used {
  readonly used: number
  readonly limit: number | null
}

export interface StatusReport {
  readonly tenant: Tenant
  readonly status: TenantStatus
  readonly tier: Tier
  readonly now: number
  readonly provisioned: boolean
  /** The limits of events are not enforced. */
  readonly unlimited: boolean
  readonly usage: {
    readonly storedUsers: Used
    readonly eventsThisMinute: Used
    readonly eventsThisMonth: Used
    readonly authenticatedEventsThisMinute: Used
    readonly authenticatedEventsThisMonth: Used
    readonly eventsLifetime: Used
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
  const { users, lifetime, minute, month } = await ctx.stores.eventCounts.read(scopesOf(tenant), now)
  const status = statusAt(tenant, now)
  const refusals = status === 'expired' ? [] : await listRefusals(ctx, tenant, REFUSALS_SHOWN)
  const providerClients = await ctx.stores.providerClients.listCurrent(tenant.id)
  const webhooks = await ctx.stores.webhooks.listByTenant(tenant.id)
  return {
    tenant,
    status,
    tier: tierOf(tenant),
    now,
    unlimited: ctx.unlimited,
    provisioned: status !== 'expired' && (await ctx.stores.resources.findActive(tenant.id)) !== null,
    usage: {
      storedUsers: { used: users, limit: limits.storedUsers },
      eventsThisMinute: { used: minute.used, limit: limits.eventsPerMinute },
      eventsThisMonth: { used: month.used, limit: limits.eventsPerMonth },
      authenticatedEventsThisMinute: { used: minute.authenticated, limit: limits.eventsPerMinute },
      authenticatedEventsThisMonth: { used: month.authenticated, limit: limits.eventsPerMonth },
      eventsLifetime: { used: lifetime, limit: limits.eventsPerLifetime },
    },
    refusals,
    disabledWebhooks: webhooks.filter(({ disabledReason }) => ![null, 'owner'].includes(disabledReason)),
    failingProviders: providerClients.filter(({ status: health }) => health === 'failing'),
  }
}
