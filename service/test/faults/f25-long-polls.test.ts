import assert from 'node:assert/strict'
import { Agent as Connections, get } from 'node:http'
import { type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { LONG_POLLS_PER_TENANT } from '@gatehouse-auth/contract'
import { ownedApp } from '../support/faults/app.ts'
import { count, figure, fullOrShort, seconds } from '../support/faults/figures.ts'
import { createFixture, newTokenPair } from '../support/faults/fixture.ts'
import { VerifyProbe } from '../support/faults/verify-probe.ts'
import { ENGINES } from '../support/postgres/engines.ts'
import { rssOf } from '../support/process/rss.ts'
import { long } from '../support/tags.ts'

const LONG_POLLS = fullOrShort(5_000, 1_500)
/** What one tenant may have waiting; the client address changes with it, because its share is 1,000. */
const PER_TENANT = LONG_POLLS_PER_TENANT
const EVENTS = 50

interface Received {
  readonly status: number
  readonly text: string
}

function longPollClient(t: TestContext, port: string) {
  const connections = new Connections({ keepAlive: true })
  t.after(() => connections.destroy())
  return (key: string, after: number, address: string): Promise<Received> =>
    new Promise((resolve, reject) => {
      const headers = { Authorization: `Bearer ${key}`, 'X-Forwarded-For': address }
      const path = `/api/social-login/events?wait=25&limit=1&after=${after}`
      get({ host: '127.0.0.1', port, path, headers, agent: connections }, (response) => {
        let text = ''
        response.setEncoding('utf8').on('data', (chunk) => {
          text += chunk
        })
        response.on('end', () => resolve({ status: response.statusCode ?? 0, text }))
      }).on('error', reject)
    })
}

for (const engine of ENGINES) {
  test(`[${engine}] F25: a burst of events wakes ${count(LONG_POLLS)} long polls: each gets one response, and other requests do not wait`, {
    skip: long,
    timeout: 120_000,
  }, async (t) => {
    const fixture = await createFixture(t, engine, {
      instances: 1,
      settings: { TRUSTED_PROXIES: '127.0.0.1,::1' },
    })
    const { cluster, app } = fixture
    const { access_token } = await newTokenPair(fixture)
    const apps = [app]
    while (apps.length < LONG_POLLS / PER_TENANT) {
      apps.push(await ownedApp(cluster))
    }
    const waiters = await Promise.all(
      apps.map(async (tenant, index) => ({
        key: tenant.key,
        token: (await newTokenPair({ cluster, app: tenant })).refresh_token,
        last: (await tenant.events()).at(-1)?.id ?? 0,
        address: `203.0.113.${index + 1}`,
      })),
    )
    const idle = await rssOf(cluster.first.pid)
    const poll = longPollClient(t, cluster.first.service.settings.PORT)
    const began = performance.now()
    const waiting: Promise<Received>[] = []
    while (waiting.length < LONG_POLLS) {
      const waiter = waiters[Math.floor(waiting.length / PER_TENANT)]
      assert.ok(waiter)
      for (let number = 0; number < 50; number++) {
        waiting.push(poll(waiter.key, waiter.last, waiter.address))
      }
      // Wait until these are accepted. Connections and database requests are served in order, so once a new request has
      // its response, all earlier ones have been accepted.
      await app.at(cluster.first.service.agent).manage('GET', '/api/status')
    }
    assert.ok(performance.now() - began < 20_000, 'the first long polls would have timed out')
    const waitingMb = await rssOf(cluster.first.pid)
    const probe = new VerifyProbe(t, app, cluster.first, access_token)
    await sleep(200)
    const burst = performance.now()
    for (let event = 0; event < EVENTS; event++) {
      const [tenant, waiter] = [apps[event % apps.length], waiters[event % apps.length]]
      if (tenant === undefined || waiter === undefined) {
        continue
      }
      waiter.token = (
        await tenant.refresh(waiter.token).catch(() => ({ refresh_token: waiter.token }))
      ).refresh_token
    }
    const responses = await Promise.all(waiting)
    const took = performance.now() - burst
    const woken = responses.filter(
      ({ status, text }) => status === 200 && text.includes('token_refreshed'),
    ).length
    assert.equal(
      woken,
      LONG_POLLS,
      `the others: ${responses.find(({ status }) => status !== 200)?.text}`,
    )
    assert.deepEqual((await probe.stop()).failures, [])
    const slowest = probe.p99()
    const most = await rssOf(cluster.first.pid)
    assert.ok(
      most <= idle * 1.5 + 64 + LONG_POLLS / 25,
      `I9: ${Math.round(most)} MB, from ${Math.round(idle)} MB`,
    )
    assert.ok(slowest < 500, `I9: 99 % of verifications within ${slowest} ms`)
    figure(
      t,
      `F25 [${engine}]: ${count(LONG_POLLS)} long polls got one response each within ${seconds(took)}; meanwhile 99 % of ${probe.calls} verifications within ${slowest} ms; ${Math.round(idle)} MB before, ${Math.round(waitingMb)} MB with them, ${Math.round(most)} MB after`,
    )
  })
}
