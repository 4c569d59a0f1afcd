import assert from 'node:assert/strict'
import { test } from 'node:test'
import { OpenIdApp } from '../support/actors/openid-app.ts'
import { ENGINES } from '../support/postgres/engines.ts'
import { world } from '../support/world.ts'

for (const engine of ENGINES) {
  // proves C399, C408
  test(`[${engine}] an OpenID library signs a user in, reads the user, refreshes and logs out, with exactly our events`, async (t) => {
    const service = await world(t, { engine })
    const app = new OpenIdApp(service, await service.agent.createTenant())

    const { callback, state, nonce, tokens, claims } = await app.signIn(service.browser())
    assert.deepEqual([...callback.searchParams.keys()], ['code', 'state', 'iss'])
    assert.equal(callback.searchParams.get('state'), state)
    assert.equal(callback.searchParams.get('iss'), app.issuer)

    const { access_token, refresh_token, id_token, ...others } = tokens
    assert.deepEqual(others, {
      token_type: 'Bearer',
      expires_in: 3_600,
      scope: 'openid profile email',
    })
    const now = Math.floor(service.clock.now() / 1_000)
    const { sid, picture, ...known } = claims
    assert.deepEqual(known, {
      iss: app.issuer,
      sub: `${app.tenant.id}|1`,
      aud: app.tenant.id,
      auth_time: now,
      email: 'ada@example.com',
      email_verified: true,
      name: 'Ada Lovelace',
      nonce,
      iat: now,
      exp: now + 3_600,
    })

    const user = await app.userInfo(access_token)
    assert.deepEqual(user.json, {
      sub: `${app.tenant.id}|1`,
      email: 'ada@example.com',
      email_verified: true,
      name: 'Ada Lovelace',
      picture,
    })

    service.clock.advance({ minutes: 30 })
    const refreshed = await app.refresh(refresh_token)
    assert.equal(refreshed.status, 200, refreshed.text)
    const later = await app.verify(refreshed.json.id_token)
    assert.deepEqual(
      [later.sub, later.sid, later.auth_time, later.nonce, later.exp],
      [claims.sub, sid, now, undefined, now + 1_800 + 3_600],
    )

    const browser = service.browser()
    const back = `${new URL(app.redirectUri).origin}/bye`
    const ended = await browser.open(
      `${app.issuer}/oauth/logout?${new URLSearchParams({
        id_token_hint: id_token,
        post_logout_redirect_uri: back,
        state: 'x y',
      })}`,
    )
    assert.equal(ended.href, `${back}?state=x+y`)
    assert.equal((await app.userInfo(refreshed.json.access_token)).status, 401)
    assert.equal((await app.refresh(refreshed.json.refresh_token)).json.error, 'invalid_grant')

    assert.deepEqual(await app.tenant.eventKinds(), [
      'login_started',
      'authorize',
      'token_refreshed',
      'logout',
    ])
  })
}
