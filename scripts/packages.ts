import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type {
  PackageIndex,
  PackageIndexEntry,
} from '../service/src/http/discovery/package-index.ts'
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
  npm(['pack', '--loglevel=error', '--pack-destination', FOLDER], cwd)

  // Not the output of `--json`, which has another form since npm 12.
  const packed = path.join(
    FOLDER,
    `${manifest.name.slice(1).replace('/', '-')}-${manifest.version}.tgz`,
  )
  const file = `${name}-${manifest.version}.tgz`
  renameSync(packed, path.join(FOLDER, file))

  const content = readFileSync(path.join(FOLDER, file))
  return {
    name,
    package: manifest.name,
    version: manifest.version,
    file,
    integrity: `sha512-${createHash('sha512').update(content).digest('base64')}`,
    shasum: createHash('sha1').update(content).digest('hex'),
    manifest: manifestForUsers(manifest),
  }
}

interface Manifest {
  readonly name: string
  readonly version: string
  readonly [field: string]: unknown
}

/** The package.json without what only its developers run. */
function manifestForUsers({ scripts, devDependencies, files, ...manifest }: Manifest): Manifest {
  return manifest
}

function readManifest(folder: string): Manifest {
  return JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8')) as Manifest
}

/** npm's messages are in the thrown error only. */
function npm(args: readonly string[], cwd: string): void {
  execFileSync('npm', args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
}

/** A reader sees the old index or the new one. */
function write(index: PackageIndex): void {
  writeFileSync(`${INDEX}.new`, `${JSON.stringify(index, null, 2)}\n`)
  renameSync(`${INDEX}.new`, INDEX)
}
