import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Counter } from '../../src/domain/limits/counter.ts'
import { readClaim } from '../../src/operations/claims/decide-claim.ts'
import { waitForClaim as waitForClaimIn } from '../../src/operations/claims/request-claim.ts'
import { lockUserCharge, spendCharge } from '../../src/operations/limits/count-auth-event.ts'
import { removeSocialLogin } from '../../src/operations/tenants/provision.ts'
import { createTestSession } from '../../src/operations/test-support.ts'
import { deleteUser } from '../../src/operations/users/delete-user.ts'
import { assertApiError } from '../support/actors/api-error.ts'
import { claim, openClaim, requestClaim, waitForClaim } from '../support/actors/claim.ts'
import { csrfOf } from '../support/actors/csrf.ts'
import { databaseOf } from '../support/postgres/database-rows.ts'
import { ENGINES, sqliteOnly } from '../support/postgres/engines.ts'
import { raw, withConnection } from '../support/postgres/storage.ts'
import { waitUntil } from '../support/process/wait-until.ts'
import { world } from '../support/world.ts'

for (const engine of ENGINES) {
  // proves C030, C121
  test(`[${engine}] approving a claim makes the user the owner; the tenant no longer expires and its keys keep working`, async (t) => {
    const { agent, browser, clock } = await world(t, { engine })
    const tenant = await agent.createTenant()
    await tenant.signIn(browser())
    const claimRequest = await requestClaim(tenant)
    assert.match(claimRequest.confirmation_code, /^[2-9A-HJKMNP-TW-Z]{6}$/)

    const owner = browser()
    await owner.open(claimRequest.approval_url)
    assert.ok(
      !owner.page.url.href.includes(claimRequest.approval_url.slice(-43)),
      'the secret is no longer in the URL',
    )
    for (const fact of [
      tenant.id,
      claimRequest.confirmation_code,
      'app.example.com',
      '1 user',
      'Anyone with the key file',
    ]) {
      assert.ok(owner.page.text.includes(fact), fact)
    }
    assert.equal((await tenant.status()).status, 'ephemeral', 'opening the link changes nothing')

    await owner.press('Continue with Google')
    await owner.press('Grace Hopper')
    assert.equal(
      (await tenant.status()).status,
      'ephemeral',
      'signing in does not claim the tenant',
    )
    assert.equal((await waitForClaim(tenant, claimRequest)).json.status, 'pending')
    await owner.press('Approve')
    assert.match(owner.page.text, /This project is yours/)

    const decision = (await waitForClaim(tenant, claimRequest)).json
    assert.deepEqual([decision.status, decision.tenant_id], ['approved', tenant.id])
    clock.advance({ hours: 100 })
    const status = await tenant.status()
    assert.deepEqual([status.status, status.expires_at, status.tier], ['claimed', null, 'free'])
    assert.equal(status.usage.stored_users.used, 1, "its users count against the owner's limit")
    const again = await tenant.manage('POST', '/api/claim/url')
    assert.deepEqual([again.status, again.json.error.code], [409, 'alreadyClaimed'])
  })

  test(`[${engine}] users that are stored or deleted by calls from before a claim count for the owner`, async (t) => {
    const { agent, browser, app } = await world(t, { engine })
    const tenant = await agent.createTenant()
    await tenant.signIn(browser())
    const guest = await app.ctx.stores.tenants.find(tenant.id)
    assert.ok(guest !== null)
    await claim(tenant, browser())
    const stored = async () => (await tenant.status()).usage.stored_users.used
    assert.equal(await stored(), 1)
    await createTestSession(app.ctx, guest, {
      email: 'grace@example.com',
      accessTokenSeconds: null,
    })
    assert.equal(await stored(), 2, 'a sign-in')
    const author = { actor: 'person', requestId: 'r' } as const
    await deleteUser(app.ctx, guest, 2, author)
    assert.equal(await stored(), 1, 'a deletion')
    await removeSocialLogin(app.ctx, guest, author)
    assert.equal(await stored(), 0, 'the deletion of the social login')
  })

  // proves C079
  test(`[${engine}] denying a claim changes nothing and ends the wait`, async (t) => {
    const { agent, browser } = await world(t, { engine })
    const tenant = await agent.createTenant()
    const claimRequest = await requestClaim(tenant)
    const owner = browser()
    await openClaim(owner, claimRequest)
    const waiting = waitForClaim(tenant, claimRequest, 20)
    await owner.press('Deny')
    assert.equal((await waiting).json.status, 'denied')
    assert.equal((await tenant.status()).status, 'ephemeral')
    await owner.open(claimRequest.approval_url)
    assert.doesNotMatch(owner.page.text, /value="approve"/)
  })

  test(`[${engine}] of two concurrent approvals one succeeds and the other gets 409`, async (t) => {
    const { agent, browser } = await world(t, { engine })
    const tenant = await agent.createTenant()
    const claimRequest = await requestClaim(tenant)
    const [ada, grace] = [browser(), browser()]
    await openClaim(ada, claimRequest, 'Ada Lovelace')
    await openClaim(grace, claimRequest, 'Grace Hopper')
    await Promise.all([ada.press('Approve'), grace.press('Approve')])
    assert.deepEqual([ada.page.status, grace.page.status].sort(), [200, 409])
    assert.equal((await tenant.status()).status, 'claimed')
  })

  // proves C078
  test(`[${engine}] a newer claim link invalidates the older one`, async (t) => {
    const { agent, browser } = await world(t, { engine })
    const tenant = await agent.createTenant()
    const old = await requestClaim(tenant)
    const owner = browser()
    await openClaim(owner, old)
    await requestClaim(tenant)
    await owner.press('Approve')
    assert.equal(owner.page.status, 410)
    assert.match(owner.page.text, /newer link/)
    assert.equal((await tenant.status()).status, 'ephemeral')
    assert.equal((await waitForClaim(tenant, old)).json.status, 'expired')

    const last = browser()
    await openClaim(last, await requestClaim(tenant), 'Grace Hopper')
    await claim(tenant, browser())
    await last.press('Approve')
    assert.equal(last.page.status, 409, 'it has an owner: the last link would not help')
  })

  test(`[${engine}] a claim link expires after half an hour, and no later than the guest`, async (t) => {
    const { agent, browser, clock } = await world(t, { engine })
    const tenant = await agent.createTenant()
    const claimRequest = await requestClaim(tenant)
    const owner = browser()
    await openClaim(owner, claimRequest)
    clock.advance({ minutes: 30 })
    await owner.press('Approve')
    assert.equal(owner.page.status, 410)
    assert.match(owner.page.text, /has expired/)

    clock.advance({ hours: 71, minutes: 20 })
    const late = await requestClaim(tenant)
    assert.equal(late.expires_at, tenant.created.expires_at)
    await openClaim(owner, late)
    clock.advance({ minutes: 10 })
    await owner.press('Approve')
    assert.equal(owner.page.status, 410)
    assert.match(owner.page.text, /has ended/)
    assert.equal((await tenant.status()).status, 'expired')
    const rejected = await tenant.manage('POST', '/api/claim/url')
    assert.deepEqual([rejected.status, rejected.json.error.code], [410, 'tenantExpired'])
  })

  test(`[${engine}] only the session that opened the claim can approve it`, async (t) => {
    const { agent, browser } = await world(t, { engine })
    const [mine, other] = [await agent.createTenant(), await agent.createTenant()]
    const owner = browser()
    await openClaim(owner, await requestClaim(other))
    const foreign = csrfOf(owner)
    await openClaim(owner, await requestClaim(mine))
    const address = owner.page.url
    const token = csrfOf(owner)
    const decide = (csrf: string, headers: Record<string, string> = {}) =>
      owner.request(`${address}/decide`, {
        method: 'POST',
        body: new URLSearchParams({ csrf, decision: 'approve' }),
        headers,
      })
    assert.equal((await decide('')).status, 403)
    assert.equal((await decide(foreign)).status, 403)
    assert.equal((await decide(token, { Origin: 'https://evil.example' })).status, 403)
    assert.equal((await decide(token, { 'Sec-Fetch-Site': 'cross-site' })).status, 403)

    const otherBrowser = browser()
    await otherBrowser.open(address)
    assert.equal(otherBrowser.page.status, 404, 'the id of a claim grants no access')
    assert.equal((await mine.status()).status, 'ephemeral')
    assert.equal((await decide(token)).status, 303)
    assert.equal((await mine.status()).status, 'claimed')
    assert.equal((await other.status()).status, 'ephemeral')
  })

  // proves C037
  test(`[${engine}] approval ends a pause, and tokens issued before it work again`, async (t) => {
    const { agent, browser, clock, app } = await world(t, { engine })
    const tenant = await agent.createTenant()
    const { access_token } = await tenant.signIn(browser())
    await app.ctx.stores.tenants.pause(tenant.id, 'lifetime_events', clock.now())
    assert.equal((await tenant.edge('verify', { access_token })).json.error.code, 'tenantPaused')
    await claim(tenant, browser())
    assert.equal(await tenant.isValid(access_token), true)
    assert.equal((await tenant.status()).pause_reason, null)
  })
}

