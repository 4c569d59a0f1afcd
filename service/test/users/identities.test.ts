import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ApiResponse, Tenant } from '../support/actors/agent.ts'
import { assertApiError, problemPaths } from '../support/actors/api-error.ts'
import { claim } from '../support/actors/claim.ts'
import { openMe, shownApp } from '../support/actors/me.ts'
import { textOf } from '../support/actors/page-checks.ts'
import { pressAtProvider, putProvider } from '../support/actors/providers.ts'
import { addWebhook } from '../support/actors/webhooks.ts'
import { databaseOf } from '../support/postgres/database-rows.ts'
import { ENGINES, sqliteOnly } from '../support/postgres/engines.ts'
import { raw, withConnection } from '../support/postgres/storage.ts'
import { waitUntil } from '../support/process/wait-until.ts'
import { freePort } from '../support/transport/free-port.ts'
import { receiver } from '../support/webhook-receiver.ts'
import { type World, world } from '../support/world.ts'

const USERS = '/api/social-login/users'

/** Ada has signed in with Google (user 1), Grace with GitHub (user 2). */
async function twoUsers(service: World) {
  const { agent, browser, baseUrl, clock } = service
  const tenant = await agent.createTenant()
  await putProvider(tenant, 'github', { mode: 'shared' })
  const ada = await tenant.signIn(browser())
  const withGithub = async () => {
    clock.advance({ minutes: 1 })
    const person = browser()
    await person.open(`${baseUrl}/edge/auth/${tenant.id}/github`)
    await pressAtProvider(person, 'Grace Hopper')
    const { access_token = '' } = Object.fromEntries((await person.press('Continue')).searchParams)
    const { json } = await tenant.edge('verify', { access_token })
    assert.equal(json.valid, true)
    return { access_token, user: json.user }
  }
  const grace = await withGithub()
  const user = async (id = 1) =>
    (await tenant.manage('GET', `${USERS}/${id}?include=identities`)).json.user
  const merge = (into = 1, from = 2) => tenant.manage('POST', `${USERS}/${into}/merge`, { from })
  return { tenant, ada, grace, withGithub, user, merge }
}

const providersOf = (user: {
  identities: { provider: string; email: string; pinned: boolean }[]
}) =>
  user.identities.map(
    ({ provider, email, pinned }) => `${provider} ${email}${pinned ? ' pinned' : ''}`,
  )

const signInAs = async (tenant: Tenant, body: object): Promise<number> =>
  (await tenant.manage('POST', '/api/social-login/test-sessions', body)).json.user.id

