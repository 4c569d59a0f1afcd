import assert from 'node:assert/strict'
import { test } from 'node:test'
import { userCharge } from '../../src/domain/limits/allowance.ts'
import { sweep } from '../../src/operations/sweep.ts'
import type { Tenant } from '../support/actors/agent.ts'
import { assertApiError } from '../support/actors/api-error.ts'
import type { Browser } from '../support/actors/browser.ts'
import { putProvider } from '../support/actors/providers.ts'
import { databaseOf, everyRow } from '../support/postgres/database-rows.ts'
import { ENGINES, sqliteOnly } from '../support/postgres/engines.ts'
import { raw, withConnection } from '../support/postgres/storage.ts'
import { waitUntil } from '../support/process/wait-until.ts'
import { slow } from '../support/tags.ts'
import { world } from '../support/world.ts'

const INVITATIONS = '/api/social-login/invitations'
const SETTINGS = '/api/social-login/settings'

interface Created {
  readonly id: string
  readonly url: string
}

async function invite(tenant: Tenant, body?: unknown): Promise<Created> {
  const response = await tenant.manage('POST', INVITATIONS, body)
  assert.equal(response.status, 201, response.text)
  return response.json.invitation
}

/** Chooses this account at Google. Returns the `error` of the callback, or null if the consent page is shown. */
async function choose(browser: Browser, url: string, user: string): Promise<string | null> {
  await browser.open(url)
  return (await browser.press(user)).searchParams.get('error')
}

const isSignedIn = (url: URL): boolean => url.searchParams.has('access_token')

const usedOf = async (tenant: Tenant): Promise<number[]> =>
  (await tenant.manage('GET', INVITATIONS)).json.invitations.map(
    ({ used }: { used: number }) => used,
  )

for (const engine of ENGINES) {
  // proves C191, S014
  test(`[${engine}] a closed project lets in users, the lists and people with an invitation, and lists others as not_invited`, async (t) => {
    const { agent, browser, clock } = await world(t, { engine })
    const tenant = await agent.createTenant()
    await tenant.signIn(browser(), 'Ada Lovelace')
    await tenant.manage('PATCH', SETTINGS, {
      admission: 'invited',
      allowed_domains: ['example.com'],
    })
    const { url } = await invite(tenant)
    clock.advance({ minutes: 1 })

    assert.equal(await choose(browser(), tenant.loginUrl, 'Alan Turing'), 'login_failed')
    const failed = (await tenant.events()).at(-1)
    assert.deepEqual(failed?.metadata, { stage: 'userinfo', error_code: 'not_invited' })
    assert.deepEqual([failed?.user_id, failed?.email], [null, null])
    const [refusal] = (await tenant.manage('GET', '/api/social-login/refusals')).json.refusals
    assert.deepEqual([refusal.step, refusal.code, refusal.count], ['callback', 'not_invited', 1])
    assert.match(refusal.fix, /POST \/api\/social-login\/invitations/)

    await tenant.signIn(browser(), 'Ada Lovelace')
    await tenant.signIn(browser(), 'Grace Hopper')
    const invited = browser()
    clock.advance({ minutes: 1 })
    assert.equal(await choose(invited, url, 'Alan Turing'), null)
    assert.deepEqual(await usedOf(tenant), [0], 'the consent page uses nothing')
    assert.ok(isSignedIn(await invited.press('Continue')))
    assert.deepEqual(await usedOf(tenant), [1])
    await tenant.signIn(browser(), 'Alan Turing')
    assert.deepEqual(
      (await tenant.users()).map(({ email }) => email),
      ['ada@example.com', 'grace@example.com', 'alan@example.com'],
    )
  })

  // proves C194, S014, S088
  test(`[${engine}] of two people who use the last use of an invitation at once, exactly one comes in`, async (t) => {
    const a = await world(t, { engine, env: { DEV_UNLIMITED: '1' } })
    const b = await world(t, { like: a, env: { DEV_UNLIMITED: '1' } })
    const tenant = await a.agent.createTenant()
    await tenant.manage('PATCH', SETTINGS, { admission: 'invited' })
    for (let round = 1; round <= 3; round++) {
      const { url } = await invite(tenant, { uses: 1 })
      const people = [a.browser(), b.browser()]
      for (const [index, browser] of people.entries()) {
        await browser.open(url)
        await browser.press('Continue', {
          email: `racer-${round}-${index}@example.com`,
          name: 'Racer',
        })
      }
      const ends = await Promise.all(people.map((browser) => browser.press('Continue')))
      assert.equal(ends.filter(isSignedIn).length, 1)
      const loser = people[ends.findIndex((end) => !isSignedIn(end))] ?? assert.fail()
      assert.equal(loser.page.status, 410)
      assert.match(loser.page.text, /already used.*href="https:\/\/app\.example\.com\/"/s)
      assert.equal((await tenant.users()).length, round)
    }
    assert.deepEqual(await usedOf(tenant), [1, 1, 1])
    assert.equal((await tenant.eventKinds()).filter((kind) => kind === 'authorize').length, 3)
  })

  // proves C194, S092
  test(`[${engine}] opening the link, a preview, a cancellation and a limit use nothing`, async (t) => {
    const { agent, browser, clock, app } = await world(t, { engine })
    const tenant = await agent.createTenant()
    const { url } = await invite(tenant, { uses: 1 })
    assert.equal((await agent.call('HEAD', url)).status, 204)
    const person = browser()
    assert.equal(await choose(person, url, 'Ada Lovelace'), null)
    assert.equal((await person.press('Cancel')).searchParams.get('error'), 'access_denied')
    clock.advance({ minutes: 1 })
    assert.equal(await choose(person, url, 'Ada Lovelace'), null)
    const guest = (await app.ctx.stores.tenants.find(tenant.id)) ?? assert.fail()
    await app.ctx.stores.counters.spend(userCharge(guest).counter, 1_000, null)
    await person.press('Continue')
    assert.equal(person.page.status, 403, 'the user limit of a guest')
    assert.deepEqual(
      (await app.ctx.stores.invitations.list(tenant.id)).map(({ used }) => used),
      [0],
    )
  })
}

