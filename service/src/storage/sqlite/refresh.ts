import type { Selectable } from 'kysely'
import { tokenRefreshed } from '../../domain/events/auth-event.ts'
import { type Charge, orderedCharges } from '../../domain/limits/allowance.ts'
import { latestTokenExpiry } from '../../domain/revocation/revocation.ts'
import type { Refresh, RefreshOutcome } from '../../domain/sessions/refresh.ts'
import type { CommitEvents } from '../access.ts'
import type { Tables } from '../tables/tables.ts'
import type { RunStatement, SqliteDriver } from './driver.ts'

/** Everything that decides a refresh, and what its writes need. The transaction has the write lock, so it stays true. */
const LOOK = `select r.id as resource_id,
    t.owner_account_id is ? and a.tier is ? and t.expires_at is ? and t.paused_at is ?
      and t.suspended_at is null as unchanged,
    s.generation = ? and s.salt = ? and s.expires_at > ? and s.absolute_expires_at > ? as current,
    s.user_id, s.created_at, s.absolute_expires_at, s.rotated_at, u.email, u.name, u.picture, u.first_seen,
    lifetime.used as lifetime, minute.used as minute, minute.authenticated as minute_authenticated,
    month.used as month, month.authenticated as month_authenticated,
    max(coalesce(ids.used, 0), coalesce((select id_floor from lineage where id = 1), 0)) as last_event_id
  from tenants t
    left join accounts a on a.id = t.owner_account_id
    left join resources r on r.tenant_id = t.id and r.kind = 'social-login' and r.status = 'active'
    left join sessions s on s.tenant_id = t.id and s.resource_id = r.id and s.id = ?
    left join users u on u.tenant_id = t.id and u.resource_id = r.id and u.id = s.user_id
    left join counters lifetime on lifetime.scope = ? and lifetime.bucket = ? and lifetime.starts_at = ?
    left join counters minute on minute.scope = ? and minute.bucket = ? and minute.starts_at = ?
    left join counters month on month.scope = ? and month.bucket = ? and month.starts_at = ?
    left join counters ids on ids.scope = ? and ids.bucket = ? and ids.starts_at = ?
  where t.id = ?`

const ROTATE = `update sessions set generation = ?, previous_rotated_at = rotated_at, rotated_at = ?, expires_at = ?,
    idempotency_hash = ?
  where tenant_id = ? and id = ?`

const COUNT = `insert into counters (scope, bucket, starts_at, used, authenticated)
  values (?, ?, ?, ?, ?), (?, ?, ?, ?, ?), (?, ?, ?, ?, ?), (?, ?, ?, ?, ?)
  on conflict (scope, bucket, starts_at) do update set used = excluded.used, authenticated = excluded.authenticated`

const RECORD = `insert into events
    (id, tenant_id, resource_id, event, user_id, email, redirect_uri, return_to, metadata, created_at)
  values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`

const INSERT_REVOCATION = `insert into revocations (kind, tenant_id, subject_id, generation, until_ms)
  values ('session', ?, ?, ?, ?)`

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
  return { outcome: await driver.runSync((run) => decideAndWrite(run, refresh, pendingEvents)), pendingEvents }
}

function decideAndWrite(run: RunStatement, refresh: Refresh, pendingEvents: CommitEvents): RefreshOutcome {
  const { tenant, rotation, charges } = refresh
  const found = run(LOOK, lookParameters(refresh)).rows[0] as Found | undefined
  if (found?.unchanged !== 1) return { outcome: 'tenant-changed' }
  const { resource_id: resourceId, email } = found
  if (resourceId === null) return { outcome: 'not-provisioned' }
  if (found.current !== 1 || email === null) return { outcome: 'not-current' }

  const { lifetime, minute, month, eventId: ids } = charges
  const counts: readonly Count[] = [
    { charge: lifetime, used: found.lifetime ?? 0, authenticated: 0 },
    { charge: minute, used: found.minute ?? 0, authenticated: found.minute_authenticated ?? 0 },
    { charge: month, used: found.month ?? 0, authenticated: found.month_authenticated ?? 0 },
    { charge: ids, used: found.last_event_id, authenticated: 0 },
  ]
  const over = counts.find(isAtLimit)
  if (over !== undefined) return { outcome: 'over-limit', charge: over.charge }

  const { sessionId: id, salt, now, expiresAt, idempotencyHash } = rotation
  const generation = rotation.generation + 1
  // First, because it is the only write that the data could make fail: an id that exists.
  const event = tokenRefreshed({ id: found.user_id, email }, now)
  const details = [event.redirectUri, event.returnTo, JSON.stringify(event.metadata), event.createdAt]
  run(RECORD, [found.last_event_id + 1, tenant.id, resourceId, event.event, event.userId, event.email, ...details])
  run(ROTATE, [generation, now, expiresAt, idempotencyHash, tenant.id, id])
  run(COUNT, counts.flatMap(incremented))
  pendingEvents.changedTenants.add(tenant.id)
  pendingEvents.deliverable.push({ tenantId: tenant.id, kinds: ['token_refreshed'] })

  const until = latestTokenExpiry(found.rotated_at)
  if (until > now) {
    run(INSERT_REVOCATION, [tenant.id, id, generation, until])
    pendingEvents.revocations.push({ kind: 'session', tenantId: tenant.id, sessionId: id, generation, until })
  }

  return {
    outcome: 'refreshed',
    resourceId,
    session: {
      id,
      userId: found.user_id,
      salt,
      generation,
      createdAt: found.created_at,
      rotatedAt: now,
      expiresAt,
      absoluteExpiresAt: found.absolute_expires_at,
      idempotencyHash,
    },
    user: {
      id: found.user_id,
      email,
      name: found.name,
      picture: found.picture,
      firstSeen: found.first_seen,
    },
    usedThisMinute: (found.minute_authenticated ?? 0) + 1,
  }
}

function lookParameters({ tenant, rotation, charges }: Refresh): readonly unknown[] {
  const { owner, expiresAt, pausedAt } = tenant
  const { sessionId, generation, salt, now } = rotation
  return [
    ...[owner?.accountId ?? null, owner?.tier ?? null, expiresAt, pausedAt],
    ...[generation, salt, now, now, sessionId],
    ...orderedCharges(charges).flatMap(({ counter }) => [counter.scope, counter.window, counter.start]),
    tenant.id,
  ]
}

interface Count {
  readonly charge: Charge
  readonly used: number
  readonly authenticated: number
}

const isAtLimit = ({ charge, used, authenticated }: Count): boolean =>
  charge.limit !== null && (charge.authenticated ? authenticated : used) >= charge.limit

const incremented = ({ charge, used, authenticated }: Count): readonly unknown[] => [
  charge.counter.scope,
  charge.counter.window,
  charge.counter.start,
  used + 1,
  charge.authenticated ? authenticated + 1 : authenticated,
]

type Found = Pick<Selectable<Tables['sessions']>, 'user_id' | 'created_at' | 'absolute_expires_at' | 'rotated_at'> &
  Pick<Selectable<Tables['users']>, 'name' | 'picture' | 'first_seen'> & {
    readonly resource_id: number | null
    readonly unchanged: 0 | 1
    readonly current: 0 | 1 | null
    readonly email: string | null
    readonly lifetime: number | null
    readonly minute: number | null
    readonly minute_authenticated: number | null
    readonly month: number | null
    readonly month_authenticated: number | null
    readonly last_event_id: number
  }
