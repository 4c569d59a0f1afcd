import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertApiError, problemPaths } from '../support/actors/api-error.ts'
import { ENGINES } from '../support/postgres/engines.ts'
import { type World, world } from '../support/world.ts'

const CLAIMS = '/api/social-login/users/1/claims'
const SETTINGS = '/api/social-login/settings'

async function signedIn({ agent, browser }: World) {
  const tenant = await agent.createTenant()
  const pair = await tenant.signIn(browser())
  const read = async (id = 1) =>
    (await tenant.manage('GET', `/api/social-login/users/${id}?include=claims`)).json.user.claims
  const isValid = async () =>
    (await tenant.edge('verify', { access_token: pair.access_token })).json.valid
  return { tenant, pair, read, isValid }
}

for (const engine of ENGINES) {
  // proves S117
  test(`[${engine}] claims are replaced as a whole, and are in include=claims but not in verify, events or the audit`, async (t) => {
    const { tenant, pair, read, isValid } = await signedIn(await world(t, { engine }))
    assert.deepEqual(await read(), {})
    const claims = {
      role: 'admin',
      plan: 'Zoë 😀',
      level: 3.5,
      beta: false,
      teams: ['a', 'b'],
      none: [],
    }
    const put = await tenant.manage('PUT', CLAIMS, { claims })
    assert.deepEqual([put.status, put.json], [200, { claims }])
    assert.deepEqual(await read(), claims)
    await tenant.manage('PUT', CLAIMS, { claims: { role: 'secret-editor' } })
    assert.deepEqual(await read(), { role: 'secret-editor' })
    const listed = (await tenant.manage('GET', '/api/social-login/users?include=claims')).json.users
    assert.deepEqual(listed[0].claims, { role: 'secret-editor' })
    assert.equal(
      'claims' in (await tenant.manage('GET', '/api/social-login/users/1')).json.user,
      false,
    )
    const verified = await tenant.edge('verify', { access_token: pair.access_token })
    assert.deepEqual(Object.keys(verified.json.user), ['id', 'email', 'name', 'picture'])
    assert.deepEqual((await tenant.manage('DELETE', CLAIMS)).json, { success: true })
    assert.deepEqual((await tenant.manage('DELETE', CLAIMS)).json, { success: true })
    assert.deepEqual(await read(), {})
    assert.equal(await isValid(), true, 'without end_sessions, the session stays')
    const { actions } = (await tenant.manage('GET', '/api/audit')).json
    assert.deepEqual(
      actions
        .slice(-4)
        .map(({ action, target }: { action: string; target: string }) => `${action} ${target}`),
      Array(4).fill('user.claims_changed user:1'),
    )
    const history = JSON.stringify([
      actions,
      (await tenant.manage('GET', '/api/social-login/events')).json,
    ])
    assert.ok(!history.includes('secret-editor'), 'neither the audit nor an event has a value')
  })

  // proves S116
  test(`[${engine}] with end_sessions, a change of claims ends every session of that user and no other`, async (t) => {
    const service = await world(t, { engine })
    const { tenant, read, isValid } = await signedIn(service)
    const other = await tenant.signIn(service.browser(), 'Grace Hopper')
    await tenant.manage('PUT', CLAIMS, { claims: { role: 'admin' }, end_sessions: true })
    assert.deepEqual([await read(), await isValid()], [{ role: 'admin' }, false])
    assert.equal(
      (await tenant.edge('verify', { access_token: other.access_token })).json.valid,
      true,
    )
    await tenant.manage('DELETE', '/api/social-login/users/2/claims?end_sessions=true')
    assert.equal(
      (await tenant.edge('verify', { access_token: other.access_token })).json.valid,
      false,
    )
    assertApiError(
      await tenant.manage('PUT', '/api/social-login/users/9/claims', { claims: {} }),
      'userNotFound',
    )
    assertApiError(
      await tenant.manage('DELETE', '/api/social-login/users/x/claims?end_sessions=true'),
      'userNotFound',
    )
    const events = (await tenant.manage('GET', '/api/social-login/events?event=logout')).json.events
    assert.deepEqual(
      events.map(({ user_id, metadata }: { user_id: number; metadata: object }) => ({
        user_id,
        ...metadata,
      })),
      [1, 2].map((user_id) => ({ user_id, reason: 'owner' })),
    )
  })

  // proves S116
  test(`[${engine}] of two users who sign in at once, exactly one gets the claims of the first user`, async (t) => {
    const { agent, browser, clock } = await world(t, { engine })
    const tenant = await agent.createTenant()
    const claimed = async () =>
      (await tenant.manage('GET', '/api/social-login/users?include=claims')).json.users.map(
        ({ claims }: { claims: object }) => claims,
      )
    const patch = (first_user_claims: unknown) =>
      tenant.manage('PATCH', SETTINGS, { first_user_claims })
    assert.equal((await tenant.manage('GET', SETTINGS)).json.first_user_claims, null)
    assert.deepEqual((await patch({ role: 'admin' })).json.first_user_claims, { role: 'admin' })
    await Promise.all(
      ['Ada Lovelace', 'Grace Hopper'].map((name) => tenant.signIn(browser(), name)),
    )
    assert.deepEqual((await claimed()).filter((claims: object) => 'role' in claims).length, 1)
    assert.equal((await claimed()).length, 2)

    clock.advance({ minutes: 1 })
    await tenant.manage('DELETE', '/api/social-login/users/1')
    await tenant.signIn(browser(), 'Alan Turing')
    assert.deepEqual((await claimed()).at(-1), {}, 'there is another user')
    for (const id of [2, 3]) {
      await tenant.manage('DELETE', `/api/social-login/users/${id}`)
    }
    assert.equal((await patch(null)).json.first_user_claims, null)
    clock.advance({ minutes: 1 })
    await tenant.signIn(browser(), 'Ada Lovelace')
    assert.deepEqual(await claimed(), [{}])
  })
}

// proves S117
test('claims that break a rule are rejected with their path, for one user and for the first, and change nothing', async (t) => {
  const { tenant, read } = await signedIn(await world(t))
  const put = (body: unknown) => tenant.manage('PUT', CLAIMS, body)
  await put({ claims: { role: 'admin' } })
  assert.deepEqual(problemPaths(await put({ claims: { sub: '2', iss: 'x' } })), [
    'claims.sub',
    'claims.iss',
  ])
  assert.deepEqual(problemPaths(await put({ claims: { teams: ['a', 1] } })), ['claims.teams'])
  assert.deepEqual(problemPaths(await put({ claims: null })), ['claims'])
  assertApiError(await put('{"claims":{"role":"a","role":"b"}}'), 'invalidRequest')
  assertApiError(await put({ claims: {}, end_sessions: 'yes' }), 'invalidRequest')
  const settings = await tenant.manage('PATCH', SETTINGS, { first_user_claims: { email: 'x' } })
  assert.deepEqual(problemPaths(settings), ['first_user_claims.email'])
  assert.deepEqual(await read(), { role: 'admin' })
})
