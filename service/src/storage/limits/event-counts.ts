import { type Expression, type Selectable, sql } from 'kysely'
import { type Charges, limitReached } from '../../domain/limits/allowance.ts'
import {
  CLOCKS_DIFFER_MS,
  type EventCounts,
  type EventScope,
  type EventScopes,
  minuteStart,
  monthStart,
  type WindowCount,
  windowAt,
} from '../../domain/limits/counter.ts'
import { OverLimit } from '../../domain/limits/over-limit.ts'
import type { EventCountStore } from '../../domain/stores/stores.ts'
import type { Instant } from '../../domain/time.ts'
import type { Access, TransactionAccess } from '../access.ts'
import type { Slots } from '../slots.ts'
import { statement } from '../statement.ts'
import type { Tables } from '../tables/tables.ts'

export function eventCountStore(access: Access): EventCountStore {
  return {
    add: (charges, events = 1) =>
      access.inTransaction((open) => countEvents(open, charges, events)),

    async read(scopes, now, { tenantId, refusedSince } = NO_TENANT) {
      const found = await readUsage.one(access.read, {
        own: scopes.own,
        shared: scopes.shared,
        tenantId,
        refusedSince,
      })
      const windows = {
        now,
        minute: { start: minuteStart(now) },
        month: { start: monthStart(now) },
      }
      return {
        ...countsFrom(found, found, windows),
        users: found.users,
        isProvisioned: found.provisioned === 1,
        hasRefusals: found.refused === 1,
        hasDisabledWebhook: found.disabled === 1,
        hasFailingProvider: found.failing === 1,
      }
    },

    async lastEventId(tenantId) {
      const row = await readLastId.first(access.read, { scope: `tenant:${tenantId}` })
      return row?.last_event_id ?? 0
    },
  }
}

/** Returns the counts with these events. Throws OverLimit if a limit admits no more; the transaction then rolls back. */
async function countEvents(
  { read, write }: TransactionAccess,
  charges: Charges,
  events: number,
): Promise<EventCounts> {
  // The first event of a scope inserts its row, which no condition of the statement checks.
  const never = limitReached(charges, countsFrom(NO_COUNTS, NO_COUNTS, charges))
  if (never !== null) {
    throw new OverLimit(never)
  }

  const counted = await add.rows(write, additionsOf(charges, events))
  const own = counted.find(({ scope }) => scope === charges.own)
  const shared = counted.find(({ scope }) => scope === charges.shared)
  if (own !== undefined && shared !== undefined) {
    return countsFrom(own, shared, charges)
  }

  const found = await readUsage.one(read, {
    own: charges.own,
    shared: charges.shared,
    ...NO_TENANT,
  })
  const counts = countsFrom(found, found, charges)
  // A tenant's own row that was changed was within its limit.
  const lifetime = own === undefined ? charges.lifetime : { ...charges.lifetime, limit: null }
  const rejecting = limitReached({ ...charges, lifetime }, counts)
  if (rejecting === null) {
    throw new Error('an event was not counted, but no limit is reached')
  }
  throw new OverLimit(rejecting)
}

interface Added extends Limits {
  readonly rows: readonly Addition[]
  /** The latest start of a window that counts. */
  readonly latest: number
}

/** The limits as numbers: an event without a limit has the largest one. */
interface Limits {
  readonly lifetime: number
  readonly minute: number
  readonly minuteStarts: number
  readonly minuteReserved: number
  readonly month: number
  readonly monthStarts: number
  readonly monthReserved: number
}

/** What is added to one row. */
interface Addition {
  readonly scope: EventScope
  /** Events of a tenant's lifetime; each gets an id. */
  readonly numbered: number
  /** Events of the minute and the month, and the login starts and the authenticated ones among them. */
  readonly used: number
  readonly loginStarts: number
  readonly authenticated: number
  readonly minute: number
  readonly month: number
}

function additionsOf(charges: Charges, events: number): Added {
  return {
    rows: rowsOf(charges, events),
    ...limitsOf(charges),
    latest: charges.now + CLOCKS_DIFFER_MS,
  }
}

