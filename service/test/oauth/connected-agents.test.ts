import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isAccessTokenValid } from '../support/actors/access-token.ts'
import { csrfOf } from '../support/actors/csrf.ts'
import { OAuthClient } from '../support/actors/oauth-client.ts'
import { ENGINES } from '../support/postgres/engines.ts'
import { world } from '../support/world.ts'

for (const engine of ENGINES) {
  // proves ASVS 10.4.9
  test(`[${engine}] an owner sees each connected agent with its scopes and last use, and revokes it with one button`, async (t) => {
    const here = await world(t, { engine })
    const ada = here.browser()
    const grace = here.browser()
    const client = await OAuthClient.register(here, { client_name: 'Claude Code' })
    const tokens = await client.connect(ada, { scope: 'mcp:tenant:read' })
    const hers = await client.connect(grace, {}, 'Grace Hopper')
    const guests = await client.exchange(await client.guestCode(ada))

    here.clock.advance({ minutes: 30 })
    await isAccessTokenValid(here, tokens.access_token)
    here.clock.advance({ minutes: 10 })
    await ada.open(`${here.baseUrl}/account`)
    const [, agents = ''] = ada.page.text.split('Connected agents')
    assert.equal(
      agents.match(/Claude Code/g)?.length,
      1,
      'not the guest grant, not that of another owner',
    )
    assert.match(agents, /Last used 10 minutes ago/)
    assert.match(agents, /Allowed 40 minutes ago/)
    assert.match(agents, /See the status of its projects/)
    assert.doesNotMatch(agents, /Create projects/)

    await ada.press('Revoke')
    assert.match(ada.page.text, /Access revoked/)
    assert.match(ada.page.text, /No agents connected/)
    assert.equal(await isAccessTokenValid(here, tokens.access_token), false)
    assert.equal((await client.refresh(tokens.refresh_token)).status, 400)
    assert.equal(await isAccessTokenValid(here, hers.access_token), true)
    assert.equal(await isAccessTokenValid(here, guests.json.access_token), true)
  })

  test(`[${engine}] a grant can be revoked only by its own account and from the account page`, async (t) => {
    const here = await world(t, { engine })
    const ada = here.browser()
    const eve = here.browser()
    const client = await OAuthClient.register(here)
    const tokens = await client.connect(ada)
    await client.connect(eve, {}, 'Alan Turing')
    await ada.open(`${here.baseUrl}/account`)
    const grant = /name="grant" value="(\d+)"/.exec(ada.page.text)?.[1] ?? ''
    await eve.open(`${here.baseUrl}/account`)
    const csrf = csrfOf(eve)
    const send = (browser = eve, body: Record<string, string>) =>
      browser.request('/account/agents/revoke', { method: 'POST', body: new URLSearchParams(body) })
    assert.equal((await send(eve, { csrf, grant })).status, 303)
    assert.equal((await send(eve, { csrf, grant: 'x' })).status, 303)
    assert.equal((await send(ada, { csrf, grant })).status, 403)
    assert.equal((await send(ada, { grant })).status, 403)
    assert.equal(
      (await send(here.browser(), { csrf, grant }).catch(() => ({ status: 303 }))).status,
      303,
    )
    assert.equal(await isAccessTokenValid(here, tokens.access_token), true)
  })
}

test('last use is stored at most once a minute', async (t) => {
  const here = await world(t)
  const client = await OAuthClient.register(here)
  const tokens = await client.connect(here.browser())
  const began = here.clock.now()
  const lastUse = async () =>
    (await here.app.ctx.stores.oauthGrants.listByAccount(1, here.clock.now()))[0]?.lastUsedAt
  for (const [seconds, expected] of [
    [30, 0],
    [29, 0],
    [1, 60],
    [59, 60],
    [1, 120],
  ] as const) {
    here.clock.advance({ seconds })
    await isAccessTokenValid(here, tokens.access_token)
    assert.equal(await lastUse(), began + expected * 1_000)
  }
})
