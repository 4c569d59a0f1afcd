import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import type { ApiResponse, Pair, Tenant } from '../support/actors/agent.ts'
import { type FaultProxy, faultProxy } from '../support/faults/fault-proxy.ts'
import { asAdmin, freshPostgres } from '../support/postgres/engines.ts'
import { waitUntil, withinTwoSeconds } from '../support/process/wait-until.ts'
import { type World, world } from '../support/world.ts'

interface Fixture {
  /** An instance that reaches its database through `proxy`. */
  readonly here: World
  readonly proxy: FaultProxy
  readonly database: string
  readonly tenant: Tenant
  /** A pair that was refreshed, and its successor. */
  readonly spent: Pair
  readonly pair: Pair
}

async function createFixture(t: TestContext): Promise<Fixture> {
  const database = await freshPostgres()
  const proxy = await faultProxy(t, database)
  const here = await world(t, {
    through: 'port',
    engine: 'postgres',
    timing: {},
    env: { DATABASE_URL: proxy.url },
  })
  const tenant = await here.agent.createTenant()
  const spent = await tenant.signIn(here.browser())
  here.clock.advance({ minutes: 1 })
  const pair = await tenant.refresh(spent.refresh_token)
  return { here, proxy, database, tenant, spent, pair }
}

const assertUnavailable = (response: ApiResponse): void => {
  assert.equal(response.status, 503, response.text)
  assert.equal(response.json.error.code, 'temporarilyUnavailable')
  assert.equal(response.json.error.retryable, true)
  assert.match(response.headers.get('retry-after') ?? '', /^[1-9]\d*$/)
  assert.equal('access_token' in response.json, false)
}

/** The same requests succeed once the database is back. */
async function assertNothingConsumed({ here, tenant, pair }: Fixture): Promise<void> {
  await waitUntil(
    'the service is ready again',
    async () => (await here.agent.call('GET', '/readyz')).status === 200,
  )
  assert.equal((await tenant.status()).usage.events_lifetime.used, 3)
  const next = await tenant.refresh(pair.refresh_token)
  assert.equal(await tenant.isValid(next.access_token), true)
  assert.equal(await tenant.isValid(pair.access_token), false)
  assert.deepEqual(await tenant.eventKinds(), [
    'login_started',
    'authorize',
    'token_refreshed',
    'token_refreshed',
  ])
}

async function assertVerifyWorks({ tenant, pair, spent }: Fixture): Promise<void> {
  assert.equal(await tenant.isValid(pair.access_token), true)
  assert.equal(await tenant.isValid(spent.access_token), false)
}

