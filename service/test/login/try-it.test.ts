import assert from 'node:assert/strict'
import { test } from 'node:test'
import { world } from '../support/world.ts'

test('in development the front page offers a trial login and leaves no valid token', async (t) => {
  const { browser, baseUrl, app } = await world(t)
  const userBrowser = browser()
  await userBrowser.open(baseUrl)
  await userBrowser.press('Try a sign-in now')
  await userBrowser.press('Ada Lovelace')
  const callbackUrl = await userBrowser.press('Continue')
  assert.equal(userBrowser.page.status, 200)
  assert.match(userBrowser.page.text, /It works/)
  assert.match(userBrowser.page.text, /ada@example\.com/)
  assert.doesNotMatch(userBrowser.page.text, /svc_|eyJ/)
  const [, , tenantId = ''] = callbackUrl.pathname.split('/')
  const tenant = await app.ctx.stores.tenants.find(tenantId)
  assert.equal(tenant?.origin, 'genesis')
  await userBrowser.open(callbackUrl)
  assert.match(userBrowser.page.text, /Not signed in/, 'the callback URL in the history works once')

  await userBrowser.press('Try a sign-in now')
  await userBrowser.press('Ada Lovelace')
  await userBrowser.press('Cancel')
  assert.match(userBrowser.page.text, /error=access_denied/)
})

test('with a real Google client the front page offers no trial login', async (t) => {
  const { browser, baseUrl, agent } = await world(t, {
    env: { GOOGLE_CLIENT_ID: 'x', GOOGLE_CLIENT_SECRET: 'y', GOOGLE_ISSUER: 'http://127.0.0.1:9/' },
  })
  const userBrowser = browser()
  await userBrowser.open(baseUrl)
  assert.doesNotMatch(userBrowser.page.text, /Try a sign-in/)
  assert.equal((await agent.call('POST', '/try')).status, 404)
})
