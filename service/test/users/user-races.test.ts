import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ApiResponse, Pair, Tenant } from '../support/actors/agent.ts'
import { databaseOf, everyRow } from '../support/postgres/database-rows.ts'
import { ENGINES } from '../support/postgres/engines.ts'
import { raw } from '../support/postgres/storage.ts'
import { withinTwoSeconds } from '../support/process/wait-until.ts'
import { slow } from '../support/tags.ts'
import { type World, world } from '../support/world.ts'

const USERS = '/api/social-login/users'
const EMAIL = 'racing@example.com'
/** Which of two concurrent requests is first depends on chance: more rounds find more orders. */
const ROUNDS = slow ? 2 : 6
const SESSIONS = 4

/** Every pair that an app received, whatever happened meanwhile. */
async function signInAndRefresh(tenant: Tenant, email = EMAIL): Promise<Pair[]> {
  const created = await tenant.manage('POST', '/api/social-login/test-sessions', { email })
  assert.ok([201, 403].includes(created.status), created.text)
  if (created.status !== 201) {
    return []
  }
  const refreshed = await tenant.edge('refresh', { refresh_token: created.json.refresh_token })
  assert.ok([200, 401].includes(refreshed.status), refreshed.text)
  return refreshed.status === 200 ? [created.json, refreshed.json] : [created.json]
}

const apply = (at: Tenant, change: 'block' | 'delete', id: number): Promise<ApiResponse> =>
  change === 'block'
    ? at.manage('POST', `${USERS}/${id}/block`)
    : at.manage('DELETE', `${USERS}/${id}`)

/** A deadlock costs a second, and ends one of the transactions. */
async function assertNoDeadlock(at: World): Promise<void> {
  if (at.engine === 'sqlite') {
    return
  }
  const database = 'select deadlocks::int from pg_stat_database where datname = current_database()'
  assert.deepEqual(await raw(databaseOf(at), database), [{ deadlocks: 0 }])
}

for (const engine of ENGINES) {
  for (const change of ['block', 'delete'] as const) {
    // proves C320, S039
    test(`[${engine}] sign-ins and refreshes during a ${change} leave no session and no valid token`, {
      skip: slow,
    }, async (t) => {
      const env = { DEV_UNLIMITED: '1' }
      const a = await world(t, { engine, env })
      const b = await world(t, { like: a, env })
      const tenant = await a.agent.createTenant()
      const there = tenant.at(b.agent)
      for (let round = 0; round < ROUNDS; round++) {
        const before = (
          await Promise.all(Array.from({ length: SESSIONS }, () => signInAndRefresh(tenant)))
        ).flat()
        const { id } = (await tenant.users()).at(-1) ?? assert.fail()
        const live = before.map(({ refresh_token }) => refresh_token)
        const [changed, ...during] = await Promise.all([
          apply(round % 2 === 0 ? tenant : there, change, id),
          ...live.map((refresh_token) => there.edge('refresh', { refresh_token })),
        ])
        assert.equal(changed.status, 200, changed.text)
        for (const { status, text } of during) {
          assert.ok([200, 401].includes(status), text)
        }
        const given: Pair[] = during.filter(({ status }) => status === 200).map(({ json }) => json)
        for (const { access_token, refresh_token } of [...before, ...given]) {
          for (const at of [tenant, there]) {
            await withinTwoSeconds(
              'the token is invalid',
              async () => !(await at.isValid(access_token)),
            )
          }
          assert.equal((await there.edge('refresh', { refresh_token })).status, 401)
        }
        assert.deepEqual((await everyRow(a)).sessions, [])
        if (change === 'block') {
          await tenant.manage('POST', `${USERS}/${id}/unblock`)
        }
      }
      await assertNoDeadlock(a)
      const { users = [], events = [] } = await everyRow(a)
      assert.equal(users.length, change === 'block' ? 1 : 0)
      assert.equal((await tenant.status()).usage.stored_users.used, users.length)
      if (change === 'delete') {
        assert.ok(!JSON.stringify(events).includes(EMAIL))
      }
    })

    // proves C320
    test(`[${engine}] of a ${change} and concurrent sign-ins of the user, no session survives that began before it`, async (t) => {
      const env = { DEV_UNLIMITED: '1' }
      const a = await world(t, { engine, env })
      const b = await world(t, { like: a, env })
      const tenant = await a.agent.createTenant()
      const there = tenant.at(b.agent)
      for (let round = 0; round < ROUNDS; round++) {
        await signInAndRefresh(tenant)
        const { id } = (await tenant.users()).at(-1) ?? assert.fail()
        const [changed, ...pairs] = await Promise.all([
          apply(tenant, change, id),
          ...Array.from({ length: SESSIONS }, (_, at) =>
            signInAndRefresh(at % 2 === 0 ? tenant : there),
          ),
        ])
        assert.equal(changed.status, 200, changed.text)
        const { sessions = [], users = [] } = await everyRow(a)
        const stored = new Set(users.map((user) => Number(user.id)))
        for (const session of sessions) {
          assert.ok(stored.has(Number(session.user_id)), 'a session of a deleted user')
        }
        if (change === 'block') {
          assert.deepEqual(sessions, [])
        }
        // A refresh at the other instance ends the previous access token, here within two seconds.
        await withinTwoSeconds('each session has one valid token', async () => {
          const valid = await Promise.all(
            pairs.flat().map(({ access_token }) => tenant.isValid(access_token)),
          )
          return valid.filter(Boolean).length <= sessions.length
        })
        for (const user of users) {
          await tenant.manage('DELETE', `${USERS}/${user.id}`)
        }
      }
      await assertNoDeadlock(a)
      assert.deepEqual((await everyRow(a)).sessions, [])
      assert.equal((await tenant.status()).usage.stored_users.used, 0)
    })
  }
}
