import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { ENDPOINTS, type Endpoint } from '@gatehouse-auth/contract'
import { endTenantSessions } from '../../../src/operations/sessions/end-tenant-sessions.ts'
import { endTenant } from '../../../src/operations/tenants/end-tenant.ts'
import { OPERATOR } from '../../../src/operations/tenants/operator.ts'
import { liftSuspension, suspendTenant } from '../../../src/operations/tenants/suspension.ts'
import type { Tenant } from '../../support/actors/agent.ts'
import { assertApiError } from '../../support/actors/api-error.ts'
import { claim, openClaim, requestClaim } from '../../support/actors/claim.ts'
import { exchange, signInForCode } from '../../support/actors/login-code.ts'
import { addWebhook } from '../../support/actors/webhooks.ts'
import { squarePng } from '../../support/png.ts'
import { databaseOf } from '../../support/postgres/database-rows.ts'
import { ENGINES, sqliteOnly } from '../../support/postgres/engines.ts'
import { raw } from '../../support/postgres/storage.ts'
import { waitUntil, withinTwoSeconds } from '../../support/process/wait-until.ts'
import { slow } from '../../support/tags.ts'
import { sendSlowly } from '../../support/transport/slow-body.ts'
import { receiver } from '../../support/webhook-receiver.ts'
import { type World, world } from '../../support/world.ts'

const REASON = 'Phishing report: copies the login page of a bank.'

const suspend = ({ app }: World, { id }: Tenant): Promise<boolean> =>
  suspendTenant(app.ctx, id, REASON)
const lift = ({ app }: World, { id }: Tenant): Promise<boolean> =>
  liftSuspension(app.ctx, id, 'Removed.')

const CHANGES = [
  [
    'POST',
    '/api/resources/social-login',
    'application/json',
    '{"callback_urls":["https://phishing.example/"]}',
  ],
  [
    'POST',
    '/api/social-login/import',
    'application/x-ndjson',
    '{"subject":"1","email":"ada@example.com"}',
  ],
  ['PUT', '/api/social-login/brand/logo', 'image/png', squarePng(64)],
] as const

/** Suspends the tenant after the next call has read it, and before the transaction of that call. */
function suspendBeforeTransaction(t: TestContext, service: World, tenant: Tenant): void {
  const { stores } = service.app.ctx
  const original = stores.transaction
  const { mock } = t.mock.method(
    stores,
    'transaction',
    async (...args: Parameters<typeof original>) => {
      mock.restore()
      assert.equal(await suspend(service, tenant), true)
      return original(...args)
    },
  )
}

