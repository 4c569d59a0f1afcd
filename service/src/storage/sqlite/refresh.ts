import type { Selectable } from 'kysely'
import { tokenRefreshed } from '../../domain/events/auth-event.ts'
import type { Charge } from '../../domain/limits/allowance.ts'
import { latestTokenExpiry } from '../../domain/revocation/revocation.ts'
import type { Refresh, RefreshOutcome } from '../../domain/sessions/refresh.ts'
import type { CommitEvents } from '../access.ts'
import type { Tables } from '../tables/tables.ts'
import type { RunStatement, SqliteDriver } from './driver.ts'

const FIND_RESOURCE = `select r.id as resource_id,
    t.owner_account_id is ? and a.tier is ? and t.expires_at is ? and t.paused_at is ?
      and t.suspended_at is null as unchanged
  from tenants t
    left join accounts a on a.id = t.owner_account_id
    left join resources r on r.tenant_id = t.id and r.kind = 'social-login' and r.status = 'active'
  where t.id = ?`

const ROTATE = `update sessions set generation = generation + 1, previous_rotated_at = rotated_at, rotated_at = ?,
    expires_at = ?, idempotency_hash = ?
  where tenant_id = ? and resource_id = ? and id = ? and generation = ? and salt = ? and expires_at > ?
    and absolute_expires_at > ?
  returning user_id, generation, created_at, absolute_expires_at, previous_rotated_at`

/** The limit applies to all events of the window. */
const SPEND = `insert into counters (scope, bucket, starts_at, used) values (?, ?, ?, 1)
  on conflict (scope, bucket, starts_at) do update set used = used + 1 where used < ?
  returning used`

/** Ids stay above the floor (`restored.ts`). */
const NEXT_EVENT_ID = `insert into counters (scope, bucket, starts_at, used)
    values (?, ?, ?, 1 + coalesce((select id_floor from lineage where id = 1), 0))
  on conflict (scope, bucket, starts_at) do update set used = max(used + 1, excluded.used)
  returning used`

/** The limit applies to the authenticated events of the window. */
const SPEND_AUTHENTICATED = `insert into counters (scope, bucket, starts_at, used, authenticated) values (?, ?, ?, 1, 1)
  on conflict (scope, bucket, starts_at) do update set used = used + 1, authenticated = authenticated + 1
    where authenticated < ?
  returning authenticated as used`

const TOUCH = `update users set last_seen = ? where tenant_id = ? and resource_id = ? and id = ?
  returning id, email, name, picture, first_seen`

const RECORD = `insert into events
    (id, tenant_id, resource_id, event, user_id, email, redirect_uri, return_to, metadata, created_at)
  values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`

const INSERT_REVOCATION = `insert into revocations (kind, tenant_id, subject_id, generation, until_ms)
  values ('session', ?, ?, ?, ?)`

/** Rolls back the transaction; its outcome is still the result of the refresh. */
class RollbackWith extends Error {
  readonly outcome: RefreshOutcome
  constructor(outcome: RefreshOutcome) {
    super(outcome.outcome)
    this.outcome = outcome
  }
}

/**
 * Refreshes one session with handwritten SQL, synchronously: after verify this is the most frequent operation, and building
 * the queries would cost more than running them. `refresh-one-by-one.ts` is its counterpart on PostgreSQL;
 * `service/test/storage/refresh.test.ts` runs the same cases on both.
 */
export async function refreshOnSqlite(
  driver: SqliteDriver,
  refresh: Refresh,
): Promise<{ readonly outcome: RefreshOutcome; readonly pendingEvents: CommitEvents }> {
  const pendingEvents: CommitEvents = { revocations: [], changedTenants: new Set(), deliverable: [] }
  try {
    return { outcome: await driver.runSync((run) => rotate(run, refresh, pendingEvents)), pendingEvents }
  } catch (error) {
    if (error instanceof RollbackWith)
      return { outcome: error.outcome, pendingEvents: { revocations: [], changedTenants: new Set(), deliverable: [] } }
    throw error
  }
}