// proves C027
test('an invalid claim link or wait token is rejected', async (t) => {
  const { agent, browser } = await world(t)
  const tenant = await agent.createTenant()
  const claimRequest = await requestClaim(tenant)
  for (const link of [
    claimRequest.approval_url.slice(0, -1),
    `${agent.baseUrl}/c/x`,
    `${claimRequest.approval_url}A`,
  ]) {
    const owner = browser()
    await owner.open(link)
    assert.equal(owner.page.status, 404, link)
  }
  for (const token of [
    'svc_wt_x',
    tenant.key,
    claimRequest.wait.token.slice(0, -1),
    claimRequest.wait.token.toUpperCase(),
  ]) {
    assert.equal((await tenant.call('GET', '/api/wait?timeout=0', token)).status, 401)
  }
  assert.equal((await agent.call('GET', '/api/wait')).status, 401)
  assert.equal((await tenant.call('GET', '/api/status', claimRequest.wait.token)).status, 401)
})

test('the claim page counts users and finished sign-ins, and a claim moves the users to the limit of the owner', async (t) => {
  const { agent, browser, app } = await world(t)
  const { ctx } = app
  const tenant = await agent.createTenant()
  await tenant.signIn(browser())
  await agent.call('GET', `/edge/auth/${tenant.id}/google`)
  const request = await requestClaim(tenant)
  const { users, signIns } = await readClaim(ctx, request.approval_url.split('/').at(-1) ?? '')
  assert.deepEqual([users, signIns], [1, 1])
  await claim(tenant, browser())
  const counterOf = (scope: 'tenant' | 'account', id: string | number) =>
    ({ scope: `${scope}:${id}`, window: 'users', start: 0 }) as Counter
  const { owner } = (await ctx.stores.tenants.find(tenant.id)) ?? assert.fail('it exists')
  const { counters } = ctx.stores
  assert.equal(await counters.remove(counterOf('tenant', tenant.id)), 0)
  assert.equal(await counters.remove(counterOf('account', owner?.accountId ?? 0)), 1)
})

