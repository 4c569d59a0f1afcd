import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addWebhook, webhookOf } from '../../support/actors/webhooks.ts'
import { count, figure, fullOrShort, seconds } from '../../support/faults/figures.ts'
import { manyEvents } from '../../support/postgres/bulk.ts'
import { ENGINES } from '../../support/postgres/engines.ts'
import { slow } from '../../support/tags.ts'
import { listen } from '../../support/transport/listen.ts'
import { world } from '../../support/world.ts'

const BEHIND = fullOrShort(100_000, 500)

for (const engine of ENGINES) {
  test(`[${engine}] F45: an endpoint that is ${count(BEHIND)} events behind gets every one of them, and refreshes continue`, {
    skip: slow,
  }, async (t) => {
    const service = await world(t, { through: 'port', engine, env: { DEV_UNLIMITED: '1' } })
    const { app, agent, browser } = service
    const tenant = await agent.createTenant()
    const { refresh_token } = await tenant.signIn(browser())
    const received = new Map<string, number>()
    const { port } = await listen(t, (req, res) => {
      const id = String(req.headers['webhook-id'])
      received.set(id, (received.get(id) ?? 0) + 1)
      req.resume()
      res.end()
    })
    const { path } = await addWebhook(tenant, `http://localhost:${port}/`)
    const resource = await app.ctx.stores.resources.findActive(tenant.id)
    assert.ok(resource)
    await manyEvents(service, resource, BEHIND)

    const started = performance.now()
    const delivering = app.deliver().then(() => 'delivered')
    const refreshTimes: number[] = []
    for (
      let token = refresh_token;
      (await Promise.race([delivering, Promise.resolve('busy')])) === 'busy';
    ) {
      const sent = performance.now()
      const { status, json, text } = await tenant.edge('refresh', { refresh_token: token })
      assert.equal(status, 200, text)
      refreshTimes.push(performance.now() - sent)
      token = json.refresh_token
    }
    const took = performance.now() - started
    assert.equal(received.size, BEHIND)
    assert.deepEqual(
      [...received.values()].filter((times) => times !== 1),
      [],
      'each once',
    )
    const { waiting_retries, failing_since } = await webhookOf(tenant, path)
    assert.deepEqual([waiting_retries, failing_since], [0, null])
    const median = refreshTimes.sort((a, b) => a - b)[Math.floor(refreshTimes.length / 2)] ?? 0
    const rate = Math.round(BEHIND / (took / 1_000))
    figure(
      t,
      `F45 [${engine}]: ${count(BEHIND)} events in ${seconds(took)} (${rate}/s), 0 lost, 0 twice; ${refreshTimes.length} refreshes meanwhile, median ${median.toFixed(1)} ms`,
    )
  })
}
