import path from 'node:path'
import { run } from './run.ts'

const ROOT = path.resolve(import.meta.dirname, '../../../..')

/** The files that run the service and the operator's command, and the one that a test opens the service with. */
export interface EntryPoints {
  readonly start: string
  readonly command: string
  readonly app: string
}

const SOURCES: EntryPoints = {
  start: path.join(ROOT, 'service/src/start.js'),
  command: path.join(ROOT, 'service/bin/gatehouse.js'),
  app: path.join(ROOT, 'service/src/app.ts'),
}

/** Written by `npm run build`. */
export const PRODUCTION_BUILD: EntryPoints = {
  start: path.join(ROOT, 'service/dist/start.js'),
  command: path.join(ROOT, 'service/dist/gatehouse.js'),
  app: path.join(ROOT, 'service/dist/app.js'),
}

/** What tests run. `npm run test:production` runs those of processes and those in a browser on the production build. */
export const ENTRY_POINTS = process.env.TEST_BUILD === 'production' ? PRODUCTION_BUILD : SOURCES

/** Builds `root`, unless its build is current. */
export const build = (root = ROOT): Promise<string> =>
  run(process.execPath, [path.join(root, 'scripts/build.ts')], { cwd: root })
