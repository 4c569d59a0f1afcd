/** Runs events under load on a Patroni cluster and prints what each cost. Started by run.ts. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { appendFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Tenant } from '../../service/test/support/actors/agent.ts'
import { ownedApp, permissiveProvider } from '../../service/test/support/faults/app.ts'
import { Cluster, type Instance } from '../../service/test/support/faults/cluster.ts'
import { run } from '../../service/test/support/process/run.ts'
import type { TestScope } from '../../service/test/support/process/service-process.ts'
import { published } from '../../service/test/support/proxies/proxy.ts'
import { backUpAndRestore } from './backup.ts'
import { EVENTS, SHORT } from './events.ts'
import { APPS, type Checked, Load, longestGap } from './load.ts'
import { HOSTS, PATRONI_URLS, PatroniCluster, until, urlOf } from './patroni-cluster.ts'
import { upgradePostgres } from './upgrade.ts'
import { type Judgement, Witness } from './witness.ts'

const {
  CLUSTER_ROOT: root = '',
  CLUSTER_POSTGRES: postgres = '',
  CLUSTER_WORK: work = '',
} = process.env
const flags = process.argv.slice(2).filter((word) => word.startsWith('--'))
const named = process.argv.slice(2).filter((word) => !word.startsWith('--'))
const withBackup = flags.includes('--backup')
const withUpgrade = flags.includes('--upgrade')
const chosen = chosenEvents()
/** `split` restarts the second instance itself. */
const events = chosen.map((event) =>
  flags.includes('--restart') && !/\+|^split$/.test(event) ? `${event}+restart` : event,
)
const synchronous = !flags.includes('--async')
const viaHaproxy = flags.includes('--haproxy')
const asksPatroni = flags.includes('--patroni-urls')
/** Deletes an acknowledged session before each fault: the run must fail. */
const sabotaged = flags.includes('--sabotage')
const policy = flags.includes('--closed') ? 'closed' : 'open'

/** The promise is two seconds; the rest is for a busy machine. Where Patroni is asked, a server is left before it has a successor. */
const NOTICED_MS = asksPatroni ? 0 : 4_000

interface Row {
  readonly event: string
  readonly newPrimaryAfter: number | null
  readonly withoutWrites: number
  readonly withoutVerify: number
  readonly errors: ReadonlyMap<string, number>
  readonly checked: Checked
  readonly judged: Judgement
  readonly problems: readonly string[]
  /** The fault could not be caused, or the cluster did not recover: these fail every mode. */
  readonly failures: readonly string[]
  readonly note: string
}

const say = (text: string): void => {
  process.stdout.write(`${new Date().toISOString().slice(11, 19)} ${text}\n`)
}

const cleanups: (() => unknown)[] = []
const scope: TestScope = { after: (cleanup) => void cleanups.push(cleanup as () => unknown) }

