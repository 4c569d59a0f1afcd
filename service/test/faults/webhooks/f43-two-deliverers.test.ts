import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addWebhook } from '../../support/actors/webhooks.ts'
import { figure } from '../../support/faults/figures.ts'
import { ENGINES } from '../../support/postgres/engines.ts'
import { receiver } from '../../support/webhook-receiver.ts'
import { world } from '../../support/world.ts'

const ROUNDS = 6
const EVENTS_PER_ROUND = 10

for (const engine of ENGINES) {
  // proves C314
  test(`[${engine}] F43: two instances that deliver to one endpoint send every event once`, async (t) => {
    const one = await world(t, { through: 'port', engine, env: { DEV_UNLIMITED: '1' } })
    const two = await world(t, { through: 'port', like: one })
    const tenant = await one.agent.createTenant()
    const app = await receiver(t)
    await addWebhook(tenant, app.url)
    for (let round = 0; round < ROUNDS; round++) {
      const signIns = Array.from({ length: EVENTS_PER_ROUND }, (_, user) =>
        (user % 2 === 0 ? tenant : tenant.at(two.agent)).manage(
          'POST',
          '/api/social-login/test-sessions',
          {
            email: `user-${round}-${user}@example.com`,
          },
        ),
      )
      await Promise.all([...signIns, one.app.deliver(), two.app.deliver()])
    }
    // The clock stands still, so that no lease ends; an instance that met one looks once more.
    for (let look = 0; look < 4; look++) {
      await Promise.all([one.app.deliver(), two.app.deliver()])
    }
    const ids = Array.from(
      { length: ROUNDS * EVENTS_PER_ROUND },
      (_, at) => `msg_${tenant.id}_${at + 1}`,
    )
    assert.deepEqual(app.ids().sort(), ids.sort())
    figure(t, `F43 [${engine}]: ${ids.length} events by two instances, 0 lost, 0 twice`)
  })

  test(`[${engine}] F43: a deliverer whose lease has passed to another saves nothing`, async (t) => {
    const one = await world(t, { through: 'port', engine })
    const two = await world(t, { through: 'port', like: one })
    const tenant = await one.agent.createTenant()
    const app = await receiver(t)
    const { path } = await addWebhook(tenant, app.url)
    const { promise: arrived, resolve: hasArrived } = Promise.withResolvers<void>()
    const { promise: answered, resolve: answer } = Promise.withResolvers<void>()
    app.answer = (res) => {
      hasArrived()
      void answered.then(() => res.writeHead(500).end())
    }
    await tenant.signIn(one.browser())
    const late = one.app.deliver()
    await arrived
    one.clock.advance({ seconds: 31 })
    app.answer = 200
    await two.app.deliver()
    answer()
    await late
    const { webhook } = (await tenant.manage('GET', path)).json
    assert.deepEqual(app.ids(), [`msg_${tenant.id}_2`, `msg_${tenant.id}_2`], 'twice, with one id')
    assert.deepEqual([webhook.cursor, webhook.waiting_retries, webhook.failing_since], [2, 0, null])
    const { deliveries } = (await tenant.manage('GET', `${path}/deliveries`)).json
    assert.deepEqual(
      deliveries.map(({ status }: { status: number }) => status),
      [200],
      'the late failure is not recorded',
    )
  })

  test(`[${engine}] F43: an event of an instance that died before it could deliver it is found by another`, async (t) => {
    const one = await world(t, { through: 'port', engine })
    const tenant = await one.agent.createTenant()
    const app = await receiver(t)
    await addWebhook(tenant, app.url)
    await tenant.signIn(one.browser())
    await one.stop()
    const two = await world(t, { through: 'port', like: one })
    await two.app.deliver()
    assert.deepEqual(app.ids(), [`msg_${tenant.id}_2`])
  })
}
