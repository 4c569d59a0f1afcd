import { CompiledQuery, type Kysely } from 'kysely'
import { latestTokenExpiry } from '../../domain/revocation/revocation.ts'
import type { Refresh, RefreshOutcome } from '../../domain/sessions/refresh.ts'
import { OutcomeUnknown } from '../../domain/unavailable.ts'
import type { CommitEvents } from '../access.ts'
import { ConnectionLost } from '../database-errors.ts'
import type { Tables } from '../tables/tables.ts'

export interface Refreshed {
  readonly outcome: RefreshOutcome
  readonly pendingEvents: CommitEvents
}

const REFRESH = `select at, outcome, resource_id, user_id, email, name, picture, first_seen, created_at, rotated_at,
  absolute_expires_at, used_this_minute from gatehouse_refresh_v2($1, $2)`

/** Runs a batch of refreshes as one statement: one round trip, one commit, and an outcome for each (`refresh-together.ts`). */
export async function refreshOnPostgres(db: Kysely<Tables>, batch: readonly Refresh[]): Promise<Refreshed[]> {
  const requests = JSON.stringify(batch.map(requestFrom))
  const { rows } = await db
    .executeQuery<Row>(CompiledQuery.raw(REFRESH, [requests, latestTokenExpiry(0)]))
    .catch(orOutcomeUnknown)
  const results = new Map(rows.map((row) => [row.at, row]))
  return batch.map((refresh, at) => resultOf(refresh, results.get(at)))
}

/** The statement is its own transaction. A client may repeat it: with the same Idempotency-Key it gets the same pair. */
function orOutcomeUnknown(error: unknown): never {
  throw error instanceof ConnectionLost ? new OutcomeUnknown({ cause: error }) : error
}

function requestFrom({ tenant, rotation, charges }: Refresh, at: number): object {
  const { lifetime, minute, month } = charges
  return {
    at,
    tenant_id: tenant.id,
    owner_account_id: tenant.owner?.accountId ?? null,
    tier: tenant.owner?.tier ?? null,
    expires_at: tenant.expiresAt,
    paused_at: tenant.pausedAt,
    session_id: rotation.sessionId,
    generation: rotation.generation,
    salt: Buffer.from(rotation.salt).toString('hex'),
    now_ms: rotation.now,
    session_expires_at: rotation.expiresAt,
    idempotency_hash: rotation.idempotencyHash,
    scope: minute.counter.scope,
    lifetime_limit: lifetime.limit,
    minute_start: minute.counter.start,
    minute_limit: minute.limit,
    month_start: month.counter.start,
    month_limit: month.limit,
  }
}

interface Row {
  readonly at: number
  readonly outcome: 'refreshed' | 'not-current' | 'not-provisioned' | 'tenant-changed' | `over-${Window}`
  readonly resource_id: number
  readonly user_id: number
  readonly email: string
  readonly name: string | null
  readonly picture: string | null
  readonly first_seen: number
  readonly created_at: number
  /** Of the previous generation. */
  readonly rotated_at: number
  readonly absolute_expires_at: number
  readonly used_this_minute: number
}

type Window = 'lifetime' | 'minute' | 'month'

function resultOf({ tenant, rotation, charges }: Refresh, row: Row | undefined): Refreshed {
  if (row === undefined) throw new Error('PostgreSQL returned no row for a refresh')
  const nothing: CommitEvents = { revocations: [], changedTenants: new Set(), deliverable: [] }
  const { lifetime, minute, month } = charges
  switch (row.outcome) {
    case 'over-lifetime':
      return { outcome: { outcome: 'over-limit', charge: lifetime }, pendingEvents: nothing }
    case 'over-minute':
      return { outcome: { outcome: 'over-limit', charge: minute }, pendingEvents: nothing }
    case 'over-month':
      return { outcome: { outcome: 'over-limit', charge: month }, pendingEvents: nothing }
    case 'refreshed':
      break
    default:
      return { outcome: { outcome: row.outcome }, pendingEvents: nothing }
  }
  const { sessionId, now } = rotation
  const generation = rotation.generation + 1
  const until = latestTokenExpiry(row.rotated_at)
  return {
    outcome: {
      outcome: 'refreshed',
      resourceId: row.resource_id,
      session: {
        id: sessionId,
        userId: row.user_id,
        salt: rotation.salt,
        generation,
        createdAt: row.created_at,
        rotatedAt: now,
        expiresAt: rotation.expiresAt,
        absoluteExpiresAt: row.absolute_expires_at,
        idempotencyHash: rotation.idempotencyHash,
      },
      user: {
        id: row.user_id,
        email: row.email,
        name: row.name,
        picture: row.picture,
        firstSeen: row.first_seen,
      },
      usedThisMinute: row.used_this_minute,
    },
    pendingEvents: {
      revocations: until > now ? [{ kind: 'session', tenantId: tenant.id, sessionId, generation, until }] : [],
      changedTenants: new Set([tenant.id]),
      deliverable: [{ tenantId: tenant.id, kinds: ['token_refreshed'] }],
    },
  }
}