const { CLUSTER_PATRONI: patroni = '', CLUSTER_ETCD: etcd = 'etcd' } = process.env
const programs = { root, postgres, patroni, etcd, env: process.env }
const nodes = new PatroniCluster(path.join(work, 'nodes'), programs, synchronous)
const began = performance.now()
await nodes.create()
say(`three nodes after ${Math.round((performance.now() - began) / 1_000)} s`)
if (viaHaproxy) {
  const file = path.join(work, 'haproxy.cfg')
  writeFileSync(file, published('patroni/haproxy.cfg', {}))
  await run('haproxy', ['-c', '-f', file], { env: process.env })
  const haproxy = spawn('haproxy', ['-db', '-f', file], { stdio: 'ignore' })
  scope.after(() => haproxy.kill())
  await sleep(3_500)
}
const provider = await permissiveProvider(scope)
const primaryUrl = urlOf(`10.78.0.${await nodes.primary()}:5432`)
const url = urlOf(viaHaproxy ? '127.0.0.1:5000' : HOSTS)
const settings = {
  ...provider.settings,
  VERIFY_STALE_POLICY: policy,
  START_WAIT_SECONDS: '60',
  ...(asksPatroni ? { PATRONI_URLS } : {}),
}
const cluster = await Cluster.start(scope, {
  engine: 'postgres',
  // The last one is for the queries of this process, before the first event.
  databases: [url, url, primaryUrl],
  settings,
})
const apps: Tenant[] = []
for (let n = 0; n < APPS; n++) {
  apps.push(await ownedApp(cluster))
}
const load = new Load(cluster, apps)
const witness = await Witness.start(nodes)
const rows: Row[] = []
/** Events without a row: the test itself failed there. */
const without: string[] = []
for (const event of events) {
  const row = await runEvent(event).catch(
    (error: unknown) => void without.push(`${event}: ${String(error)}`),
  )
  if (row === undefined) {
    say(`no figures of ${without.at(-1)}`)
    await load.pause()
    continue
  }
  rows.push(row)
  say(lineOf(row))
  appendFileSync(
    path.join(work, 'rows.jsonl'),
    `${JSON.stringify({ ...row, errors: [...row.errors] })}\n`,
  )
}
if (withBackup) {
  const folder = path.join(work, 'backup')
  await backUpAndRestore({ scope, nodes, cluster, apps, load, folder, settings, say }).catch(
    (error: unknown) => void without.push(`backup: ${String(error)}`),
  )
}
if (withUpgrade) {
  const folder = path.join(work, 'upgrade')
  const { CLUSTER_UPGRADE: newer = '' } = process.env
  await upgradePostgres({ scope, nodes, cluster, apps, load, folder, settings, say }, newer).catch(
    (error: unknown) => void without.push(`upgrade: ${String(error)}`),
  )
}
load.stop()
witness.stop()
const hosts = asksPatroni ? 'three hosts and PATRONI_URLS' : 'three hosts'
const connection = viaHaproxy ? 'haproxy' : hosts
const mode = `${synchronous ? 'synchronous' : 'asynchronous'}, ${connection}, VERIFY_STALE_POLICY=${policy}, ${await nodes.version()} with ${etcd}`
process.stdout.write(
  `\n${mode}: ${load.acknowledged} acknowledged changes\n\n${HEAD()}\n${rows.map(lineOf).join('\n')}\n\n`,
)
for (const instance of cluster.instances) {
  writeFileSync(path.join(work, `instance-${instance.pid}.log`), instance.log)
}
for (const cleanup of cleanups.reverse()) {
  await cleanup()
}
const failures = [...rows.flatMap(brokenPromises), ...without]
for (const failure of failures) {
  process.stdout.write(`FAILED ${failure}\n`)
}
process.exit(failures.length === 0 ? 0 : 1)

async function runEvent(spec: string): Promise<Row> {
  const [event = '', restart] = spec.split('+')
  const fault = EVENTS[event]
  assert.ok(fault, `there is no event ${event}; there are: ${Object.keys(EVENTS).join(' ')}`)
  const primary = await nodes.anyPrimary()
  load.reset()
  witness.reset()
  await load.start()
  const failures: string[] = []
  const failed = (error: unknown): void => void failures.push(String(error).slice(0, 300))
  await sleep(2_000)
  if (sabotaged) {
    await deleteSession(primary)
  }
  const since = Date.now()
  let newPrimaryAfter: number | null = null
  let twoPrimaries = 0
  let over = false
  const watching = (async () => {
    for (; !over; await sleep(1_000)) {
      if (newPrimaryAfter === null && (await nodes.primary(primary)) !== 0) {
        newPrimaryAfter = (Date.now() - since) / 1_000
      }
      if ((await nodes.writable()).length > 1) {
        twoPrimaries += 1
      }
    }
  })()
  const second = cluster.instances[1] as Instance
  const restarted =
    restart === undefined
      ? null
      : sleep(2_000)
          .then(() => restartOf(second))
          .catch((error: unknown) => failed(`restart: ${String(error)}`))
  const note = String((await fault({ nodes, cluster, apps, primary }).catch(failed)) ?? '')
  await restarted
  await nodes.whole(120_000).catch(failed)
  await until('writes at every instance', 40_000, async () => load.isWriting).catch(failed)
  await sleep(1_000)
  const end = Date.now()
  over = true
  await watching
  await load.pause()
  const checked = await load.check(since, await nodes.contents())
  const judged = await witness.judge(checked.lost)
  const gapOf = (times: number[][]): number =>
    Math.max(...times.map((each) => longestGap(each, since, end)))
  // A restarted instance can't verify.
  const verifies =
    restart === undefined && event !== 'split' ? load.verifies : load.verifies.slice(0, 1)
  return {
    event: spec,
    newPrimaryAfter,
    withoutWrites: gapOf(load.writes),
    withoutVerify: gapOf(verifies),
    errors: load.errors,
    checked,
    judged,
    problems: [...new Set(load.problems)],
    failures,
    note: [note, twoPrimaries > 0 ? `two servers accepted writes for ${twoPrimaries} s` : '']
      .filter(Boolean)
      .join('; '),
  }
}

