import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { test } from 'node:test'
import { claim } from '../support/actors/claim.ts'
import { addWebhook, webhookOf } from '../support/actors/webhooks.ts'
import { ENGINES } from '../support/postgres/engines.ts'
import { waitUntil } from '../support/process/wait-until.ts'
import { slow } from '../support/tags.ts'
import { expectedSignature, receiver } from '../support/webhook-receiver.ts'
import { world } from '../support/world.ts'

for (const engine of ENGINES) {
  // proves C301, S011
  test(`[${engine}] an endpoint gets each event of its kinds once, signed, with the fields of the API`, async (t) => {
    const { app, agent, browser, clock } = await world(t, { engine })
    const tenant = await agent.createTenant()
    await tenant.signIn(browser())
    const app1 = await receiver(t)
    const { secret, path } = await addWebhook(tenant, app1.url)
    await app.deliver()
    assert.equal(app1.received.length, 0, 'nothing from before')

    const pair = await tenant.signIn(browser(), 'Grace Hopper')
    await tenant.edge('refresh', { refresh_token: pair.refresh_token })
    clock.advance({ seconds: 7 })
    await app.deliver()
    const events = await tenant.events()
    const authorized = events.find(({ id }) => id === 4)
    assert.equal(authorized?.event, 'authorize')
    const [first] = app1.received
    assert.ok(first)
    assert.deepEqual(
      app1.ids(),
      [`msg_${tenant.id}_4`],
      'neither login_started nor token_refreshed',
    )
    assert.deepEqual(first.body, {
      type: 'social_login.authorize',
      timestamp: new Date(authorized.created_at_ms).toISOString(),
      data: { tenant_id: tenant.id, ...authorized },
    })
    assert.equal(first.body.data.metadata.new_user, true)
    assert.equal(first.headers['content-type'], 'application/json')
    assert.equal(first.headers['webhook-timestamp'], String(Math.floor(clock.now() / 1_000)))
    assert.equal(first.headers['webhook-signature'], expectedSignature(secret, first))
    assert.ok(!app1.ids()[0]?.includes('.'))

    await app.deliver()
    clock.advance({ minutes: 5 })
    await app.deliver()
    assert.equal(app1.received.length, 1, 'not again')
    const { cursor, waiting_retries, failing_since } = await webhookOf(tenant, path)
    assert.deepEqual(
      { cursor, waiting_retries, failing_since },
      { cursor: 4, waiting_retries: 0, failing_since: null },
    )
    assert.equal((await tenant.status()).usage.events_lifetime.used, 5, 'a delivery is no event')
  })

  // proves C301, S026
  test(`[${engine}] after a rotation deliveries are signed with both secrets for 24 hours, then with the new one`, async (t) => {
    const { app, agent, browser, clock } = await world(t, { engine })
    const tenant = await agent.createTenant()
    const app1 = await receiver(t)
    const { secret: old, path } = await addWebhook(tenant, app1.url)
    const { secret } = (await tenant.manage('POST', `${path}/rotate`)).json
    await tenant.signIn(browser())
    clock.advance({ hours: 23, minutes: 58 })
    await app.deliver()
    await tenant.signIn(browser())
    clock.advance({ hours: 1 })
    await app.deliver()
    const [during, after] = app1.received
    assert.ok(during && after)
    const both = `${expectedSignature(secret, during)} ${expectedSignature(old, during)}`
    assert.equal(during.headers['webhook-signature'], both)
    assert.equal(after.headers['webhook-signature'], expectedSignature(secret, after))
  })

  // proves C302
  test(`[${engine}] a failed delivery is sent again after 5 seconds, 5 minutes, 30 minutes, and so on, up to ten times`, {
    skip: slow,
  }, async (t) => {
    const { app, agent, browser, clock } = await world(t, { engine })
    const tenant = await agent.createTenant()
    await claim(tenant, browser())
    const app1 = await receiver(t)
    const { path } = await addWebhook(tenant, app1.url)
    app1.answer = 503
    await tenant.signIn(browser())
    await app.deliver()
    const hours = (n: number): number => n * 3_600
    const delays = [5, 300, 1_800, hours(2), hours(5), hours(10), hours(14), hours(20), hours(24)]
    for (const [at, seconds] of delays.entries()) {
      assert.equal(app1.received.length, at + 1)
      clock.advance({ seconds: seconds * 0.8 - 1 })
      await app.deliver()
      assert.equal(app1.received.length, at + 1, `not sooner than ${seconds} s, minus a fifth`)
      // A fifth later at most; while it fails, an endpoint is looked at once a minute.
      clock.advance({ seconds: seconds * 0.4 + 62 })
      await app.deliver()
    }
    assert.equal(app1.received.length, 10)
    assert.deepEqual(new Set(app1.ids()).size, 1, 'the same id')
    clock.advance({ hours: 36 })
    await app.deliver()
    assert.equal(app1.received.length, 10, 'given up')
    const webhook = await webhookOf(tenant, path)
    assert.deepEqual([webhook.waiting_retries, webhook.status], [0, 'active'])
    assert.notEqual(webhook.failing_since, null)
  })

  test(`[${engine}] an endpoint that works again gets what failed and what waited, each event once`, async (t) => {
    const { app, agent, browser, clock } = await world(t, { engine })
    const tenant = await agent.createTenant()
    const app1 = await receiver(t)
    const { path } = await addWebhook(tenant, app1.url)
    app1.answer = (res) => res.socket?.destroy()
    for (let signIn = 0; signIn < 4; signIn++) {
      await tenant.signIn(browser())
      await app.deliver()
    }
    assert.ok((await webhookOf(tenant, path)).waiting_retries > 0)
    const failed = app1.received.length
    app1.answer = 204
    for (let minute = 0; minute < 40; minute++) {
      clock.advance({ minutes: 1 })
      await app.deliver()
    }
    const delivered = app1.ids().slice(failed)
    assert.deepEqual(delivered.sort(), [2, 4, 6, 8].map((id) => `msg_${tenant.id}_${id}`).sort())
    const { waiting_retries, failing_since } = await webhookOf(tenant, path)
    assert.deepEqual([waiting_retries, failing_since], [0, null])
  })

  // proves C302
  test(`[${engine}] Retry-After delays the next attempt, up to a day`, async (t) => {
    const { app, agent, browser, clock } = await world(t, { engine })
    const tenant = await agent.createTenant()
    const app1 = await receiver(t)
    await addWebhook(tenant, app1.url)
    app1.answer = (res) => res.writeHead(429, { 'Retry-After': '7200' }).end()
    await tenant.signIn(browser())
    await app.deliver()
    clock.advance({ minutes: 119 })
    await app.deliver()
    assert.equal(app1.received.length, 1)
    app1.answer = (res) => res.writeHead(503, { 'Retry-After': '99999999' }).end()
    clock.advance({ minutes: 2 })
    await app.deliver()
    assert.equal(app1.received.length, 2)
    clock.advance({ hours: 24, minutes: 2 })
    await app.deliver()
    assert.equal(app1.received.length, 3)
  })

  // proves C303
  test(`[${engine}] an endpoint that answers 410, or fails for five days, is disabled; enabled again, it misses nothing`, {
    skip: slow,
  }, async (t) => {
    const { app, agent, browser, clock } = await world(t, { engine })
    const tenant = await agent.createTenant()
    await claim(tenant, browser())
    const app1 = await receiver(t)
    const { path } = await addWebhook(tenant, app1.url)
    app1.answer = 410
    await tenant.signIn(browser())
    await app.deliver()
    await tenant.signIn(browser())
    await app.deliver()
    assert.equal(app1.received.length, 1, 'nothing more')
    assert.equal((await webhookOf(tenant, path)).disabled_reason, 'gone')
    app1.answer = 200
    await tenant.manage('PATCH', path, { status: 'active' })
    clock.advance({ minutes: 1 })
    await app.deliver()
    assert.deepEqual(
      app1.ids().slice(1).sort(),
      [2, 4].map((id) => `msg_${tenant.id}_${id}`),
    )

    app1.answer = 500
    await tenant.signIn(browser())
    const hours = async (count: number): Promise<void> => {
      for (let hour = 0; hour < count; hour++) {
        await app.deliver()
        clock.advance({ hours: 1 })
      }
      await app.deliver()
    }
    await hours(100)
    // All ten attempts of the first event have failed; the next one is within five days, and one after them.
    await tenant.signIn(browser())
    await hours(19)
    assert.equal((await webhookOf(tenant, path)).status, 'active')
    // Retries vary by 20 %, so the first attempt after five days can be this late.
    await hours(24)
    assert.equal((await webhookOf(tenant, path)).disabled_reason, 'failing')
    app1.answer = 200
    const before = app1.received.length
    await tenant.manage('PATCH', path, { status: 'active' })
    await hours(30)
    assert.deepEqual(app1.ids().slice(before), [`msg_${tenant.id}_8`], 'the first one was given up')
  })

  // proves C307
  test(`[${engine}] the events of a paused tenant wait until it is claimed`, async (t) => {
    const { app, agent, browser, clock } = await world(t, { engine })
    const tenant = await agent.createTenant()
    const app1 = await receiver(t)
    await addWebhook(tenant, app1.url)
    await tenant.signIn(browser())
    assert.equal(
      (await tenant.manage('POST', '/api/test-status', { status: 'paused' })).status,
      200,
    )
    await app.deliver()
    clock.advance({ minutes: 5 })
    await app.deliver()
    assert.equal(app1.received.length, 0)
    await claim(tenant, browser())
    await app.deliver()
    assert.deepEqual(app1.ids(), [`msg_${tenant.id}_2`])
  })

  test(`[${engine}] kinds that an endpoint adds are sent from then on, and not from the past`, async (t) => {
    const { app, agent, browser } = await world(t, { engine })
    const tenant = await agent.createTenant()
    const app1 = await receiver(t)
    const { path } = await addWebhook(tenant, app1.url, ['social_login.logout'])
    await tenant.signIn(browser())
    await tenant.manage('PATCH', path, {
      events: ['social_login.logout', 'social_login.authorize'],
    })
    const pair = await tenant.signIn(browser())
    await tenant.edge('logout', { refresh_token: pair.refresh_token })
    await app.deliver()
    assert.deepEqual(
      app1.ids().sort(),
      [4, 5].map((id) => `msg_${tenant.id}_${id}`),
    )
  })

  test(`[${engine}] a removed social login sends nothing more, and an endpoint added after a new provisioning gets the events after it`, async (t) => {
    const { app, agent, browser, clock } = await world(t, { engine })
    const tenant = await agent.createTenant()
    const app1 = await receiver(t)
    const { path } = await addWebhook(tenant, app1.url)
    app1.answer = 500
    await tenant.signIn(browser())
    await app.deliver()
    assert.equal((await webhookOf(tenant, path)).waiting_retries, 1)
    await tenant.signIn(browser())
    assert.equal((await tenant.manage('DELETE', '/api/resources/social-login')).status, 200)
    app1.answer = 200
    clock.advance({ minutes: 10 })
    await app.deliver()
    assert.equal(app1.received.length, 1)
    assert.equal((await tenant.manage('GET', path)).status, 404)
    await tenant.provision(['https://app.example.com/callback'])
    await addWebhook(tenant, app1.url)
    await tenant.signIn(browser())
    await app.deliver()
    assert.deepEqual(app1.ids().slice(1), [`msg_${tenant.id}_6`])
  })
}

