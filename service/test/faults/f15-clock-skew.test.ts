import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { RACE_WINDOW_MS } from '../../src/domain/sessions/replay.ts'
import type { Tenant } from '../support/actors/agent.ts'
import { figure, seconds } from '../support/faults/figures.ts'
import { createFixture, type Fixture, newTokenPair } from '../support/faults/fixture.ts'
import { signalPreload } from '../support/faults/preload.ts'
import { startSkewedInstance } from '../support/faults/skewed-instance.ts'
import { withinTwoSeconds } from '../support/process/wait-until.ts'
import { long } from '../support/tags.ts'

/** How far two instances may differ when both follow the database's clock to within a second. */
const CLOCK_TOLERANCE_MS = 2_000

for (const skew of [20, -20]) {
  // proves S004
  test(`F15: an instance whose clock is off by ${skew} s uses the database's clock: at either instance a lost race is excused, and a stolen token is detected`, {
    skip: long,
    timeout: 90_000,
  }, async (t) => {
    const fixture = await createFixture(t, 'postgres', { instances: 1 })
    const { first } = fixture.cluster
    const skewed = await startSkewedInstance(t, fixture, skew)
    for (const { agent } of [first, skewed]) {
      assert.equal((await agent.call('GET', '/readyz')).status, 200)
    }
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

    await sleep(RACE_WINDOW_MS + CLOCK_TOLERANCE_MS)
    for (const { refresh_token, next, winner, loser } of stolen) {
      await loser.assertRefreshRejected(refresh_token, 'refreshTokenReused')
      await winner.assertRefreshRejected(next.refresh_token, 'invalidRefreshToken')
      await withinTwoSeconds(
        'the session has ended everywhere',
        async () => !(await winner.isValid(next.access_token)),
      )
    }
    const late = seconds(RACE_WINDOW_MS + CLOCK_TOLERANCE_MS)
    figure(
      t,
      `F15: off by ${skew} s: ready, 2 of 2 lost races excused, 2 of 2 stolen tokens rejected ${late} later`,
    )
  })
}

for (const step of [20, -20]) {
  test(`F15: a clock step of ${step} s on a running instance is corrected within 2 s`, {
    skip: long,
    timeout: 60_000,
  }, async (t) => {
    const fixture = await createFixture(t, 'postgres', { instances: 1 })
    const stepped = await startSkewedInstance(t, fixture, 0, step)
    const [here, there] = [
      fixture.app.at(fixture.cluster.first.agent),
      fixture.app.at(stepped.agent),
    ]
    await raceBothWays(fixture, here, there)
    // Without commits, only the heartbeat can detect the step.
    await sleep(500)

    const began = performance.now()
    await signalPreload(stepped, 'the clock was set')
    const warning = new RegExp(
      `clock is ${step < 0 ? '-' : ''}(19|20)\\.\\d s away from the database's`,
    )
    await withinTwoSeconds('the step is logged', async () => warning.test(stepped.log))
    const detected = performance.now() - began
    await raceBothWays(fixture, here, there)
    assert.equal((await stepped.agent.call('GET', '/readyz')).status, 200)
    figure(
      t,
      `F15: clock step of ${step} s, detected after ${seconds(detected)}, 2 of 2 lost races excused`,
    )
  })
}

/** Two servers of one app refresh with the same token: the second gets an error, and the session continues. */
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
