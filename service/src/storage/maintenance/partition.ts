import { setTimeout as sleep } from 'node:timers/promises'
import type { Client } from 'pg'
import { readInstalled } from '../../folders.ts'
import type { Warn } from '../database.ts'
import type { PostgresLocation } from '../database-location.ts'
import { connectToPostgres } from '../postgres/open.ts'
import { PARTITION_LOCK } from '../postgres/service-lock.ts'

interface Partitioning {
  readonly database: PostgresLocation
  readonly now: number
  /** Called before each step. */
  note(step: string): void
  readonly warn: Warn
}

/**
 * Turns `events` into a table with monthly partitions, while the service runs (docs/scaling.md). The present table becomes the
 * first partition, so no row is copied. What takes long blocks no write. Two steps need the table for themselves for
 * milliseconds: they wait for it a second at a time, because a lock that waits makes every later statement wait behind it.
 * After an error or a kill the command can run again. Returns the end of the first partition; null: it was done before.
 */
export async function partitionEvents({ database, now, note, warn }: Partitioning): Promise<number | null> {
  const client = await connectToPostgres(database, warn, 'gatehouse partition')
  try {
    await client.query('set statement_timeout = 0')
    const [found] = (await client.query(FACTS)).rows
    if (found?.held !== true) throw new Error('"gatehouse partition" runs already. Wait until it has ended.')
    if (found.kind === 'p') return null

    note('Building the index of the first partition. On a large table this takes minutes; the service keeps working.')
    await buildIndex(client)
    const until = Number((await client.query(END_OF_FIRST, [now])).rows[0]?.until)
    note('Checking that no event is later than the first partition.')
    await whenUnlocked(client, `${LOCK_TIMEOUT}; ${DROP_CHECK}; ${ADD_CHECK} (created_at < ${until}) not valid`)
    try {
      await client.query('alter table events validate constraint events_before')
      note('Partitioning the table.')
      await whenUnlocked(client, lastStep(until))
    } catch (error) {
      // It would reject the events of a later month. If this fails, the next sweep of a service drops it.
      await client.query(DROP_CHECK).catch(() => {})
      throw error
    }
    await client.query('select gatehouse_event_months_v1($1, null)', [now])
    // The statistics of the whole table, which autovacuum makes only for its partitions.
    await client.query('analyze events')
    return until
  } finally {
    await client.end()
  }
}

const FACTS = `select pg_try_advisory_lock(${PARTITION_LOCK}) as held,
  (select relkind from pg_class where oid = 'events'::regclass) as kind`

/** Without blocking writes. An interrupted build leaves an index that is not valid. */
async function buildIndex(client: Client): Promise<void> {
  const { rows } = await client.query(
    `select indisvalid as valid from pg_index where indexrelid = to_regclass('events_by_month')`,
  )
  if (rows[0]?.valid === true) return
  await client.query('drop index concurrently if exists events_by_month')
  await client.query(
    'create unique index concurrently events_by_month on events (resource_id, event, id, tenant_id, created_at)',
  )
}

/** The first month that begins at least a week after now and after the last event: until the last step, no later event is accepted. */
const END_OF_FIRST = `select extract(epoch from date_trunc('month', interval '7 days'
  + to_timestamp(greatest($1::bigint, max(created_at)) / 1000.0) at time zone 'UTC') + interval '1 month') * 1000 as until from events`

const LOCK_TIMEOUT = `set local lock_timeout = '1s'`
const DROP_CHECK = 'alter table events drop constraint if exists events_before'
const ADD_CHECK = 'alter table events add constraint events_before check'

function lastStep(until: number): string {
  const before = new Date(until).toISOString().slice(0, 7).replace('-', '_')
  const parts: Record<string, string> = { first: `events_before_${before}`, until: `${until}`, timeout: LOCK_TIMEOUT }
  const text = readInstalled('content', 'partition-events.postgres.sql').toString()
  return text.replace(/\{(\w+)\}/g, (_, part: string) => parts[part] ?? '')
}

const TRIES = 60
const PAUSE_MS = 1_000
const LOCK_NOT_AVAILABLE = '55P03'

/** One message is one transaction. */
async function whenUnlocked(client: Client, statements: string): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      await client.query(statements)
      return
    } catch (error) {
      if ((error as { code?: unknown }).code !== LOCK_NOT_AVAILABLE) throw error
      if (tries === TRIES) {
        throw new Error(
          'Another session has kept the table "events" locked for two minutes: end it (pg_stat_activity), then run this command again.',
          { cause: error },
        )
      }
      await sleep(PAUSE_MS)
    }
  }
}
