/**
 * The cost of each operation as the tables grow, on both engines:
 *
 *   node bench/growth/run.ts [--sizes 1e4,1e5] [--engine sqlite|postgres] [--rounds 7] [--dir /tmp] [--write]
 *
 * Default sizes: 1e4, 1e5 and 1e6. 1e7 takes about 20 GB of disk and several minutes. With --write the results replace
 * those in bench/results and the table of docs/scaling.md.
 */
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { Client } from 'pg'
import type { Engine } from '../../service/src/storage/engine.ts'
import type { StorageOptions } from '../../service/src/storage/open.ts'
import { generate } from '../../service/test/support/population/generate.ts'
import { Population } from '../../service/test/support/population/population.ts'
import { startPostgres } from '../../service/test/support/postgres/pg-server.ts'
import { cpuClock } from './cpu.ts'
import { writeGrowth } from './document.ts'
import { measure } from './measure.ts'
import { OPERATIONS } from './operations.ts'
import { rawTransaction } from './raw-transaction.ts'
import { type Growth, report } from './report.ts'
import { saveGrowth } from './results.ts'
import { databaseIn, openSizedService, type SizedService } from './sized-service.ts'
import { readUsersList } from './users-list.ts'

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
const engines: Engine[] = values.engine === undefined ? ['sqlite', 'postgres'] : [values.engine as Engine]
const log = (line: string): void => void process.stderr.write(`${line}\n`)

for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1))

const all: Growth[] = []
for (const engine of engines) {
  const folder = mkdtempSync(path.join(values.dir, 'gatehouse-growth-'))
  // Several gigabytes: also remove them when the run is interrupted.
  const remove = (): void => rmSync(folder, { recursive: true, force: true })
  process.once('exit', remove)
  const server = engine === 'postgres' ? await startPostgres([...DURABLE, ...LARGE_BUFFERS]) : null
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

if (values.write) writeGrowth(saveGrowth(all))

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
    for (const service of services) lists.push(await readUsersList(service))
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
    for (const { app } of services) await app.close()
  }
}

async function megabytesOf(database: StorageOptions['database']): Promise<number> {
  if (database.engine === 'sqlite') return statSync(database.file).size / 1e6
  const client = new Client(database.url)
  await client.connect()
  const { rows } = await client.query<{ bytes: string }>('select pg_database_size(current_database()) as bytes')
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
