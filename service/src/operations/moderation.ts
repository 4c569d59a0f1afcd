import type { Tier } from '@gatehouse-auth/contract'
import type { Account } from '../domain/accounts/account.ts'
import { ApiError } from '../domain/api-error.ts'
import type { Author, RecordedAction } from '../domain/audit.ts'
import { blockingHosts, callbackHostsOf } from '../domain/callbacks/url.ts'
import { loggedOut } from '../domain/events/auth-event.ts'
import type { TenantId, UserId } from '../domain/ids.ts'
import { scopesOf } from '../domain/limits/allowance.ts'
import type { User } from '../domain/sessions/user.ts'
import type { BlockedHost, Resource, TransactionStores } from '../domain/stores/stores.ts'
import { statusAt, type Tenant, type TenantStatus, tierOf } from '../domain/tenants/tenant.ts'
import type { Instant } from '../domain/time.ts'
import { recordAction } from './audit.ts'
import type { Context } from './context.ts'
import { recordConsequences } from './limits/count-auth-event.ts'
import { yieldToEventLoop } from './yield-to-event-loop.ts'

/** Who the audit names for what the operator's command does. */
export const OPERATOR: Author = { actor: 'operator', requestId: 'operator-command' }

/**
 * Suspends a tenant: no sign-ins, no refreshes, no valid access tokens, no changes and no webhooks, until it is lifted.
 * False: it is suspended already, or it has ended. Nothing is deleted, so a suspension by mistake costs users nothing.
 */
export const suspendTenant = changeSuspension(
  'tenant.suspended',
  async ({ moderation, resources }, id, ...what) => {
    const isChanged = await moderation.suspend(id, ...what)
    // Waits for a deletion that has read the tenant before.
    await resources.lockActive(id)
    return isChanged
  },
)

/** Ends a suspension: sessions continue where they were. False: it is not suspended, or it has ended. */
export const liftSuspension = changeSuspension('tenant.lifted', ({ moderation }, id, _, at) =>
  moderation.lift(id, at),
)

function changeSuspension(
  action: 'tenant.suspended' | 'tenant.lifted',
  change: (
    stores: TransactionStores,
    tenantId: TenantId,
    reason: string,
    at: Instant,
  ) => Promise<boolean>,
) {
  return (
    ctx: Pick<Context, 'stores' | 'now'>,
    tenantId: TenantId,
    reason: string,
  ): Promise<boolean> =>
    ctx.stores.transaction(async (stores) => {
      const at = ctx.now()
      if (!(await change(stores, tenantId, reason, at))) {
        return false
      }
      await recordAction(stores, { tenantId, author: OPERATOR, action, target: reason, at })
      return true
    })
}

/** Few enough that one transaction delays no other query noticeably; see purge-resource.ts. */
const SESSIONS_PER_TRANSACTION = 250

/**
 * Ends every session of a tenant's users, who may sign in again, in small transactions, and their one-time codes. Returns how
 * many. Sessions that start meanwhile stay: a suspension prevents them.
 */
export async function endTenantSessions(
  ctx: Pick<Context, 'stores' | 'now' | 'unlimited'>,
  tenant: Tenant,
  progress: (ended: number) => void = () => {},
): Promise<number> {
  const at = ctx.now()
  const resource = await ctx.stores.resources.findActive(tenant.id)
  if (resource === null) {
    return 0
  }
  const author = OPERATOR
  await ctx.stores.transaction(async (stores) => {
    // They must not open another one.
    await stores.loginCodes.removeByTenant(tenant.id)
    await recordAction(stores, { tenantId: tenant.id, author, action: 'tenant.sessions_ended', at })
  })
  for (let total = 0; ; ) {
    const ended = await ctx.stores.transaction((stores) =>
      endSome(ctx, stores, tenant, resource, at),
    )
    total += ended
    progress(total)
    if (ended < SESSIONS_PER_TRANSACTION) {
      return total
    }
    await yieldToEventLoop()
  }
}

async function endSome(
  ctx: Pick<Context, 'unlimited'>,
  stores: TransactionStores,
  tenant: Tenant,
  { tenantId }: Resource,
  now: number,
): Promise<number> {
  const resource = await stores.resources.lockActive(tenantId)
  if (resource === null) {
    return 0
  }
  const userIds = await stores.sessions.endOldest(resource, now, SESSIONS_PER_TRANSACTION)
  const users = new Map<UserId, User | null>()
  for (const id of userIds) {
    if (!users.has(id)) {
      users.set(id, await stores.users.find(resource, id))
    }
  }
  const events = userIds.map((id) => loggedOut(users.get(id) ?? null, 'operator', now))
  await recordConsequences(ctx, stores, { tenant, resource, kind: 'logout', now }, events)
  return userIds.length
}

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
  /** Of an owned tenant: of all projects of the account. */
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
  const { resource, ...ownerAndHosts } = await readOwnerAndHosts({ stores }, tenant)
  const events = await stores.eventCounts.read(scopesOf(tenant), at)
  const [newest] = resource === null ? [] : await stores.events.recent(resource, 0, 1)
  return {
    tenant,
    status: statusAt(tenant, at),
    tier: tierOf(tenant),
    ...ownerAndHosts,
    users: resource === null ? 0 : await stores.users.count(resource),
    activeSessions: resource === null ? 0 : await stores.sessions.countActive(resource, at),
    eventsThisMonth: events.month.used,
    eventsLifetime: events.lifetime,
    lastActivityAt: newest?.createdAt ?? null,
    webhooks: (await stores.webhooks.listByTenant(tenant.id)).length,
    rowsLeft: await stores.resources.countDeleting(tenant.id),
    actions: await stores.audit.recent(tenant.id, ACTIONS_SHOWN),
  }
}

/** Whose tenant it is, and where its logins return to. */
export async function readOwnerAndHosts({ stores }: Pick<Context, 'stores'>, tenant: Tenant) {
  const resource = await stores.resources.findActive(tenant.id)
  const owner = tenant.owner && (await stores.accounts.find(tenant.owner.accountId))
  return { resource, owner, callbackHosts: callbackHostsOf(resource?.callbackUrls ?? []) }
}

/** For every tenant: no new callback URL has this host or one below it, and no login ends there. */
export const blockHost = (
  ctx: Pick<Context, 'stores' | 'now'>,
  host: string,
  reason: string,
): Promise<boolean> => ctx.stores.blockedHosts.add(host, reason, ctx.now())

export const unblockHost = (ctx: Pick<Context, 'stores'>, host: string): Promise<boolean> =>
  ctx.stores.blockedHosts.remove(host)

export const listBlockedHosts = (ctx: Pick<Context, 'stores'>): Promise<BlockedHost[]> =>
  ctx.stores.blockedHosts.list()

/** Throws if the operator blocked one of these hosts, or a name above it, for every tenant. */
export async function requireUnblockedHosts(
  stores: Pick<TransactionStores, 'blockedHosts'>,
  hosts: readonly string[],
): Promise<void> {
  const host = await stores.blockedHosts.findAny([...new Set(hosts.flatMap(blockingHosts))])
  if (host === null) {
    return
  }
  throw new ApiError(
    'callbackHostBlocked',
    `The operator of this service blocked the host ${host}. Use a callback URL on another host.`,
    { details: { host } },
  )
}