// proves C190, S014, S093
test('an invitation is created, listed and deleted; its link is shown once, and only a hash is stored', async (t) => {
  const service = await world(t)
  const { agent, baseUrl } = service
  const tenant = await agent.createTenant()
  const created = (
    await tenant.manage('POST', INVITATIONS, {
      email: 'ADA@Example.com',
      claims: { role: 'editor' },
    })
  ).json.invitation
  const { id, url, ...rest } = created
  assert.match(
    url,
    new RegExp(`^${baseUrl}/edge/auth/${tenant.id}/google\\?invitation=svc_in_[\\w-]{43}$`),
  )
  const { created_at: from, expires_at: until, ...fields } = rest
  assert.equal(Date.parse(until) - Date.parse(from), 7 * 24 * 3_600_000)
  const [email, claims] = ['ada@example.com', { role: 'editor' }]
  assert.deepEqual(fields, { email, claims, uses: 1, used: 0, status: 'open' })
  assert.deepEqual((await tenant.manage('GET', INVITATIONS)).json.invitations, [{ id, ...rest }])
  const secret = new URL(url).searchParams.get('invitation') ?? ''
  await service.app.flush()
  assert.ok(
    !JSON.stringify(await everyRow(service)).includes(secret.slice(7)),
    'the secret is not stored',
  )

  const deleted = await tenant.manage('DELETE', `${INVITATIONS}/${id}`)
  assert.deepEqual(deleted.json, { success: true })
  assert.deepEqual((await tenant.manage('GET', INVITATIONS)).json.invitations, [])
  for (const unknown of [id, 'inv_', 'x'.repeat(50)]) {
    assertApiError(await tenant.manage('DELETE', `${INVITATIONS}/${unknown}`), 'invitationNotFound')
  }
  const actions = (await tenant.manage('GET', '/api/audit')).json.actions.map(
    ({ action, target }: { action: string; target: string }) => [action, target],
  )
  assert.deepEqual(actions.slice(-2), [
    ['invitation.created', id],
    ['invitation.deleted', id],
  ])
})

// proves C193, S014, S089
test('an invitation with an address lets in that verified address in any case, and no other', async (t) => {
  const { agent, browser, clock } = await world(t)
  const tenant = await agent.createTenant()
  for (const admission of ['invited', 'open']) {
    await tenant.manage('PATCH', SETTINGS, { admission })
    const { url, id } = await invite(tenant, { email: 'Grace@EXAMPLE.com' })
    clock.advance({ minutes: 1 })
    assert.equal(await choose(browser(), url, 'Alan Turing'), 'login_failed', admission)
    assert.deepEqual((await tenant.events()).at(-1)?.metadata, {
      stage: 'userinfo',
      error_code: 'not_invited',
    })
    assert.equal(await choose(browser(), url, 'Grace Hopper'), null, admission)
    assert.deepEqual(await usedOf(tenant), [0])
    await tenant.manage('DELETE', `${INVITATIONS}/${id}`)
  }
  assert.deepEqual(await tenant.users(), [])
})

