import { existsSync, globSync, mkdirSync } from 'node:fs'
import path from 'node:path'
import { run } from './run.ts'

const CACHE = path.resolve(import.meta.dirname, '../../../../node_modules/.cache/nodes')

/** Another Node, from npm's package of its binary. Fails where the registry does not have it. */
export async function nodeOf(version: string): Promise<string> {
  const folder = path.join(CACHE, version)
  const node = path.join(folder, 'package/bin/node')
  if (existsSync(node)) {
    return node
  }
  mkdirSync(folder, { recursive: true })
  await run('npm', ['pack', '--silent', `node-${process.platform}-${process.arch}@${version}`], {
    cwd: folder,
  })
  await run('tar', ['xzf', ...globSync('*.tgz', { cwd: folder })], { cwd: folder })
  return node
}
