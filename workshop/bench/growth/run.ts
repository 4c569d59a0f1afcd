import assert from 'node:assert/strict'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { parseArgs } from 'node:util'
import { Client, Pool } from 'pg'
import type { Engine } from '../../../service/src/storage/engine.ts'
import type { StorageOptions } from '../../../service/src/storage/open.ts'
import { generate } from '../../../service/test/support/population/generate.ts'
import { Population, saltOf } from '../../../service/test/support/population/population.ts'
import { startPostgres } from '../../../service/test/support/postgres/pg-server.ts'
import { postmasterOf } from '../postgres/postmaster.ts'
import { writeBetween } from '../report/document.ts'
import { RESULTS } from '../report/results.ts'
import { rounded } from '../report/table.ts'
import { medianOf } from '../statistics.ts'
import { type Cost, measure } from './measure.ts'
import { OPERATIONS, type Operation } from './operations.ts'
import { exponent, type Growth, report, short } from './report.ts'
import { databaseIn, openSizedService, type SizedService } from './sized-service.ts'
import { readUsersList } from './users-list.ts'

/**
 * The cost of each operation as the tables grow, on both engines:
 *
 *   node workshop/bench/growth/run.ts [--sizes 1e4,1e5] [--engine sqlite|postgres] [--rounds 7] [--dir /tmp] [--write]
 *
 * Default sizes: 1e4, 1e5 and 1e6. 1e7 takes about 20 GB of disk and several minutes. With --write the results replace
 * those in workshop/results and the table of docs/scaling.md.
 */
const DURABLE = ['fsync=on', 'synchronous_commit=on', 'full_page_writes=on']
const LARGE_BUFFERS = ['shared_buffers=1GB', 'max_wal_size=8GB']

const { values } = parseArgs({
  options: {
    sizes: { type: 'string', default: '1e4,1e5,1e6' },
    engine: { type: 'string' },
    rounds: { type: 'string', default: '7' },
    dir: { type: 'string', default: tmpdir() },
    write: { type: 'boolean', default: false },
  },
})
const sizes = values.sizes.split(',').map(Number)
const rounds = Number(values.rounds)
const engines: Engine[] =
  values.engine === undefined ? ['sqlite', 'postgres'] : [values.engine as Engine]
const log = (line: string): void => void process.stderr.write(`${line}\n`)

for (const signal of ['SIGINT', 'SIGTERM']) {
  process.once(signal, () => process.exit(1))
}

async function grow(engine: Engine, folder: string, serverUrl: string | null): Promise<Growth> {
  const generatedInS: Record<number, number> = {}
  const megabytes: Record<number, number> = {}
  const services: SizedService[] = []
  for (const size of sizes) {
    const database = databaseIn(
      folder,
      size,
      serverUrl === null ? null : await newDatabase(serverUrl, `growth_${size}`),
    )
    const began = performance.now()
    await generate(database, new Population(size))
    generatedInS[size] = (performance.now() - began) / 1_000
    megabytes[size] = await megabytesOf(database)
    log(`${engine}: ${size} generated in ${generatedInS[size].toFixed(1)} s`)
    services.push(await openSizedService(folder, size, database))
  }
  const raw = await rawTransaction(services)
  try {
    const clock = await cpuClock(serverUrl)
    const measured = await measure(services, [raw, ...OPERATIONS], { rounds, clock, log })
    const lists = []
    for (const service of services) {
      lists.push(await readUsersList(service))
    }
    return {
      date: new Date().toISOString().slice(0, 10),
      engine,
      sizes,
      rounds,
      generatedInS,
      megabytes,
      measured,
      lists,
    }
  } finally {
    await raw.close()
    for (const { app } of services) {
      await app.close()
    }
  }
}

async function megabytesOf(database: StorageOptions['database']): Promise<number> {
  if (database.engine === 'sqlite') {
    return statSync(database.file).size / 1e6
  }
  const client = new Client(database.url)
  await client.connect()
  const { rows } = await client.query<{ bytes: string }>(
    'select pg_database_size(current_database()) as bytes',
  )
  await client.end()
  return Number(rows[0]?.bytes) / 1e6
}

async function newDatabase(serverUrl: string, database: string): Promise<string> {
  const admin = new Client(serverUrl)
  await admin.connect()
  await admin.query(`create database ${database}`)
  await admin.end()
  const url = new URL(serverUrl)
  url.pathname = `/${database}`
  return url.href
}

