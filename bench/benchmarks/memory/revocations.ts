import assert from 'node:assert/strict'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { ALL_GENERATIONS } from '../../../service/src/domain/revocation/revocation.ts'
import { SQLITE_FILE } from '../../../service/src/storage/database-location.ts'
import type { Bench } from '../../bench.ts'
import { populate } from '../../contenders/gatehouse/populate.ts'
import type { Population } from '../../contenders/gatehouse/population.ts'
import { productionSettings } from '../../contenders/gatehouse/settings.ts'
import { startGatehouse } from '../../contenders/gatehouse/start.ts'
import { rssOf } from '../../processes/usage.ts'
import type { Row } from '../../report/row.ts'

const COUNT = 1_000_000
const SETTLE_MS = 5_000
const MEGABYTE = 1_024 * 1_024

export const REVOCATIONS = '1,000,000 revocations loaded at start'

/** Starts the service on the same data without and with a million revocations in its database. */
export async function revocationMemory(bench: Bench): Promise<Row[]> {
  bench.log('memory: a million revocations')
  const settings = await productionSettings(path.join(bench.folder, 'revocations'))
  const population = await populate(bench, settings, { tenants: 1, sessionsPerTenant: 1 })
  const measure = async (name: string, valid: boolean): Promise<number> => {
    const program = await startGatehouse(bench, settings, { name })
    await sleep(SETTLE_MS)
    await assertVerifies(program.port, population, valid)
    const rss = rssOf(program.pid) / MEGABYTE
    await program.stop()
    return rss
  }
  const without = await measure('gatehouse-no-revocations', true)
  insertRevocations(path.join(settings.DATA_DIR, SQLITE_FILE))
  const withRevocations = await measure('gatehouse-revocations', false)
  const figures = { rssMb: [withRevocations], growthMb: [withRevocations - without] }
  return [{ benchmark: 'memory', workload: REVOCATIONS, contender: 'gatehouse', figures }]
}

/** Revokes the session ids from 1 to a million, which include the only existing session. */
function insertRevocations(file: string): void {
  const database = new DatabaseSync(file)
  database.exec('begin')
  const insert = database.prepare(
    `insert into revocations (kind, tenant_id, subject_id, generation, until_ms) values ('session', 'tnt_none', ?, ?, ?)`,
  )
  const until = Date.now() + 3_600_000
  for (let session = 1; session <= COUNT; session++) insert.run(session, ALL_GENERATIONS, until)
  database.exec('commit')
  database.close()
}

async function assertVerifies(port: number, { tenants: [tenant] }: Population, valid: boolean): Promise<void> {
  const response = await fetch(`http://127.0.0.1:${port}/edge/auth/${tenant?.id}/verify`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ access_token: tenant?.sessions[0]?.access_token }),
  })
  const body = (await response.json()) as { readonly valid?: boolean }
  assert.equal(body.valid, valid, 'the revocations have no effect')
}
