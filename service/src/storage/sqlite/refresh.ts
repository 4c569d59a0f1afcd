import { type AuthEvent, tokenRefreshed } from '../../domain/events/auth-event.ts'
import type { ResourceId, TenantId } from '../../domain/ids.ts'
import { type Charges, eventsLeft, limitReached } from '../../domain/limits/allowance.ts'
import type { EventCounts, WindowCount } from '../../domain/limits/counter.ts'
import type { Refresh, Rotation } from '../../domain/sessions/session.ts'
import { countsFrom, type StoredCounts } from '../limits/event-counts.ts'
import {
  notRefreshed,
  type Refreshed,
  type RefreshedRow,
  refreshedFrom,
} from '../sessions/refreshed.ts'
import type { RunStatement, SqliteDriver } from './driver.ts'

/**
 * Refreshes one session with handwritten SQL, synchronously: after verify this is the most frequent operation, and building
 * the queries would cost more than running them.
 *
 * The same rule decides on PostgreSQL in `gatehouse_refresh_v2` (service/content/functions.postgres.sql): change both together.
 * service/test/sessions/generated-refreshes.test.ts compares them. `domain/sessions/replay.ts` decides about a token that is
 * no longer current.
 */
export const refreshOnSqlite = (driver: SqliteDriver, refresh: Refresh): Promise<Refreshed> =>
  driver.runSync((run) => decideAndWrite(run, refresh))

function decideAndWrite(run: RunStatement, refresh: Refresh): Refreshed {
  const { tenant, rotation, charges } = refresh
  const found = findFacts(run, refresh)
  if (found?.unchanged !== 1) {
    return notRefreshed({ outcome: 'tenant-changed' })
  }
  if (found.resource_id === null) {
    return notRefreshed({ outcome: 'not-provisioned' })
  }
  if (found.current !== 1 || !hasUser(found)) {
    return notRefreshed({ outcome: 'not-current' })
  }

  const counts = countsFrom(found, found, charges)
  const reached = limitReached(charges, counts)
  if (reached !== null) {
    return notRefreshed({ outcome: 'over-limit', reached })
  }

  const left = eventsLeft(charges.minute, afterRefresh(counts.minute))
  const refreshed = refreshedFrom(refresh, found, left)

  const generation = rotation.generation + 1
  const event: AuthEvent = {
    id: counts.lastEventId + 1,
    ...tokenRefreshed({ id: found.user_id, email: found.email }, rotation.now),
  }
  // First, because it is the only write that the data could make fail: an id that exists.
  insertEvent(run, tenant.id, found.resource_id, event)
  rotate(run, tenant.id, rotation, generation)
  countOne(run, charges, counts)
  const [revocation] = refreshed.pendingEvents.revocations
  if (revocation !== undefined) {
    run(INSERT_REVOCATION, [tenant.id, rotation.sessionId, generation, revocation.until])
  }
  return refreshed
}

type Facts = Omit<RefreshedRow, 'resource_id' | 'email'> &
  StoredCounts & {
    readonly resource_id: ResourceId | null
    /** 1: the tenant is as the charges were computed from. */
    readonly unchanged: 0 | 1
    /** 1: the token is the session's current one; null: there is no such session. */
    readonly current: 0 | 1 | null
    /** null: there is no such user. */
    readonly email: string | null
  }

const hasUser = (found: Facts): found is Facts & RefreshedRow =>
  found.resource_id !== null && found.email !== null

/** Everything that decides a refresh, and what its writes need. The transaction has the write lock, so it stays true. */
function findFacts(run: RunStatement, { tenant, rotation, charges }: Refresh): Facts | undefined {
  const { rows } = run(FIND_FACTS, [
    tenant.owner?.accountId ?? null,
    tenant.owner?.tier ?? null,
    tenant.expiresAt,
    tenant.pausedAt,
    rotation.generation,
    rotation.salt,
    rotation.now,
    rotation.now,
    rotation.sessionId,
    charges.own,
    charges.shared,
    tenant.id,
  ])
  return rows[0] as Facts | undefined
}

