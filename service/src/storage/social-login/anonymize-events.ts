import type { UserId } from '../../domain/ids.ts'
import type { Resource } from '../../domain/stores/stores.ts'
import type { Access } from '../access.ts'

/**
 * Changes the oldest events of a user, as one range of the index by user. Selected by `(event, id) in (…)`, PostgreSQL
 * compared every event of the tenant with every selected one: 8 s for 1,000 of 2,500.
 */
export async function anonymizeEvents(
  { write }: Access,
  resource: Resource,
  userId: UserId,
  limit: number,
): Promise<number> {
  const oldest = write
    .selectFrom('events')
    .select('id')
    .where('resource_id', '=', resource.id)
    .where('user_id', '=', userId)
    .orderBy('id')
    .limit(limit)
  const { numUpdatedRows } = await write
    .updateTable('events')
    .set({ user_id: null, email: null, return_to: null })
    .where('tenant_id', '=', resource.tenantId)
    .where('resource_id', '=', resource.id)
    .where('user_id', '=', userId)
    .where('id', '<=', (eb) => eb.selectFrom(oldest.as('oldest')).select((last) => last.fn.max('id').as('last')))
    .executeTakeFirstOrThrow()
  return Number(numUpdatedRows)
}
