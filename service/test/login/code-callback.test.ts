import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Refusal } from '@gatehouse-auth/contract'
import type { z } from 'zod'
import { OutcomeUnknown } from '../../src/domain/api-error.ts'
import type { Pair, Tenant } from '../support/actors/agent.ts'
import { assertApiError, problemPaths } from '../support/actors/api-error.ts'
import { claim } from '../support/actors/claim.ts'
import { csrfOf } from '../support/actors/csrf.ts'
import {
  challengeOf,
  codeQuery,
  exchange,
  newVerifier,
  signInForCode,
} from '../support/actors/login-code.ts'
import { startLogin } from '../support/actors/login-start.ts'
import { ENGINES, sqliteOnly } from '../support/postgres/engines.ts'
import { world } from '../support/world.ts'

async function exchanged(
  tenant: Tenant,
  login: Parameters<typeof exchange>[1],
  key?: string,
): Promise<Pair> {
  const response = await exchange(tenant, login, key)
  assert.equal(response.status, 200, response.text)
  assert.deepEqual(Object.keys(response.json), ['access_token', 'refresh_token'])
  return response.json
}

const refused = async (
  tenant: Tenant,
  login: Parameters<typeof exchange>[1],
  key?: string,
): Promise<void> => assertApiError(await exchange(tenant, login, key), 'invalidCode')

