import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { globSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { PackageIndex, PackageIndexEntry } from '../service/src/http/discovery/package-index.ts'

// Packs the SDK and the local tools, which the service offers at /packages, unless their sources are unchanged. `npm start`
// and `npm test` run this first. The same sources give the same bytes: npm sets every time in a tarball to a constant.

const ROOT = path.resolve(import.meta.dirname, '..')
const FOLDER = path.join(ROOT, 'service/packages')
const INDEX = path.join(FOLDER, 'index.json')

const SOURCES = [
  '{sdk,local,contract}/{package.json,README.md,LICENSE}',
  '{sdk,local,contract}/src/**/*',
  'sdk/tsconfig.build.json',
  'local/{scripts,templates}/**/*',
  'tsconfig.json',
  'package-lock.json',
]

const sources = sourceHash()
if (readIndex()?.sources !== sources) {
  try {
    mkdirSync(FOLDER, { recursive: true })
    write({ sources, packages: ['sdk', 'local'].map(pack) })
  } catch (error) {
    // A read-only installation serves without packages.
    if (!['EACCES', 'EROFS', 'EPERM'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error
    process.stderr.write(`The packages for /packages could not be written to ${FOLDER}.\n`)
  }
}

function sourceHash(): string {
  const hash = createHash('sha256')
  for (const file of globSync(SOURCES, { cwd: ROOT, withFileTypes: true })) {
    if (!file.isFile() || file.name.endsWith('.test.ts')) continue
    const name = path.join(file.parentPath, file.name)
    hash
      .update(`${path.relative(ROOT, name)}\0`)
      .update(readFileSync(name))
      .update('\0')
  }
  return hash.digest('hex')
}

function readIndex(): PackageIndex | null {
  try {
    return JSON.parse(readFileSync(INDEX, 'utf8')) as PackageIndex
  } catch {
    return null
  }
}

function pack(name: string): PackageIndexEntry {
  const cwd = path.join(ROOT, name)
  const output = execFileSync('npm', ['pack', '--json', '--loglevel=error', '--pack-destination', FOLDER], {
    cwd,
    encoding: 'utf8',
    // In the thrown error only: npm prints the scripts that it runs.
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const [packed] = JSON.parse(output) as [{ name: string; version: string; filename: string; integrity: string }]
  const file = `${name}-${packed.version}.tgz`
  renameSync(path.join(FOLDER, packed.filename), path.join(FOLDER, file))
  return { name, package: packed.name, version: packed.version, file, integrity: packed.integrity }
}

/** A reader sees the old index or the new one. */
function write(index: PackageIndex): void {
  writeFileSync(`${INDEX}.new`, `${JSON.stringify(index, null, 2)}\n`)
  renameSync(`${INDEX}.new`, INDEX)
}
