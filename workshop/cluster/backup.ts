import assert from 'node:assert/strict'
import { appendFileSync, chmodSync, cpSync, mkdirSync, renameSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Pair, Tenant } from '../../service/test/support/actors/agent.ts'
import { Cluster } from '../../service/test/support/faults/cluster.ts'
import { run } from '../../service/test/support/process/run.ts'
import type { Settings, TestScope } from '../../service/test/support/process/service-process.ts'
import { published } from '../../service/test/support/proxies/proxy.ts'
import { claimsOf, type Load, signInAt, verify } from './load.ts'
import { NUMBERS, type PatroniCluster, until } from './patroni-cluster.ts'
import { RestoredServer } from './restored-server.ts'

export interface Situation {
  readonly scope: TestScope
  readonly nodes: PatroniCluster
  readonly cluster: Cluster
  readonly apps: readonly Tenant[]
  readonly load: Load
  /** A folder for the repository and the restored servers. */
  readonly folder: string
  readonly settings: Settings
  readonly say: (text: string) => void
}

/** Sessions of one moment, and the users who were acknowledged until then. */
interface Moment {
  readonly kept: Pair
  readonly ended: Pair
  readonly emails: readonly string[]
}

/**
 * The commands of docs/patroni.md, "Backup", under load: pgBackRest to a moment after the backup, and a copy by pg_basebackup of a
 * standby. Each is restored to a server of its own, and the service starts there.
 */
export async function backUpAndRestore(situation: Situation): Promise<void> {
  const { nodes, cluster, load, say, folder } = situation
  mkdirSync(folder, { mode: 0o700 })
  const pgbackrest = await configured(situation)
  // The commands of docs/patroni.md.
  const archive = [
    '-p',
    'archive_mode=on',
    '-p',
    'archive_command=pgbackrest --stanza=gatehouse archive-push %p',
  ]
  await nodes.control('edit-config', 'gatehouse', '--force', ...archive)
  await nodes.control('restart', 'gatehouse', '--force')
  await nodes.whole()
  const primary = await nodes.anyPrimary()
  await pgbackrest(primary, 'stanza-create')
  await pgbackrest(primary, 'check')
  await load.start()
  await sleep(3_000)

  let began = performance.now()
  const took = (): string => `${((performance.now() - began) / 1_000).toFixed(1)} s`
  await pgbackrest(primary, 'backup', '--type=full')
  say(`pgbackrest backup under load: ${took()}`)
  const moment = await momentOf(situation)
  const [now] = await nodes.sql(primary, 'select now()::text as time')
  await sleep(1_000)
  const lost = await signIns(situation, 'lost', 5)
  await pgbackrest(primary, 'check')
  began = performance.now()
  const restored = new RestoredServer(path.join(folder, 'restored'))
  mkdirSync(restored.data, { mode: 0o700 })
  const target = [
    '--type=time',
    `--target=${now?.time}`,
    '--target-action=promote',
    '--archive-mode=off',
  ]
  await pgbackrest(primary, `--pg1-path=${restored.data}`, ...target, 'restore')
  await restored.start()
  say(`pgbackrest restore to ${now?.time}, and the recovery: ${took()}`)
  await assertRestored(situation, restored, moment, lost)
  await restored.stop()

  began = performance.now()
  const copy = new RestoredServer(path.join(folder, 'copy'))
  const before = await momentOf(situation)
  await nodes.baseBackup(await nodes.synchronousStandby(primary), copy.data)
  const after = await signIns(situation, 'after', 5)
  // A copy of a standby is a standby. Recovered instead, it begins a timeline of its own.
  renameSync(path.join(copy.data, 'standby.signal'), path.join(copy.data, 'recovery.signal'))
  // Not as options of the server: Patroni's file sets the other targets to nothing, which PostgreSQL counts as another target.
  const end = {
    restore_command: 'false',
    recovery_target: 'immediate',
    recovery_target_action: 'promote',
  }
  for (const [name, value] of Object.entries(end)) {
    appendFileSync(path.join(copy.data, 'postgresql.auto.conf'), `${name} = '${value}'\n`)
  }
  await copy.start()
  say(`pg_basebackup of a standby under load, and the recovery: ${took()}`)
  await assertRestored(situation, copy, before, after)
  await copy.stop()
  await load.pause()

  began = performance.now()
  await replaceCluster(situation, restored)
  await pgbackrest(1, 'check')
  say(`the restored folder is the cluster again, with its archive: ${took()}`)
  await assertSessions(situation, cluster, null, [...lost, ...after])
}

