import { globSync } from 'node:fs'
import path from 'node:path'
import { freshFolder } from '../../service/test/support/postgres/engines.ts'
import { run } from '../../service/test/support/process/run.ts'

/** A folder for each version, which scripts/keep-release.ts writes. */
export const RELEASES: readonly string[] = globSync('*/sdk.tgz', { cwd: import.meta.dirname })
  .map(path.dirname)
  .sort()

type PackageName = 'sdk' | 'local'

export const fileOfPackage = (version: string, name: PackageName): string =>
  path.join(import.meta.dirname, version, `${name}.tgz`)

/** Unpacks a package as npm does, and returns its folder. The local tools have their dependencies inside. */
export async function unpackRelease(version: string, name: PackageName): Promise<string> {
  const folder = await freshFolder()
  await run('tar', ['xzf', fileOfPackage(version, name), '-C', folder])
  return path.join(folder, 'package')
}
