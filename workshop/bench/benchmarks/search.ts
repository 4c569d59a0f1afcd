import assert from 'node:assert/strict'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { TIER_LIMITS } from '@gatehouse-auth/contract'
import { Client } from 'pg'
import { type App, openApp } from '../../../service/src/app.ts'
import { readConfig } from '../../../service/src/config.ts'
import type { Resource } from '../../../service/src/domain/stores/stores.ts'
import { newTenant, type Tenant } from '../../../service/src/domain/tenants/tenant.ts'
import { serviceLog } from '../../../service/src/log.ts'
import { sweep } from '../../../service/src/operations/sweep.ts'
import { searchUsers } from '../../../service/src/operations/users/users.ts'
import { SQLITE_FILE } from '../../../service/src/storage/database-location.ts'
import type { Engine } from '../../../service/src/storage/engine.ts'
import { startPostgres } from '../../../service/test/support/postgres/pg-server.ts'
import type { Bench } from '../bench.ts'
import { postmasterOf } from '../postgres/postmaster.ts'
import { preciseCpuMs, withChildren } from '../processes/usage.ts'
import type { Row } from '../report/row.ts'

/** The limit of the largest tier. */
const USERS = TIER_LIMITS.pro.storedUsers
const SEARCHES = 20
/** A page of the console. */
const PAGE = 25

export const ON_SQLITE = 'gatehouse on SQLite'
export const ON_SERVER = 'gatehouse on PostgreSQL'
export const SEARCH = `search of ${USERS.toLocaleString('en')} users by any part`

/** Each with the number of users on its first page. `frequent keys`: each three characters are in thousands of users. */
const SEARCHES_OF: Readonly<Record<string, readonly [part: string, found: number]>> = {
  'one user': ['oldest.of.all', 1],
  'a rare name': ['quennell', 20],
  'no match': ['xylophone', 0],
  'no match, frequent keys': ['maria.mar', 0],
  'one in a hundred': ['marina.l', PAGE],
  'every user': ['@example.', PAGE],
  'two characters, no match': ['zq', 0],
  'two characters, one in a thousand': ['uy', PAGE],
}

/** The CPU time of one search of the console, of the service and of PostgreSQL, on both engines. */
export async function search(bench: Bench): Promise<Row[]> {
  const onSqlite = await searchOn(bench, 'sqlite', null, () => preciseCpuMs([process.pid]))
  if (!bench.options.postgres) {
    return onSqlite
  }
  const server = await startPostgres(['shared_buffers=256MB', 'autovacuum=off'])
  try {
    const postmaster = await postmasterOf(server.url)
    const clock = (): number => preciseCpuMs([process.pid]) + cpuMsOfServer(postmaster)
    return [...onSqlite, ...(await searchOn(bench, 'postgres', server.url, clock))]
  } finally {
    await server.stop()
  }
}

async function searchOn(
  bench: Bench,
  engine: Engine,
  url: string | null,
  clock: () => number,
): Promise<Row[]> {
  const folder = path.join(bench.folder, `search-${engine}`)
  const app = await open(folder, url)
  try {
    bench.log(`search: ${USERS} users on ${engine}`)
    const { tenant, resource } = await project(app)
    await insertUsers(path.join(folder, SQLITE_FILE), url, resource)
    await sweep(app.ctx)
    const costs = new Map<string, number[]>()
    // The first round compiles.
    for (let round = -1; round < bench.options.rounds; round++) {
      for (const [kind, [part, found]] of Object.entries(SEARCHES_OF)) {
        const before = clock()
        for (let count = 0; count < SEARCHES; count++) {
          const asked = { part, blocked: undefined, order: undefined, after: 0, limit: PAGE }
          const { users } = await searchUsers(app.ctx, tenant, asked)
          assert.equal(users.length, found, part)
        }
        const cpuMs = (clock() - before) / SEARCHES
        if (round >= 0) {
          costs.set(kind, [...(costs.get(kind) ?? []), cpuMs])
        }
      }
    }
    return [...costs].map(([kind, cpuMs]) => ({
      benchmark: 'search',
      workload: `${SEARCH}: ${kind}`,
      contender: engine === 'sqlite' ? ON_SQLITE : ON_SERVER,
      figures: { cpuMs },
    }))
  } finally {
    await app.close()
  }
}