/** The last part of "Backup" in docs/patroni.md. */
async function replaceCluster(
  { nodes, cluster }: Situation,
  restored: RestoredServer,
): Promise<void> {
  for (const instance of cluster.instances) {
    await instance.end('SIGTERM')
  }
  for (const n of NUMBERS) {
    await nodes.stopPatroni(n)
  }
  await nodes.controlWith(['gatehouse', 'Yes I am aware'], 'remove', 'gatehouse')
  for (const n of NUMBERS) {
    renameSync(nodes.dataOf(n), `${nodes.dataOf(n)}-former`)
  }
  writeFileSync(path.join(restored.data, 'postgresql.auto.conf'), '')
  renameSync(restored.data, nodes.dataOf(1))
  nodes.startPatroni(1)
  await until('node1 is the primary', 60_000, async () => (await nodes.primary()) === 1)
  for (const n of [2, 3]) {
    nodes.startPatroni(n)
  }
  await nodes.whole()
  for (const instance of cluster.instances) {
    await instance.restart()
  }
  await cluster.ready(60_000)
}

/** `pgbackrest` on the PATH of the nodes, with deploy/patroni/pgbackrest.conf. */
async function configured({ nodes, folder }: Situation) {
  const {
    CLUSTER_BIN: bin = '',
    CLUSTER_PGBACKREST: program = '',
    CLUSTER_PGBACKREST_LIBRARIES: libraries = '',
  } = process.env
  const file = path.join(folder, 'pgbackrest.conf')
  const settings = {
    '/var/lib/pgbackrest': `${folder}/repository`,
    '/var/log/pgbackrest': `${folder}/log`,
    '/tmp/pgbackrest': `${folder}/lock`,
    // The nodes of this test share one machine, so each command names its own folders.
    'pg1-path=/var/lib/postgresql/15/gatehouse\n': '',
    'pg1-socket-path=/var/run/postgresql\n': '',
  }
  writeFileSync(file, published('patroni/pgbackrest.conf', settings))
  for (const each of ['repository', 'log', 'lock']) {
    mkdirSync(path.join(folder, each), { mode: 0o700 })
  }
  mkdirSync(bin, { recursive: true })
  const script = path.join(bin, 'pgbackrest')
  const at = '[ ! -f PG_VERSION ] || set -- --pg1-path="$PWD" "$@"'
  writeFileSync(
    script,
    `#!/bin/sh\n${at}\nexec env LD_LIBRARY_PATH=${libraries} ${program} --config=${file} "$@"\n`,
  )
  chmodSync(script, 0o755)
  return async (n: number, ...args: readonly string[]): Promise<string> => {
    const own = args.some((each) => each.startsWith('--pg1-path'))
      ? []
      : [`--pg1-path=${nodes.dataOf(n)}`]
    const socket = [`--pg1-socket-path=${path.dirname(nodes.dataOf(n))}`, '--pg1-user=postgres']
    const isRestore = args.at(-1) === 'restore'
    return run(script, ['--stanza=gatehouse', ...own, ...(isRestore ? [] : socket), ...args], {
      cwd: folder,
      timeout: 300_000,
    })
  }
}

