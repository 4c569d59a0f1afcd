import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sweep } from '../../src/operations/sweep.ts'
import { assertApiError } from '../support/actors/api-error.ts'
import { claim } from '../support/actors/claim.ts'
import { addWebhook, webhookOf } from '../support/actors/webhooks.ts'
import { ENGINES } from '../support/postgres/engines.ts'
import { slow } from '../support/tags.ts'
import { expectedSignature, receiver } from '../support/webhook-receiver.ts'
import { world } from '../support/world.ts'

for (const engine of ENGINES) {
  // proves C310
  test(`[${engine}] events are sent again on request, by range or by id, with the same ids and after newer ones`, {
    skip: slow,
  }, async (t) => {
    const { app, agent, browser } = await world(t, { engine })
    const tenant = await agent.createTenant()
    await claim(tenant, browser())
    const app1 = await receiver(t)
    const { path } = await addWebhook(tenant, app1.url)
    for (let signIn = 0; signIn < 5; signIn++) {
      await tenant.signIn(browser())
    }
    await app.deliver()
    const ids = (...events: number[]): string[] => events.map((id) => `msg_${tenant.id}_${id}`)
    assert.deepEqual(app1.ids().sort(), ids(10, 2, 4, 6, 8))
    const announced: number[] = []
    const replay = async (body: unknown): Promise<string[]> => {
      const before = app1.received.length
      const { status, text, json } = await tenant.manage('POST', `${path}/replay`, body)
      assert.equal(status, 200, text)
      announced.push(json.deliveries)
      await app.deliver()
      return app1.ids().slice(before).sort()
    }
    assert.deepEqual(await replay({ after: 2, until: 7 }), ids(4, 6))
    assert.deepEqual(await replay({ after: 7 }), ids(10, 8))
    assert.deepEqual(await replay({ after: 0, until: 999_999 }), ids(10, 2, 4, 6, 8))
    assert.deepEqual(await replay({ after: 50 }), [])
    assert.deepEqual(
      await replay({ event_ids: [6, 1, 999, 6] }),
      ids(6),
      'neither other kinds nor unknown ids',
    )

    await tenant.signIn(browser())
    assert.deepEqual(await replay({ after: 0, until: 3 }), ids(12, 2))
    assert.equal(app1.ids().at(-2), `msg_${tenant.id}_12`, 'the new event first')
    assert.deepEqual(announced, [2, 2, 5, 0, 1, 1], 'each response says how many it sends again')
    const { replay: left, waiting_retries } = await webhookOf(tenant, path)
    assert.deepEqual([left, waiting_retries], [null, 0])

    for (const body of [
      {},
      { until: 5 },
      { after: 1, event_ids: [2] },
      { event_ids: [] },
      { after: -1 },
    ]) {
      assertApiError(await tenant.manage('POST', `${path}/replay`, body), 'invalidRequest')
    }
  })

  // proves S011, S063
  test(`[${engine}] a tenant may request 20 replays an hour, and a range that is requested again is sent once`, {
    skip: slow,
  }, async (t) => {
    const { app, agent, browser, clock } = await world(t, { engine })
    const tenant = await agent.createTenant()
    const app1 = await receiver(t)
    const { path } = await addWebhook(tenant, app1.url)
    await tenant.signIn(browser())
    await app.deliver()
    // Nothing is sent between two requests.
    await tenant.manage('PATCH', path, { status: 'disabled' })
    for (let request = 0; request < 20; request++) {
      assert.equal((await tenant.manage('POST', `${path}/replay`, { after: 0 })).status, 200)
    }
    assertApiError(await tenant.manage('POST', `${path}/replay`, { after: 0 }), 'rateLimited')
    await tenant.manage('PATCH', path, { status: 'active' })
    await app.deliver()
    assert.equal(app1.received.length, 2, 'the event itself, and one replay for 20 requests')
    clock.advance({ hours: 1 })
    assert.equal((await tenant.manage('POST', `${path}/replay`, { after: 0 })).status, 200)
  })

  test(`[${engine}] a requested range that fails is sent again by the same rules`, async (t) => {
    const { app, agent, browser, clock } = await world(t, { engine })
    const tenant = await agent.createTenant()
    const app1 = await receiver(t)
    const { path } = await addWebhook(tenant, app1.url)
    for (let signIn = 0; signIn < 3; signIn++) {
      await tenant.signIn(browser())
    }
    await app.deliver()
    app1.answer = 500
    await tenant.manage('POST', `${path}/replay`, { after: 0 })
    await app.deliver()
    app1.answer = 200
    const before = app1.received.length
    for (let minute = 0; minute < 15; minute++) {
      clock.advance({ minutes: 1 })
      await app.deliver()
    }
    assert.deepEqual(
      app1.ids().slice(before).sort(),
      [2, 4, 6].map((id) => `msg_${tenant.id}_${id}`),
    )
  })

  // proves C311, S011, S063
  test(`[${engine}] a test is sent and answered at once, also for a disabled endpoint, and changes nothing`, {
    skip: slow,
  }, async (t) => {
    const { agent, clock } = await world(t, { engine })
    const tenant = await agent.createTenant()
    const app1 = await receiver(t)
    const { path, secret } = await addWebhook(tenant, app1.url)
    await tenant.manage('PATCH', path, { status: 'disabled' })
    const before = await webhookOf(tenant, path)
    const { status, json } = await tenant.manage('POST', `${path}/test`)
    assert.equal(status, 200)
    const { ms, ...result } = json
    assert.deepEqual(result, { delivered: true, status: 200, error: null })
    assert.ok(ms >= 0)
    const [received] = app1.received
    assert.ok(received)
    assert.deepEqual(received.body, {
      type: 'webhook.test',
      timestamp: new Date(clock.now()).toISOString(),
      data: { tenant_id: tenant.id },
    })
    assert.equal(received.headers['webhook-signature'], expectedSignature(secret, received))
    app1.answer = 410
    assert.deepEqual((await tenant.manage('POST', `${path}/test`)).json.delivered, false)
    app1.answer = (res) => res.socket?.destroy()
    const failed = (await tenant.manage('POST', `${path}/test`)).json
    assert.deepEqual([failed.delivered, failed.status, failed.error], [false, null, 'unreachable'])
    assert.deepEqual(await webhookOf(tenant, path), before)
    const { deliveries } = (await tenant.manage('GET', `${path}/deliveries`)).json
    assert.deepEqual(
      deliveries.map(({ id, event_id, status: each }: never) => [id, event_id, each]),
      [
        [1, null, 200],
        [2, null, 410],
        [3, null, null],
      ],
    )
    for (let more = 3; more < 60; more++) {
      await tenant.manage('POST', `${path}/test`)
    }
    assertApiError(await tenant.manage('POST', `${path}/test`), 'rateLimited')
    clock.advance({ hours: 1 })
    assert.equal((await tenant.manage('POST', `${path}/test`)).status, 200)
  })

  // proves C312, S011, S059
  test(`[${engine}] the delivery log has the newest 200 attempts of 7 days, without a word of the response`, {
    skip: slow,
  }, async (t) => {
    const service = await world(t, { engine })
    const { app, agent, browser, clock } = service
    const tenant = await agent.createTenant()
    await claim(tenant, browser())
    const app1 = await receiver(t)
    const { id, path } = await addWebhook(tenant, app1.url)
    app1.answer = (res) => res.writeHead(500, { 'X-Secret': 'internal' }).end('internal')
    await tenant.signIn(browser())
    await app.deliver()
    const log = await tenant.manage('GET', `${path}/deliveries`)
    const [{ ms, ...first }] = log.json.deliveries
    assert.deepEqual(first, {
      ...{ id: 1, type: 'social_login.authorize', event_id: 2, attempt: 1, at_ms: clock.now() },
      ...{ delivered: false, status: 500, error: null },
    })
    assert.ok(!log.text.includes('internal'))

    const tail = (await tenant.manage('GET', '/api/observability?include=recent_events&limit=20'))
      .json.recent_events
    const entry = tail.find(({ source }: { source: string }) => source === 'webhook')
    assert.deepEqual(entry, {
      ...{
        source: 'webhook',
        tenant_id: tenant.id,
        at_ms: clock.now(),
        webhook_id: id,
        event_id: 2,
      },
      ...{ attempt: 1, delivered: false, status: 500, error: null, duration_ms: ms },
    })

    const { stores } = app.ctx
    const attempt = {
      type: 'social_login.authorize',
      eventId: 2,
      attempt: 1,
      at: clock.now(),
      status: 200,
      ms: 1,
      error: null,
    }
    for (let more = 1; more < 205; more++) {
      await stores.deliveryLog.append({ tenantId: tenant.id, id }, attempt)
    }
    const page = await tenant.manage('GET', `${path}/deliveries?after=10&limit=5`)
    assert.deepEqual(
      page.json.deliveries.map(({ id: each }: { id: number }) => each),
      [11, 12, 13, 14, 15],
    )
    assert.match(page.headers.get('link') ?? '', /deliveries\?after=15&limit=5>; rel="next"/)
    const all = (await tenant.manage('GET', `${path}/deliveries`)).json.deliveries
    assert.deepEqual([all.length, all[0].id, all.at(-1).id], [200, 6, 205])
    clock.advance({ days: 7, seconds: 1 })
    await sweep(app.ctx)
    assert.deepEqual((await tenant.manage('GET', `${path}/deliveries`)).json.deliveries, [])
  })

  // proves C313
  test(`[${engine}] status and the project's page tell that a webhook was disabled`, async (t) => {
    const { app, agent, browser, baseUrl, clock } = await world(t, { engine })
    const tenant = await agent.createTenant()
    const owner = browser()
    await claim(tenant, owner)
    const app1 = await receiver(t)
    const { id, path } = await addWebhook(tenant, `${app1.url}?token=of-the-receiver`)
    assert.equal((await tenant.status()).disabled_webhooks, undefined)
    app1.answer = 410
    await tenant.signIn(browser())
    await app.deliver()
    assert.deepEqual((await tenant.status()).disabled_webhooks, [{ id, reason: 'gone' }])
    await owner.open(`${baseUrl}/account/projects/${tenant.id}/settings/webhooks`)
    assert.match(owner.page.text, /Disabled: your app answered that the endpoint is gone/)
    assert.ok(!owner.page.text.includes('of-the-receiver'))
    await tenant.manage('PATCH', path, { status: 'disabled' })
    assert.equal((await tenant.status()).disabled_webhooks, undefined, 'the owner knows')
    clock.advance({ minutes: 1 })
  })
}
