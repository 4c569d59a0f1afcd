import assert from 'node:assert/strict'
import { test } from 'node:test'
import { authenticateBearer } from '../../src/operations/oauth/tokens.ts'
import { csrfOf } from '../support/actors/csrf.ts'
import { OAuthClient, tokensOf } from '../support/actors/oauth-client.ts'
import { ENGINES } from '../support/postgres/engines.ts'
import { world } from '../support/world.ts'

for (const engine of ENGINES) {
  test(`[${engine}] a guest needs no account, is the same guest in the same browser, and never becomes an account`, async (t) => {
    const here = await world(t, { engine })
    const { ctx } = here.app
    const client = await OAuthClient.register(here)
    const guest = here.browser()
    const tokens = tokensOf(await client.exchange(await client.guestCode(guest)))
    assert.equal(tokens.principal_type, 'guest')
    const grant = await authenticateBearer(ctx, tokens.access_token)
    const cookie = guest.cookies.list().find(({ name }) => name === 'gatehouse_guest')
    assert.ok(cookie?.httpOnly && cookie.sameSite === 'lax')
    assert.deepEqual(grant.subject, {
      kind: 'guest',
      guestHash: ctx.keyring.hash('guest', cookie.value),
    })

    const again = tokensOf(await client.exchange(await client.guestCode(guest)))
    assert.deepEqual((await authenticateBearer(ctx, again.access_token)).subject, grant.subject)
    const otherGuest = tokensOf(await client.exchange(await client.guestCode(here.browser())))
    assert.notDeepEqual(
      (await authenticateBearer(ctx, otherGuest.access_token)).subject,
      grant.subject,
    )

    // Signing in later, in the same browser and for the same client, creates another grant and leaves this one unchanged.
    const owned = await client.connect(guest)
    assert.equal(owned.principal_type, 'account')
    assert.equal((await authenticateBearer(ctx, tokens.access_token)).subject.kind, 'guest')
    const next = tokensOf(await client.refresh(tokens.refresh_token))
    assert.equal(next.principal_type, 'guest')
    assert.deepEqual((await authenticateBearer(ctx, next.access_token)).subject, grant.subject)
  })
}

test('a guest decision requires the page’s own CSRF token and origin', async (t) => {
  const here = await world(t)
  const client = await OAuthClient.register(here)
  const guest = here.browser()
  const shownCsrf = async () => {
    await guest.open(client.authorizeUrl())
    return csrfOf(guest)
  }
  const foreign = await shownCsrf()
  const csrf = await shownCsrf()
  const { url } = guest.page
  for (const path of ['', '/sign-in', '/switch']) {
    for (const decision of ['guest', 'deny']) {
      const send = (token: string, headers: Record<string, string> = {}) =>
        guest.request(url + path, {
          method: 'POST',
          body: new URLSearchParams({ csrf: token, 'mcp:tenant:read': 'yes', decision }),
          headers,
        })
      for (const wrong of ['', 'x', foreign]) {
        assert.equal((await send(wrong)).status, 403)
      }
      assert.equal((await send(csrf, { 'Sec-Fetch-Site': 'cross-site' })).status, 403)
    }
  }
  client.codeIn(await guest.press('Continue as guest'))
})

test('a signed-in user can continue as a guest', async (t) => {
  const here = await world(t)
  const client = await OAuthClient.register(here)
  const user = here.browser()
  await client.open(user)
  const code = client.codeIn(await user.press('Continue as guest'))
  assert.equal(tokensOf(await client.exchange(code)).principal_type, 'guest')
})

test('a client that requires an account cannot get a guest grant', async (t) => {
  const here = await world(t)
  const client = await OAuthClient.register(here)
  const user = here.browser()
  await user.open(client.authorizeUrl({ account_required: 'true' }))
  assert.doesNotMatch(user.page.text, /guest/i)
  const csrf = csrfOf(user)
  const { url } = user.page
  const forced = await user.request(url, {
    method: 'POST',
    body: new URLSearchParams({ csrf, 'mcp:tenant:read': 'yes', decision: 'guest' }),
  })
  assert.equal(forced.status, 400)
  await user.press('Sign in with Google')
  await user.press('Ada Lovelace')
  assert.doesNotMatch(user.page.text, /guest/i)
  const tokens = tokensOf(await client.exchange(client.codeIn(await user.press('Allow'))))
  assert.equal(tokens.principal_type, 'account')
})
