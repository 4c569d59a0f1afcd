import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DEFAULT_WEBHOOK_KINDS, webhookType } from '@gatehouse-auth/contract'
import { assertApiError } from '../support/actors/api-error.ts'
import { claim } from '../support/actors/claim.ts'
import { everyRow } from '../support/postgres/database-rows.ts'
import { ENGINES } from '../support/postgres/engines.ts'
import { world } from '../support/world.ts'

const PATH = '/api/webhooks'
const URL = 'https://app.example.com/webhooks'

for (const engine of ENGINES) {
  // proves C297
  test(`[${engine}] an endpoint is added, read, changed and deleted, and each change is in the audit`, async (t) => {
    const { agent, clock } = await world(t, { engine })
    const tenant = await agent.createTenant()
    const created = await tenant.manage('POST', PATH, { url: URL })
    assert.equal(created.status, 201, created.text)
    const { webhook } = created.json
    assert.match(webhook.id, /^wh_[0-9A-Za-z]{16}$/)
    assert.deepEqual(webhook, {
      id: webhook.id,
      url: URL,
      events: DEFAULT_WEBHOOK_KINDS.map(webhookType),
      status: 'active',
      disabled_reason: null,
      failing_since: null,
      cursor: 0,
      waiting_retries: 0,
      replay: null,
      created_at: new Date(clock.now()).toISOString(),
    })
    const at = `${PATH}/${webhook.id}`
    assert.deepEqual((await tenant.manage('GET', PATH)).json, { webhooks: [webhook] })
    assert.deepEqual((await tenant.manage('GET', at)).json, { webhook })

    const disabled = await tenant.manage('PATCH', at, {
      events: ['social_login.authorize', 'social_login.authorize'],
      status: 'disabled',
    })
    assert.deepEqual(disabled.json.webhook, {
      ...webhook,
      events: ['social_login.authorize'],
      status: 'disabled',
      disabled_reason: 'owner',
    })
    const enabled = await tenant.manage('PATCH', at, { url: `${URL}/2`, status: 'active' })
    assert.deepEqual(enabled.json.webhook, {
      ...webhook,
      url: `${URL}/2`,
      events: ['social_login.authorize'],
    })
    assert.equal((await tenant.manage('POST', `${at}/rotate`)).status, 200)
    assert.equal((await tenant.manage('POST', `${at}/replay`, { after: 0 })).status, 200)

    assert.deepEqual((await tenant.manage('DELETE', at)).json, { success: true })
    for (const [method, path, body] of [
      ['GET', at],
      ['DELETE', at],
      ['PATCH', at, { status: 'active' }],
      ['POST', `${at}/rotate`],
      ['GET', `${PATH}/wh_%00`],
      ['GET', `${PATH}/1`],
    ] as const) {
      assertApiError(await tenant.manage(method, path, body), 'webhookNotFound')
    }
    const { actions } = (await tenant.manage('GET', '/api/audit?after=1')).json
    assert.deepEqual(
      actions.map(({ action, target }: { action: string; target: string }) => [action, target]),
      [
        ['webhook.created', webhook.id],
        ['webhook.changed', `${webhook.id} events status`],
        ['webhook.changed', `${webhook.id} url status`],
        ['webhook.secret_rotated', webhook.id],
        ['webhook.replayed', webhook.id],
        ['webhook.deleted', webhook.id],
      ],
    )
  })

  // proves C298, S025, S064
  test(`[${engine}] a webhook secret is shown at creation and rotation only, and sealed in the database`, async (t) => {
    const service = await world(t, { engine })
    const tenant = await service.agent.createTenant()
    const created = await tenant.manage('POST', PATH, { url: URL })
    const at = `${PATH}/${created.json.webhook.id}`
    const rotated = await tenant.manage('POST', `${at}/rotate`)
    const secrets: string[] = [created.json.secret, rotated.json.secret]
    for (const secret of secrets) {
      assert.match(secret, /^whsec_[0-9A-Za-z]{44}$/)
      assert.equal(Buffer.from(secret.slice(6), 'base64').length, 33)
    }
    assert.notEqual(secrets[0], secrets[1])
    assert.equal(
      rotated.json.previous_until,
      new Date(service.clock.now() + 24 * 3_600_000).toISOString(),
    )
    const others = [
      (await tenant.manage('GET', PATH)).text,
      (await tenant.manage('GET', at)).text,
      (await tenant.manage('PATCH', at, { status: 'active' })).text,
      (await tenant.manage('GET', '/api/audit')).text,
      JSON.stringify(await everyRow(service)),
    ]
    for (const text of others) {
      for (const secret of secrets) {
        assert.ok(!text.includes(secret.slice(6)))
      }
    }
  })

  // proves C309
  test(`[${engine}] a creation with an Idempotency-Key is one endpoint with one secret, however often and at once it is sent`, async (t) => {
    const { agent, browser, clock } = await world(t, { engine })
    const tenant = await agent.createTenant()
    const other = await agent.createTenant()
    await claim(tenant, browser())
    const create = (key: string, body: object = { url: URL }, { key: bearer } = tenant) =>
      agent.call('POST', PATH, { key: bearer, body, headers: { 'Idempotency-Key': key } })
    const all = await Promise.all(Array.from({ length: 5 }, () => create('the-first-key')))
    for (const { status, json } of all) {
      assert.deepEqual([status, json], [201, all[0]?.json])
    }
    assert.equal((await tenant.manage('GET', PATH)).json.webhooks.length, 1)
    const { actions } = (await tenant.manage('GET', '/api/audit')).json
    assert.equal(
      actions.filter(({ action }: { action: string }) => action === 'webhook.created').length,
      1,
    )

    const { webhook, secret } = all[0]?.json ?? {}
    const foreign = await create('the-first-key', { url: URL }, other)
    assert.notEqual(foreign.json.webhook.id, webhook.id, 'a key belongs to its tenant')
    assert.notEqual((await create('a-second-key')).json.webhook.id, webhook.id)
    for (const body of [{ url: `${URL}/2` }, { url: URL, events: ['social_login.logout'] }]) {
      const { problems } = assertApiError(await create('the-first-key', body), 'invalidRequest')
      assert.equal(problems[0].path, 'Idempotency-Key')
    }
    assertApiError(await create('short'), 'invalidRequest')
    clock.advance({ hours: 23 })
    assert.equal((await create('the-first-key')).json.secret, secret)
    clock.advance({ hours: 1 })
    assertApiError(await create('the-first-key'), 'invalidRequest')
    assert.equal((await tenant.manage('GET', PATH)).json.webhooks.length, 2)
  })

  // proves C309
  test(`[${engine}] after a rotation the key of the creation shows no secret, and after a deletion it creates again`, async (t) => {
    const { agent } = await world(t, { engine })
    const { key } = await agent.createTenant()
    const headers = { 'Idempotency-Key': 'the-first-key' }
    const create = () => agent.call('POST', PATH, { key, body: { url: URL }, headers })
    const { webhook, secret } = (await create()).json
    await agent.call('POST', `${PATH}/${webhook.id}/rotate`, { key })
    assertApiError(await create(), 'invalidRequest')
    await agent.call('DELETE', `${PATH}/${webhook.id}`, { key })
    const again = await create()
    assert.equal(again.status, 201)
    assert.notEqual(again.json.secret, secret)
  })

  // proves C299
  test(`[${engine}] a guest has one endpoint, a free project three, also if two are added at once`, async (t) => {
    const { agent, browser } = await world(t, { engine })
    const tenant = await agent.createTenant()
    const add = () => tenant.manage('POST', PATH, { url: URL })
    const atOnce = await Promise.all([add(), add(), add()])
    assert.deepEqual(atOnce.map(({ status }) => status).sort(), [201, 409, 409])
    const refused = await add()
    assert.deepEqual(assertApiError(refused, 'webhookLimit'), { limit: 1 })
    assert.match(
      refused.json.error.message,
      /has 1 webhook, .*claim the tenant for more: POST \/api\/claim\/url/,
    )
    await claim(tenant, browser())
    const owned = await Promise.all([add(), add(), add(), add()])
    assert.deepEqual(owned.map(({ status }) => status).sort(), [201, 201, 409, 409])
    const { webhooks } = (await tenant.manage('GET', PATH)).json
    assert.equal(webhooks.length, 3)
    assert.match((await add()).json.error.message, /has 3 webhooks, .*\. Delete one first\.$/)
    assert.equal((await tenant.manage('DELETE', `${PATH}/${webhooks[0].id}`)).status, 200)
    assert.equal((await add()).status, 201)
  })
}

