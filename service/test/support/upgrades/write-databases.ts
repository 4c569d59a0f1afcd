import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { SQLITE_FILE } from '../../../src/storage/database-location.ts'
import { everyRow } from '../postgres/database-rows.ts'
import { ENGINES, freshFolder } from '../postgres/engines.ts'
import { emptyTables } from '../postgres/kept-database.ts'
import { sqlDump } from '../postgres/sql-dump.ts'
import { testDns } from '../transport/test-dns.ts'
import { receiver } from '../webhook-receiver.ts'
import { world } from '../world.ts'
import { leaveEverything } from './leave-everything.ts'

// Not a test of its own: scripts/keep-release.ts runs it, with the folder of the version as KEPT_FOLDER.

const folder = process.env.KEPT_FOLDER ?? assert.fail('KEPT_FOLDER is not set')
const write = (file: string, content: string | Buffer): void =>
  writeFileSync(path.join(folder, `${file}.gz`), gzipSync(content, { level: 9 }))

for (const engine of ENGINES) {
  test(`[${engine}] write the database of this version, every table filled by operations`, async (t) => {
    const { records, network } = testDns()
    const { resolve: _unreachable, ...resolvesTxt } = network
    const service = await world(t, { engine, network: resolvesTxt })
    const left = await leaveEverything(service, records, await receiver(t))
    await service.stop()
    assert.deepEqual(
      emptyTables(engine, await everyRow(service)),
      [],
      'tables without a row: extend leave-everything.ts',
    )
    write(`left.${engine}.json`, JSON.stringify(left, null, 1))
    const { dataDir, databaseUrl } = service.config
    write(`keys.${engine}.json`, readFileSync(path.join(dataDir, 'keys.json')))
    if (databaseUrl !== null) {
      return write('gatehouse.sql', await sqlDump(databaseUrl))
    }
    const copy = path.join(await freshFolder(), SQLITE_FILE)
    const db = new DatabaseSync(path.join(dataDir, SQLITE_FILE))
    db.exec(`vacuum into '${copy}'`)
    db.close()
    write('gatehouse.db', readFileSync(copy))
  })
}
