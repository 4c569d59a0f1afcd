import type { Access } from '../access.ts'

/**
 * Marks a code or refresh token as used, and returns whether this call was the one that did. One conditional update:
 * reading, checking and then writing would let two concurrent calls through (CVE-2026-47386, decision 14).
 */
export async function useOnce(
  { write }: Access,
  table: 'oauth_codes' | 'oauth_refresh_tokens',
  hash: string,
  now: number,
): Promise<boolean> {
  const { numUpdatedRows } = await write
    .updateTable(table)
    .set({ used_at: now })
    .where('hash', '=', hash)
    .where('used_at', 'is', null)
    .where('expires_at', '>', now)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}
