import type { ExpressionBuilder, ExpressionWrapper, Selectable, SqlBool } from 'kysely'
import type { SessionId } from '../../domain/ids.ts'
import {
  ALL_GENERATIONS,
  latestTokenExpiry,
  type Revocation,
} from '../../domain/revocation/revocation.ts'
import type { Session } from '../../domain/sessions/session.ts'
import type { SessionStore } from '../../domain/stores/stores.ts'
import type { Access, TransactionAccess } from '../access.ts'
import { publishRevocation } from '../revocations.ts'
import type { Slots } from '../slots.ts'
import { statement } from '../statement.ts'
import type { Tables } from '../tables/tables.ts'
import { claimsFrom, type InResource } from '../tenants/resources.ts'
import {
  activeSessions,
  countActiveSessions,
  endOldestSessions,
  sessionsOfUser,
} from './user-sessions.ts'

export function sessionStore(access: Access): SessionStore {
  return {
    async start(resource, session) {
      const sweepAt = Math.min(session.expiresAt, session.absoluteExpiresAt)
      const { id } = await start.one(access.write, { resource, session, sweepAt })
      return { ...session, id }
    },

    async find(resource, sessionId) {
      const row = await access.read
        .selectFrom('sessions')
        .select(COLUMNS)
        .where((eb) =>
          eb.and({ tenant_id: resource.tenantId, resource_id: resource.id, id: sessionId }),
        )
        .executeTakeFirst()
      return row === undefined ? null : sessionFrom(row)
    },

    async findClaims(resource, sessionId) {
      const row = await withClaims.first(access.read, { resource, sessionId })
      return row === undefined
        ? null
        : { createdAt: row.created_at, claims: claimsFrom(row.claims) }
    },

    async reissue(resource, session, lateUntil, now) {
      const { numUpdatedRows } = await access.write
        .updateTable('sessions')
        .set({ rotated_at: now, late_generation: session.generation, late_until: lateUntil })
        .where('tenant_id', '=', resource.tenantId)
        .where('resource_id', '=', resource.id)
        .where('id', '=', session.id)
        .where('generation', '=', session.generation)
        .where('rotated_at', '=', session.rotatedAt)
        .executeTakeFirstOrThrow()
      return numUpdatedRows > 0n
    },

    async end(resource, sessionId, now) {
      return access.inTransaction(async (open) => {
        const row = await open.write
          .deleteFrom('sessions')
          .where((eb) =>
            eb.and({ tenant_id: resource.tenantId, resource_id: resource.id, id: sessionId }),
          )
          .returning([...COLUMNS, 'tenant_id', 'resource_id'])
          .executeTakeFirst()
        if (row === undefined) {
          return null
        }

        open.endedSessions.push(row)
        const revocation: Revocation = {
          kind: 'session',
          tenantId: resource.tenantId,
          sessionId,
          generation: ALL_GENERATIONS,
          until: latestTokenExpiry(row.rotated_at),
        }
        await publishRevocation(open, revocation, now)
        return sessionFrom(row)
      })
    },

    async endOfUser(resource, userId, now, limit) {
      const ended = await access.inTransaction((open) =>
        endOldestSessions(open, resource, { userId, now, limit }),
      )
      return ended.length
    },

    endOldest: (resource, now, limit) =>
      access.inTransaction((open) => endOldestSessions(open, resource, { now, limit })),

    async ofUser(resource, userId, now, page) {
      const sessions = sessionsOfUser(access, resource, { userId, now, ...page })
      const rows = await sessions.select(COLUMNS).execute()
      return rows.map(sessionFrom)
    },

    active: (resource, now, query) => activeSessions(access, resource, now, query),

    countActive: (resource, now) => countActiveSessions(access, resource, now),

    sweep: (now, limit) => access.inTransaction((open) => sweepSessions(open, now, limit)),
  }
}

