/**
 * What to read from a table that many transactions append to at once.
 *
 * Ids are drawn before the commit, so "greater than the last id I saw" loses the row of a slow transaction for ever.
 * Instead every row carries its transaction's id, and every look remembers its snapshot's xmin, the oldest transaction
 * still running then. A row that snapshot could not see belongs to a transaction that was running or not begun, so its
 * id is at least that xmin: reading from there on misses nothing. Some rows come twice, which is harmless (2b).
 */
import type { Notice } from '../domain/revocation/notice.ts'
import { type NoticeRow, noticeFrom } from './notices.ts'
import { profileOf } from './profiles.ts'

/** Few enough that a page is garbage before the next one comes: a million are read at a start. */
const PAGE_ROWS = 1_000
/** A slower answer says nothing about the clock. */
const CLOCK_ANSWERS_WITHIN_MS = 1_000

export interface Reading {
  readonly notices: Notice[]
  readonly xmin: bigint
  /** Our clock minus PostgreSQL's; null when the answer took too long to tell. */
  readonly skewMs: number | null
}

interface Asked {
  query<R extends object>(text: string, values: unknown[]): Promise<{ rows: R[] }>
}

const SNAPSHOT = `pg_snapshot_xmin(pg_current_snapshot())::text as xmin,
  (extract(epoch from clock_timestamp()) * 1000)::float8 as clock_ms`

interface SnapshotRow {
  readonly xmin: string
  readonly clock_ms: number
}

const COLUMNS = 'n.id, n.kind, n.tenant_id, n.subject_id, n.generation, n.until_ms'

/** The rows and the snapshot they were seen in, by one statement. */
export async function readNotices(connection: Asked, xmin: bigint, now: number): Promise<Reading> {
  const began = Date.now()
  const { rows } = await connection.query<SnapshotRow & (NoticeRow | { id: null })>(
    `select ${SNAPSHOT}, ${COLUMNS}
      from (select 1) as one left join notices n on n.txid >= $1::xid8 and n.until_ms > $2`,
    [String(xmin), now],
  )
  return { ...snapshotFrom(rows[0], began), notices: noticesFrom(rows.filter((row) => row.id !== null)) }
}

/** Every notice that still matters, in pages, all as of one snapshot. */
export async function loadNotices(
  connection: Asked,
  now: number,
  each: (notices: Notice[]) => void,
): Promise<Omit<Reading, 'notices'>> {
  await connection.query('begin isolation level repeatable read read only', [])
  const began = Date.now()
  const { rows } = await connection.query<SnapshotRow>(`select ${SNAPSHOT}`, [])
  const snapshot = snapshotFrom(rows[0], began)
  for (let last = 0; ; ) {
    const page = await connection.query<NoticeRow>(
      `select ${COLUMNS} from notices n where n.id > $1 and n.until_ms > $2 order by n.id limit ${PAGE_ROWS}`,
      [last, now],
    )
    each(noticesFrom(page.rows))
    const end = page.rows.at(-1)
    if (end === undefined) break
    last = end.id
  }
  await connection.query('commit', [])
  return snapshot
}

const noticesFrom = (rows: readonly NoticeRow[]): Notice[] =>
  rows.map((row) => noticeFrom(row, profileOf('postgres'))).filter((notice) => notice !== null)

function snapshotFrom(row: SnapshotRow | undefined, began: number): Omit<Reading, 'notices'> {
  if (row === undefined) throw new Error('PostgreSQL returned no snapshot')
  const took = Date.now() - began
  const skewMs = took > CLOCK_ANSWERS_WITHIN_MS ? null : Math.round(began + took / 2 - row.clock_ms)
  return { xmin: BigInt(row.xmin), skewMs }
}