test('[postgres] a claim also moves a user whose sign-in is committed while it waits for the count of stored users', {
  skip: sqliteOnly,
}, async (t) => {
  const service = await world(t, { engine: 'postgres' })
  const { agent, browser, app } = service
  const tenant = await agent.createTenant()
  await tenant.signIn(browser())
  const owner = browser()
  await openClaim(owner, await requestClaim(tenant))
  const ofGuest = `scope = 'tenant:${tenant.id}' and bucket = 'users'`
  const waiting = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  await withConnection(databaseOf(service), async (query) => {
    await query('begin')
    await query(`update counters set used = used + 1 where ${ofGuest}`)
    const approved = owner.press('Approve')
    await waitUntil(
      'the claim waits',
      async () => (await raw(databaseOf(service), waiting)).length === 1,
    )
    await query('commit')
    await approved
  })
  assert.deepEqual(
    await raw(databaseOf(service), `select used from counters where ${ofGuest} and used > 0`),
    [],
  )
  const { owner: account } =
    (await app.ctx.stores.tenants.find(tenant.id)) ?? assert.fail('it exists')
  const ofOwner = { scope: `account:${account?.accountId}`, window: 'users', start: 0 } as Counter
  assert.equal(await app.ctx.stores.counters.remove(ofOwner), 2)
})

test('a wait token is valid for five minutes after its link, and a poll whose client has gone away waits for nothing', async (t) => {
  const { agent, app, clock } = await world(t)
  const { ctx } = app
  const tenant = await agent.createTenant()
  const request = await requestClaim(tenant)
  const polls = t.mock.method(ctx.stores.claims, 'findByWaitToken')
  const poll = {
    waitToken: request.wait.token,
    addressKey: '',
    seconds: 1,
    signal: AbortSignal.abort(),
  }
  assert.equal((await waitForClaimIn(ctx, poll)).status, 'pending')
  assert.equal(polls.mock.callCount(), 2)
  clock.advance({ ms: Date.parse(request.expires_at) + 5 * 60_000 - 1 - clock.now() })
  assert.equal((await waitForClaim(tenant, request)).json.status, 'expired')
  clock.advance({ ms: 1 })
  assertApiError(await waitForClaim(tenant, request), 'invalidCredentials')
})

