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
 * Runs a batch of refreshes as one statement: one round trip, one commit, and an outcome for each. The rule that decides is
 * `gatehouse_refresh_v2` (service/content/functions.postgres.sql); `../sqlite/refresh.ts` has the same rule for SQLite.
 * `mark`: the lineage that the server must have, if a pooler may lead to another one.
 */
export async function refreshOnPostgres(
  db: Kysely<Tables>,
  batch: readonly Refresh[],
  mark?: string,
) {
  const values = [
    ...VALUES.map((column) => column(batch)),
    latestTokenExpiry(0),
    ...(mark === undefined ? [] : [mark]),
  ]
  const query = CompiledQuery.raw(mark === undefined ? REFRESH : REFRESH_POOLED, values)
  const { rows } = await db.executeQuery<Row>(query).catch(orOutcomeUnknown)
  const results = new Map(rows.map((row) => [row.at, row]))
  return batch.map((refresh, index) => resultOf(refresh, results.get(index + 1)))
}

/** Written here, because pg quotes and escapes every number of an array. */
const numbers = (column: (refresh: Refresh) => number | null) => (batch: readonly Refresh[]) =>
  `{${batch.map((refresh) => column(refresh) ?? 'NULL').join()}}`

const others =
  (column: (refresh: Refresh) => string | Buffer | null) => (batch: readonly Refresh[]) =>
    batch.map(column)

/** PostgreSQL gets an array of each, in the order of the parameters of gatehouse_refresh_v2. */
const COLUMNS: Readonly<Record<string, (batch: readonly Refresh[]) => unknown>> = {
  tenant_id: others(({ tenant }) => tenant.id),
  owner_account_id: numbers(({ tenant }) => tenant.owner?.accountId ?? null),
  tier: others(({ tenant }) => tenant.owner?.tier ?? null),
  expires_at: numbers(({ tenant }) => tenant.expiresAt),
  paused_at: numbers(({ tenant }) => tenant.pausedAt),
  session_id: numbers(({ rotation }) => rotation.sessionId),
  generation: numbers(({ rotation }) => rotation.generation),
  salt: others(({ rotation }) => Buffer.from(rotation.salt)),
  now_ms: numbers(({ rotation }) => rotation.now),
  session_expires_at: numbers(({ rotation }) => rotation.expiresAt),
  idempotency_hash: others(({ rotation }) => rotation.idempotencyHash),
  scope: others(({ charges }) => charges.shared),
  lifetime_limit: numbers(({ charges }) => charges.lifetime.limit),
  minute_start: numbers(({ charges }) => charges.minute.start),
  minute_limit: numbers(({ charges }) => charges.minute.limit),
  month_start: numbers(({ charges }) => charges.month.start),
  month_limit: numbers(({ charges }) => charges.month.limit),
}

const VALUES = Object.values(COLUMNS)

const PARAMETERS = Array.from({ length: VALUES.length + 1 }, (_, at) => `$${at + 1}`)

const REFRESH = `select at, outcome, resource_id, user_id, email, name, picture, first_seen, created_at, rotated_at,
  absolute_expires_at, used_this_minute from gatehouse_refresh_v2(${PARAMETERS.join()})`

const REFRESH_POOLED = `${REFRESH} where gatehouse_is_lineage_v1($${VALUES.length + 2})`

/** The statement is its own transaction. A client may repeat it: with the same Idempotency-Key it gets the same pair. */
function orOutcomeUnknown(error: unknown): never {
  throw error instanceof ConnectionLost ? new OutcomeUnknown({ cause: error }) : error
}

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

function resultOf(refresh: Refresh, row: Row | undefined): Refreshed {
  if (row === undefined) {
    throw new Error('PostgreSQL returned no row for a refresh')
  }
  const { lifetime, minute, month } = refresh.charges
  switch (row.outcome) {
    case 'over-lifetime':
      return overLimit(lifetime)
    case 'over-minute':
      return overLimit(minute)
    case 'over-month':
      return overLimit(month)
    case 'refreshed': {
      const { limit } = minute
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
