import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Bench } from '../bench.ts'
import { populate } from '../contenders/gatehouse/populate.ts'
import { productionSettings, startGatehouse } from '../contenders/gatehouse/start.ts'
import { readOptions } from '../options.ts'
import { placement } from '../processes/usage.ts'
import { Refresher } from '../webhooks/refresher.ts'

// A week of a small project on SQLite, in a minute: `node workshop/bench/growth/week.ts`. Ten projects, refreshes as fast as they get
// responses; the size of the files after each day. A refresh is the most frequent event, and here also the largest: it adds an
// event, and a revocation, which is normally deleted after an hour.

const DAYS = 7
const PROJECTS = 10
const SESSIONS = 40
const REFRESHES_PER_PROJECT_AND_DAY = 100
const KILOBYTE = 1_024

const folder = mkdtempSync(path.join(tmpdir(), 'gatehouse-week-'))
process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
for (const signal of ['SIGINT', 'SIGTERM']) {
  process.once(signal, () => process.exit(1))
}
const log = (line: string): void => void process.stderr.write(`· ${line}\n`)
const bench: Bench = { options: readOptions([]), placement: placement(), folder, log }

const settings = await productionSettings(path.join(folder, 'week'))
const { tenants } = await populate(bench, settings, {
  tenants: PROJECTS,
  sessionsPerTenant: SESSIONS,
})
const program = await startGatehouse(bench, settings, {
  name: 'gatehouse-week',
  build: 'production',
})
const refreshers = tenants.map((tenant) => new Refresher(program.port, tenant))
const first = sizes().database
process.stdout.write(
  '| Day | Events | Database, KB | Per event, KB | Write-ahead log, KB |\n|---|---|---|---|---|\n',
)
for (let day = 1; day <= DAYS; day++) {
  await Promise.all(
    refreshers.map(async (refresher) => {
      for (let each = 0; each < REFRESHES_PER_PROJECT_AND_DAY; each++) {
        await refresher.refresh()
      }
    }),
  )
  const events = day * PROJECTS * REFRESHES_PER_PROJECT_AND_DAY
  const { database, log: writeAheadLog } = sizes()
  const row = [day, events, database, ((database - first) / events).toFixed(2), writeAheadLog]
  process.stdout.write(`| ${row.join(' | ')} |\n`)
}
await program.stop()
const { database } = sizes()
process.stdout.write(
  `stopped: ${database} KB, ${((database - first) / (DAYS * PROJECTS * REFRESHES_PER_PROJECT_AND_DAY)).toFixed(2)} KB per event\n`,
)
process.exit()

/** In kilobytes. What is only in the write-ahead log is copied into the database by a checkpoint. */
function sizes(): { readonly database: number; readonly log: number } {
  const sizeOf = (end: string): number =>
    readdirSync(settings.DATA_DIR)
      .filter((name) => name.endsWith(end))
      .reduce(
        (sum, name) =>
          sum + Math.round(statSync(path.join(settings.DATA_DIR, name)).size / KILOBYTE),
        0,
      )
  return { database: sizeOf('.db'), log: sizeOf('-wal') }
}