for (const engine of ENGINES) {
  // proves C324
  test(`[${engine}] a merge gives one user both identities, ends the sessions of the other and deletes it; either identity signs in as that user, who counts once`, async (t) => {
    const service = await world(t, { engine })
    const { tenant, ada, grace, withGithub, user, merge } = await twoUsers(service)
    const merged = await merge()
    assert.deepEqual(
      [merged.status, providersOf(merged.json.user)],
      [200, ['google ada@example.com', 'github grace@example.com']],
    )
    assert.deepEqual(
      [await tenant.isValid(ada.access_token), await tenant.isValid(grace.access_token)],
      [true, false],
    )
    assert.deepEqual(
      (await tenant.users()).map(({ id }) => id),
      [1],
    )
    assert.equal((await tenant.status()).usage.stored_users.used, 1)
    const again = await withGithub()
    assert.deepEqual(
      [again.user.id, again.user.email],
      [1, 'grace@example.com'],
      'the profile of the last sign-in',
    )
    const [event] = (
      await tenant.manage('GET', '/api/social-login/events?event=authorize')
    ).json.events.slice(-1)
    assert.deepEqual([event.user_id, event.metadata], [1, { provider: 'github' }])
    assert.equal(
      await signInAs(tenant, {
        email: 'ada@example.com',
        subject: merged.json.user.identities[0].subject,
      }),
      1,
    )
    assert.deepEqual([(await user()).email, (await tenant.users()).length], ['ada@example.com', 1])
    const me = await openMe(service.browser(), service.baseUrl, 'Grace Hopper', 'GitHub')
    assert.match(
      shownApp(me, tenant.id) ?? '',
      /app\.example\.com/,
      'the person finds the app by either identity',
    )
    const { actions } = (await tenant.manage('GET', '/api/audit')).json
    assert.deepEqual(
      actions
        .slice(-2)
        .map(({ action, target }: { action: string; target: string }) => `${action} ${target}`),
      ['user.merged user:1', 'user.deleted user:2'],
    )
  })

  // proves C325
  test(`[${engine}] the pinned identity is shown whichever identity signs in; a removed one ends all sessions and is a new user`, async (t) => {
    const service = await world(t, { engine })
    const { tenant, ada, withGithub, user, merge } = await twoUsers(service)
    await merge()
    const google = `${USERS}/1/identities/google`
    const pinned = await tenant.manage('PATCH', google, { pinned: true })
    assert.deepEqual(providersOf(pinned.json.user), [
      'google ada@example.com pinned',
      'github grace@example.com',
    ])
    assert.equal((await withGithub()).user.email, 'ada@example.com')
    await tenant.manage('PATCH', google, { pinned: false })
    assert.equal((await user()).email, 'ada@example.com', 'until the next sign-in')
    const github = await withGithub()
    assert.equal(github.user.email, 'grace@example.com')
    const removed = await tenant.manage('DELETE', `${USERS}/1/identities/github`)
    assert.deepEqual(
      [removed.json.user.email, providersOf(removed.json.user)],
      ['ada@example.com', ['google ada@example.com']],
      'the identity that is left',
    )
    assert.deepEqual(
      [await tenant.isValid(ada.access_token), await tenant.isValid(github.access_token)],
      [false, false],
    )
    assertApiError(await tenant.manage('DELETE', google), 'onlyIdentity')
    for (const pinned of [true, false]) {
      assertApiError(await tenant.manage('PATCH', google, { pinned }), 'onlyIdentity')
    }
    assertApiError(
      await tenant.manage('DELETE', `${USERS}/1/identities/github`),
      'identityNotFound',
    )
    assertApiError(
      await tenant.manage('PATCH', `${USERS}/1/identities/github`, { pinned: true }),
      'identityNotFound',
    )
    assertApiError(await tenant.manage('DELETE', `${USERS}/9/identities/google`), 'userNotFound')
    assert.equal((await withGithub()).user.id, 3)
    assert.equal((await tenant.signIn(service.browser())).access_token.length > 0, true)
    assert.deepEqual(
      (await tenant.users()).map(({ id }) => id),
      [1, 3],
    )
  })

  test(`[${engine}] the identity that a user began with can be removed, and the other still signs in`, async (t) => {
    const service = await world(t, { engine })
    const { tenant, withGithub, merge } = await twoUsers(service)
    await merge()
    const removed = await tenant.manage('DELETE', `${USERS}/1/identities/google`)
    assert.deepEqual(
      [removed.json.user.email, providersOf(removed.json.user)],
      ['grace@example.com', ['github grace@example.com']],
    )
    assert.equal((await withGithub()).user.id, 1)
    await tenant.signIn(service.browser())
    assert.deepEqual(
      (await tenant.users()).map(({ id, email }) => `${id} ${email}`),
      ['1 grace@example.com', '3 ada@example.com'],
    )
  })

  // proves C200
  test(`[${engine}] at /me a person sees the accounts with which they sign in to an app, and removes one, never the last`, async (t) => {
    const service = await world(t, { engine })
    const { tenant, ada, merge } = await twoUsers(service)
    const me = await openMe(service.browser(), service.baseUrl)
    assert.doesNotMatch(
      shownApp(me, tenant.id) ?? '',
      /You sign in with/,
      'one account needs no list',
    )
    await merge()
    await me.open(`${service.baseUrl}/me`)
    assert.match(
      shownApp(me, tenant.id) ?? '',
      /You sign in with.*ada@example\.com.*grace@example\.com/s,
    )
    await me.press('Remove GitHub')
    assert.match(textOf(me.page.text), /Removed\. You’re signed out of the app on every device/)
    assert.doesNotMatch(shownApp(me, tenant.id) ?? '', /grace@example\.com|Remove Google/)
    assert.equal(await tenant.isValid(ada.access_token), false)
    const [action] = (await tenant.manage('GET', '/api/audit')).json.actions.slice(-1)
    assert.deepEqual(
      [action.actor, action.action, action.target],
      ['person', 'user.identity_removed', 'user:1'],
    )
  })

  // proves S111
  test(`[${engine}] a blocked user keeps every identity: neither the person at /me nor the owner removes one, and none signs in as another user`, async (t) => {
    const service = await world(t, { engine })
    const { tenant, user, merge } = await twoUsers(service)
    await merge()
    const me = await openMe(service.browser(), service.baseUrl)
    assert.equal((await tenant.manage('POST', `${USERS}/1/block`)).status, 200)
    await me.press('Remove GitHub')
    assert.equal(me.page.status, 403, 'on a page from before the block')
    assertApiError(await tenant.manage('DELETE', `${USERS}/1/identities/github`), 'userBlocked')
    assert.deepEqual(providersOf(await user()), [
      'google ada@example.com',
      'github grace@example.com',
    ])
    await me.open(`${service.baseUrl}/me`)
    assert.doesNotMatch(shownApp(me, tenant.id) ?? '', /Remove GitHub/)
    const person = service.browser()
    service.clock.advance({ minutes: 1 })
    await person.open(`${service.baseUrl}/edge/auth/${tenant.id}/github`)
    await pressAtProvider(person, 'Grace Hopper')
    assert.equal((await tenant.events()).at(-1)?.metadata.error_code, 'user_blocked')
    await tenant.manage('POST', `${USERS}/1/unblock`)
    assert.equal((await tenant.manage('DELETE', `${USERS}/1/identities/github`)).status, 200)
  })

  // proves C325
  test(`[${engine}] two identities at one provider are told apart by their subject, and only one of two concurrent removals succeeds`, async (t) => {
    const { agent } = await world(t, { engine })
    const tenant = await agent.createTenant()
    for (const name of ['one', 'two']) {
      await signInAs(tenant, { email: `${name}@example.com`, subject: name })
    }
    await tenant.manage('POST', `${USERS}/1/merge`, { from: 2 })
    const google = `${USERS}/1/identities/google`
    const ambiguous = await tenant.manage('DELETE', google)
    assertApiError(ambiguous, 'invalidRequest')
    assert.deepEqual(problemPaths(ambiguous), ['subject'])
    assertApiError(await tenant.manage('DELETE', `${google}?subject=three`), 'identityNotFound')
    const both = await Promise.all(
      ['one', 'two'].map((name) => tenant.manage('DELETE', `${google}?subject=${name}`)),
    )
    assert.deepEqual(both.map(({ status }) => status).sort(), [200, 409])
    assert.equal(
      await signInAs(tenant, {
        email: 'x@example.com',
        subject: both[0]?.status === 200 ? 'two' : 'one',
      }),
      1,
    )
  })

  // proves C324
  test(`[${engine}] a merge with itself, of one blocked user, of one who asked to be removed, or beyond ten identities is refused and changes nothing`, async (t) => {
    const service = await world(t, { engine })
    const { agent, browser, app, clock } = service
    const tenant = await agent.createTenant()
    await claim(tenant, browser())
    for (let at = 1; at <= 11; at++) {
      await signInAs(tenant, { email: `u${at}@example.com`, subject: `s${at}` })
      clock.advance({ minutes: 1 })
    }
    const merge = (into: number | string, from: unknown) =>
      tenant.manage('POST', `${USERS}/${into}/merge`, { from })
    assertApiError(await merge(1, 1), 'mergeRefused')
    assertApiError(await merge(1, 99), 'userNotFound')
    assertApiError(await merge('x', 1), 'userNotFound')
    assertApiError(await merge(1, '2'), 'invalidRequest')
    await tenant.manage('POST', `${USERS}/2/block`)
    assertApiError(await merge(1, 2), 'mergeRefused')
    assertApiError(await merge(2, 1), 'mergeRefused')
    await tenant.manage('POST', `${USERS}/2/unblock`)
    const resource = await app.ctx.stores.resources.findActive(tenant.id)
    const asked = { tenantId: tenant.id, userId: 2, requestedAt: clock.now(), requestId: 'r' }
    await app.ctx.stores.removals.add({ ...asked, resourceId: resource?.id ?? 0 })
    assertApiError(await merge(1, 2), 'mergeRefused')
    assert.equal((await tenant.users()).length, 11)
    for (let from = 3; from <= 11; from++) {
      assert.equal((await merge(1, from)).status, 200)
    }
    assert.equal((await merge(1, 2)).json.error.code, 'mergeRefused')
    if (resource !== null) {
      await app.ctx.stores.removals.withdraw(resource, 2)
    }
    assertApiError(await merge(1, 2), 'mergeRefused')
    assert.deepEqual(
      (await tenant.users()).map(({ id }) => id),
      [1, 2],
    )
  })

  // proves C324
  test(`[${engine}] webhooks get user.updated for the user that stays and user.deleted for the other`, async (t) => {
    const service = await world(t, { engine })
    const { tenant, merge } = await twoUsers(service)
    await claim(tenant, service.browser())
    const app1 = await receiver(t)
    await addWebhook(tenant, app1.url, ['user.updated', 'user.deleted'])
    await merge()
    await service.app.deliver()
    const received = app1.received.splice(0).map(({ body }) => body)
    assert.deepEqual(
      received.map(({ type, data }) => [type, data.user.id, data.user.identities?.length]).sort(),
      [
        ['user.deleted', 2, undefined],
        ['user.updated', 1, 2],
      ],
    )
  })

  test(`[${engine}] while Google is unreachable after a start, its users are read, changed and sent to webhooks with their provider`, async (t) => {
    const issuer = `http://127.0.0.1:${await freePort()}`
    const env = { GOOGLE_CLIENT_ID: 'id', GOOGLE_CLIENT_SECRET: 's', GOOGLE_ISSUER: issuer }
    const { agent, app, clock } = await world(t, { engine, env })
    const tenant = await agent.createTenant()
    const resource =
      (await app.ctx.stores.resources.findActive(tenant.id)) ?? assert.fail('it exists')
    const profile = { issuer, subject: '1', email: 'ada@example.com', name: null, picture: null }
    await app.ctx.stores.transaction(({ users }) => users.insert(resource, profile, clock.now()))
    const read = await tenant.manage('GET', `${USERS}/1?include=identities`)
    assert.deepEqual([read.status, providersOf(read.json.user)], [200, ['google ada@example.com']])
    const hook = await receiver(t)
    await addWebhook(tenant, hook.url, ['user.updated'])
    assertApiError(await tenant.manage('DELETE', `${USERS}/1/identities/google`), 'onlyIdentity')
    await tenant.manage('PUT', `${USERS}/1/claims`, { claims: { role: 'admin' } })
    await app.deliver()
    assert.deepEqual(
      hook.received.map(({ body }) => body.data.user.identities[0].provider),
      ['google'],
    )
  })

  // proves C327
  test(`[${engine}] an export of users with several identities is imported whole: either identity signs in, and the pinned profile is shown`, async (t) => {
    const service = await world(t, { engine })
    const { tenant, merge, withGithub } = await twoUsers(service)
    await merge()
    await tenant.manage('PATCH', `${USERS}/1/identities/google`, { pinned: true })
    await withGithub()
    const { text } = await tenant.manage('GET', '/api/social-login/export')
    const other = await service.agent.createTenant()
    await claim(other, service.browser())
    const imported = (body: string) =>
      service.agent.call('POST', '/api/social-login/import', {
        key: other.key,
        body,
        headers: { 'Content-Type': 'application/x-ndjson' },
      })
    const report = await imported(text)
    assert.deepEqual([report.json.created, report.json.failed], [1, 0], report.text)
    const again = (await other.manage('GET', '/api/social-login/export')).text
    assert.deepEqual(JSON.parse(again), { ...JSON.parse(text), id: 1 })
    assert.deepEqual((await imported(text)).json.results, [
      { line: 1, result: 'exists', user_id: 1 },
    ])
    const row = JSON.parse(text)
    for (const [change, problem] of [
      [{ subject: 'another' }, /identities: list the identity of the line itself/],
      [{ identities: [...row.identities, row.identities[0]] }, /identities\.2: listed twice/],
      [
        { identities: [{ ...row.identities[0], issuer: 'https://unknown.example.com' }] },
        /identities\.0\.issuer: /,
      ],
      [
        {
          subject: 'another',
          identities: [{ ...row.identities[0], subject: 'another' }, row.identities[1]],
        },
        /identities: the user 1 has one of them/,
      ],
    ] as const) {
      const { results } = (await imported(JSON.stringify({ ...row, ...change }))).json
      assert.match(results[0].problem, problem)
    }
    assert.equal((await other.users()).length, 1)
  })
}

