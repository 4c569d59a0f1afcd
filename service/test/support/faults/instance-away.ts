import type { Ends } from '../process/service-process.ts'
import { freePort } from '../transport/free-port.ts'
import { Instance } from './cluster.ts'
import { preloaded } from './preloaded.ts'
import type { Scene } from './scene.ts'

/** A second instance, on a machine whose clock is this many seconds away, and can be set to another time. */
export async function instanceAway(t: Ends, { cluster }: Scene, skew: number, step = 0): Promise<Instance> {
  const wrong = preloaded('other-clock', {
    FAULT_CLOCK_MS: String(skew * 1_000),
    FAULT_CLOCK_STEP_MS: String(step * 1_000),
    PORT: String(await freePort()),
  })
  return Instance.start(t, { ...cluster.first.service.settings, ...wrong }, {}, cluster.seen)
}
