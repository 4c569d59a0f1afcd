import assert from 'node:assert/strict'
import { test } from 'node:test'
import { shownError } from '../support/actors/browser.ts'
import { csrfOf } from '../support/actors/csrf.ts'
import { ENGINES } from '../support/postgres/engines.ts'
import { world } from '../support/world.ts'

const HTML = { Accept: 'text/html' }
const FORM = 'application/x-www-form-urlencoded'

for (const engine of ENGINES) {
  test(`[${engine}] the provider callback and the consent page reject unknown ids and states`, async (t) => {
    const { agent, browser, logLines } = await world(t, { engine })
    const tenant = await agent.createTenant()
    const userBrowser = browser()
    await userBrowser.open(tenant.loginUrl)
    for (const id of [
      'x',
      '%00',
      '%00%00',
      "'%20or%201=1",
      '%ff',
      '%zz',
      'ü',
      '..%2f..',
      'x'.repeat(5_000),
      '__proto__',
    ]) {
      for (const [method, body] of [
        ['GET', undefined],
        ['POST', new URLSearchParams({ decision: 'allow', csrf: 'x' })],
      ] as const) {
        const sent = await userBrowser.request(`/auth/consent/${id}`, {
          method,
          headers: HTML,
          ...(body && { body }),
        })
        const response = await shownError(userBrowser, sent)
        assert.deepEqual([id, response.status, response.headers.get('location')], [id, 410, null])
      }
    }
    for (const query of [
      '',
      '?',
      '?code=x',
      '?state=',
      '?state=x&code=y',
      '?state=%00.x&code=y',
      '?error=access_denied',
      '?error=access_denied&state=x.y',
      `?state=${'x'.repeat(5_000)}.y`,
      '?state[]=x&state=y',
    ]) {
      const response = await userBrowser.request(`/auth/google/callback${query}`, { headers: HTML })
      assert.deepEqual(
        [query, response.status, response.headers.get('location')],
        [query, 403, null],
      )
    }
    // Without Accept: text/html the error is JSON.
    const json = await agent.call('GET', '/auth/consent/x')
    assert.deepEqual([json.status, json.json.error.code], [410, 'loginOver'])
    assert.deepEqual(await tenant.eventKinds(), ['login_started'])
    assert.deepEqual(await tenant.users(), [])
    assert.ok(!logLines.join('').includes('"level":50'), 'none of this is logged as an error')
  })
}

test('a malformed consent form is rejected, and the consent page still works', async (t) => {
  const { agent, browser } = await world(t)
  const tenant = await agent.createTenant()
  const userBrowser = browser()
  await userBrowser.open(tenant.loginUrl)
  await userBrowser.press('Ada Lovelace')
  const consent = userBrowser.page.url
  const csrf = csrfOf(userBrowser)
  for (const [body, type, status] of [
    [JSON.stringify({ csrf, decision: 'allow' }), 'application/json', 415],
    [`csrf=${csrf}&decision=allow`, 'text/plain', 415],
    [`csrf=${csrf}&decision=allow`, 'multipart/form-data; boundary=x', 415],
    [`csrf=${csrf}&decision=allow&pad=${'x'.repeat(70_000)}`, FORM, 413],
    ['', FORM, 400],
    [`csrf=${csrf}`, FORM, 400],
    [`csrf=${csrf}&decision=ALLOW`, FORM, 400],
    [`csrf=${csrf}&decision=deny&decision=allow`, FORM, 400],
    [`csrf=${csrf}&csrf=x&decision=allow`, FORM, 400],
    [`decision=allow&csrf=${csrf}%00`, FORM, 403],
    [`decision=allow&csrf=${csrf.toLowerCase()}`, FORM, 403],
    ['decision=allow&csrf=', FORM, 403],
  ] as const) {
    const headers = { ...HTML, 'Content-Type': type }
    const response = await shownError(
      userBrowser,
      await userBrowser.request(consent, { method: 'POST', body, headers }),
    )
    assert.deepEqual([body.slice(0, 80), response.status], [body.slice(0, 80), status])
    assert.equal(response.headers.get('location'), null)
    assert.match(response.headers.get('content-type') ?? '', /^text\/html/)
  }
  for (const method of ['PUT', 'DELETE', 'PATCH']) {
    assert.equal((await userBrowser.request(consent, { method, headers: HTML })).status, 405)
  }
  assert.deepEqual(await tenant.eventKinds(), ['login_started'])
  const callbackUrl = await userBrowser.press('Continue')
  assert.ok(callbackUrl.searchParams.has('access_token'))
  assert.deepEqual(await tenant.eventKinds(), ['login_started', 'authorize'])
})