test('a pinned and a removed identity are in the audit and sent as user.updated, once', async (t) => {
  const service = await world(t)
  const { tenant, merge } = await twoUsers(service)
  await claim(tenant, service.browser())
  await merge()
  const hook = await receiver(t)
  await addWebhook(tenant, hook.url, ['user.updated'])
  const pin = () => tenant.manage('PATCH', `${USERS}/1/identities/google`, { pinned: true })
  const sent = async (): Promise<number> => {
    await service.app.deliver()
    return hook.received.splice(0).length
  }
  assert.deepEqual([(await pin()).status, await sent()], [200, 1])
  assert.deepEqual([(await pin()).status, await sent()], [200, 0])
  await tenant.manage('DELETE', `${USERS}/1/identities/github`)
  assert.equal(await sent(), 1)
  const { actions } = (await tenant.manage('GET', '/api/audit')).json
  const about = actions
    .map(({ action }: { action: string }) => action)
    .filter((each: string) => /identity/.test(each))
  assert.deepEqual(about, ['user.identity_pinned', 'user.identity_removed'])
})

for (const [deleted, into, from] of [
  ['stays', 1, 2],
  ['is deleted', 2, 1],
] as const) {
  // proves S110
  test(`[postgres] of two merges at once, the later finds no user that ${deleted}, and changes nothing`, {
    skip: sqliteOnly,
  }, async (t) => {
    const service = await world(t, { engine: 'postgres' })
    const { user, merge, tenant } = await twoUsers(service)
    // The other merge has deleted user 1 and not committed yet. The identities of user 2 must not go to a deleted user.
    const merged = await duringTransaction(service, 'delete from users where id = 1', () =>
      merge(into, from),
    )
    assertApiError(merged, 'userNotFound')
    assert.deepEqual(providersOf(await user(2)), ['github grace@example.com'])
    assert.equal((await tenant.users()).length, 1)
  })
}

