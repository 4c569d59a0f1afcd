import { ApiError } from '../../domain/api-error.ts'
import { type OwnerEvent, ownerView } from '../../domain/events/auth-event.ts'
import type { TenantId, WebhookId } from '../../domain/ids.ts'
import type { FoundKey, RequestRecord, RequestRecordStore } from '../../domain/stores/stores.ts'
import { type Owner, requireTenantAccess, type Tenant } from '../../domain/tenants/tenant.ts'
import type { Attempt } from '../../domain/webhooks/delivery.ts'
import type { Context, Log } from '../context.ts'
import { type AccountUsage, readAccountUsage } from '../events/insights.ts'
import { WriteBehind } from '../write-behind.ts'

export type TailEntry =
  | ({ readonly source: 'auth'; readonly tenantId: TenantId; readonly at: number } & Omit<
      OwnerEvent,
      'createdAt'
    >)
  | ({ readonly source: 'api' } & RequestRecord)
  | ({
      readonly source: 'webhook'
      readonly tenantId: TenantId
      readonly webhookId: WebhookId
    } & Attempt)

interface Observability {
  readonly tenants: readonly {
    readonly tenant: Tenant
    readonly users: number
    readonly activeSessions: number
  }[]
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
  const chosen =
    query.tenantId === undefined ? owned : owned.filter(({ id }) => id === query.tenantId)
  if (chosen.length === 0 && query.tenantId !== undefined) {
    throw new ApiError(
      'tenantNotFound',
      'The owner of this key has no project with this tenant_id.',
    )
  }
  const visible = (entry: TailEntry): TailEntry =>
    issuedToOwner || entry.tenantId === tenant.id ? entry : withoutUser(entry)
  const tenants = []
  for (const each of chosen) {
    tenants.push(await summaryOf(ctx, each))
  }
  return {
    tenants,
    usage: await readAccountUsage(ctx, { id: owner.accountId, tier: owner.tier }),
    tail: query.tail ? (await readTail(ctx, chosen, query)).map(visible) : null,
  }
}

/** The route of a request has `:names` in place of its parameters. */
const withoutUser = (entry: TailEntry): TailEntry =>
  entry.source !== 'auth' ? entry : { ...entry, userId: null, email: null }

function requireOwner({ owner }: Tenant): Owner {
  if (owner !== null) {
    return owner
  }
  throw new ApiError(
    'observabilityRequiresClaim',
    'The account-wide view belongs to an owner. Claim this tenant first: POST /api/claim/url.',
  )
}

async function summaryOf(ctx: Context, tenant: Tenant) {
  const { stores } = ctx
  const resource = await stores.resources.findActive(tenant.id)
  return {
    tenant,
    users: resource === null ? 0 : await stores.users.count(resource),
    activeSessions: resource === null ? 0 : await stores.sessions.countActive(resource, ctx.now()),
  }
}

async function readTail(
  ctx: Context,
  tenants: readonly Tenant[],
  { since, limit }: ObservabilityQuery,
): Promise<TailEntry[]> {
  const requests = await ctx.stores.requestRecords.recent(
    tenants.map(({ id }) => id),
    since,
    limit,
  )
  const entries: TailEntry[] = requests.map((record) => ({ source: 'api', ...record }))
  for (const { id: tenantId } of tenants) {
    const deliveries = await ctx.stores.deliveryLog.recent(tenantId, since, limit)
    for (const attempt of deliveries) {
      entries.push({ source: 'webhook', tenantId, ...attempt })
    }
    const resource = await ctx.stores.resources.findActive(tenantId)
    const events = resource === null ? [] : await ctx.stores.events.recent(resource, since, limit)
    for (const event of events) {
      const { createdAt: at, ...seen } = ownerView(event)
      entries.push({ source: 'auth', tenantId, at, ...seen })
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
