import assert from 'node:assert/strict'
import path from 'node:path'
import { type TestContext, test } from 'node:test'
import type { Scope } from '@gatehouse-auth/contract'
import { ApiError } from '../../src/domain/api-error.ts'
import type { Subject } from '../../src/domain/oauth/grant.ts'
import { decideApproval, readDecision } from '../../src/operations/oauth/approvals.ts'
import { type Browser, shownError } from '../support/actors/browser.ts'
import { csrfOf } from '../support/actors/csrf.ts'
import { OAuthClient, tokensOf } from '../support/actors/oauth-client.ts'
import { ENGINES, type Engine, sqliteOnly } from '../support/postgres/engines.ts'
import { type World, world } from '../support/world.ts'

interface ConsentPage {
  readonly here: World
  readonly client: OAuthClient
  readonly user: Browser
  /** Presses a button of the page as it was shown, with the cookies that the browser had then. */
  press(
    decision: 'allow' | 'guest' | 'deny',
    options?: { readonly by?: Browser; readonly scopes?: readonly string[]; readonly at?: World },
  ): Promise<Response>
}

async function consentPage(
  t: TestContext,
  engine: Engine,
  { signedIn = true } = {},
): Promise<ConsentPage> {
  const here = await world(t, { engine })
  const client = await OAuthClient.register(here)
  const user = here.browser()
  if (signedIn) {
    await client.open(user)
  } else {
    await user.open(client.authorizeUrl())
  }
  const { url } = user.page
  const csrf = csrfOf(user)
  const Cookie = user.cookies.header({ url, method: 'POST', sameSite: true }) ?? ''
  return {
    here,
    client,
    user,
    async press(
      decision,
      { by = here.browser({ Cookie }), scopes = ['mcp:tenant:read'], at = here } = {},
    ) {
      const response = await by.request(new URL(url.pathname, at.agent.baseUrl), {
        method: 'POST',
        body: new URLSearchParams({
          csrf,
          decision,
          ...Object.fromEntries(scopes.map((scope) => [scope, 'yes'])),
        }),
        headers: { Accept: 'text/html' },
      })
      // Without a scope, no cookie keeps the error: the page itself says that the request was decided.
      return shownError(scopes.length === 0 ? user : by, response, at.agent.baseUrl)
    },
  }
}

const locationOf = (response: Response): URL => {
  assert.equal(response.status, 303)
  return new URL(response.headers.get('location') ?? '')
}

const assertOver = (response: Response): void =>
  assert.deepEqual([response.status, response.headers.get('location')], [410, null])

const isOver = (error: unknown): boolean => error instanceof ApiError && error.code === 'loginOver'

