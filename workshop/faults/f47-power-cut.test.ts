import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { count, figure, fullOrShort } from '../../service/test/support/faults/figures.ts'
import { createFixture, createTraffic } from '../../service/test/support/faults/fixture.ts'
import { assertInvariants } from '../../service/test/support/ledger/invariants.ts'
import { startService } from '../../service/test/support/process/service-process.ts'
import { long } from '../../service/test/support/tags.ts'
import { noDiskShim } from './disk-shim.ts'
import { EventReader } from './event-reader.ts'
import { PowerCutDisk } from './power-cut.ts'

// The service commits without waiting for the disk and then waits for its own sync (decision 64), so a kill proves nothing:
// the kernel still has what the process wrote. Here everything is undone that was not synced, down to the folder's entries.

const CUTS = fullOrShort({ 1: 120, 2: 80 }, { 1: 3, 2: 1 })
/** Before each cut, so that a slow machine also has something to lose. */
const ACKNOWLEDGED = 5
const LONGEST_MS = fullOrShort(1_000, 300)
/** Long: a response that does not wait for the disk is sent while its sync runs. */
const SYNC_MS = 40

test('F47: cutting the power right after the first tenant was created keeps it, the new files and the key', {
  skip: noDiskShim,
}, async (t) => {
  const disk = await PowerCutDisk.create()
  const settings = { ...disk.settings(SYNC_MS), DATA_DIR: disk.dataDir }
  const first = await startService(t, settings)
  const tenant = await first.agent.createTenant(null)
  await first.end('SIGKILL')
  await disk.cut(0)
  const second = await startService(t, settings)
  assert.equal((await second.agent.call('GET', '/api/status', { key: tenant.key })).status, 200)
})

for (const instances of [1, 2] as const) {
  const cuts = CUTS[instances]
  const processes = instances === 1 ? 'one process' : 'two processes'
  test(`F47: cutting the power of ${processes} ${cuts} times under mixed load undoes nothing that a response told of`, {
    skip: noDiskShim || long,
    timeout: 60_000 + cuts * 60_000,
  }, async (t) => {
    const disk = await PowerCutDisk.create()
    const { cluster } = await createFixture(t, 'sqlite', {
      instances,
      dataDir: disk.dataDir,
      settings: disk.settings(SYNC_MS),
    })
    const { traffic, ledger } = await createTraffic(t, cluster)
    const apps = traffic.simulatedUsers.map(({ app }) => app)
    const reader = new EventReader(t, cluster, apps)
    const kill = () => Promise.all(cluster.instances.map((instance) => instance.end('SIGKILL')))
    const restart = async () => {
      for (const instance of cluster.instances) {
        await instance.restart()
      }
    }
    // The owners were written by this process, whose disk is not recorded.
    await kill()
    await disk.store()
    await restart()

    let lost = 0
    let since = 0
    for (let round = 0; round < cuts; round += 1) {
      traffic.start()
      reader.start()
      await ledger.next(ACKNOWLEDGED)
      await sleep(Math.random() * LONGEST_MS)
      // At a random moment, right after an acknowledgement, and right after a response that told of something new.
      await [() => null, () => ledger.next(), () => reader.next()][round % 3]?.()
      await kill()
      await Promise.all([traffic.stop(), reader.stop()])
      // Exactly what was synced, or some unsynced blocks as well.
      lost += await disk.cut(round % 2 === 0 ? 0 : 0.5)
      await restart()
      await reader.assertStillThere()
      await traffic.settle()
      since = (await assertInvariants(cluster, ledger, traffic, since)).acknowledged
    }
    figure(
      t,
      `F47 [${processes}]: ${cuts} cuts, ${count(lost)} unsynced blocks undone, ${count(since)} acknowledged, ${count(reader.reads)} reads, 0 lost, 0 duplicated (${cluster.seen})`,
    )
  })
}
