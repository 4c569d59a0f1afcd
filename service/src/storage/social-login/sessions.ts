import type { Selectable } from 'kysely'
import { ALL_GENERATIONS, latestTokenExpiry } from '../../domain/revocation/revocation.ts'
import type { Session } from '../../domain/sessions/session.ts'
import type { SessionStore } from '../../domain/stores/stores.ts'
import type { Access } from '../access.ts'
import { publishRevocation } from '../revocations.ts'
import type { Slots } from '../slots.ts'
import { statement } from '../statement.ts'
import type { Tables } from '../tables.ts'
import { activeSessions, countActiveSessions } from './active-sessions.ts'
import type { InResource } from './resource-rows.ts'
import { sweepSessions } from './sweep-sessions.ts'

const COLUMNS = [
  'id',
  'user_id',
  'salt',
  'generation',
  'created_at',
  'rotated_at',
  'expires_at',
  'absolute_expires_at',
  'fingerprint',
  'idempotency_hash',
] as const

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
      fingerprint: session.fingerprint,
      idempotency_hash: session.idempotencyHash,
      sweep_at: sweepAt,
    })
    .returning('id'),
)

export function sessionStore(access: Access): SessionStore {
  return {
    async start(resource, session) {
      const sweepAt = Math.min(session.expiresAt, session.absoluteExpiresAt)
      return { ...session, ...(await start.one(access.write, { resource, session, sweepAt })) }
    },

    async find(resource, sessionId) {
      const row = await access.read
        .selectFrom('sessions')
        .select(COLUMNS)
        .where('tenant_id', '=', resource.tenantId)
        .where('resource_id', '=', resource.id)
        .where('id', '=', sessionId)
        .executeTakeFirst()
      return row === undefined ? null : sessionFrom(row)
    },

    async end(resource, sessionId, now) {
      return access.inTransaction(async (open) => {
        const row = await open.write
          .deleteFrom('sessions')
          .where('tenant_id', '=', resource.tenantId)
          .where('resource_id', '=', resource.id)
          .where('id', '=', sessionId)
          .returning(COLUMNS)
          .executeTakeFirst()
        if (row === undefined) return null
        const until = latestTokenExpiry(row.rotated_at)
        const { tenantId } = resource
        const generation = ALL_GENERATIONS
        await publishRevocation(open, { kind: 'session', tenantId, sessionId, generation, until }, now)
        return sessionFrom(row)
      })
    },

    active: (resource, now, limit) => activeSessions(access, resource, now, limit),

    countActive: (resource, now) => countActiveSessions(access, resource, now),

    sweep: (now, limit) => sweepSessions(access, now, limit),
  }
}

const sessionFrom = (row: Pick<Selectable<Tables['sessions']>, (typeof COLUMNS)[number]>): Session => ({
  id: row.id,
  userId: row.user_id,
  salt: row.salt,
  generation: row.generation,
  createdAt: row.created_at,
  rotatedAt: row.rotated_at,
  expiresAt: row.expires_at,
  absoluteExpiresAt: row.absolute_expires_at,
  fingerprint: row.fingerprint,
  idempotencyHash: row.idempotency_hash,
})
