import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { BrowserContext } from 'playwright-core'
import { assertApiError } from '../../service/test/support/actors/api-error.ts'
import { CLIENT_ID, scriptedProvider } from '../../service/test/support/faults/scripted-provider.ts'
import { world } from '../../service/test/support/world.ts'
import {
  createTestSession,
  deleteUsers,
  type PlaywrightContext,
  sessionCookiesFor,
  setTenantStatus,
  signInAs,
} from '../src/testing.ts'
import { APP, createFixture } from './support/fixture.ts'

const fits = <_A extends B, B>(): void => {}
fits<BrowserContext, PlaywrightContext>()

const LOCAL = 'http://localhost:3000'

test('a test session signs a made-up user in to the app, by the cookies that its callback would set', async (t) => {
  const { service, tenant, otherClient } = await createFixture(t)
  const development = { baseUrl: service.baseUrl, managementKey: tenant.key }
  const { user, tokens } = await createTestSession(development, {
    email: 'eve@example.com',
    accessTokenSeconds: 60,
  })
  const cookies = sessionCookiesFor(tokens, { url: `${LOCAL}/deep/page`, tenantId: tenant.id })
  assert.deepEqual(
    cookies.map(({ value, ...cookie }) => [value.length > 20, cookie]),
    ['access', 'refresh', 'bind'].map((name) => [
      true,
      {
        name: `gh_${tenant.id}_${name}`,
        url: LOCAL,
        httpOnly: true,
        secure: false,
        sameSite: 'Lax',
      },
    ]),
  )
  const headers = new Headers({
    cookie: cookies.map(({ name, value }) => `${name}=${value}`).join('; '),
  })
  for (const client of [otherClient(), otherClient({ secret: 'x'.repeat(32) })]) {
    const session = await client.session({ url: LOCAL, headers })
    assert.deepEqual(session.user, user)
  }
  const prefixed = sessionCookiesFor(tokens, {
    url: APP,
    tenantId: tenant.id,
    cookies: { hostPrefix: true },
  })
  assert.deepEqual(
    prefixed.map(({ name, secure }) => [name, secure]),
    ['access', 'refresh', 'bind'].map((name) => [`__Host-gh_${name}`, true]),
  )

  service.clock.advance({ minutes: 1 })
  assert.equal(await tenant.isValid(tokens.accessToken), false, 'the chosen lifetime')
  await deleteUsers(development)
  assert.deepEqual(await tenant.users(), [])
  await setTenantStatus(development, 'paused')
  assertApiError(await tenant.edge('verify', { access_token: tokens.accessToken }), 'tenantPaused')
})

test('signInAs sets one cookie for the service, in Playwright and in Cypress', async () => {
  const options = {
    baseUrl: 'http://localhost:8787/',
    email: 'a+b@example.com',
    outcome: 'deny',
  } as const
  const calls: unknown[] = []
  await signInAs({ addCookies: async (cookies) => void calls.push(cookies) }, options)
  signInAs({ setCookie: (...args) => calls.push(args) }, options)
  const value = 'a%2Bb%40example.com%7Cdeny'
  assert.deepEqual(calls, [
    [{ name: 'gatehouse_dev_person', value, url: 'http://localhost:8787' }],
    ['gatehouse_dev_person', value, { domain: 'localhost', path: '/', sameSite: 'lax' }],
  ])
})

test('test support refuses a service that is not on this machine, and says when one has a real Google', async (t) => {
  const notHere = /must be a development service on this machine/
  for (const baseUrl of [
    'https://login.example.com',
    'http://localhost.example.com',
    'localhost',
    '',
  ]) {
    const context = { addCookies: async () => assert.fail('no cookie') }
    assert.throws(() => signInAs(context, { baseUrl, email: 'ada@example.com' }), notHere)
    const fetch = () => assert.fail('no request')
    await assert.rejects(deleteUsers({ baseUrl, managementKey: 'svc_man_x', fetch }), notHere)
  }
  const provider = await scriptedProvider(t)
  const service = await world(t, {
    through: 'port',
    env: {
      GOOGLE_CLIENT_ID: CLIENT_ID,
      GOOGLE_CLIENT_SECRET: 'secret',
      GOOGLE_ISSUER: provider.issuer,
    },
  })
  const tenant = await service.agent.createTenant()
  const development = { baseUrl: service.baseUrl, managementKey: tenant.key }
  for (const call of [
    () => createTestSession(development, { email: 'eve@example.com' }),
    () => deleteUsers(development),
    () => setTenantStatus(development, 'expired'),
  ]) {
    await assert.rejects(call(), /responded 40[45]\. This service is not a development service/)
  }
  assert.equal((await tenant.status()).status, 'ephemeral')
})
