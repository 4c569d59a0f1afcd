import assert from 'node:assert/strict'
import { test } from 'node:test'
import { figure } from '../support/faults/figures.ts'
import { createFixture, newTokenPair } from '../support/faults/fixture.ts'
import { preload, signalPreload } from '../support/faults/preload.ts'
import { startSkewedInstance } from '../support/faults/skewed-instance.ts'
import { freshPostgres } from '../support/postgres/engines.ts'
import { raw } from '../support/postgres/storage.ts'
import { withinTwoSeconds } from '../support/process/wait-until.ts'
import { long } from '../support/tags.ts'

const HOUR_S = 3_600

for (const skew of [120, -120]) {
  test(`F15: an instance whose clock is off by ${skew} s is not ready, and uses the database's clock for requests that still arrive`, {
    skip: long,
    timeout: 90_000,
  }, async (t) => {
    const database = await freshPostgres()
    const fixture = await createFixture(t, 'postgres', { databases: [database], instances: 1 })
    const { cluster } = fixture
    // Expired by any clock: a sweep would delete this row.
    const expired =
      "insert into revocations (kind, tenant_id, until_ms) values ('tenant-paused', 'unknown-tenant', 1) returning id"
    const [{ id } = {}] = await raw(cluster.database, expired)
    const skewed = await startSkewedInstance(t, fixture, skew)
    const ready = await skewed.agent.call('GET', '/readyz')
    assert.deepEqual(
      [ready.status, ready.json.reasons],
      [503, ['the clock differs from the database']],
      'so a load balancer removes it',
    )
    assert.equal((await cluster.first.agent.call('GET', '/readyz')).status, 200)

    // Until then, requests still arrive.
    const pair = await newTokenPair(fixture)
    const { refresh_token } = pair
    const [here, there] = [fixture.app.at(cluster.first.agent), fixture.app.at(skewed.agent)]
    const responses = await Promise.all(
      Array.from({ length: 20 }, (_, at) =>
        (at % 2 === 0 ? here : there).edge('refresh', { refresh_token }),
      ),
    )
    const won = responses.filter(({ status }) => status === 200)
    assert.equal(won.length, 1, 'I2: one winner, whatever the clocks say')
    const { iat, exp } = claimsOf(won[0]?.json.access_token)
    assert.ok(exp - iat <= HOUR_S)
    assert.ok(Math.abs(iat * 1_000 - Date.now()) < 10_000, 'iat is correct at either instance')
    const codes = new Set(
      responses.filter(({ status }) => status !== 200).map(({ json }) => json.error.code),
    )
    assert.deepEqual([...codes], ['refreshTokenSuperseded'], 'no false reuse alarm')
    await withinTwoSeconds(
      'the old token is invalid',
      async () => !(await here.isValid(pair.access_token)),
    )
    const kept = await raw(cluster.database, `select id from revocations where id = ${id}`)
    assert.equal(kept.length, 1, 'an instance with a wrong clock deletes nothing')
    figure(t, `F15: off by ${skew} s: not ready, 20 refreshes at both instances, 1 successor`)
  })
}

test('F16: when the clock steps back an hour, sessions continue, revoked tokens stay revoked, and ids only grow', {
  skip: long,
  timeout: 60_000,
}, async (t) => {
  const settings = preload('skewed-clock', { FAULT_CLOCK_STEP_MS: String(-HOUR_S * 1_000) })
  const fixture = await createFixture(t, 'sqlite', { settings })
  const { cluster, app } = fixture
  const spent = await newTokenPair(fixture)
  const pair = await app.refresh(spent.refresh_token)
  const ended = await newTokenPair(fixture)
  await app.edge('logout', { refresh_token: ended.refresh_token })
  const idsBefore = (await app.events()).map(({ id }) => id)

  await signalPreload(cluster.first, 'the clock was set')
  assert.equal(await app.isValid(spent.access_token), false)
  assert.equal(await app.isValid(ended.access_token), false)
  const next = await app.refresh(pair.refresh_token)
  assert.equal(await app.isValid(next.access_token), true, 'a new pair is valid at once')
  assert.equal(await app.isValid(pair.access_token), false)
  const newcomer = await newTokenPair(fixture)
  assert.equal(await app.isValid(newcomer.access_token), true)
  const ids = (await app.events()).map(({ id }) => id)
  assert.deepEqual(
    ids,
    [...ids].sort((a, b) => a - b),
  )
  assert.ok(Math.min(...ids.slice(idsBefore.length)) > Math.max(...idsBefore))
  await cluster.first.end('SIGKILL')
  await cluster.first.restart({ FAULT_CLOCK_MS: String(-HOUR_S * 1_000) })
  for (const { access_token } of [spent, ended, pair]) {
    assert.equal(await app.isValid(access_token), false)
  }
  assert.equal(await app.isValid(next.access_token), true)
  figure(
    t,
    `F16: ${ids.length} events in order, 3 revoked tokens stay revoked across the step and a restart, 2 new pairs valid`,
  )
})

const claimsOf = (accessToken: string): { readonly iat: number; readonly exp: number } =>
  JSON.parse(Buffer.from(accessToken.split('.')[1] ?? '', 'base64url').toString())
