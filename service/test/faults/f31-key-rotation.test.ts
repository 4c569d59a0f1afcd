import assert from 'node:assert/strict'
import { renameSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { rotateKeyFile } from '../../src/keys.ts'
import { count, figure, fullOrShort } from '../support/faults/figures.ts'
import { createFixture, createTraffic } from '../support/faults/fixture.ts'
import { assertInvariants } from '../support/ledger/invariants.ts'
import { ENGINES } from '../support/postgres/engines.ts'
import { failedStart } from '../support/process/service-process.ts'
import { long } from '../support/tags.ts'

const ROTATIONS = fullOrShort(10, 3)

for (const engine of ENGINES) {
  test(`[${engine}] F31: rotating the master key ${ROTATIONS} times under load with rolling restarts rejects no valid token`, {
    skip: long,
    timeout: 60_000 + ROTATIONS * 30_000,
  }, async (t) => {
    const { cluster } = await createFixture(t, engine)
    const { DATA_DIR } = cluster.first.service.settings
    const { traffic, ledger } = await createTraffic(t, cluster)
    traffic.start()
    await sleep(1_000)
    for (let rotation = 0; rotation < ROTATIONS; rotation++) {
      // Several instances need two steps: all of them must know the new key before one signs with it.
      for (let step = 0; step < (engine === 'postgres' ? 2 : 1); step++) {
        rotateKeyFile(DATA_DIR, engine === 'postgres')
        for (const instance of cluster.instances) {
          assert.equal((await instance.end('SIGTERM')).code, 0)
          await instance.restart()
          await sleep(300)
        }
      }
    }
    await traffic.stop()
    await traffic.settle()
    const { acknowledged } = await assertInvariants(cluster, ledger, traffic)
    figure(
      t,
      `F31 [${engine}]: ${ROTATIONS} rotations, ${count(acknowledged)} acknowledged, 0 lost, 0 valid tokens rejected (${cluster.seen})`,
    )
  })
}

test('F31: the service does not start without its key file and names the fix; with the file restored it works', {
  skip: long,
}, async (t) => {
  const { cluster, app } = await createFixture(t, 'sqlite')
  const { settings } = cluster.first.service
  const keys = path.join(settings.DATA_DIR, 'keys.json')
  await cluster.first.end('SIGKILL')
  renameSync(keys, `${keys}.away`)
  const { code, stderr } = await failedStart(t, settings)
  assert.equal(code, 1)
  assert.match(stderr, /its key file .* is missing\. Restore that file/)
  renameSync(`${keys}.away`, keys)
  await cluster.first.restart()
  assert.equal((await app.manage('GET', '/api/status')).status, 200)
})
