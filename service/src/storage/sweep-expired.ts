import { sql } from 'kysely'
import type { Access } from './access.ts'
import type { Tables } from './tables/tables.ts'

/** The rows of a table that expire: its key, and an indexed column that is compared with the time of the sweep. */
interface Expiring<Name extends keyof Tables> {
  readonly key: readonly (keyof Tables[Name] & string)[]
  readonly where: readonly [column: keyof Tables[Name] & string, comparison: '<' | '<=']
}

/** A `sweep` of a store: deletes up to `limit` rows that expired before this time, the oldest first, and returns how many. */
export const sweepExpired =
  <Name extends keyof Tables>(
    access: Pick<Access, 'write'>,
    name: Name,
    { key, where: [column, comparison] }: Expiring<Name>,
  ) =>
  async (before: number, limit: number): Promise<number> => {
    // Kysely's types need one table. `Expiring` has checked the names.
    const table = name as 'login_attempts'
    const expiry = sql.ref<number>(column)
    const expired = access.write
      .selectFrom(table)
      .select(key.map((part) => sql.ref(part).as(part)))
      .where(expiry, comparison, before)
      .orderBy(expiry)
      .limit(limit)
    const { numDeletedRows } = await access.write
      .deleteFrom(table)
      .where(sql`(${sql.join(key.map((part) => sql.ref(part)))})`, 'in', expired)
      // PostgreSQL checks this again for a row that another transaction has renewed meanwhile.
      .where(expiry, comparison, before)
      .executeTakeFirstOrThrow()
    return Number(numDeletedRows)
  }

type OfTenant = {
  [Name in keyof Tables]: 'tenant_id' extends keyof Tables[Name] ? Name : never
}[keyof Tables]

/** A `removeByTenant` of a store. */
export const removeByTenant =
  (access: Pick<Access, 'write'>, name: OfTenant) =>
  async (tenantId: string): Promise<void> => {
    await access.write
      .deleteFrom(name as 'claims')
      .where('tenant_id', '=', tenantId)
      .execute()
  }
