import type { Tier } from '@gatehouse-auth/contract'
import type { Account } from '../../domain/accounts/account.ts'
import { callbackHostsOf } from '../../domain/callbacks/url.ts'
import { scopesOf } from '../../domain/limits/allowance.ts'
import type { Resource } from '../../domain/stores/stores.ts'
import type { RecordedAction } from '../../domain/tenants/audit.ts'
import { statusAt, type Tenant, type TenantStatus, tierOf } from '../../domain/tenants/tenant.ts'
import type { Instant } from '../../domain/time.ts'
import type { Context } from '../context.ts'

const ACTIONS_SHOWN = 5

/** What the operator sees of a tenant: no data of the app's users. */
export interface TenantDescription {
  readonly tenant: Tenant
  readonly status: TenantStatus
  readonly tier: Tier
  readonly owner: Account | null
  readonly callbackHosts: readonly string[]
  readonly users: number
  readonly activeSessions: number
  /** For an owned tenant: the events of all projects of the account. */
  readonly eventsThisMonth: number
  readonly eventsLifetime: number
  readonly lastActivityAt: Instant | null
  readonly webhooks: number
  /** Rows of a deleted social login. */
  readonly rowsLeft: number
  /** Newest first. */
  readonly actions: readonly RecordedAction[]
}

export async function describeTenant(
  { stores, now }: Pick<Context, 'stores' | 'now'>,
  tenant: Tenant,
): Promise<TenantDescription> {
  const at = now()
  const { resource, owner, callbackHosts } = await readOwnerAndHosts({ stores }, tenant)
  const events = await stores.eventCounts.read(scopesOf(tenant), at)
  const [newest] = resource === null ? [] : await stores.events.recent(resource, 0, 1)
  const webhooks = await stores.webhooks.listByTenant(tenant.id)
  return {
    tenant,
    status: statusAt(tenant, at),
    tier: tierOf(tenant),
    owner,
    callbackHosts,
    users: resource === null ? 0 : await stores.users.count(resource),
    activeSessions: resource === null ? 0 : await stores.sessions.countActive(resource, at),
    eventsThisMonth: events.month.used,
    eventsLifetime: events.lifetime,
    lastActivityAt: newest?.createdAt ?? null,
    webhooks: webhooks.length,
    rowsLeft: await stores.resources.countDeleting(tenant.id),
    actions: await stores.audit.recent(tenant.id, ACTIONS_SHOWN),
  }
}

interface OwnerAndHosts {
  readonly resource: Resource | null
  readonly owner: Account | null
  readonly callbackHosts: readonly string[]
}

/** Who owns a tenant, and where its logins return to. */
export async function readOwnerAndHosts(
  { stores }: Pick<Context, 'stores'>,
  tenant: Tenant,
): Promise<OwnerAndHosts> {
  const resource = await stores.resources.findActive(tenant.id)
  const owner = tenant.owner === null ? null : await stores.accounts.find(tenant.owner.accountId)
  return { resource, owner, callbackHosts: callbackHostsOf(resource?.callbackUrls ?? []) }
}
