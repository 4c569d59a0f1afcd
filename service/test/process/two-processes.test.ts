import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newTenant, startService } from '../support/process/service-process.ts'
import { withinTwoSeconds } from '../support/process/wait-until.ts'
import { freePort } from '../support/transport/free-port.ts'

test('two processes on one SQLite file: one of 20 concurrent refreshes succeeds, and a logout at one revokes at both', async (t) => {
  const first = await startService(t)
  const BASE_URL = `http://localhost:${first.settings.PORT}`
  const second = await startService(t, {
    ...first.settings,
    BASE_URL,
    PORT: String(await freePort()),
  })
  const tenant = await newTenant(first)
  const there = tenant.at(second.agent)
  const { refresh_token, access_token } = await tenant.signIn(first.browser())
  assert.equal(await there.isValid(access_token), true)

  const responses = await Promise.all(
    Array.from({ length: 20 }, (_, index) =>
      (index % 2 === 0 ? tenant : there).edge('refresh', { refresh_token }),
    ),
  )
  const won = responses.filter(({ status }) => status === 200)
  assert.equal(won.length, 1)
  for (const { status, json } of responses) {
    if (status !== 200) {
      assert.equal(json.error.code, 'refreshTokenSuperseded')
    }
  }
  const pair = won[0]?.json
  for (const each of [tenant, there]) {
    assert.equal(await each.isValid(pair.access_token), true)
    await withinTwoSeconds(
      'the old token is invalid',
      async () => !(await each.isValid(access_token)),
    )
  }
  await there.edge('logout', { refresh_token: pair.refresh_token })
  await withinTwoSeconds(
    'the logout is applied here too',
    async () => !(await tenant.isValid(pair.access_token)),
  )
  assert.deepEqual(await tenant.eventKinds(), [
    'login_started',
    'authorize',
    'token_refreshed',
    'logout',
  ])
})
