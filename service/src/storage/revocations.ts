import type { Kysely, Selectable } from 'kysely'
import type { Revocation } from '../domain/revocation/revocation.ts'
import type { TransactionAccess } from './access.ts'
import type { Tables } from './tables/tables.ts'

/**
 * Inserts a revocation in the transaction that causes it, and publishes it after the commit. Writes nothing if no access
 * token can still be valid, which is the case at most refreshes (decision 18).
 */
export const publishRevocation = (
  open: TransactionAccess,
  revocation: Revocation,
  now: number,
): Promise<void> => publishRevocations(open, [revocation], now)

/** Inserts and publishes several revocations in one statement. */
export async function publishRevocations(
  { write, pendingEvents }: TransactionAccess,
  revocations: readonly Revocation[],
  now: number,
): Promise<void> {
  const needed = revocations.filter(({ until }) => until > now)
  if (needed.length === 0) {
    return
  }
  await write
    .insertInto('revocations')
    .values(
      needed.map((revocation) => ({
        kind: revocation.kind,
        tenant_id: revocation.tenantId,
        subject_id: subjectOf(revocation),
        generation: 'generation' in revocation ? revocation.generation : null,
        until_ms: revocation.until,
        last_id: revocation.kind === 'sessions-lost' ? revocation.last : null,
      })),
    )
    .execute()
  pendingEvents.revocations.push(...needed)
}

function subjectOf(revocation: Revocation): number | null {
  if (revocation.kind === 'session') {
    return revocation.sessionId
  }
  if (revocation.kind === 'resource') {
    return revocation.resourceId
  }
  if (revocation.kind === 'sessions-lost') {
    return revocation.first
  }
  return null
}

const REVOCATION_COLUMNS = [
  'id',
  'kind',
  'tenant_id',
  'subject_id',
  'generation',
  'until_ms',
  'last_id',
] as const

export type RevocationRow = Selectable<Tables['revocations']>

/** null: a kind that only a newer version knows. */
export function revocationFrom(row: RevocationRow): Revocation | null {
  const {
    kind,
    tenant_id: tenantId,
    subject_id: subjectId,
    generation,
    until_ms: until,
    last_id: last,
  } = row
  switch (kind) {
    case 'session':
      return subjectId === null || generation === null
        ? null
        : { kind, tenantId, sessionId: subjectId, generation, until }
    case 'resource':
      return subjectId === null ? null : { kind, tenantId, resourceId: subjectId, until }
    case 'tenant-paused':
    case 'tenant-claimed':
      return { kind, tenantId, until }
    case 'tenant-suspended':
    case 'tenant-lifted':
      return generation === null ? null : { kind, tenantId, generation, until }
    case 'sessions-lost':
      return subjectId === null || last === null
        ? null
        : { kind, tenantId, first: subjectId, last, until }
    default:
      return null
  }
}

/** Small enough that V8's young collections free each page: a start may read a million rows. */
const PAGE_ROWS = 250

/** The next unexpired revocations by id; `last` is null after the last page. */
export async function pageOfRevocations(
  read: Kysely<Tables>,
  { after, now }: { readonly after: number; readonly now: number },
): Promise<{ readonly revocations: Revocation[]; readonly last: number | null }> {
  const rows = await read
    .selectFrom('revocations')
    .select(REVOCATION_COLUMNS)
    .where('id', '>', after)
    .where('until_ms', '>', now)
    .orderBy('id')
    .limit(PAGE_ROWS)
    .execute()
  const revocations = rows.map(revocationFrom).filter((revocation) => revocation !== null)
  return { revocations, last: rows.at(-1)?.id ?? null }
}
