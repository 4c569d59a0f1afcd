import type { Selectable } from 'kysely'
import { tokenRefreshed } from '../../domain/events/auth-event.ts'
import type { Charge } from '../../domain/limits/allowance.ts'
import { latestTokenExpiry } from '../../domain/revocation/revocation.ts'
import type { Refresh, RefreshOutcome } from '../../domain/sessions/refresh.ts'
import type { CommitEvents } from '../access.ts'
import type { Tables } from '../tables.ts'
import type { RunStatement, SqliteDriver } from './driver.ts'

const STANDING = `select r.id as resource_id,
    t.owner_account_id is ? and a.tier is ? and t.expires_at is ? and t.paused_at is ? as unchanged
  from tenants t
    left join accounts a on a.id = t.owner_account_id
    left join resources r on r.tenant_id = t.id and r.kind = 'social-login' and r.status = 'active'
  where t.id = ?`

const ROTATE = `update sessions set generation = generation + 1, previous_rotated_at = rotated_at, rotated_at = ?,
    expires_at = ?, fingerprint = ?, idempotency_hash = ?
  where tenant_id = ? and resource_id = ? and id = ? and generation = ? and salt = ? and expires_at > ?
    and absolute_expires_at > ?
  returning user_id, generation, created_at, absolute_expires_at, previous_rotated_at`

const SPEND = `insert into counters (scope, bucket, starts_at, used) values (?, ?, ?, 1)
  on conflict (scope, bucket, starts_at) do update set used = used + 1 where used < ?
  returning used`

const TOUCH = `update users set last_seen = ? where tenant_id = ? and resource_id = ? and id = ?
  returning id, email, name, picture, first_seen`

const RECORD = `insert into events
    (tenant_id, resource_id, event, user_id, email, redirect_uri, return_to, metadata, created_at)
  values (?, ?, ?, ?, ?, ?, ?, ?, ?)`

const INSERT_REVOCATION = `insert into revocations (kind, tenant_id, subject_id, generation, until_ms)
  values ('session', ?, ?, ?, ?)`

/** Thrown to undo what was done so far; the outcome is the answer all the same. */
class RollbackWith extends Error {
  readonly outcome: RefreshOutcome
  constructor(outcome: RefreshOutcome) {
    super(outcome.outcome)
    this.outcome = outcome
  }
}

/**
 * Statements that are prepared once and wait for nothing, by hand: this is what the service does most after verify, and
 * building the queries would cost more than running them. `refresh-one-by-one.ts` is the same on PostgreSQL, in one
 * function; a test asks both the same.
 */
export async function refreshOnSqlite(
  driver: SqliteDriver,
  refresh: Refresh,
): Promise<{ readonly outcome: RefreshOutcome; readonly pendingEvents: CommitEvents }> {
  const pendingEvents: CommitEvents = { revocations: [], changedTenants: new Set() }
  try {
    return { outcome: await driver.runSync((run) => refreshed(run, refresh, pendingEvents)), pendingEvents }
  } catch (error) {
    if (error instanceof RollbackWith)
      return { outcome: error.outcome, pendingEvents: { revocations: [], changedTenants: new Set() } }
    throw error
  }
}

function refreshed(
  run: RunStatement,
  { tenant, rotation, charges }: Refresh,
  pendingEvents: CommitEvents,
): RefreshOutcome {
  const { now } = rotation
  const first = <R>(sql: string, parameters: readonly unknown[]) => run(sql, parameters).rows[0] as R | undefined

  const { owner, expiresAt, pausedAt } = tenant
  const known = [owner?.accountId ?? null, owner?.tier ?? null, expiresAt, pausedAt, tenant.id]
  const standing = first<{ resource_id: number | null; unchanged: 0 | 1 }>(STANDING, known)
  if (standing?.unchanged !== 1) return { outcome: 'tenant-changed' }
  const resourceId = standing.resource_id
  if (resourceId === null) return { outcome: 'not-provisioned' }

  const { sessionId: id, generation, salt, fingerprint, idempotencyHash } = rotation
  const current = [tenant.id, resourceId, id, generation, salt, now, now]
  const row = first<SessionRow>(ROTATE, [now, rotation.expiresAt, fingerprint, idempotencyHash, ...current])
  if (row === undefined) return { outcome: 'not-current' }

  // In the order that `orderedCharges` (domain/limits/allowance.ts) explains.
  spend(charges.lifetime)
  const usedThisMinute = spend(charges.minute)
  spend(charges.month)
  const user = first<UserRow>(TOUCH, [now, tenant.id, resourceId, row.user_id])
  if (user === undefined) throw new RollbackWith({ outcome: 'not-current' })
  const event = tokenRefreshed(user, now)
  const where = [event.redirectUri, event.returnTo, JSON.stringify(event.metadata), event.createdAt]
  run(RECORD, [tenant.id, resourceId, event.event, event.userId, event.email, ...where])
  pendingEvents.changedTenants.add(tenant.id)

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
      fingerprint,
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
    const { counter, limit } = charge
    const taken = limit === 0 ? undefined : first<{ used: number }>(SPEND, spending(counter, limit))
    if (taken === undefined) throw new RollbackWith({ outcome: 'over-limit', charge })
    return taken.used
  }
}

const spending = ({ scope, window, start }: Charge['counter'], limit: number | null): readonly unknown[] => [
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