for (const engine of ENGINES) {
  test(`[${engine}] the page of a login that is over leads back to the app, unless the operator suspended its project`, async (t) => {
    const service = await world(t, { engine })
    const tenant = await service.agent.createTenant()
    const openConsentPage = async () => {
      const user = service.browser()
      await user.open(tenant.loginUrl)
      await user.press('Ada Lovelace')
      return { user, page: user.page.url.href }
    }
    const expired = await openConsentPage()
    service.clock.advance({ minutes: 11 })
    const finished = await openConsentPage()
    await finished.user.press('Continue')
    const returned = service.browser()
    const started = await returned.request(tenant.loginUrl)
    const state = new URL(started.headers.get('location') ?? assert.fail()).searchParams.get(
      'state',
    )
    await returned.open(tenant.loginUrl)
    await returned.press('Ada Lovelace')
    const pages = [
      ...[expired, finished],
      { user: returned, page: `${service.baseUrl}/auth/google/callback?code=x&state=${state}` },
    ]
    for (const isSuspended of [false, true]) {
      if (isSuspended) {
        await suspend(service, tenant)
      }
      for (const { user, page } of pages) {
        await user.open(page)
        assert.equal(user.page.status, 410)
        assert.equal(
          /href="https:\/\/app\.example\.com\//.test(user.page.text),
          !isSuspended,
          user.page.text,
        )
      }
    }
  })

  // proves C352, S043
  test(`[${engine}] a suspended app gets tenantSuspended everywhere, and its sessions continue when it is lifted`, async (t) => {
    const service = await world(t, { engine })
    const [tenant, other] = [await service.agent.createTenant(), await service.agent.createTenant()]
    const first = await tenant.signIn(service.browser())
    service.clock.advance({ minutes: 1 })
    // From here on this process has the tenant in its cache.
    const { access_token, refresh_token } = await tenant.refresh(first.refresh_token)
    const theirs = await other.signIn(service.browser())
    await service.browser().open(tenant.loginUrl)

    const edge = await service.agent.call('POST', `/edge/session?key=${tenant.applicationKey}`)
    assert.equal(await suspend(service, tenant), true)
    assert.equal(await suspend(service, tenant), false, 'once')
    assertApiError(await tenant.edge('verify', { access_token }), 'tenantSuspended')
    assertApiError(await tenant.edge('verify', { access_token, extra: 1 }), 'tenantSuspended')
    assertApiError(await tenant.edge('refresh', { refresh_token }), 'tenantSuspended')
    assertApiError(await tenant.edge('token', { code: 'x', code_verifier: 'y' }), 'tenantSuspended')
    assertApiError(
      await service.agent.call('GET', `/edge/auth/${tenant.id}/providers`),
      'tenantSuspended',
    )
    for (const provider of ['google', 'github']) {
      const headers = { Accept: 'application/json' }
      const start = await service.agent.call('GET', `/edge/auth/${tenant.id}/${provider}`, {
        headers,
      })
      assertApiError(start, 'tenantSuspended')
      assert.ok(!start.text.includes('Phishing'), 'strangers do not read the reason')
    }
    assertApiError(await tenant.call('GET', '/edge/session', edge.json.token), 'tenantSuspended')
    assertApiError(
      await service.agent.call('POST', `/edge/session?key=${tenant.applicationKey}`),
      'tenantSuspended',
    )
    const person = service.browser()
    await person.open(tenant.loginUrl)
    assert.equal(person.page.status, 403)
    assert.match(person.page.text, /Sign-in for this app is suspended/)
    assert.doesNotMatch(person.page.text, /Phishing/)
    assert.equal(await other.isValid(theirs.access_token), true, 'another tenant')

    const { status, suspension, claim: link } = await tenant.status()
    assert.deepEqual([status, suspension?.reason, link], ['suspended', REASON, null])
    assert.deepEqual(
      await tenant.eventKinds(),
      ['login_started', 'authorize', 'token_refreshed', 'login_started'],
      'reading works',
    )

    assert.equal(await lift(service, tenant), true)
    assert.equal(await lift(service, tenant), false, 'once')
    assert.equal(await tenant.isValid(access_token), true)
    service.clock.advance({ minutes: 1 })
    const next = await tenant.refresh(refresh_token)
    assert.equal(await tenant.isValid(next.access_token), true)
    await tenant.signIn(service.browser())
    const lifted = await tenant.status()
    assert.deepEqual([lifted.status, lifted.suspension], ['ephemeral', undefined])
    const actions = (await tenant.manage('GET', '/api/audit')).json.actions as Record<
      string,
      string
    >[]
    assert.deepEqual(
      actions
        .filter(({ actor }) => actor === 'operator')
        .map(({ action, target }) => [action, target]),
      [
        ['tenant.suspended', REASON],
        ['tenant.lifted', 'Removed.'],
      ],
    )
    assert.deepEqual(
      (await tenant.manage('GET', '/api/social-login/refusals')).json.refusals.map(
        ({ step, code, count }: Record<string, unknown>) => [step, code, count],
      ),
      [
        ['start', 'tenantSuspended', 3],
        ['exchange', 'tenantSuspended', 1],
      ].sort(),
    )
  })

  // proves C352
  test(`[${engine}] a login that began before the suspension ends with its page, and continues when it is lifted`, async (t) => {
    const service = await world(t, { engine })
    const tenant = await service.agent.createTenant()
    const person = service.browser()
    await person.open(tenant.loginUrl)
    await person.press('Ada Lovelace')
    assert.match(person.page.text, /app\.example\.com/)
    await suspend(service, tenant)
    await person.press('Continue')
    assert.equal(person.page.status, 403)
    assert.match(person.page.text, /suspended/)
    await lift(service, tenant)
    await tenant.signIn(person)
    const users = await tenant.manage('GET', '/api/social-login/users')
    assert.equal(users.json.users.length, 1)
  })

  // proves C353, S042
  test(`[${engine}] a change, a logo and an import whose body arrives after the suspension or the end of the key are refused, and change nothing`, {
    skip: slow,
  }, async (t) => {
    const service = await world(t, { engine, through: 'port' })
    const { baseUrl, clock, app } = service
    const tenant = await service.agent.createTenant()
    const owner = service.browser()
    await claim(tenant, owner)
    await tenant.manage('PUT', '/api/social-login/brand', { name: 'Notes' })
    const credential = { clock, store: app.ctx.stores.tenants, read: 'findByKey' } as const
    const codeAfter = async (
      meanwhile: () => Promise<unknown>,
      [method, path, type, body]: (typeof CHANGES)[number],
    ) => {
      const headers = { Authorization: `Bearer ${tenant.key}`, 'Content-Type': type }
      const sent = { url: baseUrl + path, method, headers, body: Buffer.from(body) }
      const response = await sendSlowly(t, sent, credential, meanwhile)
      return ((await response.json()) as { error?: { code: string } }).error?.code
    }
    for (const change of CHANGES) {
      assert.equal(
        await codeAfter(() => suspend(service, tenant), change),
        'tenantSuspended',
        change[1],
      )
      await lift(service, tenant)
    }
    assert.deepEqual(await tenant.users(), [])
    assert.equal((await tenant.manage('GET', '/api/social-login/brand')).json.brand.logo, null)

    const replaceKeys = async () => {
      await owner.open(`${baseUrl}/account/projects/${tenant.id}/keys`)
      await owner.press('Replace keys', { keys: 'now' })
    }
    assert.equal(await codeAfter(replaceKeys, CHANGES[0]), 'invalidCredentials')
    const resource = await app.ctx.stores.resources.findActive(tenant.id)
    assert.deepEqual(resource?.callbackUrls, ['https://app.example.com/callback'])
  })

  // proves C354
  test(`[${engine}] suspended, lifted and suspended again: the last decision holds at once and after a restart`, async (t) => {
    const before = await world(t, { engine })
    const tenant = await before.agent.createTenant()
    const { access_token } = await tenant.signIn(before.browser())
    for (const change of [suspend, lift, suspend, lift]) {
      assert.equal(await change(before, tenant), true)
    }
    assert.equal(await tenant.isValid(access_token), true)
    await suspend(before, tenant)
    await before.stop()
    const after = await world(t, { like: before })
    const same = tenant.at(after.agent)
    assertApiError(await same.edge('verify', { access_token }), 'tenantSuspended')
    assertApiError(await same.edge('id-token', { access_token }), 'tenantSuspended')
    assertApiError(await same.edge('link', { access_token, provider: 'github' }), 'tenantSuspended')
    await lift(after, same)
    assert.equal(await same.isValid(access_token), true)
  })

  // proves C355, S043
  test(`[${engine}] a suspended guest cannot be claimed, and ends after its 72 hours`, async (t) => {
    const service = await world(t, { engine })
    const tenant = await service.agent.createTenant()
    const owner = service.browser()
    await openClaim(owner, await requestClaim(tenant))
    await suspend(service, tenant)
    await owner.press('Approve')
    assert.equal(owner.page.status, 403)
    assertApiError(await tenant.manage('POST', '/api/claim/url', {}), 'tenantSuspended')
    const status = await tenant.status()
    assert.deepEqual([status.status, status.lifecycle], ['suspended', 'ephemeral'])
    service.clock.advance({ hours: 73 })
    assert.equal((await tenant.status()).status, 'expired')
    assert.equal(await lift(service, tenant), true, 'it is no tombstone yet')
    assert.equal((await tenant.status()).status, 'expired')
  })

  // proves C355
  test(`[${engine}] the webhooks of a suspended tenant wait until it is lifted`, async (t) => {
    const service = await world(t, { engine })
    const tenant = await service.agent.createTenant()
    const endpoint = await receiver(t)
    await addWebhook(tenant, endpoint.url)
    await tenant.signIn(service.browser())
    await suspend(service, tenant)
    await service.app.deliver()
    service.clock.advance({ minutes: 5 })
    await service.app.deliver()
    assert.equal(endpoint.received.length, 0)
    await lift(service, tenant)
    await service.app.deliver()
    assert.deepEqual(endpoint.ids(), [`msg_${tenant.id}_2`])
  })

  // proves C355
  test(`[${engine}] a suspension stops the deliveries to an endpoint that is behind; after the lift it gets the rest once`, {
    skip: slow,
  }, async (t) => {
    const service = await world(t, { engine })
    const { app, browser, clock } = service
    const tenant = await service.agent.createTenant()
    const endpoint = await receiver(t)
    const { path } = await addWebhook(tenant, endpoint.url)
    await tenant.manage('PATCH', path, { status: 'disabled' })
    // One more than are sent at once.
    for (let signIn = 0; signIn < 9; signIn++) {
      await tenant.signIn(browser())
      clock.advance({ minutes: 1 })
    }
    await tenant.manage('PATCH', path, { status: 'active' })
    let suspended: Promise<boolean> | undefined
    endpoint.answer = (res) => {
      suspended ??= suspend(service, tenant)
      void suspended.then(() => res.end())
    }
    const ids = [2, 4, 6, 8, 10, 12, 14, 16, 18].map((id) => `msg_${tenant.id}_${id}`)
    await app.deliver()
    assert.deepEqual(
      endpoint.ids().toSorted(),
      ids.slice(0, 8).toSorted(),
      'nothing after the suspension',
    )
    clock.advance({ minutes: 5 })
    await app.deliver()
    assert.equal(endpoint.received.length, 8)
    await lift(service, tenant)
    await app.deliver()
    assert.deepEqual(endpoint.ids().toSorted(), ids.toSorted())
  })

  // proves C352, S043
  test(`[${engine}] a deletion that was authenticated before a suspension deletes nothing, except the operator's`, {
    skip: slow,
  }, async (t) => {
    const service = await world(t, { engine })
    const { agent, app, browser, clock } = service
    const tenant = await agent.createTenant()
    const { access_token } = await tenant.signIn(browser())
    suspendBeforeTransaction(t, service, tenant)
    assertApiError(await tenant.manage('DELETE', '/api/resources/social-login'), 'tenantSuspended')
    await lift(service, tenant)
    const read = async () => (await app.ctx.stores.tenants.find(tenant.id)) ?? assert.fail()
    const author = { actor: 'key:k', requestId: 'r' } as const
    for (const end of [
      async () => endTenant(app.ctx, await read(), 'deleted', author),
      async () => endTenant(app.ctx, await read(), 'test'),
    ]) {
      suspendBeforeTransaction(t, service, tenant)
      await assert.rejects(end, { code: 'tenantSuspended' })
      await lift(service, tenant)
    }
    assert.equal((await tenant.users()).length, 1)
    assert.equal(await tenant.isValid(access_token), true, 'no revocation was published')

    const guest = await agent.createTenant()
    for (const each of [tenant, guest]) {
      await suspend(service, each)
    }
    await endTenant(app.ctx, await read(), 'deleted', OPERATOR)
    assert.equal((await tenant.status()).status, 'expired')
    clock.advance({ hours: 73 })
    await app.sweep()
    assert.deepEqual(
      await app.ctx.stores.ownership.listOverdue(clock.now(), 1),
      [],
      'a suspended guest ends in its time',
    )
  })

  // proves S040
  test(`[${engine}] a one-time code from before the operator ended all sessions opens none, and the user can sign in again`, {
    skip: slow,
  }, async (t) => {
    const { agent, browser, app } = await world(t, { engine })
    const [tenant, other] = [await agent.createTenant(), await agent.createTenant()]
    const person = browser()
    const [login, elsewhere] = [
      await signInForCode(tenant, person),
      await signInForCode(other, browser()),
    ]
    await endTenantSessions(
      app.ctx,
      (await app.ctx.stores.tenants.find(tenant.id)) ?? assert.fail(),
    )
    assertApiError(await exchange(tenant, login), 'invalidCode')
    assert.deepEqual(await tenant.eventKinds(), ['login_started', 'authorize'])
    assert.equal((await exchange(tenant, await signInForCode(tenant, person))).status, 200)
    assert.equal((await exchange(other, elsewhere)).status, 200, 'another tenant')
  })
}