for (const engine of ENGINES) {
  // proves C216
  test(`[${engine}] a login with a challenge returns a code and no tokens, and the session starts at the exchange`, async (t) => {
    const { agent, browser, app } = await world(t, { engine })
    const tenant = await agent.createTenant()
    const login = await signInForCode(tenant, browser(), 'Ada Lovelace', '&return_to=/notes')
    const { callbackUrl, code, verifier } = login
    assert.deepEqual([...callbackUrl.searchParams.keys()], ['code', 'return_to'])
    assert.equal(callbackUrl.searchParams.get('return_to'), '/notes')
    assert.match(code, new RegExp(`^svc_ac_${challengeOf(verifier).slice(0, 8)}_[\\w-]{43}$`))
    const resource = await app.ctx.stores.resources.findActive(tenant.id)
    assert.ok(resource !== null)
    const sessions = (): Promise<number> =>
      app.ctx.stores.sessions.countActive(resource, app.ctx.now())
    assert.equal(await sessions(), 0, 'no session before the exchange')
    assert.deepEqual(await tenant.eventKinds(), ['login_started', 'authorize'])

    const pair = await exchanged(tenant, login)
    assert.equal(await sessions(), 1)
    assert.equal(await tenant.isValid(pair.access_token), true)
    await tenant.refresh(pair.refresh_token)
    assert.deepEqual(
      await tenant.eventKinds(),
      ['login_started', 'authorize', 'token_refreshed'],
      'no extra event',
    )
    assert.equal((await tenant.status()).usage.events_lifetime.used, 3)
  })

  test(`[${engine}] a denied login returns the same error with a challenge as without`, async (t) => {
    const { agent, browser } = await world(t, { engine })
    const tenant = await agent.createTenant()
    const user = browser()
    await user.open(tenant.loginUrl + codeQuery(newVerifier()))
    await user.press('Ada Lovelace')
    assert.equal((await user.press('Cancel')).search, '?error=access_denied')
  })

  // proves C217
  test(`[${engine}] a code is valid for 60 seconds`, async (t) => {
    const { agent, browser, clock, app } = await world(t, { engine })
    const tenant = await agent.createTenant()
    const inTime = await signInForCode(tenant, browser())
    clock.advance({ seconds: 59 })
    await exchanged(tenant, inTime)
    clock.advance({ seconds: 1 })
    const late = await signInForCode(tenant, browser())
    clock.advance({ seconds: 60 })
    await refused(tenant, late)
    assert.deepEqual(await tenant.eventKinds(), [
      'login_started',
      'authorize',
      'login_started',
      'authorize',
    ])

    clock.advance({ minutes: 11 })
    await app.sweep()
    await refused(tenant, inTime)
    assert.equal(
      (await tenant.eventKinds()).includes('logout'),
      false,
      'a swept code ends no session',
    )
  })

  // proves C218, RFC 9700 4.5
  test(`[${engine}] a wrong verifier gets no tokens, and five wrong ones use the code up`, async (t) => {
    const { agent, browser, clock } = await world(t, { engine })
    const tenant = await agent.createTenant()
    const login = await signInForCode(tenant, browser())
    const { code } = login
    for (const verifier of [
      newVerifier(),
      '',
      challengeOf(login.verifier),
      login.verifier.slice(1),
    ]) {
      await refused(tenant, { code, verifier })
    }
    const kept = await exchanged(tenant, login)
    assert.equal(await tenant.isValid(kept.access_token), true, 'four wrong ones consume nothing')

    clock.advance({ minutes: 1 })
    const guessed = await signInForCode(tenant, browser())
    for (let guess = 0; guess < 5; guess++) {
      await refused(tenant, { code: guessed.code, verifier: newVerifier() })
    }
    await refused(tenant, guessed)
    assert.equal(await tenant.isValid(kept.access_token), true)
    assert.equal((await tenant.eventKinds()).includes('logout'), false)
  })

  // proves C217, S003, RFC 9700 4.5
  test(`[${engine}] a second use of a code gets no tokens and ends the session that the first one started`, async (t) => {
    const { agent, browser, clock } = await world(t, { engine })
    const tenant = await agent.createTenant()
    const cases: readonly ((login: { code: string; verifier: string }) => Promise<void>)[] = [
      (login) => refused(tenant, login),
      (login) => refused(tenant, login, 'another-key'),
      async (login) => {
        clock.advance({ seconds: 61 })
        await refused(tenant, login, 'the-first-key')
      },
    ]
    for (const useAgain of cases) {
      clock.advance({ minutes: 1 })
      const login = await signInForCode(tenant, browser())
      const pair = await exchanged(tenant, login, 'the-first-key')
      await useAgain(login)
      assert.equal(await tenant.isValid(pair.access_token), false)
      await tenant.assertRefreshRejected(pair.refresh_token, 'invalidRefreshToken')
      const last = (await tenant.events()).at(-1)
      assert.deepEqual([last?.event, last?.metadata], ['logout', { reason: 'code_reuse' }])
      await refused(tenant, login, 'the-first-key')
    }
    const logouts = (await tenant.eventKinds()).filter((kind) => kind === 'logout')
    assert.equal(logouts.length, cases.length, 'a third use ends nothing more')
  })

  test(`[${engine}] a second use of a code with a wrong verifier gets no tokens and leaves the session as it is`, async (t) => {
    const { agent, browser } = await world(t, { engine })
    const tenant = await agent.createTenant()
    const { code, verifier } = await signInForCode(tenant, browser())
    const pair = await exchanged(tenant, { code, verifier }, 'the-first-key')
    for (const key of [undefined, 'the-first-key']) {
      await refused(tenant, { code, verifier: newVerifier() }, key)
    }
    assert.equal(await tenant.isValid(pair.access_token), true)
    assert.equal((await tenant.eventKinds()).includes('logout'), false)
    await refused(tenant, { code, verifier }, 'another-key')
    assert.equal(
      await tenant.isValid(pair.access_token),
      false,
      'with the verifier it may be a theft',
    )
  })

  // proves C220
  test(`[${engine}] the same exchange with the same Idempotency-Key gets the same pair for a minute`, async (t) => {
    const { agent, browser, clock } = await world(t, { engine })
    const tenant = await agent.createTenant()
    const login = await signInForCode(tenant, browser())
    const pair = await exchanged(tenant, login, 'the-first-key')
    clock.advance({ seconds: 60 })
    assert.deepEqual(await exchanged(tenant, login, 'the-first-key'), pair)
    assert.equal(await tenant.isValid(pair.access_token), true)
    assert.deepEqual(await tenant.eventKinds(), ['login_started', 'authorize'])

    await tenant.refresh(pair.refresh_token)
    await refused(tenant, login, 'the-first-key')
    assert.deepEqual(
      (await tenant.events()).at(-1)?.metadata,
      { reason: 'code_reuse' },
      'not after a refresh',
    )
  })

  test(`[${engine}] of eight concurrent exchanges one starts a session, and with one key all get its pair`, async (t) => {
    const { agent, browser, clock, app } = await world(t, { engine })
    const tenant = await agent.createTenant()
    // All eight have read an unused code before the first one uses it.
    const { loginCodes } = app.ctx.stores
    const { find } = loginCodes
    let [read, release] = [0, Promise.withResolvers<void>()]
    t.mock.method(loginCodes, 'find', async (...args: Parameters<typeof find>) => {
      const found = await find(...args)
      const all = release
      if (++read % 8 === 0) {
        release = Promise.withResolvers()
        all.resolve()
      }
      await all.promise
      return found
    })
    const login = await signInForCode(tenant, browser())
    const same = await Promise.all(
      Array.from({ length: 8 }, () => exchange(tenant, login, 'the-first-key')),
    )
    assert.deepEqual(new Set(same.map(({ status, text }) => `${status} ${text}`)).size, 1)
    assert.equal(same[0]?.status, 200)

    clock.advance({ minutes: 1 })
    const stolen = await signInForCode(tenant, browser())
    const racing = await Promise.all(Array.from({ length: 8 }, () => exchange(tenant, stolen)))
    const [winner, ...others] = racing.filter(({ status }) => status === 200)
    assert.equal(others.length, 0, 'one pair')
    assert.equal(
      await tenant.isValid(winner?.json.access_token),
      false,
      'the others end its session',
    )
    const logouts = (await tenant.eventKinds()).filter((kind) => kind === 'logout')
    assert.equal(logouts.length, 1)
  })

  // proves C222, S001
  test(`[${engine}] a callback URL that was removed since the login gets no tokens, and the refusal consumes nothing`, async (t) => {
    const { agent, browser } = await world(t, { engine })
    const tenant = await agent.createTenant()
    const login = await signInForCode(tenant, browser())
    await tenant.provision(['https://other.example.com/callback'])
    assertApiError(await exchange(tenant, login), 'invalidRedirectUri')
    await tenant.provision([login.callbackUrl.origin + login.callbackUrl.pathname])
    await exchanged(tenant, login)
  })

  test(`[${engine}] a code dies with the social login that issued it`, async (t) => {
    const { agent, browser } = await world(t, { engine })
    const tenant = await agent.createTenant()
    const login = await signInForCode(tenant, browser())
    await tenant.manage('DELETE', '/api/resources/social-login')
    assertApiError(await exchange(tenant, login), 'notProvisioned')
    await tenant.provision([login.callbackUrl.origin + login.callbackUrl.pathname])
    await refused(tenant, login)
  })

  test(`[${engine}] a paused or expired tenant exchanges nothing, and a pause that ends in time consumes nothing`, async (t) => {
    const { agent, browser, clock, app } = await world(t, { engine })
    const tenant = await agent.createTenant()
    const login = await signInForCode(tenant, browser())
    await app.ctx.stores.tenants.pause(tenant.id, 'stored_users', clock.now())
    assert.deepEqual(assertApiError(await exchange(tenant, login), 'tenantPaused'), {
      pause_reason: 'stored_users',
    })
    await claim(tenant, browser())
    await exchanged(tenant, login)

    const guest = await agent.createTenant()
    const late = await signInForCode(guest, browser())
    clock.advance({ hours: 72 })
    assertApiError(await exchange(guest, late), 'tenantExpired')
  })

  // proves S040
  test(`[${engine}] a user who was blocked or deleted since the consent gets no tokens`, async (t) => {
    const { agent, browser, clock } = await world(t, { engine })
    const tenant = await agent.createTenant()
    const login = await signInForCode(tenant, browser())
    const [user] = await tenant.users()
    const path = `/api/social-login/users/${user?.id}`
    assert.equal((await tenant.manage('POST', `${path}/block`)).status, 200)
    await refused(tenant, login)
    assert.equal((await tenant.manage('POST', `${path}/unblock`)).status, 200)
    await refused(tenant, login)
    clock.advance({ minutes: 1 })
    const deleted = await signInForCode(tenant, browser())
    assert.equal((await tenant.manage('DELETE', path)).status, 200)
    await refused(tenant, deleted)
  })

  for (const [end, request] of [
    [
      'whose sessions the owner ended',
      (tenant: Tenant) => tenant.manage('DELETE', '/api/social-login/users/1/sessions'),
    ],
    [
      'one of whose identities the owner removed',
      (tenant: Tenant) =>
        tenant.manage('DELETE', '/api/social-login/users/1/identities/google?subject=two'),
    ],
  ] as const) {
    // proves S040
    test(`[${engine}] a user ${end} since the consent gets no tokens, and those of a later consent`, async (t) => {
      const { agent, browser, clock } = await world(t, { engine })
      const tenant = await agent.createTenant()
      const early = await signInForCode(tenant, browser())
      await tenant.manage('POST', '/api/social-login/test-sessions', {
        email: 'two@example.com',
        subject: 'two',
      })
      assert.equal(
        (await tenant.manage('POST', '/api/social-login/users/1/merge', { from: 2 })).status,
        200,
      )
      const ended = await request(tenant)
      assert.equal(ended.status, 200, ended.text)
      await refused(tenant, early)
      clock.advance({ minutes: 1 })
      await exchanged(tenant, await signInForCode(tenant, browser()))
    })
  }

  // proves C062
  test(`[${engine}] a start with another challenge, or without one, is another login and changes no running one`, async (t) => {
    const { agent, browser } = await world(t, { engine })
    const tenant = await agent.createTenant()
    const user = browser()
    const [first, second] = [newVerifier(), newVerifier()]
    await user.open(tenant.loginUrl + codeQuery(first))
    const { url: chooser } = user.page
    await user.open(tenant.loginUrl)
    await user.open(tenant.loginUrl + codeQuery(second))
    await user.open(chooser)
    await user.press('Ada Lovelace')
    const { searchParams } = await user.press('Continue')
    const code = searchParams.get('code') ?? ''
    assert.ok(code.startsWith(`svc_ac_${challengeOf(first).slice(0, 8)}_`))
    assert.equal(searchParams.has('access_token'), false)
    await refused(tenant, { code, verifier: second })
    await exchanged(tenant, { code, verifier: first })
    assert.deepEqual(await tenant.eventKinds(), [
      'login_started',
      'login_started',
      'login_started',
      'authorize',
    ])
  })

  // proves C219
  test(`[${engine}] pressing Continue again within a minute redirects with the same code`, async (t) => {
    const { agent, browser, clock } = await world(t, { engine })
    const tenant = await agent.createTenant()
    const user = browser()
    const verifier = newVerifier()
    await user.open(tenant.loginUrl + codeQuery(verifier))
    await user.press('Ada Lovelace')
    const { url } = user.page
    const body = { csrf: csrfOf(user), decision: 'allow' }
    const press = async (): Promise<string> =>
      (await user.request(url, { method: 'POST', body: new URLSearchParams(body) })).headers.get(
        'location',
      ) ?? ''
    const [first, ...again] = await Promise.all([press(), press(), press()])
    clock.advance({ seconds: 59 })
    assert.deepEqual(new Set([...again, await press()]), new Set([first]))
    const code = new URL(first ?? '').searchParams.get('code') ?? ''
    await exchanged(tenant, { code, verifier })
    assert.deepEqual(await tenant.eventKinds(), ['login_started', 'authorize'])
    assert.equal((await tenant.users()).length, 1)
  })

  // proves C219
  test(`[${engine}] after a code was used, pressing Continue again returns no code and ends no session; the code of an exchange with an Idempotency-Key is returned until the refresh`, async (t) => {
    const { agent, browser, clock } = await world(t, { engine })
    const tenant = await agent.createTenant()
    const consentPage = async () => {
      clock.advance({ minutes: 1 })
      const user = browser()
      const verifier = newVerifier()
      await user.open(tenant.loginUrl + codeQuery(verifier))
      await user.press('Ada Lovelace')
      const { url } = user.page
      const body = { csrf: csrfOf(user), decision: 'allow' }
      const press = async () => {
        const again = await user.request(url, { method: 'POST', body: new URLSearchParams(body) })
        const location = again.headers.get('location')
        return {
          status: again.status,
          code: location && new URL(location).searchParams.get('code'),
        }
      }
      const { code } = await press()
      return { login: { code: code ?? '', verifier }, press }
    }
    const over = { status: 410, code: null }
    const once = await consentPage()
    const { access_token } = await exchanged(tenant, once.login)
    assert.deepEqual(await once.press(), over)
    assert.equal(await tenant.isValid(access_token), true)

    const keyed = await consentPage()
    const pair = await exchanged(tenant, keyed.login, 'the-first-key')
    clock.advance({ seconds: 59 })
    assert.deepEqual(await keyed.press(), { status: 303, code: keyed.login.code })
    assert.deepEqual(await exchanged(tenant, keyed.login, 'the-first-key'), pair)
    const next = await tenant.refresh(pair.refresh_token)
    assert.deepEqual(await keyed.press(), over)
    assert.equal(await tenant.isValid(next.access_token), true)

    const usedUp = await consentPage()
    for (let n = 0; n < 5; n++) {
      await refused(tenant, { ...usedUp.login, verifier: newVerifier() })
    }
    assert.deepEqual(await usedUp.press(), over)
  })

  // proves C223
  test(`[${engine}] with callback_mode code, a login without a challenge is refused; either is the default`, async (t) => {
    const here = await world(t, { engine })
    const tenant = await here.agent.createTenant()
    const settings = (): Promise<unknown> =>
      tenant.manage('GET', '/api/social-login/settings').then(({ json }) => json)
    assert.equal(((await settings()) as { callback_mode: string }).callback_mode, 'either')
    const { access_token } = await tenant.signIn(here.browser())
    const changed = await tenant.manage('PATCH', '/api/social-login/settings', {
      callback_mode: 'code',
    })
    assert.equal(changed.json.callback_mode, 'code', changed.text)
    assert.deepEqual(await settings(), changed.json)
    here.clock.advance({ minutes: 1 })
    assertApiError(await startLogin(here, tenant, ''), 'codeChallengeRequired')
    const page = await startLogin(here, tenant, '', 'text/html')
    assert.deepEqual([page.status, page.headers.get('location')], [400, null])
    await exchanged(tenant, await signInForCode(tenant, here.browser()))
    assert.equal(await tenant.isValid(access_token), true, 'sessions that exist stay')
    assert.deepEqual(await tenant.eventKinds(), [
      'login_started',
      'authorize',
      'login_started',
      'authorize',
    ])
  })

  // proves S096
  test(`[${engine}] callback_mode code that is set while a consent page is open puts no tokens into the URL, also not a second time`, async (t) => {
    const { agent, browser, clock } = await world(t, { engine })
    const tenant = await agent.createTenant()
    const setMode = (mode: string) =>
      tenant.manage('PATCH', '/api/social-login/settings', { callback_mode: mode })
    const person = browser()
    await person.open(tenant.loginUrl)
    await person.press('Ada Lovelace')
    const consent = person.page.url
    await setMode('code')
    await person.press('Continue')
    assert.deepEqual([person.page.status, person.page.headers.get('location')], [400, null])
    assert.deepEqual(await tenant.eventKinds(), ['login_started'], 'nothing was decided')
    await setMode('either')
    await person.open(consent)
    const body = new URLSearchParams({ csrf: csrfOf(person), decision: 'allow' })
    const press = async (): Promise<string> =>
      (await person.request(consent, { method: 'POST', body })).headers.get('location') ?? ''
    assert.match(await press(), /access_token=/)
    await setMode('code')
    clock.advance({ seconds: 5 })
    assert.doesNotMatch(await press(), /access_token=/)
  })

  test(`[${engine}] refused exchanges are listed for the developer`, async (t) => {
    const { agent, browser } = await world(t, { engine })
    const tenant = await agent.createTenant()
    const { code } = await signInForCode(tenant, browser())
    await refused(tenant, { code, verifier: newVerifier() })
    await refused(tenant, { code: 'svc_ac_other', verifier: newVerifier() })
    const { json } = await tenant.manage('GET', '/api/social-login/refusals')
    assert.deepEqual(
      json.refusals.map(
        ({ step, code: refusal, count }: z.infer<typeof Refusal>) => `${step} ${refusal} ${count}`,
      ),
      ['exchange invalidCode 2'],
    )
    assert.doesNotMatch(JSON.stringify(json), /svc_ac_/)
  })
}

