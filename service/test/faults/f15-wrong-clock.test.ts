import assert from 'node:assert/strict'
import { test } from 'node:test'
import { figure } from '../support/faults/figures.ts'
import { createFixture, newTokenPair } from '../support/faults/fixture.ts'
import { preload, signalPreload } from '../support/faults/preload.ts'
import { startSkewedInstance } from '../support/faults/skewed-instance.ts'
import { freshPostgres } from '../support/postgres/engines.ts'
import { raw } from '../support/postgres/storage.ts'
import { waitUntil } from '../support/process/wait-until.ts'
import { long } from '../support/tags.ts'

const HOUR_S = 3_600

for (const skew of [120, -120]) {
  test(`F15: an instance whose clock is ${skew} s away is not ready, and until it is taken out it goes by the database's`, {
    skip: long,
    timeout: 90_000,
  }, async (t) => {
    const database = await freshPostgres()
    const fixture = await createFixture(t, 'postgres', { databases: [database], instances: 1 })
    const { cluster } = fixture
    // Anybody who sweeps by whatever clock takes this for expired.
    const expired =
      "insert into revocations (kind, tenant_id, until_ms) values ('tenant-paused', 'nobody', 1) returning id"
    const [{ id } = {}] = await raw(cluster.database, expired)
    const skewed = await startSkewedInstance(t, fixture, skew)
    const ready = await skewed.agent.call('GET', '/readyz')
    assert.deepEqual(
      [ready.status, ready.json.reasons],
      [503, ['the clock differs from the database']],
      'the balancer takes it out',
    )
    assert.equal((await cluster.first.agent.call('GET', '/readyz')).status, 200)

    // Until it is out, it may still be asked.
    const pair = await newTokenPair(fixture)
    const { refresh_token } = pair
    const [here, there] = [fixture.app.at(cluster.first.agent), fixture.app.at(skewed.agent)]
    const responses = await Promise.all(
      Array.from({ length: 20 }, (_, at) => (at % 2 === 0 ? here : there).edge('refresh', { refresh_token })),
    )
    const won = responses.filter(({ status }) => status === 200)
    assert.equal(won.length, 1, 'I2: one winner, whatever time it is')
    const { iat, exp } = fieldsIn(won[0]?.json.access_token)
    assert.ok(exp - iat <= HOUR_S)
    assert.ok(Math.abs(iat * 1_000 - Date.now()) < 10_000, 'issued when it was issued, whoever did it')
    const refused = new Set(responses.filter(({ status }) => status !== 200).map(({ json }) => json.error.code))
    assert.deepEqual([...refused], ['refreshTokenSuperseded'], 'and nobody is taken for a thief')
    await waitUntil('the old one is dead here', async () => !(await here.isValid(pair.access_token)))
    const kept = await raw(cluster.database, `select id from revocations where id = ${id}`)
    assert.equal(kept.length, 1, 'who does not know what time it is throws nothing away')
    figure(t, `F15: ${skew} s away: not ready, 20 refreshes at both instances, 1 successor`)
  })
}

test('F16: the clock steps back an hour: people who were signed in refresh and go on, nothing spent comes back, ids only grow', {
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
  assert.equal(await app.isValid(next.access_token), true, 'a pair that is issued now is good now')
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
  for (const { access_token } of [spent, ended, pair]) assert.equal(await app.isValid(access_token), false)
  assert.equal(await app.isValid(next.access_token), true)
  figure(t, `F16: ${ids.length} events in order, 3 dead tokens stay dead over the step and a restart, 2 new pairs good`)
})

const fieldsIn = (accessToken: string): { readonly iat: number; readonly exp: number } =>
  JSON.parse(Buffer.from(accessToken.split('.')[1] ?? '', 'base64url').toString())
