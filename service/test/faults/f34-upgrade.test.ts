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

const MIGRATION = `
import type { Kysely } from 'kysely'
export async function colors(db: Kysely<unknown>): Promise<void> {
  await db.schema.createTable('colors').addColumn('id', 'integer').execute()
  for (const table of ['users', 'sessions', 'tenants', 'resources', 'revocations'])
    await db.schema.alterTable(table).addColumn('color', 'text').execute()
}
`

/** A copy of the service with one more migration. */
async function nextVersion(): Promise<string> {
  const folder = await freshFolder()
  mkdirSync(path.join(folder, 'service'))
  for (const each of ['src', 'content', 'package.json']) {
    cpSync(path.join(ROOT, 'service', each), path.join(folder, 'service', each), {
      recursive: true,
    })
  }
  cpSync(path.join(ROOT, 'package.json'), path.join(folder, 'package.json'))
  symlinkSync(path.join(ROOT, 'node_modules'), path.join(folder, 'node_modules'))
  const migrations = path.join(folder, 'service/src/storage/migrations')
  writeFileSync(path.join(migrations, '9999-colors.ts'), MIGRATION)
  const index = path.join(migrations, 'index.ts')
  const known = readFileSync(index, 'utf8')
  const added = known.replace(/,?\s*\]\s*$/, ", { name: '9999-colors', up: colors }]\n")
  assert.notEqual(added, known)
  writeFileSync(index, `import { colors } from './9999-colors.ts'\n${added}`)
  return path.join(folder, 'service/src/start.js')
}

for (const engine of ENGINES) {
  test(`[${engine}] F34: a newer version upgrades the schema under load: both versions serve, and the older one can restart`, {
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
    // The shell gets Node and our start file as arguments, and runs the newer start file instead.
    const wrapper = ['/bin/sh', '-c', `exec "$1" ${await nextVersion()}`, 'sh']
    const newer = await Instance.start(t, settings, { wrapper }, cluster.seen)
    const migrated = await raw(
      cluster.database,
      `select name from migrations where name = '9999-colors'`,
    )
    assert.equal(migrated.length, 1, 'the newer version has migrated')
    await sleep(2_000)
    const next = await app.at(newer.agent).refresh(before.refresh_token)
    assert.equal(
      await app.isValid(next.access_token),
      true,
      'the older version accepts tokens of the newer one',
    )
    const again = await app.refresh(next.refresh_token)
    assert.equal(
      await app.at(newer.agent).isValid(again.access_token),
      true,
      'the newer version accepts tokens of the older one',
    )
    await traffic.stop()

    await cluster.first.end('SIGTERM')
    await cluster.first.restart()
    await traffic.settle()
    await newer.end('SIGTERM')
    const { acknowledged } = await assertInvariants(cluster, ledger, traffic)
    figure(
      t,
      `F34 [${engine}]: upgraded under load, ${count(acknowledged)} acknowledged, 0 lost, both versions served, the older one restarted (${cluster.seen})`,
    )
  })
}
