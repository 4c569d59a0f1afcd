import type { Selectable } from 'kysely'
import { tokenRefreshed } from '../../domain/events/auth-event.ts'
import { type Charges, eventsLeft, limitReached } from '../../domain/limits/allowance.ts'
import type { EventCounts, WindowCount } from '../../domain/limits/counter.ts'
import { latestTokenExpiry } from '../../domain/revocation/revocation.ts'
import type { Refresh, RefreshOutcome } from '../../domain/sessions/session.ts'
import type { CommitEvents } from '../access.ts'
import { countsFrom, type StoredCounts } from '../limits/event-counts.ts'
import type { Tables } from '../tables/tables.ts'
import type { RunStatement, SqliteDriver } from './driver.ts'

/**
 * Refreshes one session with handwritten SQL, synchronously: after verify this is the most frequent operation, and building
 * the queries would cost more than running them. `gatehouse_refresh_v2` is its counterpart on PostgreSQL;
 * `service/test/sessions/generated-refreshes.test.ts` compares the two.
 */
export async function refreshOnSqlite(
  driver: SqliteDriver,
  refresh: Refresh,
): Promise<{ readonly outcome: RefreshOutcome; readonly pendingEvents: CommitEvents }> {
  const pendingEvents: CommitEvents = {
    revocations: [],
    changedTenants: new Set(),
    deliverable: [],
  }
  return {
    outcome: await driver.runSync((run) => decideAndWrite(run, refresh, pendingEvents)),
    pendingEvents,
  }
}

function decideAndWrite(
  run: RunStatement,
  refresh: Refresh,
  pendingEvents: CommitEvents,
): RefreshOutcome {
  const { tenant, rotation, charges } = refresh
  const found = run(LOOK, lookParameters(refresh)).rows[0] as Found | undefined
  if (found?.unchanged !== 1) {
    return { outcome: 'tenant-changed' }
  }
  const { resource_id: resourceId, email } = found
  if (resourceId === null) {
    return { outcome: 'not-provisioned' }
  }
  if (found.current !== 1 || email === null) {
    return { outcome: 'not-current' }
  }

  const counts = countsFrom(found, found, charges)
  const reached = limitReached(charges, counts)
  if (reached !== null) {
    return { outcome: 'over-limit', reached }
  }

  const { sessionId: id, salt, now, expiresAt, idempotencyHash } = rotation
  const generation = rotation.generation + 1
  // First, because it is the only write that the data could make fail: an id that exists.
  const event = tokenRefreshed({ id: found.user_id, email }, now)
  const details = [
    event.redirectUri,
    event.returnTo,
    JSON.stringify(event.metadata),
    event.createdAt,
  ]
  run(RECORD, [
    counts.lastEventId + 1,
    tenant.id,
    resourceId,
    event.event,
    event.userId,
    event.email,
    ...details,
  ])
  run(ROTATE, [generation, now, expiresAt, idempotencyHash, tenant.id, id])
  countOne(run, charges, counts)
  pendingEvents.changedTenants.add(tenant.id)
  pendingEvents.deliverable.push({ tenantId: tenant.id, kinds: ['token_refreshed'] })

  const until = latestTokenExpiry(found.rotated_at)
  if (until > now) {
    run(INSERT_REVOCATION, [tenant.id, id, generation, until])
    pendingEvents.revocations.push({
      kind: 'session',
      tenantId: tenant.id,
      sessionId: id,
      generation,
      until,
    })
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
    leftThisMinute: eventsLeft(charges.minute, afterRefresh(counts.minute)),
  }
}

type Found = Pick<
  Selectable<Tables['sessions']>,
  'user_id' | 'created_at' | 'absolute_expires_at' | 'rotated_at'
> &
  Pick<Selectable<Tables['users']>, 'name' | 'picture' | 'first_seen'> &
  StoredCounts & {
    readonly resource_id: number | null
    readonly unchanged: 0 | 1
    readonly current: 0 | 1 | null
    readonly email: string | null
  }

/** Everything that decides a refresh, and what its writes need. The transaction has the write lock, so it stays true. */
const LOOK = `select r.id as resource_id,
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

function lookParameters({ tenant, rotation, charges }: Refresh): readonly unknown[] {
  const { owner, expiresAt, pausedAt } = tenant
  const { sessionId, generation, salt, now } = rotation
  return [
    ...[owner?.accountId ?? null, owner?.tier ?? null, expiresAt, pausedAt],
    ...[generation, salt, now, now, sessionId],
    ...[charges.own, charges.shared, tenant.id],
  ]
}

const ROTATE = `update sessions set generation = ?, previous_rotated_at = rotated_at, rotated_at = ?, expires_at = ?,
    idempotency_hash = ?
  where tenant_id = ? and id = ?`

const afterRefresh = (window: WindowCount): WindowCount => ({
  ...window,
  used: window.used + 1,
  authenticated: window.authenticated + 1,
})

function countOne(run: RunStatement, { own, shared }: Charges, counts: EventCounts): void {
  const inLifetime = [counts.lifetime + 1, counts.lastEventId + 1]
  const inWindows = [counts.minute, counts.month].flatMap((window) => {
    const { start, used, loginStarts, authenticated } = afterRefresh(window)
    return [start, used, loginStarts, authenticated]
  })
  if (own === shared) {
    run(COUNT_GUEST, [own, ...inLifetime, ...inWindows])
  } else {
    run(COUNT_TENANT, [own, ...inLifetime])
    run(COUNT_OWNER, [shared, ...inWindows])
  }
}

const IN_LIFETIME = ['lifetime_used', 'last_event_id']
const IN_WINDOWS = [
  'minute_start',
  'minute_used',
  'minute_login_starts',
  'minute_authenticated',
  'month_start',
  'month_used',
  'month_login_starts',
  'month_authenticated',
]

const upsertCounts = (columns: readonly string[]): string =>
  `insert into event_counts (scope, ${columns.join()}) values (?${', ?'.repeat(columns.length)})
    on conflict (scope) do update set ${columns.map((column) => `${column} = excluded.${column}`).join()}`

/** A guest has one row. */
const COUNT_GUEST = upsertCounts([...IN_LIFETIME, ...IN_WINDOWS])
const COUNT_TENANT = upsertCounts(IN_LIFETIME)
const COUNT_OWNER = upsertCounts(IN_WINDOWS)

const RECORD = `insert into events
    (id, tenant_id, resource_id, event, user_id, email, redirect_uri, return_to, metadata, created_at)
  values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`

const INSERT_REVOCATION = `insert into revocations (kind, tenant_id, subject_id, generation, until_ms)
  values ('session', ?, ?, ?, ?)`