/** One row for a guest; otherwise one for the tenant's lifetime and one for the windows of its owner. */
function rowsOf(
  { own, shared, eventClass, minute, month }: Charges,
  events: number,
): readonly Addition[] {
  const inLifetime: Addition = {
    scope: own,
    numbered: events,
    used: 0,
    loginStarts: 0,
    authenticated: 0,
    minute: 0,
    month: 0,
  }
  const inWindows: Addition = {
    scope: shared,
    numbered: 0,
    used: events,
    loginStarts: eventClass === 'start' ? events : 0,
    authenticated: eventClass === 'authenticated' ? events : 0,
    minute: minute.start,
    month: month.start,
  }
  return own === shared ? [{ ...inWindows, numbered: events }] : [inLifetime, inWindows]
}

const NO_LIMIT = Number.MAX_SAFE_INTEGER

function limitsOf({ lifetime, minute, month }: Charges): Limits {
  return {
    lifetime: lifetime.limit ?? NO_LIMIT,
    minute: minute.limit ?? NO_LIMIT,
    minuteStarts: minute.startLimit ?? NO_LIMIT,
    minuteReserved: minute.reserved,
    month: month.limit ?? NO_LIMIT,
    monthStarts: month.startLimit ?? NO_LIMIT,
    monthReserved: month.reserved,
  }
}

interface CountedRow extends StoredCounts {
  readonly scope: EventScope
}

/**
 * Adds to the rows, in this order, in which PostgreSQL locks them. Checks the limits of a row that exists: a row that stays
 * as it is, is not returned. Ids stay above the floor (`lineage`).
 */
const add = statement((db, added: Slots<Added>) => ({
  compile: () =>
    sql<CountedRow>`
      insert into event_counts (scope, minute_start, minute_used, minute_login_starts, minute_authenticated, month_start,
        month_used, month_login_starts, month_authenticated, lifetime_used, last_event_id)
      values ${sql.join(added.rows.map(valuesOf))}
      on conflict (scope) do update set
        ${counted('minute', added.latest)}, ${counted('month', added.latest)},
        lifetime_used = event_counts.lifetime_used + excluded.lifetime_used,
        last_event_id = case when event_counts.last_event_id + excluded.lifetime_used < excluded.last_event_id
          then excluded.last_event_id else event_counts.last_event_id + excluded.lifetime_used end
      where (excluded.lifetime_used = 0 or event_counts.lifetime_used < ${added.lifetime})
        and ${isWithin('minute', added)}
        and ${isWithin('month', added)}
      returning scope, minute_start, minute_used, minute_login_starts, minute_authenticated, month_start, month_used,
        month_login_starts, month_authenticated, lifetime_used, last_event_id`.compile(db),
}))

const valuesOf = (row: Slots<Addition>) =>
  sql`(${row.scope}, ${row.minute}, ${row.used}, ${row.loginStarts}, ${row.authenticated},
    ${row.month}, ${row.used}, ${row.loginStarts}, ${row.authenticated}, ${row.numbered},
    case when cast(${row.numbered} as bigint) = 0 then 0 else cast(${row.numbered} as bigint)
      + coalesce((select id_floor from lineage where id = 1), 0) end)`

type Window = 'minute' | 'month'

/** A window that is not current starts again at zero. */
function counted(window: Window, latest: Expression<number>) {
  const name = sql.raw(window)
  const current = isCurrent(window, latest)
  return sql`${name}_start = case when ${current} then event_counts.${name}_start else excluded.${name}_start end,
    ${name}_used = excluded.${name}_used + case when ${current} then event_counts.${name}_used else 0 end,
    ${name}_login_starts = excluded.${name}_login_starts
      + case when ${current} then event_counts.${name}_login_starts else 0 end,
    ${name}_authenticated = excluded.${name}_authenticated
      + case when ${current} then event_counts.${name}_authenticated else 0 end`
}

/** Whether the stored window is the one to count in (`windowAt`). */
const isCurrent = (window: Window, latest: Expression<number>) =>
  sql`event_counts.${sql.raw(window)}_start between excluded.${sql.raw(window)}_start and ${latest}`