// proves C192
test('the claims of an invitation become those of the users that it creates', async (t) => {
  const { agent, browser, clock } = await world(t)
  const tenant = await agent.createTenant()
  const { url } = await invite(tenant, { claims: { role: 'editor', teams: ['a', 'b'] }, uses: 3 })
  await tenant.signIn(browser(), 'Grace Hopper')
  for (const user of ['Ada Lovelace', 'Grace Hopper']) {
    const person = browser()
    clock.advance({ minutes: 1 })
    assert.equal(await choose(person, url, user), null)
    assert.ok(isSignedIn(await person.press('Continue')))
  }
  const claimsOf = async (id: number) =>
    (await tenant.manage('GET', `/api/social-login/users/${id}?include=claims`)).json.user.claims
  assert.deepEqual(await claimsOf(2), { role: 'editor', teams: ['a', 'b'] })
  assert.deepEqual(await claimsOf(1), {}, 'a user from before keeps theirs')
  assert.deepEqual(await usedOf(tenant), [1], 'a user from before uses nothing')
})

for (const engine of ENGINES) {
  test(`[${engine}] a first user who comes with an invitation gets first_user_claims too; of a claim that both have, the one of the invitation`, async (t) => {
    const { agent, browser } = await world(t, { engine })
    const tenant = await agent.createTenant()
    await tenant.manage('PATCH', SETTINGS, { first_user_claims: { role: 'admin', plan: 'free' } })
    const { url } = await invite(tenant, { claims: { plan: 'pro', team: 'a' } })
    const person = browser()
    assert.equal(await choose(person, url, 'Ada Lovelace'), null)
    assert.ok(isSignedIn(await person.press('Continue')))
    const { user } = (await tenant.manage('GET', '/api/social-login/users/1?include=claims')).json
    assert.deepEqual(user.claims, { role: 'admin', plan: 'pro', team: 'a' })
  })
}

// proves C195, S090
test('a used, an expired, a deleted and an unknown invitation each show why, with a way back to the app', async (t) => {
  const { agent, browser, clock } = await world(t)
  const tenant = await agent.createTenant()
  const [used, expired, deleted] = [
    await invite(tenant),
    await invite(tenant, { expires_in: 60 }),
    await invite(tenant),
  ]
  const late = browser()
  assert.equal(await choose(late, expired.url, 'Alan Turing'), null)
  const first = browser()
  assert.equal(await choose(first, used.url, 'Ada Lovelace'), null)
  assert.ok(isSignedIn(await first.press('Continue')))
  await tenant.manage('DELETE', `${INVITATIONS}/${deleted.id}`)
  clock.advance({ minutes: 1 })
  await late.press('Continue')
  assert.deepEqual(
    [late.page.status, (await tenant.users()).length],
    [410, 1],
    'it expired on the consent page',
  )
  for (const end of ['deleted', 'expired'] as const) {
    const { id, url } = await invite(tenant, { expires_in: 60 })
    const person = browser()
    await person.open(url)
    if (end === 'deleted') {
      await tenant.manage('DELETE', `${INVITATIONS}/${id}`)
    } else {
      clock.advance({ minutes: 1 })
    }
    await person.press('Alan Turing')
    assert.equal(
      person.page.status,
      410,
      `${end} while the person was at the provider: no consent page`,
    )
  }

  await putProvider(tenant, 'github', { mode: 'shared' })
  const started = (await tenant.events()).length
  for (const [url, words, code] of [
    [
      used.url,
      /was already used.*go to the app and sign in there.*href="https:\/\/app\.example\.com\/"/s,
      'invitationUsed',
    ],
    [
      expired.url,
      /no longer works.*expired or was withdrawn.*href="https:\/\/app\.example\.com\/"/s,
      'invitationExpired',
    ],
    [deleted.url, /no longer works/, 'invitationExpired'],
    [
      `${tenant.loginUrl}?invitation=svc_in_${'a'.repeat(43)}`,
      /no longer works/,
      'invitationExpired',
    ],
    [`${tenant.loginUrl}?invitation=`, /no longer works/, 'invitationExpired'],
    [used.url.replace('/google?', '/github?'), /was already used/, 'invitationUsed'],
    [expired.url.replace('/google?', '/github?'), /no longer works/, 'invitationExpired'],
  ] as const) {
    const person = browser()
    await person.open(url)
    assert.equal(person.page.status, 410, url)
    assert.match(person.page.text, words)
    const refused = await agent.call('GET', url, { headers: { Accept: 'application/json' } })
    assertApiError(refused, code)
    assert.match(refused.json.error.message, code === 'invitationUsed' ? /was used/ : /has expired/)
  }
  assert.equal((await tenant.events()).length, started, 'no event')
  const codes = (await tenant.manage('GET', '/api/social-login/refusals')).json.refusals.map(
    ({ code, step }: { code: string; step: string }) => `${step} ${code}`,
  )
  assert.ok(
    codes.includes('start invitationUsed') && codes.includes('start invitationExpired'),
    codes.join(),
  )
})

