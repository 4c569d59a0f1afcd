import assert from 'node:assert/strict'
import { test } from 'node:test'
import { claim } from '../support/actors/claim.ts'
import { ENGINES } from '../support/postgres/engines.ts'
import { slow } from '../support/tags.ts'
import { world } from '../support/world.ts'

for (const engine of ENGINES) {
  // proves C080, C158
  test(`[${engine}] feedback is trimmed and stored, and invalid feedback is rejected`, async (t) => {
    const { agent, app } = await world(t, { engine })
    const tenant = await agent.createTenant(null)
    const send = (feedback: unknown) => tenant.manage('POST', '/api/feedback/service', { feedback })
    for (const bad of ['', '   ', 'x'.repeat(20_001), 7, null, ['x']]) {
      const response = await send(bad)
      assert.deepEqual(
        [response.status, response.json.error.details.problems[0].path],
        [400, 'feedback'],
      )
    }
    assert.equal(
      (await tenant.manage('POST', '/api/feedback/service', { feedback: 'x', more: 1 })).status,
      400,
    )
    assert.deepEqual((await send('  first  ')).json, { success: true })
    assert.deepEqual((await send('é'.repeat(20_000))).json, { success: true })
    assert.deepEqual((await send('first')).json, { success: true })
    const kept = await app.ctx.stores.feedback.page(0, 10)
    assert.deepEqual(
      kept.map(({ tenantId, text }) => [tenantId, text.length]),
      [
        [tenant.id, 5],
        [tenant.id, 20_000],
        [tenant.id, 5],
      ],
    )
  })

  // proves C083
  test(`[${engine}] a discount report counts once in 30 days, for owners, if it is long enough`, async (t) => {
    const { agent, browser, clock } = await world(t, { engine })
    const tenant = await agent.createTenant()
    const described = (await agent.call('GET', '/api/feedback')).json
    const report = 'It worked. '.repeat(Math.ceil(described.requires.minimum_characters / 11))
    const send = async (feedback: string, user_authorized: unknown = true) =>
      tenant.manage('POST', '/api/feedback', { feedback, user_authorized })
    assert.equal((await send(report, false)).status, 400)
    assert.match((await send(report)).json.rejection_reason, /Claim/)
    await claim(tenant, browser())
    assert.equal((await send('short')).json.accepted_for_discount, false)
    const accepted = (await send(report)).json
    assert.deepEqual([accepted.success, accepted.accepted_for_discount], [true, true])
    assert.match(accepted.feedback_token, /^svc_fb_/)
    assert.equal((await send(report)).json.accepted_for_discount, false)
    clock.advance({ days: 30 })
    const atOnce = await Promise.all(Array.from({ length: 5 }, () => send(report)))
    assert.equal(atOnce.filter(({ json }) => json.accepted_for_discount).length, 1)
  })

  // proves C075
  test(`[${engine}] observability is for owners and covers all their projects and no others`, {
    skip: slow,
  }, async (t) => {
    const { agent, browser, clock, app } = await world(t, { engine })
    const [one, two, foreign] = [
      await agent.createTenant(),
      await agent.createTenant(),
      await agent.createTenant(),
    ]
    const guest = await one.manage('GET', '/api/observability')
    assert.deepEqual([guest.status, guest.json.error.code], [403, 'observabilityRequiresClaim'])
    for (const tenant of [one, two]) {
      await claim(tenant, browser())
    }
    await claim(foreign, browser(), 'Grace Hopper')
    await one.signIn(browser(), 'Alan Turing', '?return_to=/private')
    await two.signIn(browser(), 'Alan Turing')
    await foreign.signIn(browser(), 'Alan Turing')
    await two.manage('GET', '/api/social-login/users?limit=3')
    await app.flush()
    clock.advance({ seconds: 1 })

    const plain = (await one.manage('GET', '/api/observability')).json
    assert.equal('recent_events' in plain, false)
    assert.deepEqual(plain.auth, { mode: 'management_key', via_tenant_id: one.id })
    assert.deepEqual(plain.summary, { projects: 2, stored_users: 2, active_sessions: 2 })

    const response = await one.manage('GET', '/api/observability?include=recent_events')
    const events = response.json.recent_events as {
      source: string
      tenant_id: string
      at_ms: number
      route?: string
    }[]
    assert.deepEqual(new Set(events.map(({ tenant_id }) => tenant_id)), new Set([one.id, two.id]))
    assert.deepEqual(new Set(events.map(({ source }) => source)), new Set(['auth', 'api']))
    assert.ok(events.some(({ route }) => route === '/api/social-login/users'))
    assert.deepEqual(
      events.map(({ at_ms }) => at_ms),
      events.map(({ at_ms }) => at_ms).sort((a, b) => b - a),
    )
    for (const hidden of ['limit=3', '/private', 'svc_', foreign.id]) {
      assert.ok(!response.text.includes(hidden), hidden)
    }

    const narrowed = await one.manage(
      'GET',
      `/api/observability?include=recent_events&tenant_id=${two.id}&limit=2`,
    )
    assert.equal(narrowed.json.recent_events.length, 2)
    assert.ok(
      narrowed.json.recent_events.every(
        (event: { tenant_id: string }) => event.tenant_id === two.id,
      ),
    )
    const since = await one.manage(
      'GET',
      `/api/observability?include=recent_events&since=${clock.now()}`,
    )
    assert.deepEqual(since.json.recent_events, [])
    assert.equal(
      (await one.manage('GET', `/api/observability?tenant_id=${foreign.id}`)).status,
      404,
    )
    assert.equal((await one.manage('GET', '/api/observability?include=everything')).status, 400)
    assert.equal((await one.manage('GET', '/api/observability?limit=501')).status, 400)
  })
}