const ENGINES: readonly (readonly [Engine, string])[] = [
  ['sqlite', 'SQLite'],
  ['postgres', 'PostgreSQL'],
]
const SHOWN = [1e4, 1e6, 1e7] as const

/** Writes the table of docs/scaling.md: CPU time on both engines. */
function writeGrowth(all: readonly Growth[]): void {
  writeBetween(
    'scaling.md',
    ['<!-- measured: growth -->', '<!-- end: growth -->'],
    comparisonTable(all),
  )
}

function comparisonTable(all: readonly Growth[]): string {
  const names = new Set(all.flatMap(({ measured }) => measured.map(({ operation }) => operation)))
  const [, from, to] = SHOWN
  const heads = ENGINES.flatMap(([, name]) => [
    ...SHOWN.map((size, at) => `${at === 0 ? `${name} ` : ''}${exponent(size)}`),
    `${exponent(from)} → ${exponent(to)}`,
  ])
  return [
    `| Operation, CPU µs | ${heads.join(' | ')} |`,
    `|---|${heads.map(() => '---').join('|')}|`,
    ...[...names].map(
      (name) => `| ${name} | ${ENGINES.flatMap(([engine]) => cells(engine, name)).join(' | ')} |`,
    ),
  ].join('\n')

  function cells(engine: Engine, operation: string): string[] {
    const rounds = (size: number): readonly Cost[] =>
      all
        .find((each) => each.engine === engine)
        ?.measured.find((each) => each.operation === operation && each.size === size)?.rounds ?? []
    const costs = SHOWN.map((size) => {
      const cost = medianOf(rounds(size).map(({ cpu }) => cpu))
      return Number.isNaN(cost) ? '' : thousands(short(cost))
    })
    // Per round, because the two sizes of a round were measured in turn.
    const ratio = medianOf(
      rounds(to).map(({ cpu }, round) => cpu / (rounds(from)[round]?.cpu ?? Number.NaN)),
    )
    return [...costs, Number.isNaN(ratio) ? '' : `${ratio.toFixed(2)}×`]
  }
}

const thousands = (digits: string): string => digits.replace(/\B(?=(?:\d{3})+$)/g, ',')

/** CPU time so far in microseconds: of this process, and of PostgreSQL with its children if there is one. */
async function cpuClock(postgresUrl: string | null): Promise<() => number> {
  const own = (): number => {
    const { user, system } = process.cpuUsage()
    return user + system
  }
  if (postgresUrl === null) {
    return own
  }
  const postmaster = await postmasterOf(postgresUrl)
  const known = new Map<number, number>()
  let servers = 0
  // A child that has exited counts with its last known value, a new one with all of its time.
  const serverTime = (): number => {
    for (const pid of [postmaster, ...childrenOf(postmaster)]) {
      const used = microsecondsOf(pid) ?? known.get(pid) ?? 0
      servers += used - (known.get(pid) ?? 0)
      known.set(pid, used)
    }
    return servers
  }
  return () => own() + serverTime()
}

const childrenOf = (pid: number): number[] =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number)

/** From schedstat, in nanoseconds: the hundredths of a second of `/proc/<pid>/stat` are longer than many batches. */
function microsecondsOf(pid: number): number | null {
  try {
    return Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ', 1)[0]) / 1_000
  } catch {
    return null
  }
}

interface RawTransaction extends Operation {
  close(): Promise<void>
}

const CONCURRENCY = 8
const ROTATION =
  'update sessions set generation = generation + 1, rotated_at = $now where id = $id and generation = 1 and salt = $salt'
const EVENT = `insert into events (id, tenant_id, resource_id, event, user_id, email, metadata, created_at)
  values ($event, $tenant, $resource, 'token_refreshed', $id, 'user@example.com', '{}', $now)`
const REVOCATION = `insert into revocations (kind, tenant_id, subject_id, generation, until_ms)
  values ('session', $tenant, $id, 2, $until)`

/**
 * The minimal writes of a refresh without the service: rotate the session, insert an event and a revocation. On the same
 * tables with the same durability, to separate the engine's growth from the service's.
 */
