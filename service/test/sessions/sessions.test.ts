import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Revocations } from '../../src/domain/revocation/revocations.ts'
import {
  endSession,
  listActiveSessions,
  logOut,
} from '../../src/operations/sessions/end-session.ts'
import { refreshSession } from '../../src/operations/sessions/refresh-session.ts'
import { claim } from '../support/actors/claim.ts'
import { ENGINES } from '../support/postgres/engines.ts'
import { world } from '../support/world.ts'

const json = (token: string): Record<string, unknown> =>
  JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())

for (const engine of ENGINES) {
  // proves C021, C036, C055, C155, S024, ASVS 9.2.1
  test(`[${engine}] an access token expires after one hour`, async (t) => {
    const { agent, browser, clock } = await world(t, { engine })
    const tenant = await agent.createTenant()
    const { access_token } = await tenant.signIn(browser())
    clock.advance({ minutes: 59, seconds: 59 })
    assert.equal(await tenant.isValid(access_token), true)
    clock.advance({ seconds: 2 })
    assert.deepEqual((await tenant.edge('verify', { access_token })).json, { valid: false })
    const { iat, exp, tenant_id } = json(access_token)
    assert.equal(Number(exp) - Number(iat), 3_600)
    assert.equal(tenant_id, tenant.id)
  })

  test(`[${engine}] a refresh token of an expired guest is rejected`, async (t) => {
    const { agent, browser, clock } = await world(t, { engine })
    const tenant = await agent.createTenant()
    const pair = await tenant.signIn(browser())
    clock.advance({ hours: 71 })
    const last = await tenant.refresh(pair.refresh_token)
    clock.advance({ hours: 1, minutes: 1 })
    await tenant.assertRefreshRejected(last.refresh_token, 'tenantExpired')
  })

  // proves S004
  test(`[${engine}] a refresh token reused within ten seconds gets refreshTokenSuperseded; later the session ends`, async (t) => {
    const { agent, browser, clock } = await world(t, { engine })
    const tenant = await agent.createTenant()
    const one = await tenant.signIn(browser())
    clock.advance({ minutes: 1 })
    await tenant.refresh(one.refresh_token)
    await tenant.assertRefreshRejected(one.refresh_token, 'refreshTokenSuperseded')

    const two = await tenant.signIn(browser())
    clock.advance({ minutes: 1 })
    const next = await tenant.refresh(two.refresh_token)
    clock.advance({ seconds: 11 })
    await tenant.assertRefreshRejected(two.refresh_token, 'refreshTokenReused')
    assert.equal(await tenant.isValid(next.access_token), false)
  })

  test(`[${engine}] a refresh repeated with the same Idempotency-Key returns the same response for one minute`, async (t) => {
    const { agent, browser, clock } = await world(t, { engine })
    const tenant = await agent.createTenant()
    const { refresh_token } = await tenant.signIn(browser())
    clock.advance({ minutes: 1 })
    const headers = { 'Idempotency-Key': 'attempt-0001', 'User-Agent': 'app/1' }
    const first = await tenant.edge('refresh', { refresh_token }, headers)
    clock.advance({ seconds: 30 })
    const again = await tenant.edge(
      'refresh',
      { refresh_token },
      { ...headers, 'User-Agent': 'app/2' },
    )
    assert.equal(again.status, 200)
    assert.equal(again.text, first.text)
    assert.equal(await tenant.isValid(again.json.access_token), true)
    clock.advance({ seconds: 31 })
    const late = await tenant.edge('refresh', { refresh_token }, headers)
    assert.equal(late.json.error.code, 'refreshTokenReused')
    assert.deepEqual(await tenant.eventKinds(), [
      'login_started',
      'authorize',
      'token_refreshed',
      'logout',
    ])
  })

  // proves C022, C156, ASVS 7.3.2
  test(`[${engine}] each refresh extends a session by 30 days, up to one year`, async (t) => {
    const { agent, browser, clock } = await world(t, { engine })
    const tenant = await agent.createTenant()
    const spent = await tenant.signIn(browser(), 'Grace Hopper')
    const unused = await tenant.signIn(browser(), 'Grace Hopper')
    let { refresh_token } = await tenant.signIn(browser())
    const endsAt = clock.now() + 365 * 24 * 3_600_000
    await claim(tenant, browser())
    const forgotten = await tenant.refresh(spent.refresh_token)
    let previous = refresh_token
    // The second step is at the end of the 30 days of `forgotten`, to the millisecond.
    const month = { days: 29, hours: 23 }
    for (const [index, span] of [month, { hours: 1 }, ...Array(11).fill(month)].entries()) {
      clock.advance(span)
      previous = refresh_token
      refresh_token = (await tenant.refresh(refresh_token)).refresh_token
      if (index === 0) {
        continue
      }
      for (const pair of [unused, forgotten, spent]) {
        await tenant.assertRefreshRejected(pair.refresh_token, 'invalidRefreshToken')
      }
    }
    clock.advance({ ms: endsAt - 1 - clock.now() })
    previous = refresh_token
    refresh_token = (await tenant.refresh(refresh_token)).refresh_token
    clock.advance({ ms: 1 })
    for (const token of [refresh_token, previous]) {
      await tenant.assertRefreshRejected(token, 'invalidRefreshToken')
    }
    const kinds = await tenant.eventKinds()
    assert.equal(kinds.filter((kind) => kind === 'token_refreshed').length, 15)
    assert.equal(kinds.includes('logout'), false)
  })

  test(`[${engine}] logging out of one session leaves the user's other sessions valid`, async (t) => {
    const { agent, browser, clock } = await world(t, { engine })
    const tenant = await agent.createTenant()
    const [phone, laptop] = [await tenant.signIn(browser()), await tenant.signIn(browser())]
    assert.equal((await tenant.edge('logout', { refresh_token: phone.refresh_token })).status, 200)
    assert.equal(await tenant.isValid(phone.access_token), false)
    assert.equal(await tenant.isValid(laptop.access_token), true)
    clock.advance({ minutes: 1 })
    await tenant.refresh(laptop.refresh_token)
    assert.equal((await tenant.users()).length, 1)
    assert.deepEqual((await tenant.eventKinds()).slice(-3), [
      'authorize',
      'logout',
      'token_refreshed',
    ])
  })

  test(`[${engine}] a session ends once: ending it again, or after its social login was deleted, does and records nothing`, async (t) => {
    const { app, agent, browser } = await world(t, { engine })
    const tenant = await agent.createTenant()
    const [one, two] = [await tenant.signIn(browser()), await tenant.signIn(browser())]
    const row = (await app.ctx.stores.tenants.find(tenant.id)) ?? assert.fail('it exists')
    const page = async (limit: number) => {
      const { sessions, hasMore } = await listActiveSessions(app.ctx, row, { limit })
      return [sessions.length, hasMore]
    }
    assert.deepEqual(
      [await page(1), await page(2)],
      [
        [1, true],
        [2, false],
      ],
    )
    const end = ({ access_token }: { access_token: string }) =>
      endSession(app.ctx, row, Number(json(access_token).sid), 'user')
    assert.deepEqual([await end(one), await end(one)], [true, false])
    assert.equal((await tenant.eventKinds()).filter((kind) => kind === 'logout').length, 1)
    assert.equal((await tenant.manage('DELETE', '/api/resources/social-login')).status, 200)
    assert.equal(await end(two), false)
    assert.deepEqual(await page(1), [0, false])
  })

  test(`[${engine}] an instance that repeats a refresh or a logout of another one revokes the tokens before it responds`, async (t) => {
    const here = await world(t, { engine })
    const there = await world(t, { like: here })
    const tenant = await here.agent.createTenant()
    const pair = await tenant.signIn(here.browser())
    const at = (instance: typeof here, action: string, body: object) =>
      instance.agent.call('POST', `/edge/auth/${tenant.id}/${action}`, {
        body,
        headers: { 'Idempotency-Key': 'attempt-0001' },
      })
    const isValidThere = async (access_token: string) =>
      (await at(there, 'verify', { access_token })).json.valid
    const { refresh_token } = pair
    const next = await at(here, 'refresh', { refresh_token })
    assert.equal((await at(there, 'refresh', { refresh_token })).text, next.text)
    assert.equal(await isValidThere(pair.access_token), false)
    for (const instance of [here, there]) {
      assert.equal((await at(instance, 'logout', { refresh_token })).status, 200)
    }
    assert.equal(await isValidThere(next.json.access_token), false)
  })
}

test('a repeated refresh or logout revokes the older tokens in a process that no feed has told about the first', async (t) => {
  const { app, agent, browser } = await world(t)
  const tenant = await agent.createTenant()
  const { access_token, refresh_token } = await tenant.signIn(browser())
  const headers = { 'Idempotency-Key': 'attempt-0001' }
  const next = (await tenant.edge('refresh', { refresh_token }, headers)).json.refresh_token
  const sid = Number(json(access_token).sid)
  const revokedBy = async (run: (ctx: typeof app.ctx) => Promise<unknown>): Promise<boolean[]> => {
    const revocations = new Revocations()
    await run({ ...app.ctx, revocations })
    return [1, 2].map((generation) => revocations.isRevoked(sid, generation))
  }
  const repeated = {
    tenantId: tenant.id,
    refreshToken: refresh_token,
    idempotencyKey: 'attempt-0001',
  }
  assert.deepEqual(await revokedBy((ctx) => refreshSession(ctx, repeated)), [true, false])
  await tenant.edge('logout', { refresh_token: next })
  assert.deepEqual(
    await revokedBy((ctx) => logOut(ctx, { tenantId: tenant.id, refreshToken: next })),
    [true, true],
  )
})
