import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { Unavailable } from '../../../src/domain/api-error.ts'
import { PrimaryMonitor } from '../../../src/storage/postgres/connection/primary-monitor.ts'
import { serverConfig } from '../../../src/storage/postgres/connection/server-config.ts'
import { TIMING } from '../../../src/storage/timing.ts'
import { freshPostgres, sqliteOnly } from '../../support/postgres/engines.ts'
import { openTestStorage, raw } from '../../support/postgres/storage.ts'
import { HANG_TIMEOUT_MS, waitUntil } from '../../support/process/wait-until.ts'
import { freePort } from '../../support/transport/free-port.ts'
import { listen } from '../../support/transport/listen.ts'

type Recorded = readonly [status: number, body: string]

/** `GET /primary`, recorded with Patroni 3.0.2 and 4.0.7. */
const LEADER: Recorded = [
  200,
  `{"state": "running", "postmaster_start_time": "2026-11-18 06:45:20.930002+00:00", "role": "master", "server_version": 150019, "xlog": {"location": 93792136}, "timeline": 1, "replication": [{"usename": "replicator", "application_name": "node2", "client_addr": "10.77.0.2", "state": "streaming", "sync_state": "sync", "sync_priority": 1}], "dcs_last_seen": 1794984347, "database_system_identifier": "7709398936861376615", "patroni": {"version": "3.0.2", "scope": "gatehouse"}}`,
]
const STANDBY: Recorded = [
  503,
  `{"state": "running", "postmaster_start_time": "2026-11-18 06:45:24.581494+00:00", "role": "replica", "server_version": 150019, "xlog": {"received_location": 93804768, "replayed_location": 93804768, "replayed_timestamp": "2026-11-18 06:45:48.614654+00:00", "paused": false}, "sync_standby": true, "timeline": 1, "dcs_last_seen": 1794984347, "database_system_identifier": "7709398936861376615", "patroni": {"version": "3.0.2", "scope": "gatehouse"}}`,
]
/** It has lost etcd and the other nodes, and stops PostgreSQL before its lock runs out. */
const STOPPING: Recorded = [
  200,
  `{"state": "stopping", "role": "master", "dcs_last_seen": 1794984399, "database_system_identifier": "7709398936861376615", "patroni": {"version": "3.0.2", "scope": "gatehouse"}}`,
]
const LEADER_4: Recorded = [
  200,
  `{"state": "running", "postmaster_start_time": "2026-11-18 06:49:12.683214+00:00", "role": "primary", "server_version": 150019, "xlog": {"location": 76972328}, "timeline": 1, "replication": [{"usename": "replicator", "application_name": "node3", "client_addr": "10.77.0.3", "state": "streaming", "sync_state": "sync", "sync_priority": 1}], "dcs_last_seen": 1794984580, "database_system_identifier": "7709399918453821541", "patroni": {"version": "4.0.7", "scope": "gatehouse", "name": "node1"}}`,
]
/** It has the lock, and is promoted three seconds later. */
const ELECTED_4: Recorded = [
  200,
  `{"state": "running", "postmaster_start_time": "2026-11-18 06:49:19.582585+00:00", "role": "replica", "server_version": 150019, "xlog": {"received_location": 77006768, "replayed_location": 77006768, "replayed_timestamp": "2026-11-18 06:49:42.738165+00:00", "paused": false}, "timeline": 1, "dcs_last_seen": 1794984582, "database_system_identifier": "7709399918453821541", "patroni": {"version": "4.0.7", "scope": "gatehouse", "name": "node3"}}`,
]

/** As PostgreSQL itself says when the servers of these documents started. */
const STARTED = '1794984320930002'
const STARTED_4 = '1794984552683214'
const UNUSABLE = 'the leader that Patroni names cannot be used'

