import { AUTH_EVENT_KINDS, type AuthEventKind } from '@gatehouse-auth/contract'
import {
  ACCESS_TOKEN_MS,
  REFRESH_TOKEN_MS,
  SESSION_ABSOLUTE_MS,
} from '../../../src/domain/sessions/session.ts'
import { profileOf } from '../../../src/storage/engine.ts'
import { openStorage, type StorageOptions } from '../../../src/storage/open.ts'
import { type Dialect, dialectOf } from './dialects.ts'
import {
  AGE_SEED,
  CALLBACK,
  DAY_MS,
  EXPIRED_SESSIONS,
  ISSUER,
  KIND_SEED,
  NOW,
  type Population,
  scatterSql,
  subjectSql,
} from './population.ts'

const ROWS_AT_A_TIME = 1_000_000
const LARGE_TABLES = ['users', 'sessions', 'events', 'revocations']
const HISTORY_MS = 300 * DAY_MS
const SIGNED_IN = NOW - 20 * DAY_MS
const PICTURE = `https://lh3.googleusercontent.com/a/${'ACg8ocKd'.repeat(7)}=s96-c`
/** One session in so many has a notice that is not over yet. */
const NOTICE_EVERY = 100

/** Of a hundred events. A working app refreshes most of the time. */
const KINDS: Readonly<Record<AuthEventKind, number>> = {
  token_refreshed: 60,
  authorize: 15,
  login_started: 15,
  logout: 7,
  login_failed: 2,
  consent_denied: 1,
}

/** A database with so many users, sessions and events, which the service opens as its own. */
export async function generate(
  database: StorageOptions['database'],
  population: Population,
): Promise<void> {
  const storage = await openStorage({ database, publish: () => {}, warn: () => {} })
  await storage.close()
  const dialect = await dialectOf(database)
  try {
    const remakeIndexes = await dialect.dropIndexes(LARGE_TABLES)
    await tenants(dialect, population, profileOf(database.engine))
    for (const { from, to } of stretches(population.size)) {
      await users(dialect, population, from, to)
      await sessions(dialect, population, from, to)
      await events(dialect, population, from, to)
    }
    await expiredSessions(dialect, population)
    await revocations(dialect, population)
    await remakeIndexes()
    await countersAndTallies(dialect)
    await dialect.finish(['accounts', 'resources', ...LARGE_TABLES])
  } finally {
    await dialect.close()
  }
}

function* stretches(size: number): Generator<{ from: number; to: number }> {
  for (let from = 1; from <= size; from += ROWS_AT_A_TIME) {
    yield { from, to: Math.min(size, from + ROWS_AT_A_TIME - 1) }
  }
}

async function tenants(dialect: Dialect, population: Population, profile: string): Promise<void> {
  const series = dialect.series(1, population.tenants)
  await dialect.run(`insert into accounts (id, issuer, subject, email, name, tier, created_at, last_seen) ${dialect.givenIds}
    select id, '${ISSUER}', 'owner-' || id, 'owner' || id || '@example.com', 'Owner', ${population.tierSql('id')}, ${SIGNED_IN}, ${NOW}
    from ${series}`)
  await dialect.run(`insert into tenants (id, origin, profile, created_at, claimed_at, owner_account_id)
    select 'growth-' || id, 'genesis', '${profile}', ${SIGNED_IN}, ${SIGNED_IN}, id from ${series}`)
  await dialect.run(`insert into resources (id, tenant_id, kind, status, callback_urls, created_at, updated_at, deleted_at, tallied_through)
    ${dialect.givenIds}
    select id, 'growth-' || id, 'social-login', case when id = ${population.leaving} then 'deleting' else 'active' end,
      '["${CALLBACK}"]', ${SIGNED_IN}, ${SIGNED_IN}, case when id = ${population.leaving} then ${NOW} end, ${population.size}
    from ${series}`)
}

async function users(
  dialect: Dialect,
  population: Population,
  from: number,
  to: number,
): Promise<void> {
  await dialect.run(`insert into users (id, tenant_id, resource_id, issuer, subject, email, name, name_key, picture, first_seen, last_seen)
    select id, 'growth-' || resource, resource, '${ISSUER}', ${subjectSql('id', dialect.pad)},
      'person' || id || '@example.com', 'Person ' || id, 'person ' || id, '${PICTURE}', ${SIGNED_IN}, ${NOW}
    from (select id, ${population.tenantSql('id')} as resource from ${dialect.series(from, to)}) as people`)
}

const SESSION_COLUMNS = `id, tenant_id, resource_id, user_id, salt, generation, created_at, rotated_at, expires_at,
  absolute_expires_at, sweep_at`

