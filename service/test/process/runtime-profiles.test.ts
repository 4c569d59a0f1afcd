import assert from 'node:assert/strict'
import { test } from 'node:test'
import { locateDatabase } from '../../src/storage/database-location.ts'
import { ENGINES } from '../support/postgres/engines.ts'
import { raw } from '../support/postgres/storage.ts'
import { world } from '../support/world.ts'

const PROFILES = { sqlite: 'v1-1', postgres: 'v1-2' } as const
const TABLES = [
  'tenants',
  'resources',
  'users',
  'sessions',
  'events',
  'counters',
  'event_counts',
] as const

for (const engine of ENGINES) {
  const profile = PROFILES[engine]

  // proves C176
  test(`[${engine}] a new tenant is pinned to the runtime profile of the engine, in its status and its credentials`, async (t) => {
    const { agent, app } = await world(t, { through: 'port', engine })
    const tenant = await agent.createTenant()
    assert.equal(tenant.created.runtime_profile, profile)
    assert.ok(tenant.created.credentials_file.content.includes(`runtime_profile=${profile}`))
    assert.equal((await tenant.status()).runtime_profile, profile)
    assert.equal(app.storage.engine, engine)
  })

  // proves C012, C180
  test(`[${engine}] a restart moves no rows: a tenant keeps its data, its tokens and its profile`, async (t) => {
    const before = await world(t, { through: 'port', engine })
    const tenant = await before.agent.createTenant()
    const first = await tenant.signIn(before.browser())
    before.clock.advance({ minutes: 1 })
    const pair = await tenant.refresh(first.refresh_token)
    const address = locateDatabase(before.config)
    const rows = () => Promise.all(TABLES.map((table) => raw(address, `select * from ${table}`)))
    await before.stop()
    const stored = await rows()

    const after = await world(t, { through: 'port', like: before })
    assert.deepEqual(await rows(), stored)
    const same = tenant.at(after.agent)
    assert.equal(await same.isValid(pair.access_token), true)
    assert.equal(await same.isValid(first.access_token), false, 'revocations are loaded at start')
    assert.equal((await same.status()).runtime_profile, profile)
    assert.equal((await same.manage('DELETE', '/api/resources/social-login')).status, 200)
    await same.provision(['https://app.example.com/callback'])
    assert.equal((await same.status()).runtime_profile, profile, 'also after a new provisioning')
  })

  test(`[${engine}] a tenant whose profile names the other engine works, because the profile is only reported`, async (t) => {
    const other = engine === 'sqlite' ? 'v1-2' : 'v1-1'
    const here = await world(t, { through: 'port', engine })
    const tenant = await here.agent.createTenant()
    const early = await tenant.signIn(here.browser())
    await here.stop()
    // As after an offline copy from the other engine.
    await raw(locateDatabase(here.config), `update tenants set profile = '${other}'`)

    const again = await world(t, { through: 'port', like: here })
    const { agent, clock, browser, app } = again
    const copied = tenant.at(agent)
    assert.equal((await copied.status()).runtime_profile, other)
    assert.equal(await copied.isValid(early.access_token), true, 'a token from before the copy')
    clock.advance({ minutes: 1 })
    const next = await copied.refresh(early.refresh_token)
    assert.equal(await copied.isValid(early.access_token), false, 'a refresh revokes the old pair')
    assert.equal(await copied.isValid(next.access_token), true)
    await copied.edge('logout', { refresh_token: next.refresh_token })
    assert.equal(await copied.isValid(next.access_token), false, 'a logout revokes the new one')

    const late = await copied.signIn(browser())
    assert.equal((await copied.users()).length, 1)
    assert.deepEqual((await copied.eventKinds()).slice(0, 4), [
      'login_started',
      'authorize',
      'token_refreshed',
      'logout',
    ])
    const beside = await world(t, { through: 'port', like: again })
    assert.equal(
      await tenant.at(beside.agent).isValid(next.access_token),
      false,
      'another instance applies it too',
    )
    await app.sweep()
    assert.equal((await copied.manage('DELETE', '/api/resources/social-login')).status, 200)
    assert.notEqual(
      (await copied.edge('verify', { access_token: late.access_token })).json.valid,
      true,
    )
    assert.equal((await copied.status()).runtime_profile, other)
    const created = await agent.createTenant()
    assert.equal(
      (await created.status()).runtime_profile,
      profile,
      'new tenants get the profile of the engine',
    )
  })
}
