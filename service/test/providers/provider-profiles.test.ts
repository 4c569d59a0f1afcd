import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { CALLBACK, type Tenant } from '../support/actors/agent.ts'
import {
  ADA,
  CLIENT_ID,
  json,
  type ScriptedProvider,
  scriptedProvider,
  tokens,
} from '../support/faults/scripted-provider.ts'
import { ENGINES, type Engine } from '../support/postgres/engines.ts'
import { type World, world } from '../support/world.ts'

interface Scene {
  readonly service: World
  readonly tenant: Tenant
  /** Completes a login with this userinfo response. */
  signInWith(
    userinfo: Readonly<Record<string, unknown>>,
  ): Promise<{ readonly callbackUrl: URL; readonly text: string }>
}

async function scene(t: TestContext, engine: Engine): Promise<Scene> {
  const provider: ScriptedProvider = await scriptedProvider(t)
  const google = {
    GOOGLE_CLIENT_ID: CLIENT_ID,
    GOOGLE_CLIENT_SECRET: 'a-client-secret',
    GOOGLE_ISSUER: provider.issuer,
  }
  const service = await world(t, { engine, env: google })
  const tenant = await service.agent.createTenant()
  return {
    service,
    tenant,
    async signInWith(userinfo) {
      service.clock.advance({ minutes: 1 })
      const browser = service.browser()
      const request = (await browser.open(tenant.loginUrl)).searchParams
      // The provider uses the system clock, so its ID token is always valid.
      const sub = typeof userinfo.sub === 'string' ? userinfo.sub : ADA.sub
      provider.script('/token', json(tokens(provider.issuer, { nonce: request.get('nonce'), sub })))
      provider.script('/userinfo', json(userinfo))
      const back = new URL('/auth/google/callback', service.baseUrl)
      back.search = new URLSearchParams({ code: 'x', state: request.get('state') ?? '' }).toString()
      await browser.open(back)
      const callbackUrl =
        browser.page.status === 200
          ? await browser.press('Continue')
          : locationOf(browser.page.headers)
      return { callbackUrl, text: browser.page.text }
    },
  }
}

const locationOf = (headers: Headers): URL => new URL(headers.get('location') ?? 'about:blank')

for (const engine of ENGINES) {
  test(`[${engine}] a login fails unless the provider's profile has one valid, verified email address`, async (t) => {
    const { tenant, signInWith } = await scene(t, engine)
    const cases: readonly [change: Readonly<Record<string, unknown>>, errorCode: string][] = [
      [{ email_verified: false }, 'email_unverified'],
      [{ email_verified: 'false' }, 'email_unverified'],
      [{ email_verified: 'true' }, 'email_unverified'],
      [{ email_verified: 1 }, 'email_unverified'],
      [{ email_verified: {} }, 'email_unverified'],
      [{ email_verified: null }, 'email_unverified'],
      [{ email_verified: undefined }, 'email_unverified'],
      [{ email: 'ada@example.com@evil.test' }, 'email_invalid'],
      [{ email: 'ada＠example.com' }, 'email_invalid'],
      [{ email: 'ada@example.com\r\nBcc: x@evil.test' }, 'email_invalid'],
      [{ email: 'ada@example.com\u0000' }, 'email_invalid'],
      [{ email: 'ada\u200b@example.com' }, 'email_invalid'],
      [{ email: '\u202eada@example.com' }, 'email_invalid'],
      [{ email: ['ada@example.com'] }, 'email_missing'],
      [{ email: '' }, 'email_missing'],
    ]
    for (const [change, errorCode] of cases) {
      const { callbackUrl } = await signInWith({ ...ADA, ...change })
      assert.equal(callbackUrl.href, `${CALLBACK}?error=login_failed`, JSON.stringify(change))
      const last = (await tenant.events()).at(-1)
      assert.equal(last?.event, 'login_failed')
      assert.deepEqual(
        last.metadata,
        { stage: 'userinfo', error_code: errorCode },
        JSON.stringify(change),
      )
      assert.deepEqual([last.user_id, last.email], [null, null])
    }
    assert.deepEqual(await tenant.users(), [])
  })

  // proves S002, ASVS 10.3.3
  test(`[${engine}] users with equal or similar email addresses but different subjects stay separate`, async (t) => {
    const { tenant, signInWith } = await scene(t, engine)
    const identities = [
      { sub: '1', email: 'ada@example.com' },
      { sub: '2', email: 'ada@example.com' },
      { sub: '3', email: 'ADA@example.com' },
      { sub: '4', email: 'аda@example.com' },
      { sub: '1 ', email: 'ada@example.com' },
      { sub: '01', email: 'ada@example.com' },
    ]
    for (const identity of identities) {
      const { callbackUrl } = await signInWith({ ...ADA, ...identity })
      assert.ok(callbackUrl.searchParams.has('access_token'), identity.sub)
    }
    const ids = (await tenant.users()).map(({ id }) => id)
    assert.equal(new Set(ids).size, identities.length)
    await signInWith({ ...ADA, sub: '1', email: 'changed@example.com' })
    const users = await tenant.users()
    assert.deepEqual(
      users.map(({ id }) => id),
      ids,
    )
    assert.equal(users[0]?.email, 'changed@example.com')
  })

  test(`[${engine}] a hostile name or picture URL from the provider is neutralized`, async (t) => {
    const { service, tenant, signInWith } = await scene(t, engine)
    const name = '"><script>alert(1)</script>\r\nSet-Cookie: a=b\u202e\u0000 {{7*7}}'
    for (const picture of [
      'javascript:alert(1)',
      'data:image/svg+xml,<svg onload=alert(1)>',
      'http://evil.test/x.png',
    ]) {
      const { callbackUrl } = await signInWith({ ...ADA, sub: picture, name, picture })
      const response = await tenant.edge('verify', {
        access_token: callbackUrl.searchParams.get('access_token'),
      })
      assert.equal(response.json.user.picture, null, picture)
      assert.doesNotMatch(response.json.user.name, /[\p{Cc}\p{Bidi_Control}]/u)
      assert.deepEqual([...callbackUrl.searchParams.keys()], ['access_token', 'refresh_token'])
    }
    assert.ok(!service.logLines.join('').includes('alert(1)'))
  })
}