/** Patroni's REST API on one node. It responds to each question with the next document, and then with the last one. */
async function patroniNode(t: TestContext, ...documents: readonly Recorded[]): Promise<string> {
  let asked = 0
  const { port } = await listen(t, ({ url }, response) => {
    const [status, body] =
      url === '/primary' ? (documents[asked++] ?? documents.at(-1) ?? [500, '']) : [404, '']
    response.writeHead(status, { 'content-type': 'application/json' }).end(body)
  })
  return `http://127.0.0.1:${port}`
}

/** Why the only server that accepts writes is refused after all were asked; `server` says when it started. */
async function refusalOf(
  t: TestContext,
  patroniUrls: readonly string[],
  server: string,
  askPatroniMs = HANG_TIMEOUT_MS,
  warn: (message: string, error?: unknown) => void = () => {},
): Promise<string | null> {
  const timing = { ...TIMING, askPatroniMs }
  const config = serverConfig('postgres://127.0.0.1:1,127.0.0.1:2/gatehouse', () => {}, timing)
  const monitor = new PrimaryMonitor(config, warn, patroniUrls, async (_, url) => {
    const isStandby = url.includes(':2/')
    const history = { mark: 'first', ancestors: [], timeline: isStandby ? 0 : 1, sinceMs: 1 }
    return { ...history, url, server: isStandby ? '1' : server, isStandby }
  })
  t.after(() => monitor.close())
  await monitor.start()
  return config.lineage.refusal
}

const SITUATIONS: readonly (readonly [
  string,
  string,
  readonly (readonly Recorded[])[],
  string | null,
])[] = [
  ['3.0.2 names the server', STARTED, [[LEADER], [STANDBY]], null],
  ['4.0.7 names the server', STARTED_4, [[STANDBY], [LEADER_4]], null],
  ['only standbys respond', STARTED, [[STANDBY]], 'Patroni names no leader'],
  ['the leader stops its PostgreSQL', STARTED, [[STOPPING], [STANDBY]], UNUSABLE],
  ['a standby has the lock, and is not promoted yet', STARTED_4, [[ELECTED_4]], UNUSABLE],
  ['another server has the lock', '1794984320930003', [[LEADER], [STANDBY]], UNUSABLE],
  [
    'one response is missing, and the next one is there',
    STARTED,
    [[[500, '<html>'], LEADER], [STANDBY]],
    null,
  ],
  [
    'what responds is not Patroni',
    STARTED,
    [[[200, '<html>']], [[200, 'null']]],
    'Patroni responds on no node',
  ],
]
for (const [situation, server, nodes, refusal] of SITUATIONS) {
  test(`Patroni: ${situation}: ${refusal ?? 'it is used'}`, async (t) => {
    const urls = await Promise.all(nodes.map((documents) => patroniNode(t, ...documents)))
    assert.equal(await refusalOf(t, urls, server), refusal)
  })
}

test('a node whose Patroni is dead or hangs does not confirm its server, and is not waited for beyond the deadline', async (t) => {
  const dead = `http://127.0.0.1:${await freePort()}`
  const { port: silent } = await listen(t, () => {})
  const others = [dead, `http://127.0.0.1:${silent}`]
  const warnings: string[] = []
  const warn = (message: string): void => void warnings.push(message)
  assert.equal(await refusalOf(t, others, STARTED, 50, warn), 'Patroni responds on no node')
  assert.deepEqual(
    warnings.filter((message) => message.includes('unknown')),
    [],
  )
  assert.equal(
    await refusalOf(t, [dead, await patroniNode(t, STANDBY)], STARTED),
    'Patroni names no leader',
  )
})

