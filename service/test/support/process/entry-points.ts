import path from 'node:path'
import { run } from './run.ts'

const ROOT = path.resolve(import.meta.dirname, '../../../..')

/** The files that run the service and the operator's command, and the one that a test opens the service with. */
interface EntryPoints {
  readonly start: string
  readonly command: string
  readonly app: string
}

/** Run without a build, as `npm run dev` does. */
export const SOURCES: EntryPoints = {
  start: path.join(ROOT, 'service/src/start.js'),
  command: path.join(ROOT, 'service/bin/gatehouse.js'),
  app: path.join(ROOT, 'service/src/app.ts'),
}

/** Written by `npm run build`: what ships. `npm run mutants` tests other builds. */
const BUILD_FOLDER = process.env.TEST_BUILD_FOLDER ?? path.join(ROOT, 'service/dist')

export const PRODUCTION_BUILD: EntryPoints = {
  start: path.join(BUILD_FOLDER, 'start.js'),
  command: path.join(BUILD_FOLDER, 'gatehouse.js'),
  app: path.join(BUILD_FOLDER, 'app.js'),
}

/**
 * What tests run. Processes run the production build, which global.ts brings up to date. `world` opens the sources in the
 * test's own process, and the production build with TEST_BUILD=production.
 */
export const ENTRY_POINTS: EntryPoints = {
  ...PRODUCTION_BUILD,
  app: process.env.TEST_BUILD === 'production' ? PRODUCTION_BUILD.app : SOURCES.app,
}

/** Builds `root`, unless its build is current. */
export const build = (root = ROOT): Promise<string> =>
  run(process.execPath, [path.join(root, 'scripts/build.ts')], { cwd: root })
