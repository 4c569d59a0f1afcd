import { execFileSync } from 'node:child_process'
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

// `npm run build:package [-- <folder>]`: packs the build as `gatehouse-auth-<version>.tgz`, into `dist` unless a folder is named.
// `npx ./gatehouse-auth-<version>.tgz` runs it: no dependency to install, no registry. The folders are those of the repository,
// because the build finds its content relative to itself (service/src/folders.ts).

const ROOT = path.resolve(import.meta.dirname, '..')
const target = path.resolve(process.argv[2] ?? path.join(ROOT, 'dist'))
const { version, description, license } = readJson<{
  version: string
  description: string
  license: string
}>('package.json')
const { files } = readJson<{ files: readonly string[] }>('service/dist/build.json')

/** Only in tests: they open the service with a clock of their own. */
const isForTests = (file: string): boolean => /^app\.js(\.map)?$/.test(file)

const stage = mkdtempSync(path.join(tmpdir(), 'gatehouse-package-'))
try {
  const shipped = files.filter((file) => !isForTests(file)).map((file) => `service/dist/${file}`)
  for (const each of [
    ...shipped,
    'service/content',
    'service/packages',
    'examples/recipes',
    'README.md',
    'LICENSE',
  ]) {
    cpSync(path.join(ROOT, each), path.join(stage, each), { recursive: true })
  }
  const manifest = {
    ...{ name: 'gatehouse-auth', version, description, license, type: 'module' },
    bin: { gatehouse: 'service/dist/run.js' },
    engines: { node: '>=22.18' },
  }
  writeFileSync(path.join(stage, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`)
  mkdirSync(target, { recursive: true })
  execFileSync('npm', ['pack', '--loglevel=error', '--pack-destination', target], {
    cwd: stage,
    stdio: ['ignore', 'ignore', 'inherit'],
  })

  // Not the output of `--json`, which has another form since npm 12.
  const packed = path.join(target, `${manifest.name}-${version}.tgz`)
  const file = path.relative(process.cwd(), packed)
  const megabytes = (statSync(packed).size / 1e6).toFixed(1)
  process.stdout.write(`Packed ${file} (${megabytes} MB). Run it with: npx ./${file}\n`)
} finally {
  rmSync(stage, { recursive: true, force: true })
}

function readJson<T>(file: string): T {
  return JSON.parse(readFileSync(path.join(ROOT, file), 'utf8')) as T
}
