import { readConfig } from './config.ts'
import { exitWith, serviceLog, standardOutput } from './log.ts'
import { isWorker, superviseWorkers } from './workers.ts'

/** Reads the settings and runs one process, or several workers that share the port. */
export async function main(env: NodeJS.ProcessEnv): Promise<void> {
  const read = readConfig(env)
  if (!read.ok) {
    return exitWith([
      'Gatehouse cannot start. Please fix:',
      ...read.problems.map((problem) => `  - ${problem}`),
    ])
  }
  const { config } = read
  const log = serviceLog(standardOutput())
  if (config.workers > 1 && !isWorker(env)) {
    return superviseWorkers(config.workers, env, log)
  }
  // Not loaded by the supervisor of workers, which serves nothing and so takes 30 MB less (a production build).
  const { serve } = await import('./serve.ts')
  await serve(config, log, env)
}