const withClaims = statement(
  (db, { resource, sessionId }: Slots<InResource & { sessionId: SessionId }>) =>
    db
      .selectFrom('sessions')
      .innerJoin('users', (join) =>
        join
          .onRef('users.tenant_id', '=', 'sessions.tenant_id')
          .onRef('users.resource_id', '=', 'sessions.resource_id')
          .onRef('users.id', '=', 'sessions.user_id'),
      )
      .select(['sessions.created_at', 'users.claims'])
      .where((eb) =>
        eb.and({ 'sessions.tenant_id': resource.tenantId, 'sessions.resource_id': resource.id }),
      )
      .where('sessions.id', '=', sessionId),
)

interface Started extends InResource {
  readonly session: Omit<Session, 'id'>
  readonly sweepAt: number
}

const start = statement((db, { resource, session, sweepAt }: Slots<Started>) =>
  db
    .insertInto('sessions')
    .values({
      tenant_id: resource.tenantId,
      resource_id: resource.id,
      user_id: session.userId,
      salt: session.salt,
      generation: session.generation,
      created_at: session.createdAt,
      rotated_at: session.rotatedAt,
      previous_rotated_at: null,
      expires_at: session.expiresAt,
      absolute_expires_at: session.absoluteExpiresAt,
      idempotency_hash: session.idempotencyHash,
      late_generation: null,
      late_until: null,
      sweep_at: sweepAt,
    })
    .returning('id'),
)

const COLUMNS = [
  'id',
  'user_id',
  'salt',
  'generation',
  'created_at',
  'rotated_at',
  'expires_at',
  'absolute_expires_at',
  'idempotency_hash',
  'late_generation',
  'late_until',
] as const

const sessionFrom = (
  row: Pick<Selectable<Tables['sessions']>, (typeof COLUMNS)[number]>,
): Session => ({
  id: row.id,
  userId: row.user_id,
  salt: row.salt,
  generation: row.generation,
  createdAt: row.created_at,
  rotatedAt: row.rotated_at,
  expiresAt: row.expires_at,
  absoluteExpiresAt: row.absolute_expires_at,
  idempotencyHash: row.idempotency_hash,
  late:
    row.late_generation === null || row.late_until === null
      ? null
      : { generation: row.late_generation, until: row.late_until },
})

type Sessions = ExpressionBuilder<Tables, 'sessions'>

/**
 * Deletes due sessions that have expired, and postpones the others to their current expiry. Every refresh moves
 * `expires_at`: an index on it would be written at every refresh, and on PostgreSQL would end heap-only updates. So
 * `sweep_at` is indexed instead, and a session in use is checked once a month.
 *
 * Returns how many sessions were checked. A call that checked `limit` may have left some, whether or not any had expired:
 * with a hundred million sessions in use, more become due in a minute than one call may touch.
 */
async function sweepSessions(
  { write, endedSessions }: TransactionAccess,
  now: number,
  limit: number,
): Promise<number> {
  const due = (eb: Sessions, count: number) =>
    eb
      .selectFrom('sessions')
      .select('id')
      .where('sweep_at', '<=', now)
      .orderBy('sweep_at')
      .limit(count)

  const ended = await write
    .deleteFrom('sessions')
    .where('id', 'in', (eb) => due(eb, limit))
    .where(expired(now))
    .returning(['tenant_id', 'resource_id', 'user_id', 'rotated_at'])
    .execute()
  endedSessions.push(...ended)
  const removed = ended.length
  if (removed === limit) {
    return limit
  }

  // The expired ones are gone, so the first `limit - removed` due rows are the others of the same range.
  const { numUpdatedRows } = await write
    .updateTable('sessions')
    .set((eb) => ({
      sweep_at: eb
        .case()
        .when('expires_at', '<', eb.ref('absolute_expires_at'))
        .then(eb.ref('expires_at'))
        .else(eb.ref('absolute_expires_at'))
        .end(),
    }))
    .where('id', 'in', (eb) => due(eb, limit - removed))
    .where(({ eb, not }) => not(expired(now)(eb)))
    .executeTakeFirstOrThrow()
  return removed + Number(numUpdatedRows)
}

const expired =
  (now: number) =>
  (eb: Sessions): ExpressionWrapper<Tables, 'sessions', SqlBool> =>
    eb.or([eb('expires_at', '<=', now), eb('absolute_expires_at', '<=', now)])