// proves C299
test('a plus project has ten endpoints, a pro project 25', async (t) => {
  const { app, agent, browser } = await world(t)
  const tenant = await agent.createTenant()
  await claim(tenant, browser())
  const [owner] = await app.ctx.stores.accounts.findByEmail('ada@example.com')
  for (const [tier, limit] of [
    ['plus', 10],
    ['pro', 25],
  ] as const) {
    await app.ctx.stores.accounts.setTier(owner?.id ?? 0, tier)
    app.ctx.directory.invalidate(tenant.id)
    let added = (await tenant.manage('GET', PATH)).json.webhooks.length
    while ((await tenant.manage('POST', PATH, { url: URL })).status === 201) {
      added += 1
    }
    assert.equal(added, limit)
    assert.deepEqual(
      assertApiError(await tenant.manage('POST', PATH, { url: URL }), 'webhookLimit'),
      { limit },
    )
  }
})

const REFUSED = [
  'no URL',
  'http://app.example.com/hook',
  'ftp://app.example.com/hook',
  'https://app.example.com:22/hook',
  'https://app.example.com:80/hook',
  'https://user:password@app.example.com/hook',
  'https://app.example.com/hook#part',
  'https://app.example.com/hook#',
  'https://169.254.169.254/latest/meta-data',
  'https://2852039166/',
  'https://0x7f.1/',
  'https://[::ffff:169.254.169.254]/',
  'https://10.0.0.1/hook',
  'https://intranet/hook',
] as const

