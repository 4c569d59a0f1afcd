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
/** What the token endpoint takes for itself where userinfo hangs: the 8 s are for both together. */
const TOKEN_MS = 3_000

interface Served {
  readonly cluster: Cluster
  readonly app: Tenant
}

async function served(t: TestContext, issuer: string): Promise<Served> {
  const cluster = await Cluster.start(t, { engine: 'sqlite', settings: providerSettings({ issuer }) })
  return { cluster, app: await ownedApp(cluster) }
}

/** A provider that lets anybody in, slowly, and says that one of its endpoints is elsewhere. */
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

/** What others wait at most, asking again and again until it is over. */
async function slowestOther({ app }: Served, isOver: () => boolean): Promise<number> {
  let slowest = 0
  while (!isOver()) {
    const began = performance.now()
    assert.equal((await app.manage('GET', '/api/status')).status, 200)
    slowest = Math.max(slowest, performance.now() - began)
    await sleep(200)
  }
  return slowest
}

async function failedLogin({ cluster, app }: Served): Promise<{ readonly came: string[]; readonly took: number }> {
  const { finalUrl, took } = await timedLogin(cluster, app.id, 'ada@example.com')
  assert.equal(finalUrl.searchParams.get('error'), 'login_failed')
  const events = await app.events('&event=login_failed')
  assert.deepEqual(await app.users(), [])
  return { came: events.map(({ metadata }) => `${metadata.stage} ${metadata.error_code}`), took }
}

/** The browser is sent nowhere: where to is what could not be found out. */
async function failedStart({ cluster, app }: Served): Promise<{ readonly came: string[]; readonly took: number }> {
  const began = performance.now()
  const { status, headers } = await cluster.browser().request(`${cluster.baseUrl}/edge/auth/${app.id}/google`)
  const took = performance.now() - began
  assert.deepEqual([status, headers.has('retry-after')], [503, true])
  return { came: await app.eventKinds(), took }
}

test('F17: a provider that cannot be connected to, and does not say so, is given up on after 8 s in all, and nobody else waits', {
  skip: process.platform === 'win32' ? 'Windows refuses where others say nothing' : false,
  timeout: 60_000,
}, async (t) => {
  const hanging = await hangingAddress(t)
  const [atToken, atUserinfo, atDiscovery] = await Promise.all([
    providerWith(t, { token_endpoint: `${hanging.origin}/token` }).then(({ issuer }) => served(t, issuer)),
    providerWith(t, { userinfo_endpoint: `${hanging.origin}/userinfo` }).then(({ issuer }) => served(t, issuer)),
    served(t, hanging.origin),
  ])
  let isOver = false
  const others = Promise.all([atToken, atUserinfo, atDiscovery].map((each) => slowestOther(each, () => isOver)))
  const [token, userinfo, discovery] = await Promise.all([
    failedLogin(atToken),
    failedLogin(atUserinfo),
    failedStart(atDiscovery),
  ])
  assert.equal(await hanging.hangs(), true, 'the premise: to the end nobody could connect, and nobody was refused')
  isOver = true
  const waited = Math.max(...(await others))

  assert.deepEqual(token.came, ['token_exchange timeout'])
  assert.deepEqual(userinfo.came, ['userinfo timeout'])
  assert.deepEqual(discovery.came, [], 'I10: nothing was counted')
  const times = [token, userinfo, discovery].map(({ took }) => took)
  for (const took of times) {
    assert.ok(took > DEADLINE_MS - 500 && took < timeBound(DEADLINE_MS + 2_000), `it took ${Math.round(took)} ms`)
  }
  assert.ok(waited < fullOrShort(1_000, DEADLINE_MS), `somebody else waited ${Math.round(waited)} ms`)
  figure(
    t,
    `F17: token, userinfo and discovery endpoints where connecting hangs: given up on after ${seconds(Math.max(...times))} at the latest; others were answered within ${Math.round(waited)} ms`,
  )
})