// proves S110
test('[postgres] a merge waits for a block that is not committed yet, and is then refused', {
  skip: sqliteOnly,
}, async (t) => {
  const service = await world(t, { engine: 'postgres' })
  const { merge, tenant } = await twoUsers(service)
  const block = 'update users set blocked_at = 1 where id = 2'
  assertApiError(await duringTransaction(service, block, merge), 'mergeRefused')
  assert.equal((await tenant.users()).length, 2)
})

// proves S111
test('[postgres] the removal of an identity waits for a block that is not committed yet, and is then refused', {
  skip: sqliteOnly,
}, async (t) => {
  const service = await world(t, { engine: 'postgres' })
  const { merge, tenant, user } = await twoUsers(service)
  await merge()
  const remove = () => tenant.manage('DELETE', `${USERS}/1/identities/github`)
  const block = 'update users set blocked_at = 1 where id = 1'
  assertApiError(await duringTransaction(service, block, remove), 'userBlocked')
  assert.equal((await user()).identities.length, 2)
})

test('[postgres] a block also removes the one-time code of a consent that is not committed yet', {
  skip: sqliteOnly,
}, async (t) => {
  const service = await world(t, { engine: 'postgres' })
  const { tenant } = await twoUsers(service)
  const consent = `with consenting as (select * from users where id = 1 for update)
    insert into login_codes select tenant_id, 'hash', resource_id, id, 'challenge', 'https://app.example.com', 0, null, null,
      9000000000000 from consenting`
  const block = () => tenant.manage('POST', `${USERS}/1/block`)
  assert.equal((await duringTransaction(service, consent, block)).status, 200)
  assert.deepEqual(await raw(databaseOf(service), 'select * from login_codes'), [])
})

/** Runs a statement on a connection of its own, and commits it when the request waits for its locks. */
const duringTransaction = (
  service: World,
  statement: string,
  request: () => Promise<ApiResponse>,
) =>
  withConnection(databaseOf(service), async (query) => {
    await query('begin')
    await query(statement)
    const response = request()
    const waiting = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
    await waitUntil(
      'the request waits',
      async () => (await raw(databaseOf(service), waiting)).length === 1,
    )
    await query('commit')
    return response
  })

test('identities of a paused tenant are not pinned, removed or merged', async (t) => {
  const service = await world(t)
  const { tenant, user, merge } = await twoUsers(service)
  await merge()
  const before = await user()
  await service.app.ctx.stores.tenants.pause(tenant.id, 'stored_users', service.clock.now())
  const google = `${USERS}/1/identities/google`
  assertApiError(await tenant.manage('PATCH', google, { pinned: true }), 'tenantPaused')
  assertApiError(await tenant.manage('DELETE', google), 'tenantPaused')
  assertApiError(await merge(), 'tenantPaused')
  await claim(tenant, service.browser())
  assert.deepEqual(await user(), before, 'the claim ends the pause')
})
