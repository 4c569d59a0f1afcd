import assert from 'node:assert/strict'
import { test } from 'node:test'
import { replaceKeys } from '../../src/operations/tenants/keys.ts'
import { signInToAccount } from '../support/actors/account.ts'
import { claim } from '../support/actors/claim.ts'
import { csrfOf } from '../support/actors/csrf.ts'
import { ENGINES } from '../support/postgres/engines.ts'
import { world } from '../support/world.ts'

for (const engine of ENGINES) {
  test(`[${engine}] an owner cannot see, change or delete another owner's project`, async (t) => {
    const { agent, browser, baseUrl } = await world(t, { engine })
    const tenant = await agent.createTenant()
    const { access_token } = await tenant.signIn(browser())
    const ada = browser()
    await claim(tenant, ada)
    const grace = await signInToAccount(baseUrl, browser(), 'Grace Hopper')
    const csrf = csrfOf(grace)
    for (const tab of ['', '/users', '/sessions', '/settings', '/keys', '/keys/new', '/danger']) {
      await grace.open(`${baseUrl}/account/projects/${tenant.id}${tab}`)
      assert.equal(grace.page.status, 404, tab)
    }
    for (const id of [tenant.id, 'swift-fox-running-k3qd7', 'x']) {
      await grace.open(`${baseUrl}/account/deletions/${id}`)
      assert.equal(grace.page.status, 404, id)
    }
    for (const [path, field] of [
      ['keys/replace', 'x'],
      ['danger/delete', 'confirm'],
      ['sessions/end', 'session'],
    ] as const) {
      const body = new URLSearchParams({ csrf, [field]: field === 'confirm' ? tenant.id : '1' })
      const response = await grace.request(`${baseUrl}/account/projects/${tenant.id}/${path}`, {
        method: 'POST',
        body,
      })
      assert.equal(response.status, 404, path)
    }
    assert.equal(await tenant.isValid(access_token), true)
    assert.equal((await tenant.status()).status, 'claimed')
  })

  test(`[${engine}] replaced keys work immediately, and the old ones for 24 more hours`, async (t) => {
    const { agent, browser, baseUrl, clock } = await world(t, { engine })
    const tenant = await agent.createTenant()
    const owner = browser()
    await claim(tenant, owner)
    await owner.press('Replace the keys')
    const key = /coh_management_key=(svc_man_\w+)/.exec(owner.page.text)?.[1] ?? ''
    const status = async (bearer: string): Promise<number> =>
      (await tenant.call('GET', '/api/status', bearer)).status
    assert.deepEqual([await status(key), await status(tenant.key)], [200, 200])
    clock.advance({ hours: 23, minutes: 59, seconds: 59 })
    assert.deepEqual([await status(key), await status(tenant.key)], [200, 200])
    clock.advance({ seconds: 1 })
    assert.deepEqual([await status(key), await status(tenant.key)], [200, 401])
    await owner.open(`${baseUrl}/account/projects/${tenant.id}`)
    assert.doesNotMatch(owner.page.text, /svc_man_\w/, 'the new keys are shown once')
  })
}

// proves ASVS 7.4.5
test("an owner ends one user's session and no other", async (t) => {
  const { agent, browser, baseUrl } = await world(t)
  const tenant = await agent.createTenant()
  const first = await tenant.signIn(browser(), 'Ada Lovelace')
  const second = await tenant.signIn(browser(), 'Grace Hopper')
  const owner = browser()
  await claim(tenant, owner, 'Alan Turing')
  await owner.open(`${baseUrl}/account/projects/${tenant.id}/sessions`)
  const sessions = [...owner.page.text.matchAll(/name="session" value="(\d+)"/g)].map(
    (match) => match[1] ?? '',
  )
  assert.equal(sessions.length, 2)
  const oldest = String(Math.min(...sessions.map(Number)))
  await owner.request(`${baseUrl}/account/projects/${tenant.id}/sessions/end`, {
    method: 'POST',
    body: new URLSearchParams({ csrf: csrfOf(owner), session: oldest }),
  })
  assert.deepEqual(
    [await tenant.isValid(first.access_token), await tenant.isValid(second.access_token)],
    [false, true],
  )
})

test('deleting a project requires its typed name and removes everything', async (t) => {
  const { agent, browser, baseUrl } = await world(t)
  const tenant = await agent.createTenant()
  const { access_token, refresh_token } = await tenant.signIn(browser())
  const owner = browser()
  await claim(tenant, owner)
  await owner.open(`${baseUrl}/account/projects/${tenant.id}/danger`)
  await owner.press('Delete', { confirm: 'something else' })
  assert.equal(owner.page.status, 400)
  assert.equal(await tenant.isValid(access_token), true)

  await owner.press('Delete', { confirm: tenant.id })
  assert.match(owner.page.text, /Project deleted/)
  assert.equal((await tenant.edge('verify', { access_token })).status, 410)
  assert.equal((await tenant.edge('refresh', { refresh_token })).status, 410)
  assert.equal(
    (await tenant.manage('GET', '/api/social-login/users')).json.error.code,
    'tenantExpired',
  )
  await owner.open(`${baseUrl}/account`)
  assert.ok(!owner.page.text.includes(tenant.id))
  assert.equal((await tenant.manage('POST', '/api/claim/url')).status, 410)
})

test('keys that were replaced twice since a page was opened are not replaced by it, though its own are still valid', async (t) => {
  const { agent, app } = await world(t)
  const { id } = await agent.createTenant()
  const tenant = (await app.ctx.stores.tenants.find(id)) ?? assert.fail('it exists')
  const author = { actor: 'operator', requestId: 'test' } as const
  const press = (generation: number): Promise<boolean> =>
    replaceKeys(app.ctx, {
      tenant,
      replacement: 'overlap',
      generation,
      secrets: (text) => [text],
      author,
    })
  assert.deepEqual(
    [await press(0), await press(0), await press(1), await press(0)],
    [true, true, true, false],
  )
})
