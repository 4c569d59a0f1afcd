import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ApiResponse, Pair, Tenant } from '../support/actors/agent.ts'
import { csrfOf } from '../support/actors/csrf.ts'
import { codeQuery, exchange, newVerifier } from '../support/actors/login-code.ts'
import { connectAgent, randomEmail } from '../support/faults/app.ts'
import { type FaultProxy, faultProxy } from '../support/faults/fault-proxy.ts'
import { count, figure, fullOrShort } from '../support/faults/figures.ts'
import {
  createFixture,
  createTraffic,
  type Fixture,
  newTokenPair,
} from '../support/faults/fixture.ts'
import { providerCallback } from '../support/faults/scripted-provider.ts'
import { assertInvariants } from '../support/ledger/invariants.ts'
import { freshPostgres } from '../support/postgres/engines.ts'
import { long } from '../support/tags.ts'

// The connection breaks between COMMIT and its response: only the database knows the outcome.

const LOST = fullOrShort(200, 25)

interface ProxyFixture extends Fixture {
  readonly proxy: FaultProxy
  /** The app at the instance behind the proxy. */
  readonly here: Tenant
}

async function behindProxy(t: TestContext, instances = 1): Promise<ProxyFixture> {
  const database = await freshPostgres()
  const proxy = await faultProxy(t, database)
  const fixture = await createFixture(t, 'postgres', {
    databases: [proxy.url, database],
    instances,
  })
  return { ...fixture, proxy, here: fixture.app.at(fixture.cluster.first.agent) }
}

const refresh = (app: Tenant, { refresh_token }: Pair, key?: string): Promise<ApiResponse> =>
  app.edge('refresh', { refresh_token }, key === undefined ? {} : { 'Idempotency-Key': key })

function assertUnavailable(response: ApiResponse): void {
  assert.equal(response.status, 503, response.text)
  assert.match(response.headers.get('retry-after') ?? '', /^[1-9]\d*$/)
}

test('F8: retrying a refresh whose commit response was lost returns its pair, and the replaced token is invalid at once', {
  skip: long,
}, async (t) => {
  const fixture = await behindProxy(t)
  const { here, proxy } = fixture
  for (let round = 0; round < 10; round++) {
    const pair = await newTokenPair(fixture)
    proxy.loseNextCommit()
    const first = await refresh(here, pair, `attempt-${round}-0`)
    const response = first.status === 503 ? await refresh(here, pair, `attempt-${round}-0`) : first
    assert.equal(response.status, 200, response.text)
    assert.equal(
      await here.isValid(pair.access_token),
      false,
      'I3: revoked at the instance that acknowledged it',
    )
    assert.equal(await here.isValid(response.json.access_token), true)
  }
  const refreshes = (await here.eventKinds()).filter((kind) => kind === 'token_refreshed')
  assert.equal(refreshes.length, 10, 'I2: one event per refresh')
})

test('F8: retrying without an idempotency key after a lost commit response is a lost race, and the session continues', {
  skip: long,
}, async (t) => {
  const fixture = await behindProxy(t)
  const { here, proxy } = fixture
  const pair = await newTokenPair(fixture)
  proxy.loseNextCommit()
  const first = await refresh(here, pair)
  if (first.status === 200) {
    return
  }
  assertUnavailable(first)
  assert.equal((await refresh(here, pair)).json.error.code, 'refreshTokenSuperseded')
  assert.equal((await here.eventKinds()).includes('logout'), false, 'no false reuse alarm')
})

test('F8: a logout whose commit response was lost has ended the session: a retry succeeds, and the token is invalid at once', {
  skip: long,
}, async (t) => {
  const fixture = await behindProxy(t)
  const { here, proxy } = fixture
  for (let round = 0; round < 10; round++) {
    const { access_token, refresh_token } = await newTokenPair(fixture)
    proxy.loseNextCommit()
    const first = await here.edge('logout', { refresh_token })
    if (first.status !== 200) {
      assertUnavailable(first)
      assert.equal((await here.edge('logout', { refresh_token })).status, 200)
    }
    assert.equal(
      await here.isValid(access_token),
      false,
      'I3: revoked at the instance that acknowledged it',
    )
  }
  assert.equal((await here.eventKinds()).filter((kind) => kind === 'logout').length, 10)
})

test('F8: a user whose consent lost its commit response presses Continue again and is signed in once', {
  skip: long,
}, async (t) => {
  const { cluster, proxy, here } = await behindProxy(t)
  const email = randomEmail()
  const browser = cluster.browser()
  const start = `${cluster.baseUrl}/edge/auth/${here.id}/google`
  await browser.open(providerCallback(await browser.open(start), email))
  const { url } = browser.page
  const body = new URLSearchParams({ csrf: csrfOf(browser), decision: 'allow' })
  proxy.loseNextCommit()
  await browser.press('Continue')
  assert.equal(browser.page.status, 503)
  const repeated = await browser.request(url, { method: 'POST', body })
  const redirectUrl = new URL(repeated.headers.get('location') ?? '')
  assert.equal(await here.isValid(redirectUrl.searchParams.get('access_token') ?? ''), true)
  assert.equal((await here.users()).length, 1)
  assert.deepEqual((await here.eventKinds()).slice(-2), ['login_started', 'authorize'])
})

test('F8: an app whose exchange of a one-time code lost its commit response gets the pair, and no session ends', {
  skip: long,
}, async (t) => {
  const { cluster, proxy, here } = await behindProxy(t)
  for (const key of ['the-first-key', undefined]) {
    const verifier = newVerifier()
    const browser = cluster.browser()
    const start = `${cluster.baseUrl}/edge/auth/${here.id}/google${codeQuery(verifier)}`
    await browser.open(providerCallback(await browser.open(start), randomEmail()))
    const code = (await browser.press('Continue')).searchParams.get('code') ?? ''
    proxy.loseNextCommit()
    const { status, json, text } = await exchange(here, { code, verifier }, key)
    assert.equal(status, 200, `the committed pair was looked up and returned: ${text}`)
    assert.equal(await here.isValid(json.access_token), true)
    assert.equal((await here.eventKinds()).includes('logout'), false)
  }
})

test('F8: an agent keeps its grant when the commit response of its refresh was lost', {
  skip: long,
}, async (t) => {
  const { cluster, proxy } = await behindProxy(t)
  const { client, tokens } = await connectAgent(cluster)
  proxy.loseNextCommit()
  const response = await client.refresh(tokens.refresh_token)
  assert.equal(response.status, 200, 'the committed pair was looked up and returned')
  const next = await client.refresh(response.json.refresh_token)
  assert.equal(next.status, 200, 'no false reuse alarm (keycloak#49213)')
})

test(`F8: losing ${LOST} commit responses under load causes no duplicate refresh`, {
  skip: long,
  timeout: 240_000,
}, async (t) => {
  const { cluster, proxy } = await behindProxy(t, 2)
  const { traffic, ledger } = await createTraffic(t, cluster)
  traffic.start()
  let lost = 0
  while (lost < LOST) {
    await new Promise<void>((then) => proxy.loseNextCommit(then))
    lost += 1
    await sleep(Math.random() * 200)
  }
  await traffic.stop()
  await traffic.settle()
  const { acknowledged } = await assertInvariants(cluster, ledger, traffic)
  assert.ok(cluster.seen.count(503) > 0)
  figure(
    t,
    `F8: ${lost} commit responses lost, ${count(acknowledged)} acknowledged, 0 lost, 0 duplicated (${cluster.seen})`,
  )
})
