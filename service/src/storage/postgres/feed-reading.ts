/**
 * What to read from a table that many transactions append to at once.
 *
 * Ids are drawn before the commit, so "greater than the last id I saw" loses the row of a slow transaction for ever.
 * Instead every row carries its transaction's id, and every look remembers its snapshot's xmin, the oldest transaction
 * still running then. A row that snapshot could not see belongs to a transaction that was running or not begun, so its
 * id is at least that xmin: reading from there on misses nothing. Some rows come twice, which is harmless (2b).
 */
import type { Revocation } from '../../domain/revocation/revocation.ts'
import { type RevocationRow, revocationFrom } from '../revocations.ts'
import { type Moment, skewBetween, thisMoment } from './clock-skew.ts'

/** Few enough that a page is garbage before the next one comes: a million are read at a start. */
const PAGE_ROWS = 1_000

export interface Reading {
  readonly revocations: Revocation[]
  readonly xmin: bigint
  /** This machine's clock minus PostgreSQL's; null when it could not be told. */
  readonly skewMs: number | null
}

interface Asked {
  query<R extends object>(text: string, values: unknown[]): Promise<{ rows: R[] }>
}

const SNAPSHOT = `select pg_snapshot_xmin(pg_current_snapshot())::text as xmin,
  (extract(epoch from clock_timestamp()) * 1000)::float8 as clock_ms`

interface SnapshotRow {
  readonly xmin: string
  readonly clock_ms: number
}

const COLUMNS = 'n.id, n.kind, n.tenant_id, n.subject_id, n.generation, n.until_ms'

// What has expired is left out by the clock that is behind, ours or PostgreSQL's. Ours may have been set wrong a moment ago,
// and be put right by this very look: a notice too many is harmless, and one that was skipped is never read again.

/** The rows and the snapshot they were seen in, by one statement. */
export async function readRevocations(connection: Asked, xmin: bigint, now: number): Promise<Reading> {
  const asked = thisMoment()
  const { rows } = await connection.query<SnapshotRow & (RevocationRow | { id: null })>(
    `select seen.xmin, seen.clock_ms, ${COLUMNS}
      from (${SNAPSHOT}) as seen
      left join revocations n on n.txid >= $1::xid8 and n.until_ms > least($2::float8, seen.clock_ms)`,
    [String(xmin), now],
  )
  return { ...snapshotFrom(rows[0], asked), revocations: revocationsFrom(rows.filter((row) => row.id !== null)) }
}

/** Every notice that still matters, in pages, all as of one snapshot. The connection is left as it was, or is broken. */
export async function loadRevocations(
  connection: Asked,
  now: number,
  each: (revocations: Revocation[]) => void,
): Promise<Omit<Reading, 'revocations'>> {
  await connection.query('begin isolation level repeatable read read only', [])
  try {
    return await readPages(connection, now, each)
  } finally {
    // Nothing was changed, so it is the same as a commit, and it also ends a transaction that failed.
    await connection.query('rollback', []).catch(() => {})
  }
}

async function readPages(
  connection: Asked,
  now: number,
  each: (revocations: Revocation[]) => void,
): Promise<Omit<Reading, 'revocations'>> {
  const asked = thisMoment()
  const { rows } = await connection.query<SnapshotRow>(SNAPSHOT, [])
  const snapshot = snapshotFrom(rows[0], asked)
  const expired = Math.floor(Math.min(now, rows[0]?.clock_ms ?? now))
  for (let last = 0; ; ) {
    const page = await connection.query<RevocationRow>(
      `select ${COLUMNS} from revocations n where n.id > $1 and n.until_ms > $2 order by n.id limit ${PAGE_ROWS}`,
      [last, expired],
    )
    each(revocationsFrom(page.rows))
    const end = page.rows.at(-1)
    if (end === undefined) return snapshot
    last = end.id
  }
}

const revocationsFrom = (rows: readonly RevocationRow[]): Revocation[] =>
  rows.map(revocationFrom).filter((revocation) => revocation !== null)

function snapshotFrom(row: SnapshotRow | undefined, asked: Moment): Omit<Reading, 'revocations'> {
  if (row === undefined) throw new Error('PostgreSQL returned no snapshot')
  return { xmin: BigInt(row.xmin), skewMs: skewBetween(asked, thisMoment(), row.clock_ms) }
}
