import assert from 'node:assert/strict'
import { test } from 'node:test'
import { faultProxy } from '../support/faults/fault-proxy.ts'
import { figure, seconds } from '../support/faults/figures.ts'
import { createFixture, newTokenPair } from '../support/faults/fixture.ts'
import { freshPostgres } from '../support/postgres/engines.ts'
import { waitUntil, withinTwoSeconds } from '../support/process/wait-until.ts'
import { long } from '../support/tags.ts'

const REVOCATIONS = 10
const DETECTED_WITHIN_MS = 15_000

test('F11: a half-open LISTEN connection is replaced within 15 s, and revocations apply within 2 s meanwhile', {
  skip: long,
  timeout: 90_000,
}, async (t) => {
  const database = await freshPostgres()
  const proxy = await faultProxy(t, database)
  const fixture = await createFixture(t, 'postgres', { databases: [database, proxy.url] })
  const [a, b] = fixture.cluster.instances
  assert.ok(a && b)
  const [here, there] = [fixture.app.at(a.agent), fixture.app.at(b.agent)]
  const pairs = []
  for (let number = 0; number < REVOCATIONS; number++) {
    pairs.push(await newTokenPair(fixture))
  }

  proxy.blackholeListeners()
  const began = performance.now()
  const reconnected = waitUntil('the listener reconnects', async () =>
    b.log.includes('reconnecting'),
  )
  let slowest = 0
  for (const { refresh_token, access_token } of pairs) {
    assert.equal((await here.edge('logout', { refresh_token })).status, 200)
    const ended = performance.now()
    await withinTwoSeconds(
      'the revocation is applied',
      async () => !(await there.isValid(access_token)),
    )
    slowest = Math.max(slowest, performance.now() - ended)
  }
  await reconnected
  const took = performance.now() - began
  assert.ok(took < DETECTED_WITHIN_MS, seconds(took))
  figure(
    t,
    `F11: ${REVOCATIONS} revocations applied after at most ${seconds(slowest)}, the listener replaced after ${seconds(took)}`,
  )
})
