import { pathToFileURL } from 'node:url'
import type { Settings } from '../process/service-process.ts'
import { waitUntil } from '../process/wait-until.ts'
import type { Instance } from './cluster.ts'

type Preload =
  | 'kill-after-commit'
  | 'full-disk'
  | 'failed-fsync'
  | 'skewed-clock'
  | 'collect-garbage'

/** Settings that load a file of `preload/` into the service's process before the service. */
export const preload = (name: Preload, settings: Settings = {}): Settings => ({
  NODE_OPTIONS: `--import=${pathToFileURL(`${import.meta.dirname}/preload/${name}.ts`)}`,
  ...settings,
})

/** Triggers the preloaded code with SIGUSR2 and waits until it prints `confirmation`. */
export async function signalPreload(instance: Instance, confirmation: string): Promise<void> {
  const before = instance.log.length
  process.kill(instance.pid, 'SIGUSR2')
  await waitUntil(`the preload prints "${confirmation}"`, async () =>
    instance.log.slice(before).includes(`${confirmation}\n`),
  )
}