const FIND_FACTS = `select r.id as resource_id,
    t.owner_account_id is ? and a.tier is ? and t.expires_at is ? and t.paused_at is ?
      and t.suspended_at is null as unchanged,
    s.generation = ? and s.salt = ? and s.expires_at > ? and s.absolute_expires_at > ? as current,
    s.user_id, s.created_at, s.absolute_expires_at, s.rotated_at, u.email, u.name, u.picture, u.first_seen,
    coalesce(own.lifetime_used, 0) as lifetime_used,
    max(coalesce(own.last_event_id, 0), coalesce((select id_floor from lineage where id = 1), 0)) as last_event_id,
    coalesce(shared.minute_start, 0) as minute_start, coalesce(shared.minute_used, 0) as minute_used,
    coalesce(shared.minute_login_starts, 0) as minute_login_starts,
    coalesce(shared.minute_authenticated, 0) as minute_authenticated,
    coalesce(shared.month_start, 0) as month_start, coalesce(shared.month_used, 0) as month_used,
    coalesce(shared.month_login_starts, 0) as month_login_starts,
    coalesce(shared.month_authenticated, 0) as month_authenticated
  from tenants t
    left join accounts a on a.id = t.owner_account_id
    left join resources r on r.tenant_id = t.id and r.kind = 'social-login' and r.status = 'active'
    left join sessions s on s.tenant_id = t.id and s.resource_id = r.id and s.id = ?
    left join users u on u.tenant_id = t.id and u.resource_id = r.id and u.id = s.user_id
    left join event_counts own on own.scope = ?
    left join event_counts shared on shared.scope = ?
  where t.id = ?`

function insertEvent(
  run: RunStatement,
  tenantId: TenantId,
  resourceId: ResourceId,
  event: AuthEvent,
): void {
  run(INSERT_EVENT, [
    event.id,
    tenantId,
    resourceId,
    event.event,
    event.userId,
    event.email,
    event.redirectUri,
    event.returnTo,
    JSON.stringify(event.metadata),
    event.createdAt,
  ])
}

const INSERT_EVENT = `insert into events
    (id, tenant_id, resource_id, event, user_id, email, redirect_uri, return_to, metadata, created_at)
  values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`

function rotate(
  run: RunStatement,
  tenantId: TenantId,
  rotation: Rotation,
  generation: number,
): void {
  run(ROTATE, [
    generation,
    rotation.now,
    rotation.expiresAt,
    rotation.idempotencyHash,
    tenantId,
    rotation.sessionId,
  ])
}

const ROTATE = `update sessions set generation = ?, previous_rotated_at = rotated_at, rotated_at = ?, expires_at = ?,
    idempotency_hash = ?
  where tenant_id = ? and id = ?`

const INSERT_REVOCATION = `insert into revocations (kind, tenant_id, subject_id, generation, until_ms)
  values ('session', ?, ?, ?, ?)`

/** A guest has one row for its lifetime and its windows; the windows of other tenants are counted in the owner's row. */
function countOne(run: RunStatement, { own, shared }: Charges, counts: EventCounts): void {
  const lifetime = [counts.lifetime + 1, counts.lastEventId + 1]
  const windows = [
    ...windowValues(afterRefresh(counts.minute)),
    ...windowValues(afterRefresh(counts.month)),
  ]
  if (own === shared) {
    run(COUNT_GUEST, [own, ...lifetime, ...windows])
    return
  }
  run(COUNT_TENANT, [own, ...lifetime])
  run(COUNT_OWNER, [shared, ...windows])
}

const afterRefresh = (window: WindowCount): WindowCount => ({
  start: window.start,
  used: window.used + 1,
  loginStarts: window.loginStarts,
  authenticated: window.authenticated + 1,
})

const LIFETIME_COLUMNS = ['lifetime_used', 'last_event_id']

const WINDOW_COLUMNS = [
  'minute_start',
  'minute_used',
  'minute_login_starts',
  'minute_authenticated',
  'month_start',
  'month_used',
  'month_login_starts',
  'month_authenticated',
]

/** In the order of the columns of one window. */
const windowValues = (window: WindowCount): number[] => [
  window.start,
  window.used,
  window.loginStarts,
  window.authenticated,
]

const COUNT_GUEST = upsertCounts([...LIFETIME_COLUMNS, ...WINDOW_COLUMNS])
const COUNT_TENANT = upsertCounts(LIFETIME_COLUMNS)
const COUNT_OWNER = upsertCounts(WINDOW_COLUMNS)

function upsertCounts(columns: readonly string[]): string {
  const names = columns.join()
  const slots = columns.map(() => '?').join()
  const changes = columns.map((column) => `${column} = excluded.${column}`).join()
  return `insert into event_counts (scope, ${names}) values (?, ${slots})
    on conflict (scope) do update set ${changes}`
}
