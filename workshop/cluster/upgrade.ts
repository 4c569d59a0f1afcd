import assert from 'node:assert/strict'
import { copyFileSync, mkdirSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { run } from '../../service/test/support/process/run.ts'
import { assertSessions, momentOf, type Situation } from './backup.ts'
import { NUMBERS, until } from './patroni-cluster.ts'

/** The commands of docs/patroni.md, "A new major version of PostgreSQL". `programs`: the folder of the new version's. */
export async function upgradePostgres(situation: Situation, programs: string): Promise<void> {
  const { nodes, cluster, load, folder, say } = situation
  const began = Date.now()
  mkdirSync(folder, { mode: 0o700 })
  const program = (name: string, ...args: readonly string[]): Promise<string> =>
    run(path.join(programs, name), args, { cwd: folder, timeout: 300_000 })
  // As an operator who changed a setting since the cluster was created.
  await nodes.control('edit-config', 'gatehouse', '--force', '-p', 'work_mem=5MB')
  await load.start()
  await sleep(3_000)
  const moment = await momentOf(situation)
  await load.pause()

  const stoppedAt = performance.now()
  for (const instance of cluster.instances) {
    await instance.end('SIGTERM')
  }
  const primary = await nodes.anyPrimary()
  for (const n of NUMBERS) {
    if (n !== primary) {
      await nodes.stopPatroni(n)
    }
  }
  await nodes.stopPatroni(primary)
  const [former, formerData] = [nodes.postgres, nodes.dataOf(primary)]
  nodes.use(programs, 'upgraded')
  const data = nodes.dataOf(primary)
  await program(
    'initdb',
    '-D',
    data,
    '-U',
    'postgres',
    '--encoding=UTF8',
    '--locale=C',
    '--data-checksums',
  )
  await program(
    'pg_upgrade',
    '-U',
    'postgres',
    '-b',
    former,
    '-B',
    programs,
    '-d',
    formerData,
    '-D',
    data,
  )
  // Neither the access rules nor the settings that were changed since are in Patroni's own file.
  for (const name of ['pg_hba.conf', 'patroni.dynamic.json']) {
    copyFileSync(path.join(formerData, name), path.join(data, name))
  }
  await nodes.controlWith(['gatehouse', 'Yes I am aware'], 'remove', 'gatehouse')
  nodes.startPatroni(primary)
  await until('it is the primary', 60_000, async () => (await nodes.primary()) === primary)
  for (const n of NUMBERS) {
    if (n !== primary) {
      nodes.startPatroni(n)
    }
  }
  await nodes.whole()
  await program(
    'vacuumdb',
    '-h',
    nodes.socketOf(primary),
    '-U',
    'postgres',
    '--all',
    '--analyze-in-stages',
  )
  for (const instance of cluster.instances) {
    await instance.restart()
  }
  await cluster.ready(60_000)
  const seconds = ((performance.now() - stoppedAt) / 1_000).toFixed(0)
  const [server] = await nodes.sql(primary, `select current_setting('server_version') as version`)
  say(`PostgreSQL ${server?.version} after ${seconds} s`)

  const settings = await nodes.control('show-config')
  assert.match(settings, new RegExp(`^synchronous_mode: ${nodes.synchronous}$`, 'm'))
  assert.match(settings, /^ +work_mem: 5MB$/m)
  await assertSessions(situation, cluster, moment, [])
  await load.start()
  await sleep(3_000)
  await load.pause()
  const { lost, doubled, stale } = await load.check(began, await nodes.contents())
  assert.deepEqual([lost.length, doubled, stale], [0, 0, 0], 'lost, doubled, stale')
  await nodes.switchover()
  await nodes.whole()
  await cluster.ready(60_000)
}
