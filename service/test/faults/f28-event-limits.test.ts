import assert from 'node:assert/strict'
import { test } from 'node:test'
import { randomEmail, signIn } from '../support/faults/app.ts'
import { figure, fullOrShort } from '../support/faults/figures.ts'
import { createFixture } from '../support/faults/fixture.ts'
import { ENGINES } from '../support/postgres/engines.ts'
import { raw } from '../support/postgres/storage.ts'
import { newTenant } from '../support/process/service-process.ts'

const CONCURRENT = fullOrShort(200, 30)
const PER_MINUTE = 5
const STARTS_PER_MINUTE = 3
const PER_LIFETIME = 100
/** How many of the lifetime events are starts; the rest are refreshes. */
const STARTED = 80

for (const engine of ENGINES) {
  test(`[${engine}] F28: of ${CONCURRENT} logins that start at once at two processes ${STARTS_PER_MINUTE} a minute succeed, and a guest never exceeds its lifetime limit`, {
    timeout: 240_000,
  }, async (t) => {
    const { cluster } = await createFixture(t, engine, { instances: 2 })
    const guest = await newTenant(cluster.first)
    const counts = `where scope = 'tenant:${guest.id}'`
    // Ends a minute by setting its counts to 0. A test clock cannot: instances on PostgreSQL use the database's clock.
    const nextMinute = async (): Promise<void> => {
      const exceeded = await raw(
        cluster.database,
        `select minute_start, minute_used from event_counts ${counts}
          and (minute_used > ${PER_MINUTE} or minute_login_starts > ${STARTS_PER_MINUTE})`,
      )
      assert.deepEqual(exceeded, [], 'I4: no minute exceeded its limit')
      await raw(
        cluster.database,
        `update event_counts set minute_used = 0, minute_login_starts = 0, minute_authenticated = 0 ${counts}`,
      )
    }
    const used = async (): Promise<number> => (await guest.status()).usage.events_lifetime.used
    const pair = await signIn(cluster, guest, randomEmail())
    assert.ok(pair)
    await nextMinute()

    const startMany = async (): Promise<number[]> => {
      const responses = await Promise.all(
        Array.from({ length: CONCURRENT }, () =>
          cluster.browser().request(`${cluster.baseUrl}/edge/auth/${guest.id}/google`),
        ),
      )
      return responses.map(({ status }) => status)
    }
    let minutes = 0
    for (let before = await used(); before < STARTED; before = await used()) {
      const statuses = await startMany()
      minutes += 1
      const started = statuses.filter((status) => status === 302).length
      assert.equal((await used()) - before, started, 'I4: the counter equals the started logins')
      // A real minute may end during the burst, which then counts in two minutes.
      assert.ok(started <= 2 * STARTS_PER_MINUTE, `${started} logins started in one burst`)
      assert.ok(statuses.every((status) => [302, 429, 503].includes(status)))
      await nextMinute()
    }
    let { refresh_token } = pair
    const targets = [...cluster.instances.keys()].flatMap((at) =>
      Array.from({ length: 10 }, () => at),
    )
    for (let tries = 0; (await used()) < PER_LIFETIME && tries < 40; tries++) {
      await nextMinute()
      const responses = await Promise.all(
        targets.map((at) =>
          guest
            .at((cluster.instances[at] ?? assert.fail()).agent)
            .edge('refresh', { refresh_token }),
        ),
      )
      refresh_token =
        responses.find(({ status }) => status === 200)?.json.refresh_token ?? refresh_token
    }
    await nextMinute()
    const last = await guest.edge('refresh', { refresh_token })
    assert.equal(last.json.error?.code, 'tenantPaused', last.text)
    const [events] = await raw(
      cluster.database,
      `select count(*) as n from events where tenant_id = '${guest.id}'`,
    )
    assert.equal(Number(events?.n), PER_LIFETIME, 'I4: exactly the lifetime limit')
    await nextMinute()
    figure(
      t,
      `F28 [${engine}]: ${minutes} minutes of ${CONCURRENT} starts at once: at most ${STARTS_PER_MINUTE} in each, ${Number(events?.n)} in its lifetime, then paused (${cluster.seen})`,
    )
  })
}
