import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { RawMcpClient } from '../support/actors/mcp.ts'
import { connectAgent } from '../support/faults/app.ts'
import type { Cluster } from '../support/faults/cluster.ts'
import { count, figure, fullOrShort, seconds, timeBound } from '../support/faults/figures.ts'
import { createFixture, createTraffic, newTokenPair } from '../support/faults/fixture.ts'
import { VerifyProbe } from '../support/faults/verify-probe.ts'
import { assertInvariants } from '../support/ledger/invariants.ts'
import { type PgServer, startPostgres } from '../support/postgres/pg-server.ts'
import { raw } from '../support/postgres/storage.ts'
import { long } from '../support/tags.ts'

const ROUNDS = fullOrShort(10, 1)
const RECOVERY_MS = timeBound(5_000)

/** A separate server, because the test restarts it, with durable commits. */
async function durablePostgres(t: TestContext): Promise<PgServer> {
  const server = await startPostgres(['synchronous_commit=on'])
  t.after(() => server.stop())
  return server
}

/** A valid agent token never gets 401: the agent would ask its user for consent again. */
async function assertNeverUnauthorized(
  cluster: Cluster,
  token: string,
  isDone: () => boolean,
): Promise<number> {
  let calls = 0
  while (!isDone()) {
    const response = await new RawMcpClient(cluster.any().agent).request(
      'tools/list',
      {},
      { token },
    )
    assert.ok(
      response.status === 200 || response.status === 503,
      `MCP returned ${response.status}: ${response.text}`,
    )
    calls += 1
    await sleep(50)
  }
  return calls
}

interface Fault {
  readonly name: string
  readonly skip: string | false
  /** Breaks PostgreSQL and repairs it. */
  inject(server: PgServer): Promise<void>
}

const FAULTS: readonly Fault[] = [
  { name: 'restarts cleanly (fast)', skip: long, inject: (server) => server.restart('fast') },
  {
    name: 'crashes and recovers (immediate)',
    skip: false,
    inject: (server) => server.restart('immediate'),
  },
  {
    name: 'becomes a read-only standby (25006) and is promoted again',
    skip: false,
    async inject({ url }) {
      const admin = { engine: 'postgres', url } as const
      await raw(admin, 'alter system set default_transaction_read_only = on')
      await raw(admin, 'select pg_reload_conf()')
      await sleep(fullOrShort(1_500, 500))
      await raw(admin, 'alter system reset default_transaction_read_only')
      await raw(admin, 'select pg_reload_conf()')
    },
  },
]

for (const { name, skip, inject } of FAULTS) {
  test(`F7: PostgreSQL ${name} under load, and requests get 503 but no change is lost`, {
    skip,
    timeout: 60_000 + ROUNDS * 30_000,
  }, async (t) => {
    const server = await durablePostgres(t)
    const fixture = await createFixture(t, 'postgres', { databases: [server.url] })
    const { cluster, app } = fixture
    const { tokens } = await connectAgent(cluster)
    const { access_token } = await newTokenPair(fixture)
    const { traffic, ledger } = await createTraffic(t, cluster)
    let slowest = 0
    let since = 0
    for (let round = 0; round < ROUNDS; round++) {
      const probes = cluster.instances.map(
        (instance) => new VerifyProbe(t, app, instance, access_token),
      )
      let isDone = false
      const agent = assertNeverUnauthorized(cluster, tokens.access_token, () => isDone)
      traffic.start()
      await ledger.next(5)
      await sleep(Math.random() * fullOrShort(1_000, 300))
      await inject(server)
      slowest = Math.max(slowest, await cluster.ready(RECOVERY_MS))
      await ledger.next(5)
      isDone = true
      assert.ok((await agent) > 0)
      await traffic.stop()
      for (const probe of probes) {
        assert.deepEqual((await probe.stop()).failures, [], 'I7: verify keeps working')
      }
      await traffic.settle()
      since = (await assertInvariants(cluster, ledger, traffic, since)).acknowledged
    }
    figure(
      t,
      `F7 ${name}: ${ROUNDS} times, ${count(since)} acknowledged, 0 lost, ready at most ${seconds(slowest)} later (${cluster.seen})`,
    )
  })
}
