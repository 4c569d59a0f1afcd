import * as wire from '@gatehouse-auth/contract'
import type { z } from 'zod'
import { nextLimit } from '../domain/limits/usage-forecast.ts'
import { fixFor, type RefusalCount } from '../domain/login/refusal.ts'
import type { Resource } from '../domain/stores/stores.ts'
import { lifecycleOf } from '../domain/tenants/tenant.ts'
import type { AccountUsage } from '../operations/events/insights.ts'
import type { NewTenant } from '../operations/tenants/keys.ts'
import type { Configuration } from '../operations/tenants/provision.ts'
import type { StatusReport } from '../operations/tenants/status.ts'
import { iso, isoOrNull } from './event-views.ts'

// Domain → wire: camelCase to snake_case, milliseconds to ISO 8601. Views list every field and spread no domain object, so
// that a new domain field does not become public.

export const resourceView = (
  baseUrl: string,
  resource: Resource,
  warnings: readonly string[] = [],
): z.infer<typeof wire.SocialLoginResource> => ({
  login_url: wire.loginUrl(baseUrl, resource.tenantId),
  callback_urls: [...resource.callbackUrls],
  events_table: wire.EVENTS_TABLE,
  events_endpoint: `${baseUrl}/api/social-login/events`,
  ...(resource.refreshLeewaySeconds === 0
    ? {}
    : { refresh_leeway_seconds: resource.refreshLeewaySeconds }),
  ...(warnings.length === 0 ? {} : { warnings: [...warnings] }),
})

export const resourceResultView = (
  baseUrl: string,
  resource: Resource,
  warnings: readonly string[] = [],
): z.infer<typeof wire.ResourceResult> => ({
  resource: 'social-login',
  status: 'active',
  ...resourceView(baseUrl, resource, warnings),
})

export function newTenantView(baseUrl: string, created: NewTenant): z.infer<typeof wire.NewTenant> {
  const { tenant, managementKey, applicationKey } = created
  const fields = {
    base_url: baseUrl,
    tenant_id: tenant.id,
    coh_management_key: managementKey,
    coh_application_key: applicationKey,
    expires_at: isoOrNull(tenant.expiresAt),
    tenant_lifecycle: lifecycleOf(tenant),
    runtime_profile: tenant.profile,
  }
  return {
    ...fields,
    status: lifecycleOf(tenant),
    credentials_file: {
      filename: wire.CREDENTIALS_FILENAME,
      content: wire.writeCredentialsFile(fields),
    },
  }
}

export function statusView(
  baseUrl: string,
  report: StatusReport,
): z.infer<typeof wire.TenantStatus> {
  const { tenant, status, tier, now, usage } = report
  const wireUsage = {
    stored_users: usage.storedUsers,
    events_this_minute: usage.eventsThisMinute,
    events_this_month: usage.eventsThisMonth,
    login_starts_this_minute: usage.loginStartsThisMinute,
    login_starts_this_month: usage.loginStartsThisMonth,
    authenticated_events_this_minute: usage.authenticatedEventsThisMinute,
    authenticated_events_this_month: usage.authenticatedEventsThisMonth,
    events_lifetime: usage.eventsLifetime,
  }
  return {
    tenant_id: tenant.id,
    status,
    lifecycle: lifecycleOf(tenant),
    created_at: iso(tenant.createdAt),
    expires_at: isoOrNull(tenant.expiresAt),
    seconds_left:
      tenant.expiresAt === null ? null : Math.max(0, Math.floor((tenant.expiresAt - now) / 1_000)),
    runtime_profile: tenant.profile,
    tier,
    pause_reason: tenant.pauseReason,
    ...(tenant.suspension === null
      ? {}
      : { suspension: { reason: tenant.suspension.reason, since: iso(tenant.suspension.at) } }),
    resources: report.provisioned ? [{ resource: 'social-login', status: 'active' }] : [],
    usage: wireUsage,
    ...(report.unlimited ? { unlimited: true } : {}),
    next_limit: status === 'expired' ? null : nextLimitView(wireUsage, now),
    ...(report.disabledWebhooks.length === 0
      ? {}
      : {
          disabled_webhooks: report.disabledWebhooks.map(({ id, disabledReason }) => ({
            id,
            reason: disabledReason ?? 'failing',
          })),
        }),
    ...(report.failingProviders.length === 0
      ? {}
      : {
          failing_providers: report.failingProviders.map(({ provider, clientId }) => ({
            name: provider,
            client_id: clientId ?? '',
            warning:
              'The provider refused this client, so its sign-ins fail. Set a new secret, or remove the client.',
          })),
        }),
    ...(report.refusals.length === 0 ? {} : { recent_refusals: report.refusals.map(refusalView) }),
    claim:
      lifecycleOf(tenant) === 'ephemeral' && status !== 'expired' && status !== 'suspended'
        ? { url_endpoint: `${baseUrl}/api/claim/url` }
        : null,
  }
}

/** Tools of earlier builds know only these names, so a warning about login starts stands at the window that they are part of. */
const WINDOW_OF_STARTS = {
  login_starts_this_minute: 'events_this_minute',
  login_starts_this_month: 'events_this_month',
} as const

type WireStatus = z.infer<typeof wire.TenantStatus>

function nextLimitView(usage: WireStatus['usage'], now: number): WireStatus['next_limit'] {
  const next = nextLimit(usage, now)
  if (next === null) {
    return null
  }

  const { allowance, warning } = next
  if (allowance !== 'login_starts_this_minute' && allowance !== 'login_starts_this_month') {
    return { ...next, allowance }
  }

  const window = WINDOW_OF_STARTS[allowance]
  const { used, limit } = usage[window]
  if (limit === null) {
    return null
  }
  return { allowance: window, used, limit, left: Math.max(0, limit - used), warning }
}

const usedView = ({ used, limit }: { readonly used: number; readonly limit: number | null }) => ({
  used,
  limit,
})

export const accountUsageView = (usage: AccountUsage): z.infer<typeof wire.AccountUsage> => ({
  stored_users: usedView(usage.storedUsers),
  events_this_minute: usedView(usage.eventsThisMinute),
  events_this_month: usedView(usage.eventsThisMonth),
})

export const refusalView = (refusal: RefusalCount): z.infer<typeof wire.Refusal> => {
  const { step, code, differs, sent, closest, count, firstAt, lastAt } = refusal
  return {
    step,
    code,
    count,
    first_at_ms: firstAt,
    last_at_ms: lastAt,
    ...(sent === null ? {} : { sent }),
    ...(closest === null ? {} : { closest }),
    ...(differs === null ? {} : { differs }),
    meaning: wire.refusalMeaning(code),
    fix: fixFor(refusal),
  }
}

/**
 * Reads `callback_url` or `callback_urls` (spec, Social-login provisioning). `pathOf` names the field that the caller sent, so
 * that a validation problem points at it.
 */
export function readSocialLoginConfiguration(
  body: z.infer<typeof wire.SocialLoginConfiguration>,
  prefix = '',
): Configuration {
  const { refresh_leeway_seconds: refreshLeewaySeconds } = body
  const settings = refreshLeewaySeconds === undefined ? {} : { refreshLeewaySeconds }
  if (body.callback_url !== undefined) {
    return { callbackUrls: [body.callback_url], settings, pathOf: () => `${prefix}callback_url` }
  }
  return {
    callbackUrls: body.callback_urls ?? [],
    settings,
    pathOf: (index) => `${prefix}callback_urls${index === null ? '' : `[${index}]`}`,
  }
}