const MANAGED = (ENDPOINTS as readonly Endpoint[]).filter(({ auth }) => auth === 'management')
const pathOf = ({ path, example }: Endpoint): string =>
  path.replace(/:([A-Za-z]+)/g, (_, name: string) => example.params?.[name] ?? '1')

// proves C352, S043
test('while suspended, every management call that changes something is refused, and every other one works', async (t) => {
  const service = await world(t)
  const { agent, browser, clock } = service
  const tenant = await agent.createTenant()
  await claim(tenant, browser())
  await tenant.signIn(browser())
  await suspend(service, tenant)
  const refused: string[] = []
  for (const endpoint of MANAGED) {
    clock.advance({ minutes: 1 })
    const body = endpoint.body === undefined ? {} : { body: endpoint.example.body ?? {} }
    const { status, json } = await agent.call(endpoint.method, pathOf(endpoint), {
      key: tenant.key,
      ...body,
    })
    const documented = (endpoint.errors as readonly string[]).includes('tenantSuspended')
    assert.equal(
      json?.error?.code === 'tenantSuspended',
      documented,
      `${endpoint.id}: ${status} ${json?.error?.code}`,
    )
    if (documented) {
      refused.push(endpoint.method)
    }
  }
  assert.ok(refused.length > 25 && !refused.includes('GET'), 'reads are not refused')
  assert.equal((await tenant.status()).status, 'suspended')
})

