import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { PackageIndex, PackageIndexEntry } from '../service/src/http/discovery/packages.ts'
import { hashOfSources } from './source-hash.ts'

// Packs the SDK and the local tools, which the service offers at /packages, unless their sources are unchanged. `npm start`
// and `npm test` run this first. The same sources give the same bytes: npm sets every time in a tarball to a constant.

const ROOT = path.resolve(import.meta.dirname, '..')
const FOLDER = path.join(ROOT, 'service/packages')
const INDEX = path.join(FOLDER, 'index.json')

const SOURCES = [
  '{sdk,local,contract}/{package.json,README.md,LICENSE}',
  '{sdk,local,contract}/src/**/*',
  'sdk/tsconfig.build.json',
  'local/scripts/**/*',
  'examples/recipes/**/*',
  'scripts/{packages,source-hash,build/bundle}.ts',
  'tsconfig.json',
  'package-lock.json',
]

const sources = hashOfSources(ROOT, SOURCES)
if (readIndex()?.sources !== sources) {
  try {
    mkdirSync(FOLDER, { recursive: true })
    write({ sources, packages: ['sdk', 'local'].map(pack) })
  } catch (error) {
    // A read-only installation serves without packages.
    if (!['EACCES', 'EROFS', 'EPERM'].includes((error as NodeJS.ErrnoException).code ?? '')) {
      throw error
    }
    process.stderr.write(`The packages for /packages could not be written to ${FOLDER}.\n`)
  }
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
  const manifest = readManifest(cwd)
  const { filename, integrity } = npmPack(cwd)
  const file = `${name}-${manifest.version}.tgz`
  renameSync(path.join(FOLDER, filename), path.join(FOLDER, file))
  return { name, package: manifest.name, version: manifest.version, file, integrity }
}

interface Manifest {
  readonly name: string
  readonly version: string
}

function readManifest(folder: string): Manifest {
  return JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8')) as Manifest
}

interface Packed {
  readonly filename: string
  readonly integrity: string
}

function npmPack(cwd: string): Packed {
  const output = npm(['pack', '--json', '--loglevel=error', '--pack-destination', FOLDER], cwd)
  const [packed] = JSON.parse(output) as [Packed]
  return packed
}

/** npm's messages are in the thrown error only. */
function npm(args: readonly string[], cwd: string): string {
  return execFileSync('npm', args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
}

/** A reader sees the old index or the new one. */
function write(index: PackageIndex): void {
  writeFileSync(`${INDEX}.new`, `${JSON.stringify(index, null, 2)}\n`)
  renameSync(`${INDEX}.new`, INDEX)
}
