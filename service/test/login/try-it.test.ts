import assert from 'node:assert/strict'
import { test } from 'node:test'
import { world } from '../support/world.ts'

test('on this machine one click on the front page leads to a first sign-in, and leaves no token that works', async (t) => {
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
  assert.match(userBrowser.page.text, /No sign-in this time/, 'the address in the history opens nothing')

  await userBrowser.press('Try a sign-in now')
  await userBrowser.press('Ada Lovelace')
  await userBrowser.press('Cancel')
  assert.match(userBrowser.page.text, /error=access_denied/)
})

test('with a real Google there is nothing to try, and no callback of ours takes tokens', async (t) => {
  const { browser, baseUrl, agent } = await world(t, {
    env: { GOOGLE_CLIENT_ID: 'x', GOOGLE_CLIENT_SECRET: 'y', GOOGLE_ISSUER: 'http://127.0.0.1:9/' },
  })
  const userBrowser = browser()
  await userBrowser.open(baseUrl)
  assert.doesNotMatch(userBrowser.page.text, /Try a sign-in/)
  assert.equal((await agent.call('POST', '/try')).status, 404)
})