// Most of these wait for a timeout, so they run concurrently.
describe('while the database is unreachable', { concurrency: true }, () => {
  // proves C065, S020, D4
  test('verify works without the database; everything else returns 503 and consumes nothing', async (t) => {
    const fixture = await createFixture(t)
    const { here, proxy, tenant, pair } = fixture
    proxy.cut()
    await assertVerifyWorks(fixture)
    assert.deepEqual((await tenant.edge('verify', { access_token: 'garbage' })).json, {
      valid: false,
    })
    for (const response of [
      await tenant.edge('refresh', { refresh_token: pair.refresh_token }),
      await tenant.edge('logout', { refresh_token: pair.refresh_token }),
      await tenant.manage('GET', '/api/status'),
      await tenant.manage('GET', '/api/social-login/users'),
      await tenant.manage('POST', '/api/resources/social-login', {
        callback_urls: ['https://other.example.com/cb'],
      }),
      await tenant.manage('DELETE', '/api/resources/social-login'),
      await here.agent.call('POST', '/api/genesis'),
      await here.agent.call('GET', `/edge/auth/${tenant.id}/google`),
    ]) {
      assertUnavailable(response)
    }
    const browser = here.browser()
    await browser.open(tenant.loginUrl)
    assert.equal(browser.page.status, 503)
    assert.match(browser.page.text, /not available right now/)

    assert.equal((await here.agent.call('GET', '/healthz')).status, 200)
    const ready = await here.agent.call('GET', '/readyz')
    assert.deepEqual(
      [ready.status, ready.json],
      [503, { status: 'unavailable', reasons: ['a database is out of reach'] }],
    )
    proxy.heal()
    await assertNothingConsumed(fixture)
  })

  test('a network that drops all packets causes the same 503s, and verify does not wait', async (t) => {
    const fixture = await createFixture(t)
    const { here, proxy, tenant, pair } = fixture
    proxy.blackhole()
    const requests = [
      tenant.edge('refresh', { refresh_token: pair.refresh_token }),
      tenant.edge('logout', { refresh_token: pair.refresh_token }),
      tenant.manage('GET', '/api/status'),
      here.agent.call('GET', `/edge/auth/${tenant.id}/google`),
    ]
    const ready = here.agent.call('GET', '/readyz')
    const firstError = Promise.race(requests).then(() => 'an error')
    const verified = assertVerifyWorks(fixture).then(() => 'verify')
    assert.equal(
      await Promise.race([firstError, verified]),
      'verify',
      'verify does not wait for a database',
    )
    await verified
    assert.equal((await here.agent.call('GET', '/healthz')).status, 200)
    for (const response of await Promise.all(requests)) {
      assertUnavailable(response)
    }
    assert.equal((await ready).status, 503)
    proxy.heal()
    await assertNothingConsumed(fixture)
  })

  test('a disconnected instance applies missed revocations within 2 s of reconnecting', async (t) => {
    const fixture = await createFixture(t)
    const { here, proxy, database, tenant, pair } = fixture
    const elsewhere = await world(t, {
      through: 'port',
      like: here,
      timing: {},
      env: { DATABASE_URL: database },
    })
    proxy.cut()
    const revoked = await tenant
      .at(elsewhere.agent)
      .edge('logout', { refresh_token: pair.refresh_token })
    assert.equal(revoked.status, 200)
    assert.equal(await tenant.at(elsewhere.agent).isValid(pair.access_token), false)
    await waitUntil(
      'the instance notices the outage',
      async () => (await here.agent.call('GET', '/readyz')).status === 503,
    )
    assert.equal(
      await tenant.isValid(pair.access_token),
      true,
      'verify works, without the revocation',
    )

    proxy.heal()
    await withinTwoSeconds(
      'the revocation is applied',
      async () => !(await tenant.isValid(pair.access_token)),
    )
    await tenant.assertRefreshRejected(pair.refresh_token, 'invalidRefreshToken')
  })

  test('a refresh whose commit response was lost can be retried with its Idempotency-Key', async (t) => {
    const { here, proxy, tenant, pair } = await createFixture(t)
    const { refresh_token } = pair
    const refresh = () =>
      tenant.edge('refresh', { refresh_token }, { 'Idempotency-Key': 'attempt-0001' })
    proxy.loseNextCommit()
    assertUnavailable(await refresh())
    const again = await refresh()
    assert.equal(again.status, 200, again.text)
    assert.equal(await tenant.isValid(again.json.access_token), true)
    await waitUntil(
      'the replaced pair is invalid',
      async () => !(await tenant.isValid(pair.access_token)),
    )
    here.clock.advance({ minutes: 2 })
    await tenant.refresh(again.json.refresh_token)
    assert.deepEqual(
      await tenant.eventKinds(),
      ['login_started', 'authorize', 'token_refreshed', 'token_refreshed', 'token_refreshed'],
      'one event for the retried refresh',
    )
  })

  test('connections that PostgreSQL terminates under load cause 503s and lose no refresh', async (t) => {
    const { here, database, tenant, pair } = await createFixture(t)
    const name = new URL(database).pathname.slice(1)
    const statuses = new Set<number>()
    let isLoaded = true
    const load = Array.from({ length: 2 }, async () => {
      while (isLoaded) {
        statuses.add((await tenant.manage('GET', '/api/status')).status)
      }
    })
    let { refresh_token } = pair
    const steps = 30
    const terminations: Promise<unknown>[] = []
    for (let step = 0; step < steps; step++) {
      here.clock.advance({ seconds: 15 })
      // At some moment of the first attempt.
      terminations.push(
        asAdmin((admin) =>
          admin.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [
            name,
          ]),
        ),
      )
      for (;;) {
        const response = await tenant.edge(
          'refresh',
          { refresh_token },
          { 'Idempotency-Key': `attempt-${step}-of-it` },
        )
        statuses.add(response.status)
        if (response.status !== 200) {
          continue
        }
        refresh_token = response.json.refresh_token
        break
      }
    }
    isLoaded = false
    await Promise.all([...terminations, ...load])

    assert.deepEqual([...statuses].sort(), [200, 503])
    await waitUntil(
      'the service is ready',
      async () => (await here.agent.call('GET', '/readyz')).status === 200,
    )
    const refreshes = (await tenant.events('&event=token_refreshed')).length
    assert.equal(refreshes, 1 + steps, 'every acknowledged refresh is recorded once')
    assert.equal((await tenant.status()).usage.events_lifetime.used, 3 + steps)
  })
})
