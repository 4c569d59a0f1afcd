import { pathToFileURL } from 'node:url'
import type { Settings } from '../process/service-process.ts'
import { soon } from '../process/soon.ts'
import type { Instance } from './cluster.ts'

type Preload = 'kill-after-commit' | 'full-disk' | 'failed-fsync' | 'other-clock' | 'collect-garbage'

/** Settings that put one of the files in `preload/` into the service's process before the service. */
export const preloaded = (name: Preload, settings: Settings = {}): Settings => ({
  NODE_OPTIONS: `--import=${pathToFileURL(`${import.meta.dirname}/preload/${name}.ts`)}`,
  ...settings,
})

/** Tells what was preloaded to go ahead, and waits until it says that it has. */
export async function goAhead(instance: Instance, says: string): Promise<void> {
  const before = instance.log.length
  process.kill(instance.pid, 'SIGUSR2')
  await soon(`it says "${says}"`, async () => instance.log.slice(before).includes(`${says}\n`))
}
