import { ApiError } from '../../domain/api-error.ts'
import { type OwnerEvent, ownerView } from '../../domain/events/auth-event.ts'
import type { TenantId, WebhookId } from '../../domain/ids.ts'
import type { FoundKey, RequestRecord, RequestRecordStore } from '../../domain/stores/stores.ts'
import { type Owner, requireTenantAccess, type Tenant } from '../../domain/tenants/tenant.ts'
import type { Instant } from '../../domain/time.ts'
import type { Attempt } from '../../domain/webhooks/delivery.ts'
import type { Context, Log } from '../context.ts'
import { type AccountUsage, readAccountUsage } from '../events/insights.ts'
import { WriteBehind } from '../write-behind.ts'

export type TailEntry = AuthEntry | RequestEntry | DeliveryEntry

interface AuthEntry extends Omit<OwnerEvent, 'createdAt'> {
  readonly source: 'auth'
  readonly tenantId: TenantId
  readonly at: Instant
}

interface RequestEntry extends RequestRecord {
  readonly source: 'api'
}

interface DeliveryEntry extends Attempt {
  readonly source: 'webhook'
  readonly tenantId: TenantId
  readonly webhookId: WebhookId
}

interface TenantSummary {
  readonly tenant: Tenant
  readonly users: number
  readonly activeSessions: number
}

interface Observability {
  readonly tenants: readonly TenantSummary[]
  readonly usage: AccountUsage
  /** Newest first; null when not requested. */
  readonly tail: readonly TailEntry[] | null
}

interface ObservabilityQuery {
  readonly tail: boolean
  readonly tenantId: TenantId | undefined
  readonly since: number
  readonly limit: number
}

/**
 * Usage and recent events of all projects of this tenant's owner. Not available to a guest, which has no owner.
 *
 * Prevents that an agent which created a project as a guest, and kept its key, reads who signs in to the other projects of
 * the person who claimed it: of those, such a key shows no user (docs/decisions/0013).
 */
export async function readObservability(
  ctx: Context,
  { tenant, issuedToOwner }: Pick<FoundKey, 'tenant' | 'issuedToOwner'>,
  query: ObservabilityQuery,
): Promise<Observability> {
  requireTenantAccess(tenant, 'read', ctx.now())
  const owner = requireOwner(tenant)
  const owned = await ctx.stores.ownership.ownedBy(owner.accountId)
  const chosen = chooseTenants(owned, query.tenantId)

  const tenants: TenantSummary[] = []
  for (const each of chosen) {
    tenants.push(await summaryOf(ctx, each))
  }

  const usage = await readAccountUsage(ctx, { id: owner.accountId, tier: owner.tier })
  if (!query.tail) {
    return { tenants, usage, tail: null }
  }
  const tail = await readTail(ctx, chosen, query)
  const visible = tail.map((entry) =>
    issuedToOwner || entry.tenantId === tenant.id ? entry : withoutUser(entry),
  )
  return { tenants, usage, tail: visible }
}

function chooseTenants(
  owned: readonly Tenant[],
  tenantId: TenantId | undefined,
): readonly Tenant[] {
  if (tenantId === undefined) {
    return owned
  }
  const chosen = owned.filter(({ id }) => id === tenantId)
  if (chosen.length === 0) {
    throw new ApiError(
      'tenantNotFound',
      'The owner of this key has no project with this tenant_id.',
    )
  }
  return chosen
}

/** The route of a request has `:names` in place of its parameters. */
function withoutUser(entry: TailEntry): TailEntry {
  return entry.source === 'auth' ? { ...entry, userId: null, email: null } : entry
}

function requireOwner({ owner }: Tenant): Owner {
  if (owner === null) {
    throw new ApiError(
      'observabilityRequiresClaim',
      'The account-wide view belongs to an owner. Claim this tenant first: POST /api/claim/url.',
    )
  }
  return owner
}

async function summaryOf({ stores, now }: Context, tenant: Tenant): Promise<TenantSummary> {
  const resource = await stores.resources.findActive(tenant.id)
  if (resource === null) {
    return { tenant, users: 0, activeSessions: 0 }
  }
  const users = await stores.users.count(resource)
  const activeSessions = await stores.sessions.countActive(resource, now())
  return { tenant, users, activeSessions }
}

async function readTail(
  ctx: Context,
  tenants: readonly Tenant[],
  { since, limit }: ObservabilityQuery,
): Promise<TailEntry[]> {
  const ids = tenants.map(({ id }) => id)
  const requests = await ctx.stores.requestRecords.recent(ids, since, limit)
  const entries: TailEntry[] = requests.map((record) => ({ source: 'api', ...record }))
  for (const { id: tenantId } of tenants) {
    const deliveries = await ctx.stores.deliveryLog.recent(tenantId, since, limit)
    for (const attempt of deliveries) {
      entries.push({ source: 'webhook', tenantId, ...attempt })
    }

    const resource = await ctx.stores.resources.findActive(tenantId)
    const events = resource === null ? [] : await ctx.stores.events.recent(resource, since, limit)
    for (const event of events) {
      const { createdAt, ...seen } = ownerView(event)
      entries.push({ source: 'auth', tenantId, at: createdAt, ...seen })
    }
  }
  return entries.sort((a, b) => b.at - a.at).slice(0, limit)
}

/** Records beyond this are dropped: losing some is better than unbounded memory. */
const BUFFERED_MAX = 5_000
const BATCH_RECORDS = 500

/** Records of the requests of owned tenants, written in batches after the responses. */
export class RequestLog extends WriteBehind {
  readonly #store: RequestRecordStore
  readonly #log: Log
  readonly #buffer: RequestRecord[] = []

  constructor(store: RequestRecordStore, log: Log) {
    super()
    this.#store = store
    this.#log = log
  }

  add(record: RequestRecord): void {
    if (this.#buffer.length < BUFFERED_MAX) {
      this.#buffer.push(record)
    }
  }

  protected async write(): Promise<void> {
    while (this.#buffer.length > 0) {
      try {
        await this.#store.append(this.#buffer.splice(0, BATCH_RECORDS))
      } catch (error) {
        this.#log.warn('request records could not be written', error)
        return
      }
    }
  }
}
