import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { sweep } from '../../src/operations/sweep.ts'
import { CALLBACK, type Tenant } from '../support/actors/agent.ts'
import { claim } from '../support/actors/claim.ts'
import { squarePng } from '../support/png.ts'
import { ENGINES, type Engine } from '../support/postgres/engines.ts'
import { testDns } from '../support/transport/test-dns.ts'
import { type World, world } from '../support/world.ts'

const PATH = '/api/social-login/brand'
const BRAND = {
  name: 'Example Notes',
  privacy_url: 'https://www.example.com/privacy',
  accent: 'pink',
}

interface Scene extends World {
  readonly records: Map<string, string[][]>
  verify(tenant: Tenant, host: string): Promise<void>
  /** The consent page of a login of this tenant. */
  consentOf(tenant: Tenant, redirectUri?: string): Promise<string>
}

async function scene(t: TestContext, engine: Engine): Promise<Scene> {
  const { records, network } = testDns()
  const here = await world(t, { engine, network })
  return {
    ...here,
    records,
    async verify(tenant, host) {
      const { dns } = (await tenant.manage('POST', '/api/domains', { host })).json.domain
      records.set(dns.name, [[dns.value]])
      assert.equal(
        (await tenant.manage('POST', `/api/domains/${host}/check`)).json.domain.status,
        'verified',
      )
    },
    async consentOf(tenant, redirectUri = CALLBACK) {
      here.clock.advance({ minutes: 1 })
      const person = here.browser()
      await person.open(`${tenant.loginUrl}?redirect_uri=${encodeURIComponent(redirectUri)}`)
      await person.press('Ada Lovelace')
      assert.equal(person.page.status, 200, person.page.text)
      return person.page.text
    },
  }
}

const shows = (page: string) => ({
  verified: page.includes('Verified domain'),
  name: page.includes('Example Notes'),
  accent: page.includes('accent-pink'),
  privacy: page.includes('https://www.example.com/privacy'),
  logo: page.includes('/logo/'),
  temporary: page.includes('Temporary, unverified app'),
})

const PLAIN = {
  verified: false,
  name: false,
  accent: false,
  privacy: false,
  logo: false,
  temporary: false,
}
const BRANDED = { ...PLAIN, verified: true, name: true, accent: true, privacy: true }

for (const engine of ENGINES) {
  // proves C333, S070
  test(`[${engine}] the consent page shows a brand only for an owned tenant and a verified domain of the callback`, async (t) => {
    const { agent, browser, verify, consentOf, records, app, clock } = await scene(t, engine)
    const other = 'https://other.example.org/cb'
    const tenant = await agent.createTenant([CALLBACK, other, 'http://localhost/cb'])
    assert.deepEqual(shows(await consentOf(tenant)), { ...PLAIN, temporary: true })
    await claim(tenant, browser())
    assert.deepEqual(shows(await consentOf(tenant)), PLAIN)
    await verify(tenant, 'example.com')
    assert.deepEqual(
      shows(await consentOf(tenant)),
      { ...PLAIN, verified: true },
      'the mark needs no brand',
    )
    await tenant.manage('PUT', PATH, BRAND)
    const page = await consentOf(tenant)
    assert.deepEqual(shows(page), BRANDED)
    assert.match(
      page,
      /<h1>Sign in to <span class="host"><span dir="ltr">app\.<b>example\.com<\/b><\/span>\?<\/span><\/h1>/,
    )
    assert.match(page, /class="logo monogram" aria-hidden="true">EN</)
    await agent.call('PUT', `${PATH}/logo`, {
      key: tenant.key,
      body: squarePng(64),
      headers: { 'Content-Type': 'image/png' },
    })
    assert.deepEqual(shows(await consentOf(tenant)), { ...BRANDED, logo: true })

    for (const callback of [other, 'http://localhost:4000/cb']) {
      assert.deepEqual(shows(await consentOf(tenant, callback)), PLAIN, callback)
    }
    records.clear()
    for (let week = 0; week < 2; week++) {
      clock.advance({ days: 7 })
      await sweep(app.ctx)
    }
    assert.deepEqual(shows(await consentOf(tenant)), PLAIN, 'not after the verification has ended')
  })

  // proves C333, S070
  test(`[${engine}] a domain that another tenant verified shows nothing on this one's page`, async (t) => {
    const { agent, browser, verify, consentOf } = await scene(t, engine)
    const [mine, theirs] = [await agent.createTenant(), await agent.createTenant()]
    await claim(mine, browser())
    await claim(theirs, browser(), 'Grace Hopper')
    await verify(theirs, 'example.com')
    await mine.manage('PUT', PATH, { name: 'Example Notes', accent: 'pink' })
    assert.deepEqual(shows(await consentOf(mine)), PLAIN)
  })
}