/** One for each user, last refreshed within the hour: the next refresh has a token to revoke, which costs a notice. */
async function sessions(
  dialect: Dialect,
  population: Population,
  from: number,
  to: number,
): Promise<void> {
  const rotated = `${NOW} - 60000 - ${scatterSql('id', AGE_SEED)} % ${ACCESS_TOKEN_MS - 600_000}`
  await dialect.run(`insert into sessions (${SESSION_COLUMNS}) ${dialect.givenIds}
    select id, 'growth-' || resource, resource, id, ${dialect.salt('id')}, 1, ${SIGNED_IN}, rotated,
      rotated + ${REFRESH_TOKEN_MS}, ${SIGNED_IN + SESSION_ABSOLUTE_MS}, ${SIGNED_IN + REFRESH_TOKEN_MS}
    from (select id, ${population.tenantSql('id')} as resource, ${rotated} as rotated from ${dialect.series(from, to)}) as signed_in`)
}

async function expiredSessions(dialect: Dialect, population: Population): Promise<void> {
  const { size } = population
  const [begun, ended] = [NOW - 31 * DAY_MS, NOW - DAY_MS]
  await dialect.run(`insert into sessions (${SESSION_COLUMNS}) ${dialect.givenIds}
    select id, 'growth-' || resource, resource, person, ${dialect.salt('id')}, 1, ${begun}, ${begun}, ${ended},
      ${begun + SESSION_ABSOLUTE_MS}, ${ended}
    from (
      select id, person, ${population.tenantSql('person')} as resource
      from (select id, 1 + ${scatterSql('id', AGE_SEED)} % ${size} as person from ${dialect.series(size + 1, size + EXPIRED_SESSIONS)}) as once
    ) as expired`)
}

async function events(
  dialect: Dialect,
  population: Population,
  from: number,
  to: number,
): Promise<void> {
  const open = "kind in ('login_started', 'login_failed', 'consent_denied')"
  await dialect.run(`insert into events (id, tenant_id, resource_id, event, user_id, email, redirect_uri, metadata, created_at)
    select id, 'growth-' || resource, resource, kind, case when ${open} then null else person end,
      case when ${open} then null else 'person' || person || '@example.com' end,
      case when kind in ('token_refreshed', 'logout') then null else '${CALLBACK}' end,
      case when kind = 'logout' then '{"reason":"user"}' else '{}' end,
      ${NOW - HISTORY_MS} + (id * ${HISTORY_MS}) / ${population.size}
    from (
      select id, person, kind, ${population.tenantSql('person')} as resource
      from (select id, ${population.userOfEventSql('id')} as person, ${kindSql(`(${scatterSql('id', KIND_SEED)} % 100)`)} as kind
        from ${dialect.series(from, to)}) as happened
    ) as history`)
}

function kindSql(percent: string): string {
  let below = 0
  const cases = AUTH_EVENT_KINDS.map((kind) => {
    below += KINDS[kind]
    return `when ${percent} < ${below} then '${kind}'`
  })
  return `(case ${cases.join(' ')} end)`
}

/** Of the generation before the one in use, so that they revoke nothing that is measured. */
async function revocations(dialect: Dialect, population: Population): Promise<void> {
  const count = Math.floor(population.size / NOTICE_EVERY)
  await dialect.run(`insert into revocations (kind, tenant_id, subject_id, generation, until_ms)
    select 'session', 'growth-' || ${population.tenantSql(`id * ${NOTICE_EVERY}`)}, id * ${NOTICE_EVERY}, 1, ${NOW} + 600000 + id % 1800000
    from ${dialect.series(1, count)}`)
}

/** As the service would have counted and the sweeper added up. */
async function countersAndTallies(dialect: Dialect): Promise<void> {
  await dialect.run(`insert into counters (scope, bucket, starts_at, used)
    select 'account:' || resource_id, 'users', 0, count(*) from users group by resource_id`)
  await dialect.run(`insert into counters (scope, bucket, starts_at, used)
    select 'tenant:growth-' || resource_id, 'user-ids', 0, max(id) from users group by resource_id`)
  await dialect.run(`insert into day_tallies (tenant_id, resource_id, day, event, count)
    select 'growth-' || resource_id, resource_id, ${dialect.day('day')}, event, times
    from (select resource_id, created_at / ${DAY_MS} as day, event, count(*) as times from events group by 1, 2, 3) as days`)
  await dialect.run(`insert into event_counts (scope, lifetime_used, last_event_id)
    select 'tenant:growth-' || resource_id, count(*), max(id) from events group by resource_id`)
}