function rotate(
  run: RunStatement,
  { tenant, rotation, charges }: Refresh,
  pendingEvents: CommitEvents,
): RefreshOutcome {
  const { now } = rotation
  const first = <R>(sql: string, parameters: readonly unknown[]) => run(sql, parameters).rows[0] as R | undefined

  const { owner, expiresAt, pausedAt } = tenant
  const expected = [owner?.accountId ?? null, owner?.tier ?? null, expiresAt, pausedAt, tenant.id]
  const found = first<{ resource_id: number | null; unchanged: 0 | 1 }>(FIND_RESOURCE, expected)
  if (found?.unchanged !== 1) return { outcome: 'tenant-changed' }
  const resourceId = found.resource_id
  if (resourceId === null) return { outcome: 'not-provisioned' }

  const { sessionId: id, generation, salt, idempotencyHash } = rotation
  const current = [tenant.id, resourceId, id, generation, salt, now, now]
  const row = first<SessionRow>(ROTATE, [now, rotation.expiresAt, idempotencyHash, ...current])
  if (row === undefined) return { outcome: 'not-current' }

  // In the order of `orderedCharges` (domain/limits/allowance.ts).
  spend(charges.lifetime)
  const usedThisMinute = spend(charges.minute)
  spend(charges.month)
  const { scope, window, start } = charges.eventId.counter
  const eventId = first<{ used: number }>(NEXT_EVENT_ID, [scope, window, start])?.used
  const user = first<UserRow>(TOUCH, [now, tenant.id, resourceId, row.user_id])
  if (user === undefined) throw new RollbackWith({ outcome: 'not-current' })
  const event = tokenRefreshed(user, now)
  const details = [event.redirectUri, event.returnTo, JSON.stringify(event.metadata), event.createdAt]
  run(RECORD, [eventId, tenant.id, resourceId, event.event, event.userId, event.email, ...details])
  pendingEvents.changedTenants.add(tenant.id)
  pendingEvents.deliverable.push({ tenantId: tenant.id, kinds: ['token_refreshed'] })

  const until = latestTokenExpiry(row.previous_rotated_at)
  if (until > now) {
    run(INSERT_REVOCATION, [tenant.id, id, row.generation, until])
    pendingEvents.revocations.push({
      kind: 'session',
      tenantId: tenant.id,
      sessionId: id,
      generation: row.generation,
      until,
    })
  }

  return {
    outcome: 'refreshed',
    resourceId,
    session: {
      id,
      userId: row.user_id,
      salt,
      generation: row.generation,
      createdAt: row.created_at,
      rotatedAt: now,
      expiresAt: rotation.expiresAt,
      absoluteExpiresAt: row.absolute_expires_at,
      idempotencyHash,
    },
    user: {
      id: user.id,
      email: user.email,
      name: user.name,
      picture: user.picture,
      firstSeen: user.first_seen,
      lastSeen: now,
    },
    usedThisMinute,
  }

  function spend(charge: Charge): number {
    const { counter, limit, authenticated } = charge
    const statement = authenticated ? SPEND_AUTHENTICATED : SPEND
    const row = limit === 0 ? undefined : first<{ used: number }>(statement, parametersOf(counter, limit))
    if (row === undefined) throw new RollbackWith({ outcome: 'over-limit', charge })
    return row.used
  }
}

const parametersOf = ({ scope, window, start }: Charge['counter'], limit: number | null): readonly unknown[] => [
  scope,
  window,
  start,
  limit ?? Number.MAX_SAFE_INTEGER,
]

type SessionRow = Pick<
  Selectable<Tables['sessions']>,
  'user_id' | 'generation' | 'created_at' | 'absolute_expires_at'
> & { readonly previous_rotated_at: number }

type UserRow = Pick<Selectable<Tables['users']>, 'id' | 'email' | 'name' | 'picture' | 'first_seen'>
