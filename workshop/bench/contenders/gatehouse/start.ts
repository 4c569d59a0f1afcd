import path from 'node:path'
import {
  NODE_FLAGS,
  START_COMMAND,
} from '../../../../service/test/support/process/start-command.ts'
import { freePort } from '../../../../service/test/support/transport/free-port.ts'
import type { Bench } from '../../bench.ts'
import { type Program, startProgram } from '../../processes/program.ts'
import type { Cores } from '../../processes/usage.ts'

const SERVICE = path.resolve(import.meta.dirname, '../../../../service')
/** The sources, as `npm run dev` runs them, and the bundle, as `npm start` does. */
const STARTS = {
  sources: path.join(SERVICE, 'src/start.js'),
  production: path.join(SERVICE, 'dist/start.js'),
}

export const PRODUCTION_BUILD = 'gatehouse, production build'
export const NPM_START = 'gatehouse, npm start without npm itself'

export interface StartOptions {
  readonly name?: string
  readonly cores?: Cores
  readonly build?: keyof typeof STARTS
}

/** Starts our service with the Node options of `npm start`. */
export function startGatehouse(
  { folder, placement, options }: Bench,
  settings: Settings,
  { name = 'gatehouse', cores = placement.contender, build = 'sources' }: StartOptions = {},
): Promise<Program> {
  const profiling =
    options.profile === null
      ? []
      : [
          '--cpu-prof',
          `--cpu-prof-dir=${path.resolve(options.profile)}`,
          `--cpu-prof-name=${name}.cpuprofile`,
        ]
  return startProgram({
    name,
    args: [...NODE_FLAGS, ...profiling, STARTS[build]],
    env: settings,
    cores,
    readerCores: placement.load,
    folder,
    port: Number(settings.PORT),
    readyPath: '/readyz',
  })
}

/** What a newcomer waits for after npm's own start: the checks of the installation and of the build, and the start of the bundle. */
export function npmStart({ folder, placement }: Bench, settings: Settings): Promise<Program> {
  return startProgram({
    name: 'npm-start',
    command: 'sh',
    args: ['-c', START_COMMAND],
    env: settings,
    cores: placement.contender,
    readerCores: placement.load,
    folder,
    cwd: path.dirname(SERVICE),
    port: Number(settings.PORT),
    readyPath: '/readyz',
  })
}

export type Settings = Readonly<Record<string, string>> & {
  readonly PORT: string
  readonly DATA_DIR: string
}

/** Production settings: a Google client and a trusted proxy. Logs, limits and revocation cannot be disabled. */
export async function productionSettings(
  folder: string,
  more: Readonly<Record<string, string>> = {},
): Promise<Settings> {
  return {
    PORT: String(await freePort()),
    DATA_DIR: path.join(folder, 'data'),
    BASE_URL: 'https://login.example.com',
    GOOGLE_CLIENT_ID: 'bench',
    GOOGLE_CLIENT_SECRET: 'bench-secret',
    TRUSTED_PROXIES: '127.0.0.1,::1',
    ...more,
  }
}
