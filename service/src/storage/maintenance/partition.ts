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
 * Gives `events` and `login_attempts` monthly partitions, while the service runs (docs/scaling.md). The present table becomes the
 * first partition, so no row is copied. What takes long blocks no write. Two steps need the table for themselves for
 * milliseconds: they wait for it a second at a time, because a lock that waits makes every later statement wait behind it.
 * After an error or a kill the command can run again. Returns the end of the first partition; null: it was done before.
 */
export async function partitionTables({
  database,
  now,
  note,
  warn,
}: Partitioning): Promise<number | null> {
  const client = await connectToPostgres(database, warn, 'gatehouse partition')
  try {
    await client.query('set statement_timeout = 0')
    const [found] = (await client.query(`select pg_try_advisory_lock(${PARTITION_LOCK}) as held`))
      .rows
    if (found?.held !== true) {
      throw new Error('"gatehouse partition" runs already. Wait until it has ended.')
    }
    let until: number | null = null
    for (const table of TABLES) {
      until = (await partition(client, table, now, note)) ?? until
    }
    await client.query(
      'select gatehouse_event_months_v1($1, null), gatehouse_attempt_months_v1($1)',
      [now],
    )
    // The statistics of a whole table, which autovacuum makes only for its partitions.
    if (until !== null) {
      await client.query(`analyze ${TABLES.map(({ name }) => name).join()}`)
    }
    return until
  } finally {
    await client.end()
  }
}

interface Table {
  readonly name: string
  /** Its primary key as a partitioned table, which must contain the time. */
  readonly key: string
  readonly indexes: Readonly<Record<string, string>>
}

const TABLES: readonly Table[] = [
  {
    name: 'events',
    key: 'resource_id, event, id, tenant_id, created_at',
    indexes: { by_user: '(resource_id, user_id, id) where user_id is not null' },
  },
  {
    name: 'login_attempts',
    key: 'id, tenant_id, created_at',
    indexes: { of: '(tenant_id, browser_hash)', expiry: '(expires_at)' },
  },
]

async function partition(
  client: Client,
  table: Table,
  now: number,
  note: Partitioning['note'],
): Promise<number | null> {
  const { name } = table
  const { rows } = await client.query('select relkind from pg_class where oid = $1::regclass', [
    name,
  ])
  if (rows[0]?.relkind === 'p') {
    return null
  }
  note(
    `Building the index of the first partition of ${name}. On a large table this takes minutes; the service keeps working.`,
  )
  await buildIndex(client, table)
  const until = Number((await client.query(endOfFirst(name), [now])).rows[0]?.until)
  note(`Checking that no row of ${name} is later than the first partition.`)
  const dropCheck = `alter table ${name} drop constraint if exists ${name}_before`
  const addCheck = `alter table ${name} add constraint ${name}_before check (created_at < ${until}) not valid`
  await whenUnlocked(client, name, `${LOCK_TIMEOUT}; ${dropCheck}; ${addCheck}`)
  try {
    await client.query(`alter table ${name} validate constraint ${name}_before`)
    note(`Partitioning ${name}.`)
    await whenUnlocked(client, name, lastStep(table, until))
  } catch (error) {
    // It would reject the rows of a later month. If this fails, the next sweep of a service drops it.
    await client.query(dropCheck).catch(() => {})
    throw error
  }
  return until
}

/** Without blocking writes. An interrupted build leaves an index that is not valid. */
async function buildIndex(client: Client, { name, key }: Table): Promise<void> {
  const index = `${name}_by_month`
  const valid = 'select indisvalid as valid from pg_index where indexrelid = to_regclass($1)'
  if ((await client.query(valid, [index])).rows[0]?.valid === true) {
    return
  }
  await client.query(`drop index concurrently if exists ${index}`)
  await client.query(`create unique index concurrently ${index} on ${name} (${key})`)
}

/** The first month that begins at least a week after now and after the last row: until the last step, no later row is accepted. */
const endOfFirst = (
  table: string,
): string => `select extract(epoch from date_trunc('month', interval '7 days'
  + to_timestamp(greatest($1::bigint, max(created_at)) / 1000.0) at time zone 'UTC') + interval '1 month') * 1000 as until from ${table}`

const LOCK_TIMEOUT = `set local lock_timeout = '1s'`

function lastStep({ name, key, indexes }: Table, until: number): string {
  const first = `${name}_before_${new Date(until).toISOString().slice(0, 7).replace('-', '_')}`
  const rename = Object.keys(indexes).map(
    (index) => `alter index ${name}_${index} rename to ${first}_${index}`,
  )
  const create = Object.entries(indexes).map(
    ([index, columns]) => `create index ${name}_${index} on ${name} ${columns}`,
  )
  const parts: Readonly<Record<string, string>> = {
    ...{ table: name, key, first, until: `${until}`, timeout: LOCK_TIMEOUT },
    ...{ rename_indexes: rename.join(';\n'), create_indexes: create.join(';\n') },
  }
  const text = readInstalled('content', 'partition.postgres.sql').toString()
  return text.replace(/\{(\w+)\}/g, (_, part: string) => parts[part] ?? '')
}

const TRIES = 60
const PAUSE_MS = 1_000
const LOCK_NOT_AVAILABLE = '55P03'

/** One message is one transaction. */
async function whenUnlocked(client: Client, table: string, statements: string): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      await client.query(statements)
      return
    } catch (error) {
      if ((error as { code?: unknown }).code !== LOCK_NOT_AVAILABLE) {
        throw error
      }
      if (tries === TRIES) {
        throw new Error(
          `Another session has kept the table "${table}" locked for two minutes: end it (pg_stat_activity), then run this command again.`,
          { cause: error },
        )
      }
      await sleep(PAUSE_MS)
    }
  }
}
