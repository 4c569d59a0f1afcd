import path from 'node:path'
import { NODE_FLAGS } from '../../../service/test/support/process/start-command.ts'
import type { Bench } from '../../bench.ts'
import type { Cores } from '../../processes/cores.ts'
import { type Program, startProgram } from '../../processes/program.ts'
import type { Settings } from './settings.ts'

const START = path.resolve(import.meta.dirname, '../../../service/src/start.js')

/** Starts our service with the Node options of `npm start`. */
export function startGatehouse(
  { folder, placement, options }: Bench,
  settings: Settings,
  { name = 'gatehouse', cores = placement.contender }: { readonly name?: string; readonly cores?: Cores } = {},
): Promise<Program> {
  const profiling =
    options.profile === null
      ? []
      : ['--cpu-prof', `--cpu-prof-dir=${path.resolve(options.profile)}`, `--cpu-prof-name=${name}.cpuprofile`]
  return startProgram({
    name,
    args: [...NODE_FLAGS, ...profiling, START],
    env: settings,
    cores,
    readerCores: placement.load,
    folder,
    port: Number(settings.PORT),
    readyPath: '/readyz',
  })
}
