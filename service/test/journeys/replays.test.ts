import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Browser } from '../support/browser.ts'
import { ENGINES } from '../support/engines.ts'
import { overHttp } from '../support/http-transport.ts'
import { world } from '../support/world.ts'

for (const engine of ENGINES) {
  test(`[${engine}] the address Google sends a browser to works once, and coming again harms nothing`, async (t) => {
    const { agent, baseUrl } = await world(t, { engine })
    const tenant = await agent.createTenant()
    const visited: URL[] = []
    const person = new Browser({
      origins: [baseUrl],
      transport: (url, init) => {
        visited.push(url)
        return overHttp(url, init)
      },
    })
    await person.open(tenant.loginUrl)
    await person.press('Ada Lovelace')
    const callback = visited.find(({ pathname }) => pathname === '/auth/google/callback')
    assert.ok(callback)
    assert.ok(callback.searchParams.has('code'))

    const again = async (): Promise<void> => {
      const answer = await person.request(callback, { headers: { Accept: 'text/html' } })
      assert.deepEqual([answer.status, answer.headers.get('location')], [410, null])
    }
    await again()
    const landed = await person.press('Continue')
    assert.ok(landed.searchParams.has('access_token'), 'the consent page was not disturbed')
    await again()
    assert.equal((await tenant.users()).length, 1)
    assert.deepEqual(await tenant.eventKinds(), ['login_started', 'authorize'])
  })

  test(`[${engine}] a token from two refreshes ago is never a lost race: it ends the session, once`, async (t) => {
    const { agent, browser, clock } = await world(t, { engine })
    const tenant = await agent.createTenant()
    const one = await tenant.signIn(browser())
    const two = await tenant.refresh(one.refresh_token)
    const three = await tenant.refresh(two.refresh_token)
    await tenant.refreshRefused(one.refresh_token, 'refreshTokenReused')
    for (const { access_token } of [one, two, three]) assert.equal(await tenant.isValid(access_token), false)
    clock.advance({ minutes: 1 })
    for (const { refresh_token } of [one, two, three]) await tenant.refreshRefused(refresh_token, 'invalidRefreshToken')
    assert.deepEqual(await tenant.eventKinds(), [
      'login_started',
      'authorize',
      'token_refreshed',
      'token_refreshed',
      'logout',
    ])
    assert.deepEqual((await tenant.events()).at(-1)?.metadata, { reason: 'refresh_reuse' })
  })

  test(`[${engine}] two sessions of one person are two: the end of one is not the end of the other`, async (t) => {
    const { agent, browser, clock } = await world(t, { engine })
    const tenant = await agent.createTenant()
    const [phone, laptop] = [await tenant.signIn(browser()), await tenant.signIn(browser())]
    assert.equal((await tenant.edge('logout', { refresh_token: phone.refresh_token })).status, 200)
    assert.equal(await tenant.isValid(phone.access_token), false)
    assert.equal(await tenant.isValid(laptop.access_token), true)
    clock.advance({ minutes: 1 })
    await tenant.refresh(laptop.refresh_token)
    assert.equal((await tenant.users()).length, 1)
    assert.deepEqual((await tenant.eventKinds()).slice(-3), ['authorize', 'logout', 'token_refreshed'])
  })
}