/** Whether the window admits the event (`eventsLeft`). */
function isWithin(window: Window, added: Slots<Added>) {
  const name = sql.raw(window)
  const limit = added[window]
  const starts = added[`${window}Starts`]
  const reserved = added[`${window}Reserved`]
  return sql`(excluded.${name}_used = 0 or not ${isCurrent(window, added.latest)}
    or event_counts.${name}_used < ${limit} and event_counts.${name}_login_starts < ${starts}
    or event_counts.${name}_authenticated < ${reserved})`
}

const NO_TENANT = { tenantId: '', refusedSince: 0 }

interface UsageQuery extends EventScopes {
  readonly tenantId: string
  readonly refusedSince: number
}

interface UsageRow extends StoredCounts {
  readonly users: number
  readonly provisioned: 0 | 1
  readonly refused: 0 | 1
  readonly disabled: 0 | 1
  readonly failing: 0 | 1
}

/**
 * Returns one row, also for a tenant without any event. Where usage is shown, every statement is a round trip, so this one
 * also says what else there is to read, which is nothing for most tenants.
 */
const readUsage = statement((db, { own, shared, tenantId, refusedSince }: Slots<UsageQuery>) => ({
  compile: () =>
    sql<UsageRow>`
      select coalesce(own.lifetime_used, 0) as lifetime_used, coalesce(own.last_event_id, 0) as last_event_id,
        coalesce(shared.minute_start, 0) as minute_start, coalesce(shared.minute_used, 0) as minute_used,
        coalesce(shared.minute_login_starts, 0) as minute_login_starts,
        coalesce(shared.minute_authenticated, 0) as minute_authenticated,
        coalesce(shared.month_start, 0) as month_start, coalesce(shared.month_used, 0) as month_used,
        coalesce(shared.month_login_starts, 0) as month_login_starts,
        coalesce(shared.month_authenticated, 0) as month_authenticated, coalesce(users.used, 0) as users,
        case when exists (select 1 from resources where tenant_id = ${tenantId} and kind = 'social-login'
          and status = 'active') then 1 else 0 end as provisioned,
        case when exists (select 1 from refusals where tenant_id = ${tenantId} and last_at > ${refusedSince})
          then 1 else 0 end as refused,
        case when exists (select 1 from webhooks where tenant_id = ${tenantId} and disabled_reason <> 'owner')
          then 1 else 0 end as disabled,
        case when exists (select 1 from provider_clients where tenant_id = ${tenantId} and retired_at is null
          and status = 'failing') then 1 else 0 end as failing
      from (select 1) as one
        left join event_counts own on own.scope = ${own}
        left join event_counts shared on shared.scope = ${shared}
        left join counters users on users.scope = ${shared} and users.bucket = 'users' and users.starts_at = 0`.compile(
      db,
    ),
}))

const readLastId = statement((db, { scope }: Slots<{ scope: EventScope }>) =>
  db.selectFrom('event_counts').select('last_event_id').where('scope', '=', scope),
)

export type StoredCounts = Omit<Selectable<Tables['event_counts']>, 'scope'>

const NO_COUNTS: StoredCounts = {
  minute_start: 0,
  minute_used: 0,
  minute_login_starts: 0,
  minute_authenticated: 0,
  month_start: 0,
  month_used: 0,
  month_login_starts: 0,
  month_authenticated: 0,
  lifetime_used: 0,
  last_event_id: 0,
}

/** The current windows. */
interface Windows {
  readonly now: Instant
  readonly minute: { readonly start: Instant }
  readonly month: { readonly start: Instant }
}

/** The counts of a tenant, from its own row and the row that has its minute and month. */
export function countsFrom(
  own: StoredCounts,
  shared: StoredCounts,
  { minute, month, now }: Windows,
): EventCounts {
  const storedMinute: WindowCount = {
    start: shared.minute_start,
    used: shared.minute_used,
    loginStarts: shared.minute_login_starts,
    authenticated: shared.minute_authenticated,
  }
  const storedMonth: WindowCount = {
    start: shared.month_start,
    used: shared.month_used,
    loginStarts: shared.month_login_starts,
    authenticated: shared.month_authenticated,
  }
  return {
    lifetime: own.lifetime_used,
    minute: windowAt(storedMinute, minute.start, now),
    month: windowAt(storedMonth, month.start, now),
    lastEventId: own.last_event_id,
  }
}
