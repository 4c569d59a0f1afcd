import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { figure, fullOrShort, seconds } from '../support/faults/figures.ts'
import { createFixture, newTokenPair } from '../support/faults/fixture.ts'
import { ENGINES } from '../support/postgres/engines.ts'

/** The service checks for a pause of 1.5 s (http/server/stall-detector.ts). */
const SUSPENDED_MS = fullOrShort(30_000, 2_000)
const REQUESTS = 20

for (const engine of ENGINES) {
  test(`[${engine}] F4: an instance resumed after ${SUSPENDED_MS / 1_000} s of SIGSTOP rejects tokens revoked meanwhile from its first response on`, {
    timeout: 120_000,
  }, async (t) => {
    const fixture = await createFixture(t, engine, { instances: 2 })
    const [a, b] = fixture.cluster.instances
    assert.ok(a && b)
    const [here, there] = [fixture.app.at(a.agent), fixture.app.at(b.agent)]
    const [kept, signedOut, replaced] = [
      await newTokenPair(fixture),
      await newTokenPair(fixture),
      await newTokenPair(fixture),
    ]
    for (const { access_token } of [kept, signedOut, replaced]) {
      assert.equal(await there.isValid(access_token), true)
    }

    process.kill(b.pid, 'SIGSTOP')
    assert.equal(
      (await here.edge('logout', { refresh_token: signedOut.refresh_token })).status,
      200,
    )
    await here.refresh(replaced.refresh_token)
    await sleep(SUSPENDED_MS)
    // These wait in the socket buffers, so they are the first requests after SIGCONT.
    const queued = Array.from({ length: REQUESTS }, (_, at) =>
      there.isValid((at % 2 === 0 ? signedOut : replaced).access_token),
    )
    await sleep(200)
    const resumed = performance.now()
    process.kill(b.pid, 'SIGCONT')
    const verdicts = await Promise.all(queued)
    const took = performance.now() - resumed
    assert.deepEqual(
      verdicts.filter((valid) => valid),
      [],
      'I3: the first verify after a pause applies revocations from the pause',
    )
    assert.equal(await there.isValid(kept.access_token), true)
    const ready = await fixture.cluster.ready()
    figure(
      t,
      `F4 [${engine}]: suspended ${seconds(SUSPENDED_MS)}, ${verdicts.length} verifications were waiting, 0 wrong, all answered ${seconds(took)} after resuming, ready after ${seconds(ready)}`,
    )
  })
}
