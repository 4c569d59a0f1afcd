import { CompiledQuery, type Kysely } from 'kysely'
import { OutcomeUnknown } from '../../domain/api-error.ts'
import { type Charge, reached } from '../../domain/limits/allowance.ts'
import { latestTokenExpiry } from '../../domain/revocation/revocation.ts'
import type { Refresh } from '../../domain/sessions/session.ts'
import { ConnectionLost } from '../database-errors.ts'
import {
  notRefreshed,
  type Refreshed,
  type RefreshedRow,
  refreshedFrom,
} from '../sessions/refreshed.ts'
import type { Tables } from '../tables/tables.ts'

/**
 * Runs a batch of refreshes as one statement: one round trip, one commit, and an outcome for each. `mark`: the lineage that
 * the server must have, if a pooler may lead to another one; null without a pooler.
 *
 * The rule that decides is `gatehouse_refresh_v2` (service/content/functions.postgres.sql); `../sqlite/refresh.ts` has the same
 * rule for SQLite. `domain/sessions/replay.ts` decides about a token that is no longer current.
 */
export async function refreshOnPostgres(
  db: Kysely<Tables>,
  batch: readonly Refresh[],
  mark: string | null,
): Promise<Refreshed[]> {
  const rows = await executeBatch(db, batch, mark)
  const rowByPlace = new Map(rows.map((row) => [row.at, row]))
  return batch.map((refresh, index) => {
    const row = rowByPlace.get(index + 1)
    if (row === undefined) {
      throw new Error('PostgreSQL returned no row for a refresh')
    }
    return resultOf(refresh, row)
  })
}

/** The statement is its own transaction. A client may repeat it: with the same Idempotency-Key it gets the same pair. */
async function executeBatch(
  db: Kysely<Tables>,
  batch: readonly Refresh[],
  mark: string | null,
): Promise<Row[]> {
  const values = [...COLUMNS.map((column) => column(batch)), latestTokenExpiry(0)]
  const query =
    mark === null
      ? CompiledQuery.raw(REFRESH, values)
      : CompiledQuery.raw(REFRESH_POOLED, [...values, mark])
  try {
    const { rows } = await db.executeQuery<Row>(query)
    return rows
  } catch (error) {
    if (error instanceof ConnectionLost) {
      throw new OutcomeUnknown({ cause: error })
    }
    throw error
  }
}

/** All values of one parameter. */
type Column = (batch: readonly Refresh[]) => unknown

/** An array of numbers is written here, because pg quotes and escapes every number of an array. */
const numbers =
  (read: (refresh: Refresh) => number | null): Column =>
  (batch) =>
    `{${batch.map((refresh) => read(refresh) ?? 'NULL').join()}}`

const values =
  (read: (refresh: Refresh) => string | Buffer | null): Column =>
  (batch) =>
    batch.map(read)

/** The parameters of gatehouse_refresh_v2, in their order: from in_tenant_id to in_month_limit. */
const COLUMNS: readonly Column[] = [
  values(({ tenant }) => tenant.id),
  numbers(({ tenant }) => tenant.owner?.accountId ?? null),
  values(({ tenant }) => tenant.owner?.tier ?? null),
  numbers(({ tenant }) => tenant.expiresAt),
  numbers(({ tenant }) => tenant.pausedAt),
  numbers(({ rotation }) => rotation.sessionId),
  numbers(({ rotation }) => rotation.generation),
  values(({ rotation }) => Buffer.from(rotation.salt)),
  numbers(({ rotation }) => rotation.now),
  numbers(({ rotation }) => rotation.expiresAt),
  values(({ rotation }) => rotation.idempotencyHash),
  values(({ charges }) => charges.shared),
  numbers(({ charges }) => charges.lifetime.limit),
  numbers(({ charges }) => charges.minute.start),
  numbers(({ charges }) => charges.minute.limit),
  numbers(({ charges }) => charges.month.start),
  numbers(({ charges }) => charges.month.limit),
]

/** The columns, and the lifetime of an access token. */
const PARAMETER_COUNT = COLUMNS.length + 1

const PARAMETERS = Array.from({ length: PARAMETER_COUNT }, (_, at) => `$${at + 1}`).join()

const REFRESH = `select at, outcome, resource_id, user_id, email, name, picture, first_seen, created_at, rotated_at,
  absolute_expires_at, used_this_minute from gatehouse_refresh_v2(${PARAMETERS})`

const REFRESH_POOLED = `${REFRESH} where gatehouse_is_lineage_v1($${PARAMETER_COUNT + 1})`

interface Row extends RefreshedRow {
  /** The position in the batch, from 1. */
  readonly at: number
  readonly outcome:
    | 'refreshed'
    | 'not-current'
    | 'not-provisioned'
    | 'tenant-changed'
    | `over-${Window}`
  /** What no further refresh may use of the minute's limit: its events, without those that can't displace refreshes. */
  readonly used_this_minute: number
}

type Window = 'lifetime' | 'minute' | 'month'

function resultOf(refresh: Refresh, row: Row): Refreshed {
  const { charges } = refresh
  switch (row.outcome) {
    case 'over-lifetime':
      return overLimit(charges.lifetime)
    case 'over-minute':
      return overLimit(charges.minute)
    case 'over-month':
      return overLimit(charges.month)
    case 'refreshed': {
      const { limit } = charges.minute
      const left = limit === null ? null : Math.max(0, limit - row.used_this_minute)
      return refreshedFrom(refresh, row, left)
    }
    default:
      return notRefreshed({ outcome: row.outcome })
  }
}

function overLimit(charge: Charge): Refreshed {
  if (charge.limit === null) {
    throw new Error(
      `PostgreSQL rejected a refresh by the ${charge.window} limit, and there is none`,
    )
  }
  return notRefreshed({ outcome: 'over-limit', reached: reached(charge, charge.limit) })
}