async function restartOf(instance: Instance): Promise<void> {
  await instance.end('SIGTERM')
  await instance.restart()
}

/** Waits until both standbys have replayed it, so that no failover can lose it. */
async function deleteSession(primary: number): Promise<void> {
  await nodes.sql(
    primary,
    'delete from sessions where id = (select max(id) from sessions where generation > 1)',
  )
  await until('both standbys have replayed it', 10_000, async () => {
    const behind =
      'select count(*)::integer as n from pg_stat_replication where replay_lsn >= pg_current_wal_flush_lsn()'
    return (await nodes.sql(primary, behind))[0]?.n === 2
  })
}

function HEAD(): string {
  return [
    '| Event | New primary after | Seconds without writes | without verify | Errors | Lost | PostgreSQL lost | Doubled | Stale | Notes |',
    '|---|---|---|---|---|---|---|---|---|---|',
  ].join('\n')
}

function lineOf({
  event,
  newPrimaryAfter,
  withoutWrites,
  withoutVerify,
  errors,
  checked,
  judged,
  problems,
  failures,
  note,
}: Row): string {
  const codes = [...errors].map(([what, count]) => `${what} ×${count}`).join(', ') || '–'
  const after = newPrimaryAfter === null ? '–' : `${newPrimaryAfter.toFixed(0)} s`
  const late =
    judged.lateMs === 0
      ? ''
      : `lost until ${(judged.lateMs / 1_000).toFixed(1)} s after the successor`
  const notes = [note, late, ...problems, ...failures].filter(Boolean).join('; ') || '–'
  return `| ${event} | ${after} | ${withoutWrites} | ${withoutVerify} | ${codes} | ${checked.lost.length} | ${judged.lost} of ${judged.committed} | ${checked.doubled} | ${checked.stale} | ${notes} |`
}

/** docs/patroni.md: nothing doubled or stale; synchronous, also nothing lost; asynchronous, only what PostgreSQL has lost. */
function brokenPromises({
  event,
  checked,
  judged,
  problems,
  failures,
  withoutVerify,
}: Row): string[] {
  const { lost, doubled, stale } = checked
  const { unexplained, lateMs } = judged
  return [
    ...(synchronous && lost.length > 0
      ? [`${event}: ${lost.length} acknowledged sessions are lost`]
      : []),
    ...(unexplained.length > 0
      ? [`${event}: ${unexplained.length} lost sessions were not lost by PostgreSQL`]
      : []),
    ...(lateMs > NOTICED_MS
      ? [`${event}: a former primary was used ${lateMs} ms after its successor`]
      : []),
    ...(doubled > 0 ? [`${event}: ${doubled} ids or successors are doubled`] : []),
    ...(stale > 0 ? [`${event}: ${stale} ended tokens are valid`] : []),
    ...(policy === 'open' && withoutVerify > 5
      ? [`${event}: ${withoutVerify} s without verify`]
      : []),
    ...[...failures, ...problems].map((problem) => `${event}: ${problem}`),
  ]
}

function chosenEvents(): readonly string[] {
  if (flags.includes('--all')) {
    return Object.keys(EVENTS)
  }
  return named.length > 0 || withBackup || withUpgrade ? named : SHORT
}
