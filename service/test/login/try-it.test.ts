import assert from 'node:assert/strict'
import { test } from 'node:test'
import { world } from '../support/world.ts'

test('on this machine one click on the front page leads to a first sign-in, and leaves no token that works', async (t) => {
  const { browser, baseUrl, app } = await world(t)
  const newcomer = browser()
  await newcomer.open(baseUrl)
  await newcomer.press('Try a sign-in now')
  await newcomer.press('Ada Lovelace')
  const landed = await newcomer.press('Continue')
  assert.equal(newcomer.page.status, 200)
  assert.match(newcomer.page.text, /It works/)
  assert.match(newcomer.page.text, /ada@example\.com/)
  assert.doesNotMatch(newcomer.page.text, /svc_|eyJ/)
  const [, , tenantId = ''] = landed.pathname.split('/')
  const tenant = await app.ctx.stores.tenants.find(tenantId)
  assert.equal(tenant?.origin, 'genesis')
  await newcomer.open(landed)
  assert.match(newcomer.page.text, /No sign-in this time/, 'the address in the history opens nothing')

  await newcomer.press('Try a sign-in now')
  await newcomer.press('Ada Lovelace')
  await newcomer.press('Cancel')
  assert.match(newcomer.page.text, /error=access_denied/)
})

test('with a real Google there is nothing to try, and no callback of ours takes tokens', async (t) => {
  const { browser, baseUrl, agent } = await world(t, {
    env: { GOOGLE_CLIENT_ID: 'x', GOOGLE_CLIENT_SECRET: 'y', GOOGLE_ISSUER: 'http://127.0.0.1:9/' },
  })
  const person = browser()
  await person.open(baseUrl)
  assert.doesNotMatch(person.page.text, /Try a sign-in/)
  assert.equal((await agent.call('POST', '/try')).status, 404)
})