async function open(folder: string, url: string | null): Promise<App> {
  const database = url === null ? {} : { DATABASE_URL: url }
  // With a Google client, the development provider is not started.
  const google = { GOOGLE_CLIENT_ID: 'search', GOOGLE_CLIENT_SECRET: 'search' }
  const read = readConfig({ DATA_DIR: folder, ...database, ...google })
  if (!read.ok) {
    throw new Error(read.problems.join('\n'))
  }
  return openApp({ config: read.config, log: serviceLog({ write: () => {} }) })
}

const project = ({ ctx }: App): Promise<{ tenant: Tenant; resource: Resource }> =>
  ctx.stores.transaction(async (stores) => {
    const now = ctx.now()
    const owner = {
      issuer: 'https://accounts.google.com',
      subject: 'owner',
      email: 'owner@example.com',
    }
    const { id } = await stores.accounts.signIn({ ...owner, name: 'Owner', picture: null }, now)
    await stores.accounts.setTier(id, 'pro')
    const tier = { accountId: id, tier: 'pro' } as const
    const tenant = newTenant(
      { origin: 'bootstrap', profile: ctx.profile, now, owner: tier },
      ctx.random,
    )
    await stores.tenants.create(tenant, [])
    return {
      tenant,
      resource: await stores.resources.provision(tenant.id, ['https://app.example.com/'], now),
    }
  })

const FIRST =
  `ada alan anna ben carla daniel elena frank grace hugo ines jonas karin lars maria marina marta martin nadia oscar
  paula peter rosa ruth sara stefan tania thomas ursula victor wanda yusuf`.split(/\s+/)
const LAST =
  `alvarez bauer berg carter dubois eriksen fischer garcia haas ivanov jansen keller lange lovelace maier meyer nowak
  olsen petrov quade romano schmidt silva tanaka ulrich vogel wagner weber yilmaz zimmermann`.split(
    /\s+/,
  )
const HOSTS = ['example.com', 'mail.example.org', 'example.net', 'post.example.com']

/** Deterministic, and without a relation between the parts of a name. */
function userOf(id: number): { email: string; name: string } {
  const pick = (list: readonly string[], factor: number): string =>
    list[Math.floor((id * factor) % list.length)] ?? ''
  if (id === 1) {
    return { email: 'oldest.of.all@example.com', name: 'Oldest of All' }
  }
  const first = pick(FIRST, 0.618)
  const last = rareName(id) ?? pick(LAST, 0.377)
  return { email: `${first}.${last}${id % 997}@${pick(HOSTS, 0.271)}`, name: `${first} ${last}` }
}

/** Names that few users have, so that a search for one finds few. */
function rareName(id: number): string | null {
  if (id % 12_500 === 0) {
    return 'quennell'
  }
  return id % 1_000 === 7 ? 'huy' : null
}

const COLUMNS =
  'id, tenant_id, resource_id, issuer, subject, email, name, name_key, first_seen, last_seen'
const CHUNK = 5_000

async function insertUsers(
  file: string,
  url: string | null,
  { id: resource, tenantId }: Resource,
): Promise<void> {
  const client = url === null ? null : new Client(url)
  await client?.connect()
  const db = url === null ? new DatabaseSync(file, { timeout: 5_000 }) : null
  for (let from = 1; from <= USERS; from += CHUNK) {
    const users = Array.from({ length: CHUNK }, (_, at) => ({
      id: from + at,
      ...userOf(from + at),
    }))
    const json = JSON.stringify(users)
    const values = (value: (name: string) => string): string =>
      `${value('id')}, '${tenantId}', ${resource}, 'https://accounts.google.com', 'subject-' || ${value('id')},
        ${value('email')}, ${value('name')}, ${value('name')}, 1, 1`
    db?.prepare(
      `insert into users (${COLUMNS}) select ${values((name) => `(value ->> '${name}')`)} from json_each(?)`,
    ).run(json)
    await client?.query(
      `insert into users (${COLUMNS}) select ${values((name) => name)}
        from json_to_recordset($1::json) as u (id bigint, email text, name text)`,
      [json],
    )
  }
  db?.close()
  await client?.query('vacuum analyze users')
  await client?.end()
}

/** A process that ends while its time is read: again. */
function cpuMsOfServer(postmaster: number): number {
  for (;;) {
    try {
      return preciseCpuMs(withChildren(postmaster))
    } catch {}
  }
}
