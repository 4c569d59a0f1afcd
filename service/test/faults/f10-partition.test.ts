import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { freshPostgres } from '../support/engines.ts'
import { faultProxy } from '../support/fault-proxy.ts'
import { soon } from '../support/soon.ts'
import { figure, inFull, seconds } from './support/figures.ts'
import { Pulse } from './support/pulse.ts'
import { pairFor, scene } from './support/scene.ts'

const CUT_OFF_MS = inFull(120_000, 36_000)

test(`F10: an instance that is cut off for ${CUT_OFF_MS / 1_000} s answers verify, says that it is not ready, and knows within 2 s of coming back`, {
  timeout: CUT_OFF_MS + 60_000,
}, async (t) => {
  const database = await freshPostgres()
  const proxy = await faultProxy(t, database)
  const all = await scene(t, 'postgres', { databases: [database, proxy.url] })
  const { cluster } = all
  const [a, b] = cluster.instances
  assert.ok(a && b)
  const [atA, atB] = [all.app.at(a.agent), all.app.at(b.agent)]
  const kept = await pairFor(all)
  const ended = await pairFor(all)

  proxy.silence()
  const cutOff = performance.now()
  const pulse = new Pulse(t, all.app, b, kept.access_token)
  assert.equal((await atA.edge('logout', { refresh_token: ended.refresh_token })).status, 200)
  assert.equal(await atA.isValid(ended.access_token), false)
  assert.equal(await atB.isValid(ended.access_token), true, 'it cannot know, and an hour bounds what it does not know')
  assert.equal((await atB.edge('refresh', { refresh_token: ended.refresh_token })).status, 503)

  const reasons = async (): Promise<string[]> => (await b.agent.call('GET', '/readyz')).json.reasons ?? []
  await soon('it says that its revocations are out of date', async () => (await reasons()).length === 2, 40_000)
  const stale = performance.now() - cutOff
  assert.deepEqual((await reasons()).sort(), ['a database is out of reach', 'revocations are out of date'])
  assert.equal((await a.agent.call('GET', '/readyz')).status, 200)
  await sleep(Math.max(0, CUT_OFF_MS - (performance.now() - cutOff)))

  proxy.mend()
  const mended = performance.now()
  await soon('it knows what was ended meanwhile', async () => !(await atB.isValid(ended.access_token)))
  const known = performance.now() - mended
  const ready = await cluster.ready()
  assert.deepEqual((await pulse.stop()).wrong, [], 'I7: verify kept answering')
  assert.equal((await atB.edge('refresh', { refresh_token: kept.refresh_token })).status, 200)
  figure(
    t,
    `F10: cut off for ${seconds(CUT_OFF_MS)}, not ready after ${seconds(stale)}, ${pulse.beats} verifications (99 % within ${pulse.p99()} ms), revocation known ${seconds(known)} and ready ${seconds(ready)} after the cut was mended`,
  )
})
