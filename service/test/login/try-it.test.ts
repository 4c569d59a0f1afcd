import assert from 'node:assert/strict'
import { test } from 'node:test'
import { browserInterceptedAt } from '../support/actors/intercepted-browser.ts'
import { world } from '../support/world.ts'

test('in development the front page offers a trial login and leaves no valid token', async (t) => {
  const { browser, baseUrl } = await world(t)
  const userBrowser = browser()
  await userBrowser.open(baseUrl)
  await userBrowser.press('Try a sign-in now')
  await userBrowser.press('Ada Lovelace')
  const resultUrl = await userBrowser.press('Continue')
  assert.equal(userBrowser.page.status, 200)
  assert.match(userBrowser.page.text, /It works/)
  assert.match(userBrowser.page.text, /ada@example\.com/)
  assert.match(
    userBrowser.page.text,
    /<a class="button" href="[^"]*">Use it in your app<.*<button class="quiet">Try another/s,
  )
  assert.doesNotMatch(userBrowser.page.text, /svc_|\beyJ[\w-]+\./)
  assert.doesNotMatch(resultUrl.href, /svc_|\beyJ[\w-]+\./, 'no token stays in the history')
  await userBrowser.open(resultUrl)
  assert.match(
    userBrowser.page.text,
    /It works[\s\S]*ada@example\.com/,
    'a reload shows the result again',
  )
  resultUrl.searchParams.set(
    'user',
    JSON.stringify({ id: 1, email: 'eve@example.com', name: null, picture: null }),
  )
  await userBrowser.open(resultUrl)
  assert.match(userBrowser.page.text, /Not signed in/)
  assert.doesNotMatch(userBrowser.page.text, /eve@/)

  await userBrowser.press('Try a sign-in now')
  await userBrowser.press('Ada Lovelace')
  await userBrowser.press('Cancel')
  assert.match(userBrowser.page.text, /error=access_denied/)
})

test('the session of a trial login has ended when its result is shown', async (t) => {
  const here = await world(t, { through: 'port' })
  const tenant = await here.agent.createTenant(null)
  const callback = `/try/${tenant.id}/callback`
  await tenant.provision([`${here.baseUrl}${callback}`])
  const { browser, interceptedUrl } = browserInterceptedAt(here, callback)
  await browser.open(`${here.baseUrl}/edge/auth/${tenant.id}/google`)
  await browser.press('Ada Lovelace')
  await browser.press('Continue')
  const user = here.browser()
  await user.open(interceptedUrl())
  assert.match(user.page.text, /It works/)
  const { searchParams } = interceptedUrl()
  assert.equal(await tenant.isValid(searchParams.get('access_token') ?? ''), false)
  await user.open(interceptedUrl())
  assert.match(user.page.text, /Not signed in/, 'the callback URL works once')
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
