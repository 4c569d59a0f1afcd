import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { BuildOptions } from 'esbuild'
import {
  BUNDLE_OPTIONS,
  COMMIT,
  LICENSES,
  licensesOf,
  loadEsbuild,
  ROOT,
  SERVICE_BUNDLE,
} from './build/bundle.ts'
import { hashOfSources } from './source-hash.ts'

// `npm start` and `npm run build`: bundles the service and the operator's command into service/dist, unless the sources are
// unchanged (docs/decisions/0063-bundle-the-service-for-production.md). The folder is flat and beside service/src, so that a path
// relative to service/src/*.ts is the same in the bundle.

const DIST = path.join(ROOT, 'service/dist')
/** What the last build was made of, and the files that it wrote. Written last: without it there is no build. */
const MANIFEST = path.join(DIST, 'build.json')

const SOURCES = [
  'contract/{package.json,src/**/*}',
  'service/{package.json,bin/*,src/**/*,development/**/*,content/**/*.json}',
  'scripts/{build.ts,build/*,source-hash.ts}',
  'package-lock.json',
]

const OPTIONS = {
  ...BUNDLE_OPTIONS,
  ...SERVICE_BUNDLE,
  outdir: DIST,
} as const satisfies BuildOptions

interface Manifest {
  readonly sources: string
  readonly files: readonly string[]
}

const previous = readManifest()
const sources = `${hashOfSources(ROOT, SOURCES)} ${COMMIT}`
if (previous?.sources !== sources) {
  try {
    await build()
  } catch (error) {
    if (!(error instanceof Error && 'syscall' in error)) {
      throw error
    }
    process.stderr.write(
      `The build can't be written: ${error.message}\nRun as the owner of this folder: npm run build\n`,
    )
    process.exitCode = 1
  }
}

async function build(): Promise<void> {
  const { build } = await loadEsbuild()
  const { outputFiles, metafile } = await build(OPTIONS)
  mkdirSync(DIST, { recursive: true })
  writeFileSync(path.join(DIST, LICENSES), licensesOf(metafile))
  // The entry points last, because they import the others. Each by a rename, because a service may be starting.
  const isEntry = (file: string): boolean =>
    Object.keys(OPTIONS.entryPoints).includes(path.basename(file, '.js'))
  for (const { path: file, contents } of outputFiles.sort(
    (a, b) => Number(isEntry(a.path)) - Number(isEntry(b.path)),
  )) {
    writeFileSync(`${file}.new`, contents)
    renameSync(`${file}.new`, file)
  }
  const files = [LICENSES, ...outputFiles.map((file) => path.relative(DIST, file.path))]
  removeAllBut([path.basename(MANIFEST), ...files, ...(previous?.files ?? [])])
  writeFileSync(MANIFEST, `${JSON.stringify({ sources, files } satisfies Manifest, null, 2)}\n`)
  process.stdout.write(`Built ${path.relative(ROOT, DIST)}.\n`)
}

/** The files of the build before this one stay: a service that runs it imports some of them when they are first needed. */
function removeAllBut(files: readonly string[]): void {
  for (const file of readdirSync(DIST)) {
    if (!files.includes(file)) {
      rmSync(path.join(DIST, file), { recursive: true })
    }
  }
}

function readManifest(): Manifest | null {
  try {
    return JSON.parse(readFileSync(MANIFEST, 'utf8')) as Manifest
  } catch {
    return null
  }
}