async function rawTransaction(services: readonly SizedService[]): Promise<RawTransaction> {
  const runners = new Map<SizedService, { run(): Promise<void>; close(): Promise<void> }>()
  for (const service of services) {
    runners.set(service, await runnerFor(service))
  }
  return {
    name: 'raw transaction',
    times: 250,
    concurrency: CONCURRENCY,
    target: 'none',
    prepare: async (service) => {
      const runner = runners.get(service)
      assert.ok(runner)
      return () => runner.run()
    },
    async close() {
      for (const runner of runners.values()) {
        await runner.close()
      }
    },
  }
}

async function runnerFor(
  service: SizedService,
): Promise<{ run(): Promise<void>; close(): Promise<void> }> {
  const { database } = service
  if (database.engine === 'sqlite') {
    const db = new DatabaseSync(database.file, { timeout: 5_000 })
    db.exec('pragma synchronous = full')
    const [rotation, event, revocation] = [ROTATION, EVENT, REVOCATION].map((sql) =>
      db.prepare(sql),
    )
    return {
      async run() {
        const { id, tenant, resource, now, until, event: eventId } = nextSession(service)
        db.exec('begin immediate')
        assert.equal(rotation?.run({ $id: id, $salt: saltOf(id), $now: now }).changes, 1)
        event?.run({ $event: eventId, $tenant: tenant, $resource: resource, $id: id, $now: now })
        revocation?.run({ $tenant: tenant, $id: id, $until: until })
        db.exec('commit')
      },
      close: async () => db.close(),
    }
  }
  const pool = new Pool({ connectionString: database.url, max: CONCURRENCY })
  const text = `with rotated as (${ROTATION} returning id), recorded as (${EVENT} returning id), revoked as (${REVOCATION} returning id)
    select (select count(*) from rotated)::int as changes, (select count(*) from recorded), (select count(*) from revoked)`
  const numbered = ['id', 'salt', 'now', 'tenant', 'resource', 'until', 'event'].reduce(
    (sql, name, index) => sql.replaceAll(`$${name}`, `$${index + 1}`),
    text,
  )
  return {
    async run() {
      const { id, tenant, resource, now, until, event } = nextSession(service)
      const values = [id, saltOf(id), now, tenant, resource, until, event]
      const { rows } = await pool.query({ name: 'raw', text: numbered, values })
      assert.equal(rows[0].changes, 1)
    },
    close: () => pool.end(),
  }
}

/** Far above the ids of the population. */
let nextEventId = 1_000_000_000

function nextSession(service: SizedService) {
  service.advanceClock()
  const { id, tenantId: tenant } = service.session()
  const now = service.app.ctx.now()
  return {
    id,
    tenant,
    resource: service.population.tenantOf(id),
    now,
    until: now + 3_720_000,
    event: nextEventId++,
  }
}

const FILE = path.join(RESULTS, 'growth')

/**
 * Replaces the results of the measured engines and keeps those of the other one, because a small machine measures one
 * engine at a time. Returns all results.
 */
function saveGrowth(measured: readonly Growth[]): Growth[] {
  const before = existsSync(`${FILE}.json`)
    ? (JSON.parse(readFileSync(`${FILE}.json`, 'utf8')) as Growth[])
    : []
  const others = before.filter(({ engine }) => !measured.some((growth) => growth.engine === engine))
  const all = [...others, ...measured].sort((a, b) => (a.engine < b.engine ? 1 : -1))
  mkdirSync(RESULTS, { recursive: true })
  writeFileSync(`${FILE}.md`, `# Growth\n\n${all.map(report).join('\n')}`)
  writeFileSync(
    `${FILE}.json`,
    `[\n${all.map((growth) => JSON.stringify(growth, rounded)).join(',\n')}\n]\n`,
  )
  return all
}

// Last: the constants of this file must be there.
await run()

async function run(): Promise<void> {
  const all: Growth[] = []
  for (const engine of engines) {
    const folder = mkdtempSync(path.join(values.dir, 'gatehouse-growth-'))
    // Several gigabytes: also remove them when the run is interrupted.
    const remove = (): void => rmSync(folder, { recursive: true, force: true })
    process.once('exit', remove)
    const server =
      engine === 'postgres' ? await startPostgres([...DURABLE, ...LARGE_BUFFERS]) : null
    try {
      const growth = await grow(engine, folder, server?.url ?? null)
      process.stdout.write(`${report(growth)}\n`)
      all.push(growth)
    } finally {
      await server?.stop()
      remove()
      process.off('exit', remove)
    }
  }

  if (values.write) {
    writeGrowth(saveGrowth(all))
  }
}