test('an invitation is checked, a tenant has 1,000, and expired ones are deleted after seven days', {
  skip: slow,
}, async (t) => {
  const { agent, app, clock } = await world(t)
  const tenant = await agent.createTenant()
  for (const body of [
    { email: 'ada' },
    { email: 'ada@example.com', uses: 2 },
    { uses: 0 },
    { uses: 10_001 },
    { expires_in: 59 },
    { expires_in: 31_536_001 },
    { claims: { sub: '1' } },
    { to: 'ada@example.com' },
  ]) {
    assertApiError(await tenant.manage('POST', INVITATIONS, body), 'invalidRequest')
  }
  const empty = await agent.createTenant(null)
  assertApiError(await empty.manage('POST', INVITATIONS), 'notProvisioned')
  assert.deepEqual((await empty.manage('GET', INVITATIONS)).json.invitations, [])

  const rows = {
    email: null,
    claims: {},
    uses: 1,
    createdAt: clock.now(),
    expiresAt: clock.now() + 3_600_000,
  }
  await app.ctx.stores.transaction(async ({ invitations }) => {
    for (let n = 0; n < 999; n++) {
      await invitations.add({ tenantId: tenant.id, id: `inv_${n}`, hash: `h${n}`, ...rows }, 1_000)
    }
  })
  await invite(tenant)
  assertApiError(await tenant.manage('POST', INVITATIONS), 'invitationLimit')
  clock.advance({ hours: 1 })
  await sweep(app.ctx)
  assertApiError(await tenant.manage('POST', INVITATIONS), 'invitationLimit')
  await app.ctx.stores.invitations.sweep(clock.now() + 1, 2_000)
  await invite(tenant)
})

// proves S091
test('a paused or expired tenant lists, creates and deletes no invitation', async (t) => {
  const { agent, app, clock } = await world(t)
  const tenant = await agent.createTenant()
  const { id } = await invite(tenant)
  const isRefused = async (code: 'tenantPaused' | 'tenantExpired'): Promise<void> => {
    assertApiError(await tenant.manage('GET', INVITATIONS), code)
    assertApiError(await tenant.manage('POST', INVITATIONS, {}), code)
    assertApiError(await tenant.manage('DELETE', `${INVITATIONS}/${id}`), code)
    assert.equal((await app.ctx.stores.invitations.list(tenant.id)).length, 1)
  }
  await app.ctx.stores.tenants.pause(tenant.id, 'stored_users', clock.now())
  await isRefused('tenantPaused')
  clock.advance({ hours: 72 })
  await isRefused('tenantExpired')
})

test('[postgres] a decision waits for the use of another person that is not committed yet, and then creates no user', {
  skip: sqliteOnly,
}, async (t) => {
  const service = await world(t, { engine: 'postgres' })
  const tenant = await service.agent.createTenant()
  const { url } = await invite(tenant, { uses: 1 })
  const person = service.browser()
  assert.equal(await choose(person, url, 'Ada Lovelace'), null)
  const waiting = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  await withConnection(databaseOf(service), async (query) => {
    await query('begin')
    await query('update invitations set used = 1')
    const decision = person.press('Continue')
    await waitUntil(
      'the decision waits',
      async () => (await raw(databaseOf(service), waiting)).length === 1,
    )
    await query('commit')
    await decision
  })
  assert.equal(person.page.status, 410)
  assert.deepEqual(await tenant.users(), [])
})