// proves C282, C355, S043
test('the owner of a suspended project reads why, and can neither delete it nor replace its keys', async (t) => {
  const service = await world(t)
  const tenant = await service.agent.createTenant()
  const owner = service.browser()
  await claim(tenant, owner)
  const page = `${service.baseUrl}/account/projects/${tenant.id}`
  await owner.open(page)
  assert.doesNotMatch(owner.page.text, /suspended/)
  await suspend(service, tenant)
  await owner.open(page)
  assert.match(owner.page.text, /This project is suspended/)
  assert.ok(owner.page.text.includes(REASON))
  for (const tab of ['settings', 'keys', 'danger']) {
    await owner.open(`${page}/${tab}`)
    const [before = '', locked = ''] = owner.page.text.split('<fieldset class="locked" disabled>')
    const outside =
      before.replace('<form method="post" action="/account/sign-out">', '') +
      locked.split('</main>')[1]
    assert.match(locked, /<form method="post"/, tab)
    assert.doesNotMatch(outside, /<form method="post"/, 'nothing is offered that would be refused')
  }
  await owner.open(`${page}/danger`)
  await owner.press('Delete permanently', { confirm: tenant.id })
  assert.equal(owner.page.status, 403)
  await owner.open(`${page}/keys`)
  await owner.press('Replace keys')
  assert.equal(owner.page.status, 403)
  assert.equal((await tenant.status()).status, 'suspended', 'it still exists')
  await lift(service, tenant)
  await owner.open(page)
  assert.doesNotMatch(owner.page.text, /This project is suspended/)
  await owner.open(`${page}/settings`)
  assert.doesNotMatch(owner.page.text, /class="locked"/)
})

