import assert from 'node:assert/strict'
import { test } from 'node:test'
import { randomEmail, signIn } from '../support/faults/app.ts'
import { figure } from '../support/faults/figures.ts'
import { createFixture } from '../support/faults/fixture.ts'
import { ENGINES } from '../support/postgres/engines.ts'
import { raw } from '../support/postgres/storage.ts'
import { newTenant } from '../support/process/service-process.ts'

const AT_ONCE = 200
const A_MINUTE = 5
const A_LIFE = 100
/** Of which anybody without a credential may use four fifths (decision 21). */
const OPEN = 80

for (const engine of ENGINES) {
  test(`[${engine}] F28: ${AT_ONCE} logins that start at once at two processes are ${A_MINUTE} in their minute, and a guest never has an event too many`, {
    timeout: 240_000,
  }, async (t) => {
    const { cluster } = await createFixture(t, engine, { instances: 2 })
    const guest = await newTenant(cluster.first)
    const ofMinutes = `from counters where scope = 'tenant:${guest.id}' and bucket = 'minute'`
    // A minute passes when we say so: what was counted in it is forgotten, as it is when minutes are swept. The clock
    // would not do, because instances on PostgreSQL go by the database's.
    const nextMinute = async (): Promise<void> => {
      const overfull = await raw(cluster.database, `select starts_at, used ${ofMinutes} and used > ${A_MINUTE}`)
      assert.deepEqual(overfull, [], 'I4: no minute had more than it may')
      await raw(cluster.database, `delete ${ofMinutes}`)
    }
    const used = async (): Promise<number> => (await guest.status()).usage.events_lifetime.used
    const pair = await signIn(cluster, guest, randomEmail())
    assert.ok(pair)
    await nextMinute()

    const startMany = async (): Promise<number[]> => {
      const responses = await Promise.all(
        Array.from({ length: AT_ONCE }, () =>
          cluster.browser().request(`${cluster.baseUrl}/edge/auth/${guest.id}/google`),
        ),
      )
      return responses.map(({ status }) => status)
    }
    let minutes = 0
    for (let before = await used(); before < OPEN; before = await used()) {
      const statuses = await startMany()
      minutes += 1
      const started = statuses.filter((status) => status === 302).length
      assert.equal((await used()) - before, started, 'I4: what is counted is what was started')
      // A real minute may end in the middle of the two hundred; then two of the guest's minutes were asked for.
      assert.ok(started <= 2 * A_MINUTE, `${started} logins started in one burst`)
      assert.ok(statuses.every((status) => [302, 429, 503].includes(status)))
      await nextMinute()
    }
    assert.equal((await startMany()).filter((status) => status === 302).length, 0, 'strangers have had their share')

    let { refresh_token } = pair
    const asked = [...cluster.instances.keys()].flatMap((at) => Array.from({ length: 10 }, () => at))
    for (let tries = 0; (await used()) < A_LIFE && tries < 40; tries++) {
      await nextMinute()
      const responses = await Promise.all(
        asked.map((at) => guest.at((cluster.instances[at] ?? assert.fail()).agent).edge('refresh', { refresh_token })),
      )
      refresh_token = responses.find(({ status }) => status === 200)?.json.refresh_token ?? refresh_token
    }
    await nextMinute()
    const one = await guest.edge('refresh', { refresh_token })
    assert.equal(one.json.error?.code, 'tenantPaused', one.text)
    const [events] = await raw(cluster.database, `select count(*) as n from events where tenant_id = '${guest.id}'`)
    assert.equal(Number(events?.n), A_LIFE, 'I4: never one too many, and none lost')
    await nextMinute()
    figure(
      t,
      `F28 [${engine}]: ${minutes} minutes of ${AT_ONCE} starts at once: at most ${A_MINUTE} in each, ${OPEN} by strangers, ${Number(events?.n)} in its life, then paused (${cluster.seen})`,
    )
  })
}
