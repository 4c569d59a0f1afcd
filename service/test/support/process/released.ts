import { globSync } from 'node:fs'
import path from 'node:path'

/** A folder for each version, which scripts/keep-release.ts writes: service/test/releases/README.md. */
const FOLDER = path.resolve(import.meta.dirname, '../../releases')

/** Releases and landed builds whose database every later build opens. */
export const KEPT_DATABASES: readonly string[] = globSync('*/left.sqlite.json.gz', { cwd: FOLDER })
  .map(path.dirname)
  .sort()

export const fileOfRelease = (version: string, file: string): string =>
  path.join(FOLDER, version, file)
