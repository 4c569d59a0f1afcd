import assert from 'node:assert/strict'
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Instance } from '../support/faults/cluster.ts'
import { count, figure } from '../support/faults/figures.ts'
import { createFixture, createTraffic, newTokenPair } from '../support/faults/fixture.ts'
import { assertInvariants } from '../support/ledger/invariants.ts'
import { ENGINES, freshFolder } from '../support/postgres/engines.ts'
import { raw } from '../support/postgres/storage.ts'
import { long } from '../support/tags.ts'
import { freePort } from '../support/transport/free-port.ts'

const ROOT = path.resolve(import.meta.dirname, '../../..')

const STEP = `
import type { Kysely } from 'kysely'
export async function colours(db: Kysely<unknown>): Promise<void> {
  await db.schema.createTable('colours').addColumn('id', 'integer').execute()
  for (const table of ['users', 'sessions', 'tenants', 'resources', 'revocations'])
    await db.schema.alterTable(table).addColumn('colour', 'text').execute()
}
`

/** The next version of the service: this one and one more migration, in a folder of its own. */
async function nextVersion(): Promise<string> {
  const folder = await freshFolder()
  mkdirSync(path.join(folder, 'service'))
  for (const each of ['src', 'content', 'package.json']) {
    cpSync(path.join(ROOT, 'service', each), path.join(folder, 'service', each), { recursive: true })
  }
  cpSync(path.join(ROOT, 'package.json'), path.join(folder, 'package.json'))
  symlinkSync(path.join(ROOT, 'node_modules'), path.join(folder, 'node_modules'))
  const migrations = path.join(folder, 'service/src/storage/migrations')
  writeFileSync(path.join(migrations, '9999-colours.ts'), STEP)
  const index = path.join(migrations, 'index.ts')
  const known = readFileSync(index, 'utf8')
  const added = known.replace(/,?\s*\]\s*$/, ", { name: '9999-colours', up: colours }]\n")
  assert.notEqual(added, known)
  writeFileSync(index, `import { colours } from './9999-colours.ts'\n${added}`)
  return path.join(folder, 'service/src/start.js')
}

for (const engine of ENGINES) {
  test(`[${engine}] F34: a newer version upgrades the schema while this one serves: both serve, and this one can start again`, {
    skip: long,
    timeout: 120_000,
  }, async (t) => {
    const fixture = await createFixture(t, engine, { instances: 1 })
    const { cluster, app } = fixture
    const before = await newTokenPair(fixture)
    const { traffic, ledger } = await createTraffic(t, cluster)
    traffic.start()
    await sleep(1_000)
    const settings = { ...cluster.first.service.settings, PORT: String(await freePort()) }
    // The shell is given our Node and our start, and runs the newer start instead.
    const wrapper = ['/bin/sh', '-c', `exec "$1" ${await nextVersion()}`, 'sh']
    const newer = await Instance.start(t, settings, { wrapper }, cluster.seen)
    const steps = await raw(cluster.database, `select name from migrations where name = '9999-colours'`)
    assert.equal(steps.length, 1, 'it has upgraded')
    await sleep(2_000)
    const next = await app.at(newer.agent).refresh(before.refresh_token)
    assert.equal(await app.isValid(next.access_token), true, 'what the newer one issues, the older one knows')
    const again = await app.refresh(next.refresh_token)
    assert.equal(await app.at(newer.agent).isValid(again.access_token), true, 'and the other way round')
    await traffic.stop()

    await cluster.first.end('SIGTERM')
    await cluster.first.restart()
    await traffic.settle()
    await newer.end('SIGTERM')
    const { acknowledged } = await assertInvariants(cluster, ledger, traffic)
    figure(
      t,
      `F34 [${engine}]: upgraded under load, ${count(acknowledged)} acknowledged, 0 lost, both versions served, the older one started again (${cluster.seen})`,
    )
  })
}
