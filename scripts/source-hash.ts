import { createHash } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'

/** A hash of the names and the content of these files, without tests: what is made of them is current while it is the same. */
export function hashOfSources(root: string, patterns: readonly string[]): string {
  const hash = createHash('sha256')
  for (const file of globSync(patterns, { cwd: root, withFileTypes: true })) {
    if (!file.isFile() || file.name.endsWith('.test.ts')) {
      continue
    }
    const name = path.join(file.parentPath, file.name)
    hash
      .update(`${path.relative(root, name)}\0`)
      .update(readFileSync(name))
      .update('\0')
  }
  return hash.digest('hex')
}
