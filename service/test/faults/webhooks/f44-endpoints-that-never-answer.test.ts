import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Tenant } from '../../support/actors/agent.ts'
import { addWebhook } from '../../support/actors/webhooks.ts'
import { figure, fullOrShort } from '../../support/faults/figures.ts'
import { manualTimeouts } from '../../support/faults/manual-timeouts.ts'
import { ENGINES } from '../../support/postgres/engines.ts'
import { waitUntil } from '../../support/process/wait-until.ts'
import { receiver } from '../../support/webhook-receiver.ts'
import { world } from '../../support/world.ts'

/** More than a process sends to at a time. */
const HANGING = fullOrShort(50, 20)

for (const engine of ENGINES) {
  test(`[${engine}] F44: endpoints that never answer delay neither other endpoints nor a refresh, and lose nothing`, async (t) => {
    // The deliveries to them never time out while the test runs.
    const timeouts = manualTimeouts(t, 15_000)
    const service = await world(t, { through: 'port', engine })
    const { app, agent, browser, clock } = service
    const hanging = await receiver(t)
    hanging.answer = () => {}
    const stuck: Tenant[] = []
    for (let each = 0; each < HANGING; each++) {
      const tenant = await agent.createTenant()
      await addWebhook(tenant, hanging.url)
      await tenant.signIn(browser())
      stuck.push(tenant)
    }
    const healthy = await agent.createTenant()
    const works = await receiver(t)
    await addWebhook(healthy, works.url)
    app.startDelivering()
    await waitUntil(
      'every hanging endpoint has its first delivery',
      () => hanging.received.length === HANGING,
    )

    const pair = await healthy.signIn(browser())
    await waitUntil('the healthy endpoint has its event', () => works.received.length === 1)
    assert.equal((await healthy.edge('refresh', { refresh_token: pair.refresh_token })).status, 200)
    assert.equal(
      hanging.received.length,
      HANGING,
      'and none of the others was answered or given up',
    )

    // They time out, and are sent again when they answer.
    hanging.answer = 200
    timeouts.expire()
    const ids = stuck.map(({ id }) => `msg_${id}_2`)
    await waitUntil('each of them has failed once', async () => {
      const found = await Promise.all(stuck.map((tenant) => tenant.manage('GET', '/api/webhooks')))
      return found.every(({ json }) => json.webhooks[0].failing_since !== null)
    })
    clock.advance({ seconds: 10 })
    await waitUntil('every event arrives', () => hanging.received.length === 2 * HANGING)
    assert.deepEqual([...new Set(hanging.ids())].sort(), ids.sort())
    figure(
      t,
      `F44 [${engine}]: ${HANGING} endpoints hang; another gets its event, a refresh its pair; 0 lost`,
    )
  })
}
