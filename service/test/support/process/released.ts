import { globSync } from 'node:fs'
import path from 'node:path'
import { freshFolder } from '../postgres/engines.ts'
import { run } from './run.ts'

/** A folder for each version, which scripts/keep-release.ts writes: service/test/releases/README.md. */
const FOLDER = path.resolve(import.meta.dirname, '../../releases')

const versionsWith = (file: string): string[] =>
  globSync(`*/${file}`, { cwd: FOLDER }).map(path.dirname).sort()

export const RELEASES: readonly string[] = versionsWith('sdk.tgz')

/** Releases and landed builds whose database every later build opens. */
export const KEPT_DATABASES: readonly string[] = versionsWith('left.sqlite.json.gz')

export const fileOfRelease = (version: string, file: string): string =>
  path.join(FOLDER, version, file)

/** Unpacks a package as npm does, and returns its folder. The local tools have their dependencies inside. */
export async function unpackRelease(version: string, name: 'sdk' | 'local'): Promise<string> {
  const folder = await freshFolder()
  await run('tar', ['xzf', fileOfRelease(version, `${name}.tgz`), '-C', folder])
  return path.join(folder, 'package')
}
