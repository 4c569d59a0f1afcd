import { sql } from 'kysely'
import type { Access } from './access.ts'

/** Tables with an indexed `expires_at`, and their keys. */
const KEYS = {
  login_attempts: 'id',
  account_sessions: 'id',
  account_sign_ins: 'id',
  edge_sessions: 'hash',
  me_sessions: 'hash',
} as const

/** Deletes up to `limit` expired rows, the oldest first, and returns how many. */
export async function sweepExpired(
  { write }: Access,
  name: keyof typeof KEYS,
  now: number,
  limit: number,
): Promise<number> {
  // Kysely's types need one table; the five have the columns of this statement in common.
  const table = name as 'login_attempts'
  const key = sql.ref<string>(KEYS[name])
  const { numDeletedRows } = await write
    .deleteFrom(table)
    .where(key, 'in', (eb) =>
      eb.selectFrom(table).select(key.as('key')).where('expires_at', '<=', now).orderBy('expires_at').limit(limit),
    )
    .executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}
