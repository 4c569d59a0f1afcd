import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { figure, fullOrShort, seconds } from '../support/faults/figures.ts'
import { createFixture, newTokenPair } from '../support/faults/fixture.ts'
import { ENGINES } from '../support/postgres/engines.ts'

const SUSPENDED_MS = fullOrShort(30_000, 4_000)
const ASKED_AT_ONCE = 20

for (const engine of ENGINES) {
  test(`[${engine}] F4: suspended for ${SUSPENDED_MS / 1_000} s, it calls nothing valid that was ended meanwhile, from its first answer on`, {
    timeout: 120_000,
  }, async (t) => {
    const fixture = await createFixture(t, engine, { instances: 2 })
    const [a, b] = fixture.cluster.instances
    assert.ok(a && b)
    const [here, there] = [fixture.app.at(a.agent), fixture.app.at(b.agent)]
    const [kept, left, replaced] = [
      await newTokenPair(fixture),
      await newTokenPair(fixture),
      await newTokenPair(fixture),
    ]
    for (const { access_token } of [kept, left, replaced]) assert.equal(await there.isValid(access_token), true)

    process.kill(b.pid, 'SIGSTOP')
    assert.equal((await here.edge('logout', { refresh_token: left.refresh_token })).status, 200)
    await here.refresh(replaced.refresh_token)
    await sleep(SUSPENDED_MS)
    // They lie in its sockets when it wakes, so they are the first that it answers.
    const asked = Array.from({ length: ASKED_AT_ONCE }, (_, at) =>
      there.isValid((at % 2 === 0 ? left : replaced).access_token),
    )
    await sleep(200)
    const woken = performance.now()
    process.kill(b.pid, 'SIGCONT')
    const verdicts = await Promise.all(asked)
    const took = performance.now() - woken
    assert.deepEqual(
      verdicts.filter((valid) => valid),
      [],
      'I3: the first verify after a pause knows what happened in it',
    )
    assert.equal(await there.isValid(kept.access_token), true)
    const ready = await fixture.cluster.ready()
    figure(
      t,
      `F4 [${engine}]: suspended ${seconds(SUSPENDED_MS)}, ${verdicts.length} verifications were waiting, 0 wrong, all answered ${seconds(took)} after waking, ready after ${seconds(ready)}`,
    )
  })
}
