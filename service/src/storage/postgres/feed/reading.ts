/**
 * Reads every row of `revocations` at least once, although many transactions append to it concurrently.
 *
 * Ids are assigned before the commit, so `id > last` would miss the row of a slow transaction permanently. Instead every
 * row has its transaction's id, and each poll remembers its snapshot: the next one reads the rows of transactions that
 * were running then or had not begun. So each is read once, however long another transaction stays open.
 */

import { setTimeout as sleep } from 'node:timers/promises'
import type { Revocation } from '../../../domain/revocation/revocation.ts'
import { type RevocationRow, revocationFrom } from '../../revocations.ts'
import { ServerInRecovery } from '../connection/server-client.ts'
import { type Moment, skewBetween, thisMoment } from './clock-skew.ts'

export interface Reading {
  readonly revocations: Revocation[]
  /** As PostgreSQL writes it: the oldest running transaction, the next one, and all that run, as in `7:9:7,8`. */
  readonly snapshot: string
  /** This machine's clock minus PostgreSQL's; null if it could not be determined. */
  readonly skewMs: number | null
}

interface Connection {
  query<R extends object>(text: string, values: unknown[]): Promise<{ rows: R[] }>
}

// A row counts as expired only by the slower of the two clocks, this machine's and PostgreSQL's: this machine's may be
// wrong until this poll corrects it. An extra revocation is harmless; one that is skipped is never read again.

/** One statement returns the rows that an earlier snapshot didn't see, and the snapshot that they were read in. */
export async function readRevocations(
  connection: Connection,
  earlier: string,
  now: number,
): Promise<Reading> {
  const [, next, running] = earlier.split(':')
  const sent = thisMoment()
  const { rows } = await connection.query<SnapshotRow & (RevocationRow | { id: null })>(
    `select present.snapshot, present.clock_ms, present.standby, ${COLUMNS}
      from (${SNAPSHOT}) as present
      left join revocations r on (r.txid >= $1::xid8 or r.txid = any($2::xid8[]))
        and r.until_ms > least($3::float8, present.clock_ms)`,
    [next, `{${running}}`, now],
  )
  return {
    ...snapshotFrom(rows[0], sent),
    revocations: revocationsFrom(rows.filter((row) => row.id !== null)),
  }
}

const SNAPSHOT = `select pg_current_snapshot()::text as snapshot,
  (extract(epoch from clock_timestamp()) * 1000)::float8 as clock_ms, pg_is_in_recovery() as standby`

interface SnapshotRow {
  readonly snapshot: string
  readonly clock_ms: number
  readonly standby: boolean
}

const COLUMNS = 'r.id, r.kind, r.tenant_id, r.subject_id, r.generation, r.until_ms, r.last_id'

/** Small enough that V8's young collections free each page: a start may read a million rows. */
const PAGE_ROWS = 1_000

/** Loads every unexpired revocation in pages, all from one snapshot. */
export async function loadRevocations(
  connection: Connection,
  now: number,
  each: (revocations: Revocation[]) => void,
): Promise<Omit<Reading, 'revocations'>> {
  await connection.query('begin isolation level repeatable read read only', [])
  try {
    const sent = thisMoment()
    const { rows } = await connection.query<SnapshotRow>(SNAPSHOT, [])
    const snapshot = snapshotFrom(rows[0], sent)
    const expired = Math.floor(Math.min(now, rows[0]?.clock_ms ?? now))
    let last = 0
    for (;;) {
      const page = await connection.query<RevocationRow>(
        `select ${COLUMNS} from revocations r where r.id > $1 and r.until_ms > $2 order by r.id limit ${PAGE_ROWS}`,
        [last, expired],
      )
      each(revocationsFrom(page.rows))
      const end = page.rows.at(-1)
      if (end === undefined) {
        return snapshot
      }
      last = end.id
    }
  } finally {
    // A read-only transaction has nothing to commit, and a rollback also ends one that failed.
    await connection.query('rollback', []).catch(() => {})
  }
}

const revocationsFrom = (rows: readonly RevocationRow[]): Revocation[] =>
  rows.map(revocationFrom).filter((revocation) => revocation !== null)

function snapshotFrom(row: SnapshotRow | undefined, sent: Moment): Omit<Reading, 'revocations'> {
  if (row === undefined) {
    throw new Error('PostgreSQL returned no snapshot')
  }
  // A standby may be behind by any time: what it returns must not count as up to date.
  if (row.standby) {
    throw new ServerInRecovery()
  }
  return { snapshot: row.snapshot, skewMs: skewBetween(sent, thisMoment(), row.clock_ms) }
}

/**
 * Runs polls one at a time and at least `minIntervalMs` apart. A poll that is requested while another runs starts after it,
 * so `poll()` always resolves after a poll that began later than the call. Never rejects.
 */
export class Poller {
  readonly #pollOnce: () => Promise<void>
  readonly #minIntervalMs: number
  readonly #closed: AbortSignal
  #running: Promise<void> | undefined
  #requested = false
  #startedAt = Number.NEGATIVE_INFINITY

  /** `pollOnce` must not reject. */
  constructor(pollOnce: () => Promise<void>, minIntervalMs: number, closed: AbortSignal) {
    this.#pollOnce = pollOnce
    this.#minIntervalMs = minIntervalMs
    this.#closed = closed
  }

  poll(): Promise<void> {
    this.#requested = true
    this.#running ??= this.#run().finally(() => {
      this.#running = undefined
    })
    return this.#running
  }

  /** Requests one more poll, if one is running; otherwise with the next `poll()`. */
  pollAgain(): void {
    this.#requested = true
  }

  /** Resolves when no poll is running. */
  async idle(): Promise<void> {
    await this.#running
  }

  async #run(): Promise<void> {
    while (this.#requested && !this.#closed.aborted) {
      const wait = this.#minIntervalMs - (performance.now() - this.#startedAt)
      if (wait > 0) {
        await sleep(wait, undefined, { ref: false, signal: this.#closed }).catch(() => {})
      }
      this.#requested = false
      this.#startedAt = performance.now()
      await this.#pollOnce()
    }
  }
}
