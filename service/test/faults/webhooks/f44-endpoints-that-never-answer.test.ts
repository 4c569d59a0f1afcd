import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Tenant } from '../../support/actors/agent.ts'
import { ownedTenant } from '../../support/actors/providers.ts'
import { addWebhook } from '../../support/actors/webhooks.ts'
import { figure, fullOrShort } from '../../support/faults/figures.ts'
import { manualTimeouts } from '../../support/faults/manual-timeouts.ts'
import { ENGINES } from '../../support/postgres/engines.ts'
import { waitUntil } from '../../support/process/wait-until.ts'
import { receiver } from '../../support/webhook-receiver.ts'
import { world } from '../../support/world.ts'

/** Of guests, who are one owner: more than a process sends to at a time. */
const HANGING = fullOrShort(50, 20)
const AT_A_TIME = 16

for (const engine of ENGINES) {
  // proves C314, S060
  test(`[${engine}] F44: endpoints of guests that never answer delay neither another owner's endpoint nor a refresh, and lose nothing`, async (t) => {
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
    const { tenant: healthy } = await ownedTenant(service)
    const works = await receiver(t)
    await addWebhook(healthy, works.url)
    app.startDelivering()
    await waitUntil(
      'as many hanging endpoints as may have their first delivery',
      () => hanging.received.length === AT_A_TIME,
    )

    const pair = await healthy.signIn(browser())
    await waitUntil('the healthy endpoint has its event', () => works.received.length === 1)
    assert.equal((await healthy.edge('refresh', { refresh_token: pair.refresh_token })).status, 200)
    assert.equal(
      hanging.received.length,
      AT_A_TIME,
      'and none of the others was answered or given up',
    )

    // They time out, and are sent again when they answer. The others get their first delivery.
    hanging.answer = 200
    timeouts.expire()
    await waitUntil('each of them has failed once, and the others have their event', async () => {
      const found = await Promise.all(stuck.map((tenant) => tenant.manage('GET', '/api/webhooks')))
      const failing = found.filter(({ json }) => json.webhooks[0].failing_since !== null)
      return failing.length === AT_A_TIME && hanging.received.length === HANGING
    })
    clock.advance({ seconds: 10 })
    await waitUntil('every event arrives', () => hanging.received.length === HANGING + AT_A_TIME)
    const ids = stuck.map(({ id }) => `msg_${id}_2`)
    assert.deepEqual([...new Set(hanging.ids())].sort(), ids.sort())
    figure(
      t,
      `F44 [${engine}]: ${HANGING} endpoints hang; another gets its event, a refresh its pair; 0 lost`,
    )
  })
}
