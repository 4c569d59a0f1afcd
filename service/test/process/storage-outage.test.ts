import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ApiResponse, Pair, Tenant } from '../support/actors/agent.ts'
import { type FaultProxy, faultProxy } from '../support/faults/fault-proxy.ts'
import { asAdmin, freshPostgres } from '../support/postgres/engines.ts'
import { waitUntil, withinTwoSeconds } from '../support/process/wait-until.ts'
import { type World, world } from '../support/world.ts'

interface Scene {
  /** An instance whose way to the database can be broken. */
  readonly here: World
  readonly proxy: FaultProxy
  readonly database: string
  readonly tenant: Tenant
  /** A pair that was refreshed, and the one that came of it. */
  readonly spent: Pair
  readonly pair: Pair
}

async function scene(t: TestContext): Promise<Scene> {
  const database = await freshPostgres()
  const proxy = await faultProxy(t, database)
  const here = await world(t, { engine: 'postgres', env: { DATABASE_URL: proxy.url } })
  const tenant = await here.agent.createTenant()
  const spent = await tenant.signIn(here.browser())
  here.clock.advance({ minutes: 1 })
  const pair = await tenant.refresh(spent.refresh_token)
  return { here, proxy, database, tenant, spent, pair }
}

const refusedForNow = (response: ApiResponse): void => {
  assert.equal(response.status, 503, response.text)
  assert.equal(response.json.error.code, 'temporarilyUnavailable')
  assert.equal(response.json.error.retryable, true)
  assert.match(response.headers.get('retry-after') ?? '', /^[1-9]\d*$/)
  assert.equal('access_token' in response.json, false)
}

/** Nothing is lost by it: the same requests work once the database is back. */
async function nothingWasConsumed({ here, tenant, pair }: Scene): Promise<void> {
  await waitUntil('it is ready again', async () => (await here.agent.call('GET', '/readyz')).status === 200)
  assert.equal((await tenant.status()).usage.events_lifetime.used, 3)
  const next = await tenant.refresh(pair.refresh_token)
  assert.equal(await tenant.isValid(next.access_token), true)
  assert.equal(await tenant.isValid(pair.access_token), false)
  assert.deepEqual(await tenant.eventKinds(), ['login_started', 'authorize', 'token_refreshed', 'token_refreshed'])
}

async function verifyGoesOn({ tenant, pair, spent }: Scene): Promise<void> {
  assert.equal(await tenant.isValid(pair.access_token), true)
  assert.equal(await tenant.isValid(spent.access_token), false)
}

