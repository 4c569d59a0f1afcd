import type { ResourceId, SessionId } from '../domain/ids.ts'
import { ALL_GENERATIONS } from '../domain/revocation/revocation.ts'
import type { LostRevocation } from '../domain/revocation/revocations.ts'
import { REFRESH_TOKEN_MS } from '../domain/sessions/session.ts'
import type { WrittenBack } from '../domain/stores/stores.ts'
import type { Access, TransactionAccess } from './access.ts'
import { publishRevocation } from './revocations.ts'

/** Instead of a tenant, where the row that names it is gone. */
const UNKNOWN_TENANT = '*'

/**
 * Repeats changes that the database lost, in one transaction: ends the sessions that were signed out, advances those that
 * were refreshed to the generation that their client has, and deletes the resources that were deleted.
 */
export function writeBack(
  access: Access,
  lost: readonly LostRevocation[],
  now: number,
): Promise<WrittenBack> {
  return access.inTransaction(async (open) => {
    const written = { ended: 0, advanced: 0, deleted: 0 }
    // By id, as every transaction locks them.
    const ordered = [...lost].sort((one, other) => subjectOf(one) - subjectOf(other))
    for (const each of ordered) {
      const found = await repeat(open, each, now)
      if (found !== null) {
        written[found.change] += 1
      }
      await publishRevocation(open, { ...each, tenantId: found?.tenantId ?? UNKNOWN_TENANT }, now)
    }
    return written
  })
}

interface Repeated {
  readonly tenantId: string
  readonly change: keyof WrittenBack
}

/** null: the database has the change. */
function repeat(
  open: TransactionAccess,
  lost: LostRevocation,
  now: number,
): Promise<Repeated | null> {
  if (lost.kind === 'resource') {
    return markDeleted(open, lost.resourceId, now)
  }
  if (lost.generation === ALL_GENERATIONS) {
    return endSession(open, lost.sessionId)
  }
  return advanceSession(open, lost.sessionId, lost.generation, now)
}

async function markDeleted(
  { write }: TransactionAccess,
  resourceId: ResourceId,
  now: number,
): Promise<Repeated | null> {
  const resource = await write
    .updateTable('resources')
    .set({ status: 'deleting', deleted_at: now })
    .where((eb) => eb.and({ id: resourceId, status: 'active' }))
    .returning('tenant_id')
    .executeTakeFirst()
  return resource === undefined ? null : { tenantId: resource.tenant_id, change: 'deleted' }
}

async function endSession(
  { write, endedSessions }: TransactionAccess,
  sessionId: SessionId,
): Promise<Repeated | null> {
  const ended = await write
    .deleteFrom('sessions')
    .where('id', '=', sessionId)
    .returning(['tenant_id', 'resource_id', 'user_id', 'rotated_at'])
    .executeTakeFirst()
  if (ended === undefined) {
    return null
  }
  endedSessions.push(ended)
  return { tenantId: ended.tenant_id, change: 'ended' }
}

async function advanceSession(
  { write }: TransactionAccess,
  sessionId: SessionId,
  generation: number,
  now: number,
): Promise<Repeated | null> {
  const advanced = await write
    .updateTable('sessions')
    .set(({ ref }) => ({
      generation,
      previous_rotated_at: ref('rotated_at'),
      rotated_at: now,
      expires_at: now + REFRESH_TOKEN_MS,
      // The refresh that set it is lost, so no later request can repeat it.
      idempotency_hash: null,
      late_generation: null,
      late_until: null,
    }))
    .where('id', '=', sessionId)
    .where('generation', '<', generation)
    .returning('tenant_id')
    .executeTakeFirst()
  return advanced === undefined ? null : { tenantId: advanced.tenant_id, change: 'advanced' }
}

const subjectOf = (lost: LostRevocation): number =>
  lost.kind === 'resource' ? lost.resourceId : lost.sessionId
