import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decodeProtectedHeader } from 'jose'
import { OpenIdApp } from '../support/actors/openid-app.ts'
import { databaseOf } from '../support/postgres/database-rows.ts'
import { ENGINES } from '../support/postgres/engines.ts'
import { raw } from '../support/postgres/storage.ts'
import { type World, world } from '../support/world.ts'

interface Key {
  readonly kid: string
  readonly alg: string
}

const rsaKids = (keys: readonly Key[]): string[] =>
  keys.filter(({ alg }) => alg === 'RS256').map(({ kid }) => kid)

for (const engine of ENGINES) {
  // proves S141
  test(`[${engine}] a tenant has an RSA key of its own, the same on every instance, whoever asks first`, async (t) => {
    const one = await world(t, { engine })
    const two = await world(t, { like: one })
    const [tenant, other] = [await one.agent.createTenant(), await one.agent.createTenant()]
    const at = (service: World, which = tenant) => new OpenIdApp(service, which)

    const asked = await Promise.all(
      [one, two, one, two].map(async (service) => (await at(service).read('jwks.json')).json.keys),
    )
    const [kid] = rsaKids(asked[0])
    for (const keys of asked) {
      assert.deepEqual(rsaKids(keys), [kid])
      assert.equal(keys[0].kid, kid, 'RS256 is first')
    }
    const others = rsaKids((await at(two, other).read('jwks.json')).json.keys)
    assert.equal(others.length, 1)
    assert.notDeepEqual(others, [kid])

    const stored = await raw(databaseOf(one), 'select * from signing_keys')
    assert.equal(stored.length, 2)
    assert.doesNotMatch(JSON.stringify(stored), /PRIVATE KEY|"d":/, 'the private half is sealed')
  })

  // proves S141
  test(`[${engine}] after a new master key, the new RSA key is published an hour before it signs, and the old one an hour after`, async (t) => {
    const [first, second] = [1, 2].map(
      (kid) => `${kid}:${Buffer.alloc(32, kid).toString('base64')}`,
    )
    const before = await world(t, { engine, env: { SERVICE_KEYS: `${first}` } })
    const tenant = await before.agent.createTenant()
    const { tokens } = await new OpenIdApp(before, tenant).signIn(before.browser())
    const hint = tokens.id_token
    const old = decodeProtectedHeader(hint).kid
    let refreshToken = tokens.refresh_token

    const look = async (service: World) => {
      const app = new OpenIdApp(service, tenant.at(service.agent))
      const { json } = await app.refresh(refreshToken)
      refreshToken = json.refresh_token
      await app.verify(json.id_token)
      const published = rsaKids((await app.read('jwks.json')).json.keys)
      return { published, signs: decodeProtectedHeader(json.id_token).kid }
    }

    await before.stop()
    const after = await world(t, { like: before, env: { SERVICE_KEYS: `${second},${first}` } })
    const during = await look(after)
    const added = during.published[1]
    assert.deepEqual(during, { published: [old, added], signs: old })

    after.clock.advance({ minutes: 59 })
    assert.deepEqual(await look(after), during)
    after.clock.advance({ minutes: 2 })
    assert.deepEqual(await look(after), { published: [old, added], signs: added })
    after.clock.advance({ hours: 1 })
    assert.deepEqual(await look(after), { published: [added], signs: added })

    const app = new OpenIdApp(after, tenant.at(after.agent))
    await after.browser().open(`${app.issuer}/oauth/logout?id_token_hint=${hint}`)
    assert.equal(
      (await app.refresh(refreshToken)).json.error,
      'invalid_grant',
      'an ID token of the old key still ends its session',
    )
  })
}