// proves C300, S056
test('a webhook URL must be https to a public name, on port 443 or above 1023', async (t) => {
  const { agent } = await world(t, {
    env: {
      BASE_URL: 'https://auth.example.com',
      GOOGLE_CLIENT_ID: 'id',
      GOOGLE_CLIENT_SECRET: 'secret',
    },
  })
  const tenant = await agent.createTenant()
  for (const url of [
    ...REFUSED,
    'http://localhost:3000/hook',
    'https://localhost/hook',
    'https://auth.example.com/x',
  ]) {
    assertApiError(await tenant.manage('POST', PATH, { url }), 'webhookUrlRefused')
  }
  assertApiError(
    await tenant.manage('POST', PATH, { url: `https://app.example.com/${'x'.repeat(2_048)}` }),
    'invalidRequest',
  )
  const { json } = await tenant.manage('POST', PATH, {
    url: 'https://APP.example.com:8443/hook?a=b',
  })
  assert.equal(json.webhook.url, 'https://app.example.com:8443/hook?a=b')
  assertApiError(
    await tenant.manage('PATCH', `${PATH}/${json.webhook.id}`, { url: REFUSED[1] }),
    'webhookUrlRefused',
  )
  assert.equal((await tenant.manage('GET', PATH)).json.webhooks[0].url, json.webhook.url)
})

test('on a local service a webhook may be http to loopback, but not to the service itself', async (t) => {
  const { agent, baseUrl } = await world(t)
  const tenant = await agent.createTenant()
  for (const url of [...REFUSED, 'https://localhost/hook', `${baseUrl}/api/genesis`]) {
    assertApiError(await tenant.manage('POST', PATH, { url }), 'webhookUrlRefused')
  }
  assert.equal((await tenant.manage('POST', PATH, { url: 'http://127.0.0.1:1/hook' })).status, 201)
})
