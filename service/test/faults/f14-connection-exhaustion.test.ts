import assert from 'node:assert/strict'
import { test } from 'node:test'
import { figure, seconds } from '../support/faults/figures.ts'
import { createFixture, newTokenPair } from '../support/faults/fixture.ts'
import { type PgServer, startPostgres } from '../support/postgres/pg-server.ts'
import { long } from '../support/tags.ts'

const SESSIONS = 100
const EACH = 3

test(`F14: ${SESSIONS * EACH} concurrent refreshes at two instances that share 10 connections: no deadlock, one successor each, and a 503 consumes nothing`, {
  skip: long,
  timeout: 120_000,
}, async (t) => {
  const server: PgServer = await startPostgres(['max_connections=10', 'synchronous_commit=on'])
  t.after(() => server.stop())
  const fixture = await createFixture(t, 'postgres', { databases: [server.url] })
  const { cluster, app } = fixture
  const pairs = []
  for (let number = 0; number < SESSIONS; number++) {
    pairs.push(await newTokenPair(fixture))
  }

  const began = performance.now()
  const raced = await Promise.all(
    pairs.map(async ({ refresh_token }) => {
      const responses = await Promise.all(
        Array.from({ length: EACH }, (_, at) =>
          app
            .at((cluster.instances[at % 2] ?? assert.fail()).agent)
            .edge('refresh', { refresh_token }),
        ),
      )
      return { refresh_token, responses }
    }),
  )
  const took = performance.now() - began
  const ready = await cluster.ready()
  let won = 0
  let unavailable = 0
  for (const { refresh_token, responses } of raced) {
    const winners = responses.filter(({ status }) => status === 200)
    for (const { status, text } of responses) {
      assert.ok([200, 401, 503].includes(status), text)
    }
    assert.ok(winners.length <= 1, 'I2: one refresh token has at most one successor')
    won += winners.length
    unavailable += responses.filter(({ status }) => status === 503).length
    if (winners.length === 1 || responses.some(({ status }) => status === 401)) {
      continue
    }
    assert.equal(
      (await app.edge('refresh', { refresh_token })).status,
      200,
      'I10: a 503 consumes nothing',
    )
  }
  assert.deepEqual(cluster.seen.violations, [])
  assert.ok(took < 15_000, `all responses took ${seconds(took)}`)
  figure(
    t,
    `F14: ${won} of ${SESSIONS} sessions refreshed at the first try, ${unavailable} of ${SESSIONS * EACH} got 503, 0 duplicated, all responses within ${seconds(took)}, ready ${seconds(ready)} later`,
  )
})
