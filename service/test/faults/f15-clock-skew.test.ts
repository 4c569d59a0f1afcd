import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { RACE_WINDOW_MS } from '../../src/domain/sessions/replay.ts'
import type { Tenant } from '../support/actors/agent.ts'
import { figure, seconds } from '../support/faults/figures.ts'
import { createFixture, type Fixture, newTokenPair } from '../support/faults/fixture.ts'
import { signalPreload } from '../support/faults/preload.ts'
import { startSkewedInstance } from '../support/faults/skewed-instance.ts'
import { waitUntil, withinTwoSeconds } from '../support/process/wait-until.ts'
import { long } from '../support/tags.ts'

/** What two instances may differ by when both go by the database's clock, each to a second. */
const JUDGED_WITHIN_MS = 2_000

for (const skew of [20, -20]) {
  test(`F15: an instance whose clock is ${skew} s away goes by the database's: at either one a lost race is excused, and a theft is not`, {
    skip: long,
    timeout: 90_000,
  }, async (t) => {
    const fixture = await createFixture(t, 'postgres', { instances: 1 })
    const { first } = fixture.cluster
    const skewed = await startSkewedInstance(t, fixture, skew)
    for (const { agent } of [first, skewed]) assert.equal((await agent.call('GET', '/readyz')).status, 200)
    const [here, there] = [fixture.app.at(first.agent), fixture.app.at(skewed.agent)]

    await raceBothWays(fixture, here, there)
    const stolen = []
    for (const [winner, loser] of [
      [here, there],
      [there, here],
    ] as const) {
      const { refresh_token } = await newTokenPair(fixture)
      stolen.push({ refresh_token, next: await winner.refresh(refresh_token), winner, loser })
    }

    await sleep(RACE_WINDOW_MS + JUDGED_WITHIN_MS)
    for (const { refresh_token, next, winner, loser } of stolen) {
      await loser.assertRefreshRejected(refresh_token, 'refreshTokenReused')
      await winner.assertRefreshRejected(next.refresh_token, 'invalidRefreshToken')
      await waitUntil('its session is over everywhere', async () => !(await winner.isValid(next.access_token)))
    }
    const late = seconds(RACE_WINDOW_MS + JUDGED_WITHIN_MS)
    figure(t, `F15: ${skew} s away: ready, 2 of 2 lost races excused, 2 of 2 tokens refused as stolen ${late} later`)
  })
}

for (const step of [20, -20]) {
  test(`F15: a clock that is set by ${step} s while it serves is made up for within 2 s`, {
    skip: long,
    timeout: 60_000,
  }, async (t) => {
    const fixture = await createFixture(t, 'postgres', { instances: 1 })
    const set = await startSkewedInstance(t, fixture, 0, step)
    const [here, there] = [fixture.app.at(fixture.cluster.first.agent), fixture.app.at(set.agent)]
    await raceBothWays(fixture, here, there)
    // Nobody commits any more, so that only the heartbeat is left to notice it.
    await sleep(500)

    const began = performance.now()
    await signalPreload(set, 'the clock was set')
    const said = new RegExp(`clock is ${step < 0 ? '-' : ''}(19|20)\\.\\d s away from the database's`)
    await withinTwoSeconds('it says so', async () => said.test(set.log))
    const stalled = performance.now() - began
    await raceBothWays(fixture, here, there)
    assert.equal((await set.agent.call('GET', '/readyz')).status, 200)
    figure(t, `F15: set by ${step} s while it served, noticed after ${seconds(stalled)}, 2 of 2 lost races excused`)
  })
}

/** Two servers of one app refresh with one token: whoever is second gets nothing, and the session lives. */
async function raceBothWays(fixture: Fixture, here: Tenant, there: Tenant): Promise<void> {
  for (const [winner, loser] of [
    [here, there],
    [there, here],
  ] as const) {
    const { refresh_token } = await newTokenPair(fixture)
    const next = await winner.refresh(refresh_token)
    await loser.assertRefreshRejected(refresh_token, 'refreshTokenSuperseded')
    await loser.refresh(next.refresh_token)
  }
}
