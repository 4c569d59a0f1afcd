import type { TransactionAccess } from '../access.ts'

/**
 * Makes concurrent transactions about one tenant wait for each other, so that each sees the rows of those before it.
 * SQLite needs no lock: a transaction is the only writer from its first statement on.
 */
export async function lockTenant(
  { engine, write }: TransactionAccess,
  tenantId: string,
): Promise<void> {
  if (engine === 'sqlite') {
    return
  }
  await write
    .selectFrom('tenants')
    .select('id')
    .where('id', '=', tenantId)
    .forNoKeyUpdate()
    .execute()
}
