import assert from 'node:assert/strict'
import { test } from 'node:test'
import { count, figure, fullOrShort } from '../support/faults/figures.ts'
import { createFixture, createTraffic, newTokenPair } from '../support/faults/fixture.ts'
import { assertInvariants } from '../support/ledger/invariants.ts'
import { asAdmin, freshPostgres, sqliteOnly } from '../support/postgres/engines.ts'
import { withinTwoSeconds } from '../support/process/wait-until.ts'
import { pgBouncer, startPgBouncer } from '../support/proxies/pgbouncer.ts'

const ACKNOWLEDGED = fullOrShort(5_000, 200)
const SERVER_CONNECTIONS = 4

test(`F41: two instances share ${SERVER_CONNECTIONS} server connections through PgBouncer in transaction mode, and nothing fails or is lost`, {
  skip: sqliteOnly || (typeof pgBouncer === 'string' && pgBouncer),
  timeout: 240_000,
}, async (t) => {
  const direct = await freshPostgres()
  const pooler = await startPgBouncer(t, direct)
  const fixture = await createFixture(t, 'postgres', {
    databases: [pooler.urlOf(direct)],
    settings: { DATABASE_URL_DIRECT: direct },
  })
  const { cluster, app } = fixture
  const [first, second] = cluster.instances
  assert.ok(first !== undefined && second !== undefined)
  const { traffic, ledger } = await createTraffic(t, cluster)
  traffic.start()
  await ledger.next(ACKNOWLEDGED)
  const connections = await asAdmin(async (admin) => {
    const { rowCount } = await admin.query('select from pg_stat_activity where datname = $1', [
      new URL(direct).pathname.slice(1),
    ])
    return rowCount ?? 0
  })
  await traffic.stop()
  await traffic.settle()
  const { acknowledged } = await assertInvariants(cluster, ledger, traffic, 0)
  const failed = [...cluster.seen.statuses].filter(([status]) => status >= 500)
  assert.deepEqual(failed, [], 'no request failed')
  // Each instance has one connection that listens; `vacuum` may have another for a moment.
  assert.ok(
    connections <= SERVER_CONNECTIONS + 2 * cluster.instances.length,
    `${connections} reach the server`,
  )

  const pair = await newTokenPair(fixture)
  await app.at(first.agent).refresh(pair.refresh_token)
  await withinTwoSeconds('the old pair is invalid at the other instance', async () => {
    return !(await app.at(second.agent).isValid(pair.access_token))
  })
  figure(
    t,
    `F41: ${count(cluster.seen.responses)} requests, ${count(acknowledged)} acknowledged, 0 lost, 0 failed, ${connections} connections to the server (${cluster.seen})`,
  )
})