// proves C352, S043
test('a suspension waits for a deletion that has begun, and then finds nothing left', {
  skip: sqliteOnly || slow,
}, async (t) => {
  const service = await world(t, { engine: 'postgres' })
  const { agent, app, clock } = service
  const { stores } = app.ctx
  const tenant = await agent.createTenant()
  const [begun, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const deletion = stores.transaction(async ({ resources }) => {
    await resources.markDeleted(tenant.id, clock.now())
    begun.resolve()
    await released.promise
  })
  await begun.promise
  const suspension = suspend(service, tenant)
  const waiting = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  const waits = async () => (await raw(databaseOf(service), waiting)).length > 0
  await waitUntil('the suspension waits', waits).finally(released.resolve)
  await deletion
  assert.equal(await suspension, true)
  assert.equal(await stores.resources.findActive(tenant.id), null)
  assert.equal((await tenant.status()).status, 'suspended')
})

// proves C354, S005
test('a suspension and its lift take effect at another instance within 2 seconds', {
  skip: sqliteOnly,
}, async (t) => {
  const a = await world(t, { engine: 'postgres' })
  const b = await world(t, { like: a })
  const tenant = await a.agent.createTenant()
  const first = await tenant.signIn(a.browser())
  const atB = tenant.at(b.agent)
  a.clock.advance({ minutes: 1 })
  const { access_token, refresh_token } = await atB.refresh(first.refresh_token)
  assert.equal(await atB.isValid(access_token), true)
  await suspend(a, tenant)
  assertApiError(await atB.edge('refresh', { refresh_token }), 'tenantSuspended')
  const statusAtB = async (): Promise<number> => (await atB.edge('verify', { access_token })).status
  await withinTwoSeconds('B rejects the token', async () => (await statusAtB()) === 403)
  await lift(a, tenant)
  await withinTwoSeconds('B accepts the token', async () => (await statusAtB()) === 200)
})
