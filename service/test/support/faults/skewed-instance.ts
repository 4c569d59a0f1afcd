import type { TestScope } from '../process/service-process.ts'
import { freePort } from '../transport/free-port.ts'
import { Instance } from './cluster.ts'
import type { Fixture } from './fixture.ts'
import { preload } from './preload.ts'

/** A second instance whose clock is `skew` seconds off. Each `signalPreload` moves it by `step` seconds more. */
export async function startSkewedInstance(
  t: TestScope,
  { cluster }: Fixture,
  skew: number,
  step = 0,
): Promise<Instance> {
  const skewed = preload('skewed-clock', {
    FAULT_CLOCK_MS: String(skew * 1_000),
    FAULT_CLOCK_STEP_MS: String(step * 1_000),
    PORT: String(await freePort()),
  })
  return Instance.start(t, { ...cluster.first.service.settings, ...skewed }, {}, cluster.seen)
}
