import type { ResourceId } from '../../domain/ids.ts'
import { latestTokenExpiry } from '../../domain/revocation/revocation.ts'
import type { Refresh, RefreshOutcome } from '../../domain/sessions/session.ts'
import type { CommitEvents } from '../access.ts'
import type { Tables } from '../tables/tables.ts'

/** A refresh that has been decided and written. */
export interface Refreshed {
  readonly outcome: RefreshOutcome
  /** Committed, and not published yet. */
  readonly pendingEvents: CommitEvents
}

/** What the database knows of a session that is refreshed, and of its user. */
export interface RefreshedRow
  extends Pick<Tables['sessions'], 'user_id' | 'created_at' | 'absolute_expires_at'>,
    Pick<Tables['users'], 'name' | 'picture' | 'first_seen' | 'email'> {
  readonly resource_id: ResourceId
  /** When the previous generation was issued. */
  readonly rotated_at: number
}

/** The next generation of the session, and the revocation of the previous one, unless all its tokens have expired. */
export function refreshedFrom(
  { tenant, rotation }: Refresh,
  row: RefreshedRow,
  leftThisMinute: number | null,
): Refreshed {
  const { sessionId, salt, now, expiresAt, idempotencyHash } = rotation
  const generation = rotation.generation + 1
  const until = latestTokenExpiry(row.rotated_at)

  return {
    outcome: {
      outcome: 'refreshed',
      resourceId: row.resource_id,
      session: {
        id: sessionId,
        userId: row.user_id,
        salt,
        generation,
        createdAt: row.created_at,
        rotatedAt: now,
        expiresAt,
        absoluteExpiresAt: row.absolute_expires_at,
        idempotencyHash,
      },
      user: {
        id: row.user_id,
        email: row.email,
        name: row.name,
        picture: row.picture,
        firstSeen: row.first_seen,
      },
      leftThisMinute,
    },
    pendingEvents: {
      revocations:
        until > now ? [{ kind: 'session', tenantId: tenant.id, sessionId, generation, until }] : [],
      changedTenants: new Set([tenant.id]),
      deliverable: [{ tenantId: tenant.id, kinds: ['token_refreshed'] }],
    },
  }
}

/** A refresh that changed nothing. */
export const notRefreshed = (outcome: RefreshOutcome): Refreshed => ({
  outcome,
  pendingEvents: { revocations: [], changedTenants: new Set(), deliverable: [] },
})