// Most of these wait for a time limit to pass, so they wait together.
describe('with the database out of reach', { concurrency: true }, () => {
  test('verify goes on, everything else is refused for now, and nothing is consumed', async (t) => {
    const all = await scene(t)
    const { here, proxy, tenant, pair } = all
    proxy.cut()
    await verifyGoesOn(all)
    assert.deepEqual((await tenant.edge('verify', { access_token: 'garbage' })).json, { valid: false })
    for (const response of [
      await tenant.edge('refresh', { refresh_token: pair.refresh_token }),
      await tenant.edge('logout', { refresh_token: pair.refresh_token }),
      await tenant.manage('GET', '/api/status'),
      await tenant.manage('GET', '/api/social-login/users'),
      await tenant.manage('POST', '/api/resources/social-login', { callback_urls: ['https://other.example.com/cb'] }),
      await tenant.manage('DELETE', '/api/resources/social-login'),
      await here.agent.call('POST', '/api/genesis'),
      await here.agent.call('GET', `/edge/auth/${tenant.id}/google`),
    ]) {
      refusedForNow(response)
    }
    const person = here.browser()
    await person.open(tenant.loginUrl)
    assert.equal(person.page.status, 503)
    assert.match(person.page.text, /not available right now/)

    assert.equal((await here.agent.call('GET', '/healthz')).status, 200)
    const ready = await here.agent.call('GET', '/readyz')
    assert.deepEqual(
      [ready.status, ready.json],
      [503, { status: 'unavailable', reasons: ['a database is out of reach'] }],
    )
    proxy.heal()
    await nothingWasConsumed(all)
  })

  test('a network that swallows everything ends in the same refusals, and verify does not notice', async (t) => {
    const all = await scene(t)
    const { here, proxy, tenant, pair } = all
    proxy.blackhole()
    const asked = [
      tenant.edge('refresh', { refresh_token: pair.refresh_token }),
      tenant.edge('logout', { refresh_token: pair.refresh_token }),
      tenant.manage('GET', '/api/status'),
      here.agent.call('GET', `/edge/auth/${tenant.id}/google`),
    ]
    const ready = here.agent.call('GET', '/readyz')
    const firstRefusal = Promise.race(asked).then(() => 'a refusal')
    const verified = verifyGoesOn(all).then(() => 'verify')
    assert.equal(await Promise.race([firstRefusal, verified]), 'verify', 'verify does not wait for a database')
    await verified
    assert.equal((await here.agent.call('GET', '/healthz')).status, 200)
    for (const response of await Promise.all(asked)) refusedForNow(response)
    assert.equal((await ready).status, 503)
    proxy.heal()
    await nothingWasConsumed(all)
  })

  test('an instance that was cut off learns what others revoked meanwhile within 2 s of coming back', async (t) => {
    const all = await scene(t)
    const { here, proxy, database, tenant, pair } = all
    const elsewhere = await world(t, { like: here, env: { DATABASE_URL: database } })
    proxy.cut()
    const revoked = await tenant.at(elsewhere.agent).edge('logout', { refresh_token: pair.refresh_token })
    assert.equal(revoked.status, 200)
    assert.equal(await tenant.at(elsewhere.agent).isValid(pair.access_token), false)
    await sleep(1_500)
    assert.equal(await tenant.isValid(pair.access_token), true, 'it cannot know, and goes on answering')
    assert.equal((await here.agent.call('GET', '/readyz')).status, 503)

    proxy.heal()
    await withinTwoSeconds('the revocation is known', async () => !(await tenant.isValid(pair.access_token)))
    await tenant.assertRefreshRejected(pair.refresh_token, 'invalidRefreshToken')
  })

  test('a refresh whose commit was answered to nobody can be asked for again with its Idempotency-Key', async (t) => {
    const { here, proxy, tenant, pair } = await scene(t)
    const { refresh_token } = pair
    const refresh = () => tenant.edge('refresh', { refresh_token }, { 'Idempotency-Key': 'attempt-0001' })
    proxy.loseNextCommit()
    refusedForNow(await refresh())
    const again = await refresh()
    assert.equal(again.status, 200, again.text)
    assert.equal(await tenant.isValid(again.json.access_token), true)
    await waitUntil('the pair it came from is dead', async () => !(await tenant.isValid(pair.access_token)))
    here.clock.advance({ minutes: 2 })
    await tenant.refresh(again.json.refresh_token)
    assert.deepEqual(
      await tenant.eventKinds(),
      ['login_started', 'authorize', 'token_refreshed', 'token_refreshed', 'token_refreshed'],
      'it happened once',
    )
  })

  test('connections that the server ends under load cost refusals for now, and nothing else', async (t) => {
    const { here, database, tenant, pair } = await scene(t)
    const name = new URL(database).pathname.slice(1)
    let breaking = true
    const breaker = asAdmin(async (admin) => {
      for (; breaking; await sleep(150)) {
        await admin.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [name])
      }
    })
    const statuses = new Set<number>()
    const load = Array.from({ length: 2 }, async () => {
      while (breaking) statuses.add((await tenant.manage('GET', '/api/status')).status)
    })
    let { refresh_token } = pair
    const steps = 30
    for (let step = 0; step < steps; step++) {
      here.clock.advance({ seconds: 15 })
      for (;;) {
        const response = await tenant.edge('refresh', { refresh_token }, { 'Idempotency-Key': `attempt-${step}-of-it` })
        statuses.add(response.status)
        if (response.status !== 200) continue
        refresh_token = response.json.refresh_token
        break
      }
    }
    breaking = false
    await Promise.all([breaker, ...load])

    assert.deepEqual([...statuses].sort(), [200, 503])
    await waitUntil('it is ready', async () => (await here.agent.call('GET', '/readyz')).status === 200)
    const refreshes = (await tenant.events('&event=token_refreshed')).length
    assert.equal(refreshes, 1 + steps, 'each refresh that was acknowledged happened, once')
    assert.equal((await tenant.status()).usage.events_lifetime.used, 3 + steps)
  })
})
