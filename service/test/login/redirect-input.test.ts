import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertApiError } from '../support/actors/api-error.ts'
import {
  assertLoginStartRejected,
  assertLoginStarts,
  redirectUriQuery,
  startLogin,
} from '../support/actors/login-start.ts'
import { ENGINES } from '../support/postgres/engines.ts'
import { world } from '../support/world.ts'

const CALLBACKS = ['https://app.example.com/cb', 'https://*.example.com/cb', 'http://localhost:3000/cb']

for (const engine of ENGINES) {
  test(`[${engine}] an unregistered redirect_uri is rejected, and the error names the closest registered URL`, async (t) => {
    const service = await world(t, { engine })
    const tenant = await service.agent.createTenant(CALLBACKS)
    for (const [uri, closest, differs] of [
      ['https://app.example.com/CB', CALLBACKS[0], 'path'],
      ['https://app.example.com/cb?x=1', CALLBACKS[0], 'query'],
      ['https://app.example.com:8443/cb', CALLBACKS[0], 'port'],
      ['http://app.example.com/cb', CALLBACKS[0], 'scheme'],
      ['https://a.b.example.com/cb', CALLBACKS[0], 'host'],
      ['http://localhost:3001/cb', CALLBACKS[2], 'port'],
    ] as const) {
      const details = await assertLoginStartRejected(service, tenant, redirectUriQuery(uri), 'invalidRedirectUri')
      assert.deepEqual(details, { closest, differs }, uri)
    }
    assert.deepEqual(await tenant.eventKinds(), [])
    assert.equal((await tenant.status()).usage.events_this_minute.used, 0)
  })

  test(`[${engine}] a login ends at its registered redirect_uri in canonical form`, async (t) => {
    const service = await world(t, { engine })
    const tenant = await service.agent.createTenant([...CALLBACKS, 'http://127.0.0.1/cb', 'http://[::1]/cb'])
    const ends: [string, string][] = [
      ['https://app.example.com/cb', 'https://app.example.com/cb'],
      ['https://app.example.com:443/cb', 'https://app.example.com/cb'],
      ['HTTPS://APP.Example.com/cb', 'https://app.example.com/cb'],
      ['https://pr-1.example.com/cb', 'https://pr-1.example.com/cb'],
      ['http://localhost:3000/cb', 'http://localhost:3000/cb'],
      ['http://127.0.0.1:49152/cb', 'http://127.0.0.1:49152/cb'],
      ['http://127.0.0.1/cb', 'http://127.0.0.1/cb'],
      ['http://[::1]:8080/cb', 'http://[::1]:8080/cb'],
    ]
    for (const [uri] of ends) await assertLoginStarts(service, tenant, redirectUriQuery(uri))
    const events = await tenant.events()
    assert.deepEqual(
      events.map(({ event, redirect_uri }) => [event, redirect_uri]),
      ends.map(([, canonical]) => ['login_started', canonical]),
    )
    const { callbackUrl } = await tenant.signIn(
      service.browser(),
      'Ada Lovelace',
      `?redirect_uri=https://PR-2.example.com:443/cb`,
    )
    assert.equal(callbackUrl.origin + callbackUrl.pathname, 'https://pr-2.example.com/cb')
  })

  test(`[${engine}] without redirect_uri a login ends at the first callback URL without a wildcard`, async (t) => {
    const service = await world(t, { engine })
    const tenant = await service.agent.createTenant([
      'https://*.example.com/cb',
      'http://localhost/cb',
      CALLBACKS[0] ?? '',
    ])
    await assertLoginStarts(service, tenant, '')
    assert.equal((await tenant.events())[0]?.redirect_uri, 'http://localhost/cb')

    await tenant.provision(['https://*.example.com/cb'])
    assertApiError(await startLogin(service, tenant, ''), 'redirectUriRequired')
    assert.equal((await startLogin(service, tenant, '', 'text/html')).status, 400)
    await assertLoginStarts(service, tenant, '?redirect_uri=https://a.example.com/cb')
    assert.deepEqual(await tenant.eventKinds(), ['login_started', 'login_started'])
  })

  test(`[${engine}] every accepted return_to fits into the callback URL, whether the user allows or cancels`, async (t) => {
    const service = await world(t, { engine })
    const tenant = await service.agent.createTenant([`https://app.example.com/${'c'.repeat(2_000)}`])
    const longest = `/${'%'.repeat(1_023)}`
    for (const returnTo of [longest, `/${'ü'.repeat(400)}`, `/${'✓'.repeat(300)}`]) {
      const query = `?return_to=${encodeURIComponent(returnTo)}`
      const { callbackUrl } = await tenant.signIn(service.browser(), 'Ada Lovelace', query)
      assert.equal(callbackUrl.searchParams.get('return_to'), returnTo)
      service.clock.advance({ minutes: 1 })
      const userBrowser = service.browser()
      await userBrowser.open(tenant.loginUrl + query)
      assert.equal((await userBrowser.press('Cancel')).searchParams.get('return_to'), returnTo)
    }
    const tooLong = `?return_to=${encodeURIComponent(`/${'✓'.repeat(1_000)}`)}`
    await assertLoginStartRejected(service, tenant, tooLong, 'invalidReturnTo')
  })
}