export async function momentOf(situation: Situation): Promise<Moment> {
  const [kept, ended] = await signIns(situation, 'kept', 2)
  assert.ok(kept !== undefined && ended !== undefined)
  const [app] = situation.apps
  assert.ok(app !== undefined)
  const { status } = await app
    .at(situation.cluster.first.agent)
    .edge('logout', { refresh_token: ended.refresh_token })
  assert.equal(status, 200)
  return { kept, ended, emails: situation.load.emails() }
}

async function signIns(
  { cluster, apps }: Pick<Situation, 'cluster' | 'apps'>,
  name: string,
  count: number,
): Promise<Pair[]> {
  const [app] = apps
  assert.ok(app !== undefined)
  const pairs: Pair[] = []
  for (let n = 0; n < count; n++) {
    const email = `${name}-${n}-${Date.now()}@example.com`
    const pair = await until('a sign-in', 60_000, async () => {
      const response = await signInAt(cluster, cluster.first, app, email)
      return 'access_token' in response ? response : null
    })
    assert.ok(pair !== null)
    pairs.push(pair)
  }
  return pairs
}

/** `later`: sessions that began after the moment to which the server was restored. */
async function assertRestored(
  situation: Situation,
  server: RestoredServer,
  moment: Moment,
  later: readonly Pair[],
): Promise<void> {
  const { scope, cluster, settings } = situation
  const dataDir = path.join(situation.folder, `${path.basename(server.data)}-keys`)
  mkdirSync(dataDir, { mode: 0o700 })
  cpSync(
    path.join(cluster.first.service.settings.DATA_DIR, 'keys.json'),
    path.join(dataDir, 'keys.json'),
  )
  const restored = await Cluster.start(scope, {
    engine: 'postgres',
    instances: 1,
    databases: [server.url],
    dataDir,
    // Tokens name it as their issuer.
    baseUrl: cluster.baseUrl,
    settings,
  })
  await restored.ready(60_000)
  const noticed = /PostgreSQL is on timeline \d+, its data was on \d+/
  assert.match(restored.first.log, noticed, 'the service notices another lineage')
  const emails = new Set(
    (await server.sql('select email from users')).map(({ email }) => String(email)),
  )
  const missing = moment.emails.filter((email) => !emails.has(email))
  assert.deepEqual(missing, [], 'every user who was acknowledged before that moment')
  situation.say(
    `${path.basename(server.data)}: ${moment.emails.length} users acknowledged before, 0 missing`,
  )
  await assertSessions(situation, restored, moment, later)
  await restored.first.end('SIGTERM')
}

export async function assertSessions(
  { apps, load, say }: Situation,
  restored: Cluster,
  moment: Moment | null,
  later: readonly Pair[],
): Promise<void> {
  const { first } = restored
  const [app] = apps
  assert.ok(app !== undefined)
  const atRestored = async ({ access_token, refresh_token }: Pair): Promise<unknown[]> => [
    await verify(first, app, access_token),
    (await app.at(first.agent).edge('refresh', { refresh_token })).status,
  ]
  if (moment !== null) {
    assert.deepEqual(await atRestored(moment.kept), [true, 200], 'a session from before')
    assert.deepEqual(await atRestored(moment.ended), [false, 401], 'an ended session')
  }
  for (const pair of later) {
    assert.deepEqual(await atRestored(pair), [false, 401], 'a lost session')
  }
  const ids = new Set([
    ...load.ids(app),
    ...later.map(({ access_token }) => claimsOf(access_token).id),
  ])
  const began = await signIns({ cluster: restored, apps }, 'new', 5)
  const assigned = began.map(({ access_token }) => claimsOf(access_token).id)
  const twice = assigned.filter((id) => ids.has(id))
  assert.deepEqual(twice, [], 'no id is assigned twice')
  for (const pair of began) {
    assert.deepEqual(await atRestored(pair), [true, 200], 'a new session')
  }
  say(`${later.length} lost sessions refused; new ids from ${Math.min(...assigned)}`)
}
