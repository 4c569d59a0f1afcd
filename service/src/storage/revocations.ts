import type { Kysely, Selectable } from 'kysely'
import type { Notice } from '../domain/revocation/revocation.ts'
import type { OpenAccess } from './access.ts'
import type { Tables } from './tables.ts'

/** Few enough that a page is garbage before the next one comes: a million are read at a start. */
const PAGE_ROWS = 250

/**
 * Writes a notice in the transaction that causes it, and announces it after the commit. Most refreshes come after the
 * old access token expired: then nobody needs to be told, and nothing is written (decision 18).
 */
export async function giveNotice({ write, told }: OpenAccess, notice: Notice, now: number): Promise<void> {
  if (notice.until <= now) return
  await write
    .insertInto('notices')
    .values({
      kind: notice.kind,
      tenant_id: notice.tenantId,
      subject_id: subjectOf(notice),
      generation: notice.kind === 'session' ? notice.generation : null,
      until_ms: notice.until,
    })
    .execute()
  told.notices.push(notice)
}

function subjectOf(notice: Notice): number | null {
  if (notice.kind === 'session') return notice.sessionId
  if (notice.kind === 'resource') return notice.resourceId
  return null
}

const NOTICE_COLUMNS = ['id', 'kind', 'tenant_id', 'subject_id', 'generation', 'until_ms'] as const

export type NoticeRow = Selectable<Tables['notices']>

/** A row as a notice; null for a kind that only a newer version of us knows. */
export function noticeFrom(row: NoticeRow): Notice | null {
  const { kind, tenant_id: tenantId, subject_id: subjectId, generation, until_ms: until } = row
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
    default:
      return null
  }
}

/** The next unexpired notices by id; `last` is null when there are no more. */
export async function pageOfNotices(
  read: Kysely<Tables>,
  { after, now }: { readonly after: number; readonly now: number },
): Promise<{ readonly notices: Notice[]; readonly last: number | null }> {
  const rows = await read
    .selectFrom('notices')
    .select(NOTICE_COLUMNS)
    .where('id', '>', after)
    .where('until_ms', '>', now)
    .orderBy('id')
    .limit(PAGE_ROWS)
    .execute()
  const notices = rows.map(noticeFrom).filter((notice) => notice !== null)
  return { notices, last: rows.at(-1)?.id ?? null }
}

export async function sweepNotices(write: Kysely<Tables>, now: number, limit: number): Promise<number> {
  const { numDeletedRows } = await write
    .deleteFrom('notices')
    .where('id', 'in', (eb) =>
      eb.selectFrom('notices').select('id').where('until_ms', '<=', now).orderBy('until_ms').limit(limit),
    )
    .executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}