for (const engine of ENGINES) {
  // proves C115
  test(`[${engine}] pressing Allow again within a minute redirects to the client with the same code, and grants once`, async (t) => {
    const { here, client, press } = await consentPage(t, engine)
    const first = locationOf(await press('allow'))
    const code = client.codeIn(first)
    here.clock.advance({ seconds: 59 })
    const all = await Promise.all([press('allow'), press('allow'), press('allow')])
    assert.deepEqual(
      new Set(all.map((response) => locationOf(response).href)),
      new Set([first.href]),
    )

    assert.equal(tokensOf(await client.exchange(code)).scope, 'mcp:tenant:read')
    const grants = await here.app.ctx.stores.oauthGrants.listByAccount(1, here.clock.now())
    assert.equal(grants.length, 1)
  })

  test(`[${engine}] ten concurrent presses of Continue as guest redirect with the same code, and grant to one guest`, async (t) => {
    const { client, press } = await consentPage(t, engine, { signedIn: false })
    const responses = await Promise.all(Array.from({ length: 10 }, () => press('guest')))
    const [first, ...others] = new Set(responses.map((response) => locationOf(response).href))
    assert.deepEqual(others, [])
    const cookies = new Set(responses.map(({ headers }) => headers.getSetCookie().join()))
    assert.equal(cookies.size, 1, 'the browser gets the same guest cookie from every response')
    const tokens = tokensOf(await client.exchange(client.codeIn(new URL(first ?? ''))))
    assert.equal(tokens.principal_type, 'guest')
  })

  test(`[${engine}] pressing Deny again within a minute redirects to the client with access_denied`, async (t) => {
    const { here, press } = await consentPage(t, engine)
    const responses = await Promise.all([press('deny'), press('deny'), press('deny')])
    const locations = responses.map(locationOf)
    assert.deepEqual(
      locations.map(({ searchParams }) => searchParams.get('error')),
      ['access_denied', 'access_denied', 'access_denied'],
    )
    assert.equal(new Set(locations.map(({ href }) => href)).size, 1)
    assert.deepEqual(await here.app.ctx.stores.oauthGrants.listByAccount(1, here.clock.now()), [])
    here.clock.advance({ seconds: 60 })
    assertOver(await press('deny'))
  })

  test(`[${engine}] a decision that is repeated from another browser is refused, also without the checks of the page`, async (t) => {
    const { here, user, press } = await consentPage(t, engine)
    const approvalId = path.basename(user.page.url.pathname)
    locationOf(await press('deny'))
    for (const id of [approvalId, 'A'.repeat(43)]) {
      const repeat = {
        approvalId: id,
        browser: 'another browser',
        decision: { allow: false },
      } as const
      await assert.rejects(decideApproval(here.app.ctx, repeat), isOver)
    }
  })

  test(`[${engine}] Allow that is repeated by another account or a guest of the same browser returns no code`, async (t) => {
    const { here, user, press } = await consentPage(t, engine)
    const { url } = user.page
    const location = locationOf(await press('allow'))
    const cookies = user.cookies.header({ url, method: 'POST', sameSite: true }) ?? ''
    const allowBy = (subject: Subject): Promise<string> =>
      decideApproval(here.app.ctx, {
        approvalId: path.basename(url.pathname),
        browser: /gatehouse_browser=([\w-]+)/.exec(cookies)?.[1] ?? '',
        decision: { allow: true, subject, scopes: ['mcp:tenant:read'] },
      })
    assert.equal(await allowBy({ kind: 'account', accountId: 1 }), location.href)
    await assert.rejects(allowBy({ kind: 'account', accountId: 2 }), isOver)
    await assert.rejects(allowBy({ kind: 'guest', guestHash: 'a guest' }), isOver)
  })

  test(`[${engine}] another decision, other scopes, another browser and a press after a minute are refused`, async (t) => {
    const { here, client, press } = await consentPage(t, engine)
    const code = client.codeIn(locationOf(await press('allow')))
    for (const decision of ['deny', 'guest'] as const) {
      assertOver(await press(decision))
    }
    for (const scopes of [[], ['mcp:tenants:create'], ['mcp:tenant:read', 'mcp:tenants:create']]) {
      assertOver(await press('allow', { scopes }))
    }
    const stranger = here.browser()
    await client.open(stranger, {}, 'Grace Hopper')
    assert.equal((await press('allow', { by: stranger })).status, 403)

    here.clock.advance({ seconds: 60 })
    assertOver(await press('allow'))
    assert.equal((await client.exchange(code)).status, 400, 'the code has expired')
  })

  test(`[${engine}] pressing Deny and then Allow grants nothing`, async (t) => {
    const { here, press } = await consentPage(t, engine)
    locationOf(await press('deny'))
    assertOver(await press('allow'))
    assert.deepEqual(await here.app.ctx.stores.oauthGrants.listByAccount(1, here.clock.now()), [])
  })

  test(`[${engine}] after the client has used the code, pressing Allow again returns no code and revokes nothing`, async (t) => {
    const { client, press } = await consentPage(t, engine)
    const code = client.codeIn(locationOf(await press('allow')))
    const tokens = tokensOf(await client.exchange(code))
    assertOver(await press('allow'))
    assert.equal((await client.refresh(tokens.refresh_token)).status, 200, 'the grant is kept')
  })

  test(`[${engine}] Allow pressed at the last moment of a request can be repeated for a minute`, async (t) => {
    const { here, client, press } = await consentPage(t, engine)
    here.clock.advance({ minutes: 9, seconds: 59 })
    const first = locationOf(await press('allow'))
    here.clock.advance({ seconds: 59 })
    await here.app.sweep()
    assert.equal(locationOf(await press('allow')).href, first.href)
    assert.equal((await client.exchange(client.codeIn(first))).status, 200)
  })
}

test('a guest’s decision is repeated by the same guest only, also with a new master key, and shown until its code expires', async (t) => {
  const keys = `1:${'A'.repeat(43)}`
  const here = await world(t, { env: { SERVICE_KEYS: keys } })
  const client = await OAuthClient.register(here)
  const user = here.browser()
  await user.open(client.authorizeUrl())
  const { url } = user.page
  const cookies = user.cookies.header({ url, method: 'POST', sameSite: true }) ?? ''
  const browser = /gatehouse_browser=([\w-]+)/.exec(cookies)?.[1] ?? ''
  const approvalId = path.basename(url.pathname)
  const allow = (
    { app }: World,
    guestHash: string,
    scopes: readonly Scope[] = ['mcp:tenant:read'],
  ) =>
    decideApproval(app.ctx, {
      approvalId,
      browser,
      decision: { allow: true, subject: { kind: 'guest', guestHash }, scopes },
    })
  await assert.rejects(allow(here, 'one', []), { code: 'invalidRequest' })
  const location = await allow(here, 'one')
  await here.stop()
  const rotated = await world(t, {
    like: here,
    env: { SERVICE_KEYS: `2:${'B'.repeat(43)},${keys}` },
  })
  assert.equal(await allow(rotated, 'one'), location)
  await assert.rejects(allow(rotated, 'another'), isOver)
  const shown = async () => (await readDecision(rotated.app.ctx, { approvalId, browser })).location
  assert.equal(await shown(), location)
  here.clock.advance({ seconds: 60 })
  assert.equal(await shown(), null)
})

test('two presses of Allow at two instances redirect with the same code, and grant once', {
  skip: sqliteOnly,
}, async (t) => {
  const { here, client, press } = await consentPage(t, 'postgres')
  const other = await world(t, { like: here })
  const responses = await Promise.all([
    press('allow'),
    press('allow', { at: other }),
    press('allow', { at: other }),
  ])
  const locations = new Set(responses.map((response) => locationOf(response).href))
  assert.equal(locations.size, 1)
  const [location = ''] = locations
  assert.equal((await client.exchange(client.codeIn(new URL(location)))).status, 200)
  assert.equal((await here.app.ctx.stores.oauthGrants.listByAccount(1, here.clock.now())).length, 1)
})