test('an endpoint gets at most eight deliveries at once', { skip: slow }, async (t) => {
  const { app, agent, browser } = await world(t, { env: { DEV_UNLIMITED: '1' } })
  const tenant = await agent.createTenant()
  const app1 = await receiver(t)
  const { path } = await addWebhook(tenant, app1.url)
  const held: ServerResponse[] = []
  let most = 0
  app1.answer = (res) => {
    // Its first delivery is alone: the process does not know yet how fast it is.
    if (app1.received.length === 1) {
      res.end()
      return
    }
    held.push(res)
    most = Math.max(most, held.length)
  }
  // Nothing is sent before all of them are there: an endpoint that is slow gets one at a time.
  await tenant.manage('PATCH', path, { status: 'disabled' })
  for (let signIn = 0; signIn < 12; signIn++) {
    await tenant.signIn(browser())
  }
  await tenant.manage('PATCH', path, { status: 'active' })
  let done = false
  const delivering = app.deliver().finally(() => {
    done = true
  })
  await waitUntil('all events are delivered', () => {
    // The next eight wait for each other.
    if (most >= 8) {
      for (const res of held.splice(0)) {
        res.end()
      }
    }
    return done
  })
  await delivering
  assert.equal(most, 8)
  assert.equal(new Set(app1.ids()).size, 12)
})
