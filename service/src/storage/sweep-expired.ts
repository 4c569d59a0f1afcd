import { sql } from 'kysely'
import type { Access } from './access.ts'

/** Tables whose rows end at `expires_at`, which they have an index on, and the key of each. */
const KEYS = {
  login_attempts: 'id',
  account_sessions: 'id',
  account_sign_ins: 'id',
  edge_sessions: 'hash',
} as const

/** Removes what has expired, the oldest first, at most `limit` rows; how many went. */
export async function sweepExpired(
  { write }: Access,
  name: keyof typeof KEYS,
  now: number,
  limit: number,
): Promise<number> {
  // The four look alike to this statement, and the types want one of them.
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