test('two instances exchange one code once', { skip: sqliteOnly }, async (t) => {
  const here = await world(t, { engine: 'postgres' })
  const other = await world(t, { like: here })
  const tenant = await here.agent.createTenant()
  const login = await signInForCode(tenant, here.browser())
  const key = 'the-first-key'
  const both = await Promise.all([
    exchange(tenant, login, key),
    exchange(tenant.at(other.agent), login, key),
  ])
  assert.deepEqual(
    both.map(({ status }) => status),
    [200, 200],
  )
  assert.deepEqual(both[0]?.json, both[1]?.json)
})

test('an exchange whose outcome is unknown says so without an Idempotency-Key; with one it can be sent again', async (t) => {
  const { agent, browser, app } = await world(t)
  const tenant = await agent.createTenant()
  const login = await signInForCode(tenant, browser())
  const lost = () =>
    Promise.reject(new OutcomeUnknown({ cause: new Error('the connection ended') }))
  t.mock.method(app.ctx.stores, 'confirmedTransaction', lost)
  const messageOf = async (key?: string) => (await exchange(tenant, login, key)).json.error.message
  assert.match(await messageOf(), /a second use would end its session/)
  assert.doesNotMatch(await messageOf('the-first-key'), /a second use would end its session/)
})

test('the three parameters of a code login are sent together, with S256', async (t) => {
  const here = await world(t)
  const tenant = await here.agent.createTenant()
  const challenge = challengeOf(newVerifier())
  const cases: readonly (readonly [string, readonly string[]])[] = [
    ['?response_type=code', ['code_challenge', 'code_challenge_method']],
    [`?code_challenge=${challenge}`, ['response_type', 'code_challenge_method']],
    [`?response_type=code&code_challenge=${challenge}`, ['code_challenge_method']],
    [
      `?response_type=token&code_challenge=${challenge}&code_challenge_method=S256`,
      ['response_type'],
    ],
    [
      `?response_type=code&code_challenge=${challenge}&code_challenge_method=plain`,
      ['code_challenge_method'],
    ],
    [
      `?response_type=code&code_challenge=${challenge}x&code_challenge_method=S256`,
      ['code_challenge'],
    ],
  ]
  for (const [query, paths] of cases) {
    assert.deepEqual(problemPaths(await startLogin(here, tenant, query)), paths, query)
  }
  assert.deepEqual(await tenant.eventKinds(), [])
})

test('an exchange without code or verifier is 400, too large 413, at an unknown tenant 404, and pages of the app may send it', async (t) => {
  const { agent } = await world(t)
  const tenant = await agent.createTenant()
  assert.deepEqual(problemPaths(await tenant.edge('token', {})), ['code', 'code_verifier'])
  const body = { code: 'svc_ac_x', code_verifier: 'x' }
  assertApiError(
    await agent.call('POST', '/edge/auth/no-such-tenant-abcde/token', { body }),
    'tenantNotFound',
  )
  assertApiError(await tenant.edge('token', { ...body, code: 'x'.repeat(70_000) }), 'bodyTooLarge')
  assertApiError(
    await tenant.edge('token', body, { 'Content-Type': 'text/plain' }),
    'unsupportedMediaType',
  )
  const origin = { Origin: 'https://app.example.com' }
  const allowed = await tenant.edge('token', body, origin)
  assert.equal(allowed.headers.get('access-control-allow-origin'), origin.Origin)
  const foreign = await tenant.edge('token', body, { Origin: 'https://evil.example' })
  assert.equal(foreign.headers.get('access-control-allow-origin'), null)
})