test('a primary that accepts no more connections stays in use while Patroni names it', async (t) => {
  let [status, body] = LEADER
  const { port } = await listen(t, (_, response) => void response.writeHead(status).end(body))
  const timing = { ...TIMING, askPatroniMs: HANG_TIMEOUT_MS, askHostsMs: 10 }
  const config = serverConfig('postgres://127.0.0.1:1,127.0.0.1:2/gatehouse', () => {}, timing)
  let asked = 0
  let isFull = false
  const monitor = new PrimaryMonitor(
    config,
    () => {},
    [`http://127.0.0.1:${port}`],
    async (_, url) => {
      asked += 1
      if (isFull || url.includes(':2/')) {
        throw new Error('sorry, too many clients already')
      }
      return {
        mark: 'first',
        ancestors: [],
        timeline: 1,
        sinceMs: 1,
        url,
        server: STARTED,
        isStandby: false,
      }
    },
  )
  t.after(() => monitor.close())
  await monitor.start()
  isFull = true
  const before = asked
  await waitUntil('it was asked some times', () => asked > before + 10)
  assert.equal(config.lineage.refusal, null)
  ;[status, body] = STANDBY
  await waitUntil('it is refused', () => config.lineage.refusal === 'Patroni names no leader')
})

test('the time of older versions of Patroni names a server by its millisecond; a time that cannot be read is an unknown node, and is logged once', async (t) => {
  const leader = (started: string) =>
    patroniNode(t, [200, JSON.stringify({ postmaster_start_time: started })])
  const warnings: string[] = []
  const refusal = async (started: string) =>
    refusalOf(t, [await leader(started)], STARTED, HANG_TIMEOUT_MS, (message, error) =>
      warnings.push(`${message}: ${(error as Error).message}`),
    )
  assert.equal(await refusal('2026-11-18 06:45:20.930 UTC'), null)
  assert.equal(await refusal('2026-11-18 06:45:20.931 UTC'), UNUSABLE)
  assert.deepEqual(warnings, [])
  assert.equal(await refusal('Wed 06:45'), 'Patroni responds on no node')
  assert.equal(warnings.length, 1)
  assert.match(warnings[0] ?? '', /^a node of Patroni is unknown: .*Wed 06:45$/)
})

// proves C363
test('a server that Patroni does not name is refused at once, at the start and in an open transaction, until it names it again', {
  skip: sqliteOnly,
}, async (t) => {
  const url = new URL(await freshPostgres())
  const [row] = await raw(
    { engine: 'postgres', url: url.href },
    `select to_char(pg_postmaster_start_time() at time zone 'Asia/Kolkata', 'YYYY-MM-DD HH24:MI:SS.US') || '+05:30' as started`,
  )
  let status = 503
  const { port } = await listen(t, (_, response) => {
    response.writeHead(status).end(JSON.stringify({ postmaster_start_time: row?.started }))
  })
  const hosts = url.href.replace(url.host, `127.0.0.1:${await freePort()},${url.host}`)
  const database = {
    engine: 'postgres' as const,
    url: hosts,
    patroniUrls: [`http://127.0.0.1:${port}`],
  }
  const timing = { askHostsMs: 50, askPatroniMs: HANG_TIMEOUT_MS }
  await assert.rejects(
    openTestStorage(t, 'postgres', { database, timing }),
    /Patroni names no leader/,
  )

  status = 200
  const { stores, storage, warnings } = await openTestStorage(t, 'postgres', { database, timing })
  await storage.follow()
  assert.equal(await storage.problem(), null)
  const [begun, refused] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const outcome = stores.transaction(async (open) => {
    await open.resources.provision('one-two-three', [], 1)
    begun.resolve()
    await refused.promise
  })
  await begun.promise
  status = 503
  await waitUntil(
    'it is refused',
    async () => (await storage.problem()) === 'Patroni names no leader',
  )
  refused.resolve()
  await assert.rejects(outcome, Unavailable)
  await assert.rejects(stores.resources.provision('one-two-three', [], 1), Unavailable)
  await waitUntil('the primary is unproven', () => storage.unprovenForMs() > 0)
  assert.match(
    warnings.join('\n'),
    /Patroni names no leader: refusing all servers until one is the primary/,
  )

  status = 200
  await waitUntil('it is used again', async () => (await storage.problem()) === null)
  assert.equal((await stores.resources.provision('one-two-three', [], 1)).tenantId, 'one-two-three')
})