test('a poll for a claim that is decided waits for nothing', async (t) => {
  const { agent, browser, app } = await world(t)
  const { ctx } = app
  const request = await requestClaim(await agent.createTenant())
  const owner = browser()
  await openClaim(owner, request)
  await owner.press('Deny')
  t.mock.method(ctx.signals, 'listen', () => ({
    wait: () => assert.fail('it waits'),
    [Symbol.dispose]: () => {},
  }))
  const { status } = await waitForClaimIn(ctx, {
    waitToken: request.wait.token,
    addressKey: '',
    seconds: 60,
  })
  assert.equal(status, 'denied')
})

test('when the service stops, a poll for a claim ends without another query', async (t) => {
  const { agent, app } = await world(t)
  const { ctx } = app
  const request = await requestClaim(await agent.createTenant())
  const polls = t.mock.method(ctx.stores.claims, 'findByWaitToken')
  const waiting = waitForClaimIn(ctx, {
    waitToken: request.wait.token,
    addressKey: '',
    seconds: 60,
  })
  await waitUntil('it waits', () => ctx.signals.waiting === 1)
  ctx.signals.close()
  assert.equal((await waiting).status, 'pending')
  assert.equal(polls.mock.callCount(), 2)
})

test('waiting for a claim at one instance ends immediately when it is decided at another', {
  skip: sqliteOnly,
}, async (t) => {
  const first = await world(t, { engine: 'postgres' })
  const second = await world(t, { like: first })
  const tenant = await first.agent.createTenant()
  for (const [button, status] of [
    ['Deny', 'denied'],
    ['Approve', 'approved'],
  ] as const) {
    const claimRequest = await requestClaim(tenant)
    const owner = first.browser()
    await openClaim(owner, claimRequest)
    const began = performance.now()
    const waiting = waitForClaim(tenant.at(second.agent), claimRequest, 25)
    await owner.press(button)
    assert.equal((await waiting).json.status, status)
    assert.ok(
      performance.now() - began < 20_000,
      'the decision ends the wait before its 25 seconds',
    )
  }
  assert.equal((await tenant.at(second.agent).status()).status, 'claimed')
})

test('[postgres] a claim waits for a sign-in that is not committed yet, and counts its user for the owner', {
  skip: sqliteOnly,
}, async (t) => {
  const service = await world(t, { engine: 'postgres' })
  const { agent, browser, app } = service
  const tenant = await agent.createTenant()
  const guest = await app.ctx.stores.tenants.find(tenant.id)
  assert.ok(guest !== null)
  const [stored, finished] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const signIn = app.ctx.stores.transaction(async (stores) => {
    await spendCharge(stores.counters, await lockUserCharge(stores, guest))
    stored.resolve()
    await finished.promise
  })
  await stored.promise
  const claiming = claim(tenant, browser())
  const waiting = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  await waitUntil(
    'the claim waits',
    async () => (await raw(databaseOf(service), waiting)).length === 1,
  )
  finished.resolve()
  await Promise.all([signIn, claiming])
  assert.equal((await tenant.status()).usage.stored_users.used, 1)
})

test('[postgres] a new user whose sign-in waits for a claim counts for the owner', {
  skip: sqliteOnly,
}, async (t) => {
  const service = await world(t, { engine: 'postgres' })
  const { agent, browser, app, clock } = service
  await claim(await agent.createTenant(), browser())
  const [owner] = await app.ctx.stores.accounts.findByEmail('ada@example.com')
  const tenant = await agent.createTenant()
  await tenant.signIn(browser())
  const guest = await app.ctx.stores.tenants.find(tenant.id)
  assert.ok(owner !== undefined && guest !== null)
  const waiting = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  await withConnection(databaseOf(service), async (query) => {
    await query('begin')
    await query(`update tenants set owner_account_id = ${owner.id}, claimed_at = ${clock.now()}, expires_at = null
      where id = '${tenant.id}'`)
    await query(`delete from counters where scope = 'tenant:${tenant.id}' and bucket = 'users'`)
    await query(
      `update counters set used = 1 where scope = 'account:${owner.id}' and bucket = 'users'`,
    )
    const signIn = app.ctx.stores.transaction(async (stores) =>
      spendCharge(stores.counters, await lockUserCharge(stores, guest)),
    )
    await waitUntil(
      'the sign-in waits',
      async () => (await raw(databaseOf(service), waiting)).length === 1,
    )
    await query('commit')
    await signIn
  })
  assert.equal((await tenant.status()).usage.stored_users.used, 2)
  const used = `select scope, used::int from counters where bucket = 'users' and used > 0`
  assert.deepEqual(await raw(databaseOf(service), used), [
    { scope: `account:${owner.id}`, used: 2 },
  ])
})
