import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Tenant } from '../support/actors/agent.ts'
import { ownedApp, providerSettings } from '../support/faults/app.ts'
import { Cluster } from '../support/faults/cluster.ts'
import { figure, fullOrShort, seconds, timeBound } from '../support/faults/figures.ts'
import { hangingAddress } from '../support/faults/hanging-address.ts'
import {
  acceptAnyUser,
  json,
  metadata,
  type ScriptedProvider,
  scriptedProvider,
} from '../support/faults/scripted-provider.ts'
import { timedLogin } from '../support/faults/timed-login.ts'

const DEADLINE_MS = 8_000
/** Latency of the token endpoint where userinfo hangs: the 8 s deadline covers both. */
const TOKEN_MS = 3_000

interface AppFixture {
  readonly cluster: Cluster
  readonly app: Tenant
}

async function startApp(t: TestContext, issuer: string): Promise<AppFixture> {
  const cluster = await Cluster.start(t, {
    engine: 'sqlite',
    settings: providerSettings({ issuer }),
  })
  return { cluster, app: await ownedApp(cluster) }
}

/** A slow provider that accepts any user and whose metadata names another URL for one endpoint. */
async function providerWith(
  t: TestContext,
  endpoint: { readonly token_endpoint: string } | { readonly userinfo_endpoint: string },
): Promise<ScriptedProvider> {
  const provider = await scriptedProvider(t)
  acceptAnyUser({
    ...provider,
    script: (path, script) =>
      provider.script(path, async (req, res) => {
        await sleep(TOKEN_MS)
        script(req, res)
      }),
  })
  provider.script('/discovery', json({ ...metadata(provider.issuer), ...endpoint }))
  return provider
}

/** Sends unrelated requests until `isDone`, and returns the slowest response time. */
async function slowestOther({ app }: AppFixture, isDone: () => boolean): Promise<number> {
  let slowest = 0
  while (!isDone()) {
    const began = performance.now()
    assert.equal((await app.manage('GET', '/api/status')).status, 200)
    slowest = Math.max(slowest, performance.now() - began)
    await sleep(200)
  }
  return slowest
}

async function failedLogin({
  cluster,
  app,
}: AppFixture): Promise<{ readonly events: string[]; readonly took: number }> {
  const { finalUrl, took } = await timedLogin(cluster, app.id, 'ada@example.com')
  assert.equal(finalUrl.searchParams.get('error'), 'login_failed')
  const failures = await app.events('&event=login_failed')
  assert.deepEqual(await app.users(), [])
  return {
    events: failures.map(({ metadata }) => `${metadata.stage} ${metadata.error_code}`),
    took,
  }
}

/** Without discovery there is no authorization endpoint to redirect to. */
async function failedStart({
  cluster,
  app,
}: AppFixture): Promise<{ readonly events: string[]; readonly took: number }> {
  const began = performance.now()
  const { status, headers } = await cluster
    .browser()
    .request(`${cluster.baseUrl}/edge/auth/${app.id}/google`)
  const took = performance.now() - began
  assert.deepEqual([status, headers.has('retry-after')], [503, true])
  return { events: await app.eventKinds(), took }
}

test('F17: a provider whose connections hang is aborted after 8 s in total, and other requests do not wait', {
  skip: process.platform === 'win32' ? 'on Windows a full backlog rejects connections' : false,
  timeout: 60_000,
}, async (t) => {
  const hanging = await hangingAddress(t)
  const [atToken, atUserinfo, atDiscovery] = await Promise.all([
    providerWith(t, { token_endpoint: `${hanging.origin}/token` }).then(({ issuer }) =>
      startApp(t, issuer),
    ),
    providerWith(t, { userinfo_endpoint: `${hanging.origin}/userinfo` }).then(({ issuer }) =>
      startApp(t, issuer),
    ),
    startApp(t, hanging.origin),
  ])
  let isDone = false
  const others = Promise.all(
    [atToken, atUserinfo, atDiscovery].map((each) => slowestOther(each, () => isDone)),
  )
  const [token, userinfo, discovery] = await Promise.all([
    failedLogin(atToken),
    failedLogin(atUserinfo),
    failedStart(atDiscovery),
  ])
  assert.equal(await hanging.hangs(), true, 'precondition: connections hang until the end')
  isDone = true
  const waited = Math.max(...(await others))

  assert.deepEqual(token.events, ['token_exchange timeout'])
  assert.deepEqual(userinfo.events, ['userinfo timeout'])
  assert.deepEqual(discovery.events, [], 'I10: no event was counted')
  const times = [token, userinfo, discovery].map(({ took }) => took)
  for (const took of times) {
    assert.ok(
      took > DEADLINE_MS - 500 && took < timeBound(DEADLINE_MS + 2_000),
      `the login took ${Math.round(took)} ms`,
    )
  }
  assert.ok(
    waited < fullOrShort(1_000, DEADLINE_MS),
    `another request took ${Math.round(waited)} ms`,
  )
  figure(
    t,
    `F17: token, userinfo and discovery endpoints where connecting hangs: aborted after at most ${seconds(Math.max(...times))}; other requests within ${Math.round(waited)} ms`,
  )
})
