import { globSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { BuildOptions, Metafile } from 'esbuild'
import { hashOfSources } from './source-hash.ts'

// `npm run build`: bundles the service and the operator's command into service/dist, unless the sources are unchanged
// (docs/decisions/0063-bundle-the-service-for-production.md). The folder is flat and beside service/src, so that a path
// relative to service/src/*.ts is the same in the bundle.

const ROOT = path.resolve(import.meta.dirname, '..')
const DIST = path.join(ROOT, 'service/dist')
/** What the last build was made of, and the files that it wrote. Written last: without it there is no build. */
const MANIFEST = path.join(DIST, 'build.json')
const LICENSES = 'THIRD-PARTY-LICENSES.txt'

const SOURCES = [
  'contract/{package.json,src/**/*}',
  'service/{package.json,bin/*,src/**/*,development/**/*,content/**/*.json}',
  'scripts/{build.ts,build/*,source-hash.ts}',
  'package-lock.json',
]

const OPTIONS = {
  absWorkingDir: ROOT,
  entryPoints: {
    start: 'service/src/start.js',
    gatehouse: 'service/bin/gatehouse.js',
    // The command of the package, which scripts/pack-service.ts makes of the build.
    run: 'service/bin/run.js',
    // Started as a thread by storage/sqlite/checkpointer.ts, which finds it beside itself.
    'checkpoint-thread': 'service/src/storage/sqlite/checkpoint-thread.ts',
    // For tests that open the service with a clock of their own.
    app: 'service/src/app.ts',
  },
  outdir: DIST,
  bundle: true,
  // Everything that is imported with `import()` stays a file of its own that is read when it is needed.
  splitting: true,
  format: 'esm',
  platform: 'node',
  // The oldest Node that the package runs on.
  target: 'node22.18',
  minify: true,
  // The log names errors by their class.
  keepNames: true,
  // Node prints the line of an exception that ends the process.
  lineLimit: 200,
  inject: ['scripts/build/stack-traces.ts'],
  sourcemap: 'linked',
  sourcesContent: false,
  legalComments: 'none',
  external: [
    // Native code that pg can use instead of its own client. It is not installed, and pg asks for it only on demand.
    'pg-native',
  ],
  // pg and pino are CommonJS and require Node's modules.
  banner: {
    js: `import{createRequire as createNodeRequire}from'node:module';const require=createNodeRequire(import.meta.url);`,
  },
  metafile: true,
  write: false,
  logLevel: 'warning',
} as const satisfies BuildOptions

interface Manifest {
  readonly sources: string
  readonly files: readonly string[]
}

const previous = readManifest()
const sources = hashOfSources(ROOT, SOURCES)
if (previous?.sources !== sources) await build()

async function build(): Promise<void> {
  const { build } = await import('esbuild').catch((cause: unknown) => {
    throw new Error('esbuild is not installed. Run: npm ci --include=dev', { cause })
  })
  const { outputFiles, metafile } = await build(OPTIONS)
  mkdirSync(DIST, { recursive: true })
  writeFileSync(path.join(DIST, LICENSES), licensesOf(metafile))
  // The entry points last, because they import the others. Each by a rename, because a service may be starting.
  const isEntry = (file: string): boolean => Object.keys(OPTIONS.entryPoints).includes(path.basename(file, '.js'))
  for (const { path: file, contents } of outputFiles.sort(
    (a, b) => Number(isEntry(a.path)) - Number(isEntry(b.path)),
  )) {
    writeFileSync(`${file}.new`, contents)
    renameSync(`${file}.new`, file)
  }
  const files = [LICENSES, ...outputFiles.map((file) => path.relative(DIST, file.path))]
  removeAllBut([path.basename(MANIFEST), ...files, ...(previous?.files ?? [])])
  writeFileSync(MANIFEST, `${JSON.stringify({ sources, files } satisfies Manifest, null, 2)}\n`)
  process.stdout.write(`Built ${path.relative(ROOT, DIST)}. Start it with: npm run start:production\n`)
}

/** The files of the build before this one stay: a service that runs it imports some of them when they are first needed. */
function removeAllBut(files: readonly string[]): void {
  for (const file of readdirSync(DIST)) if (!files.includes(file)) rmSync(path.join(DIST, file), { recursive: true })
}

function readManifest(): Manifest | null {
  try {
    return JSON.parse(readFileSync(MANIFEST, 'utf8')) as Manifest
  } catch {
    return null
  }
}

/** The license texts of every package in the bundle: their licenses require that copies include them. */
function licensesOf({ inputs }: Metafile): string {
  const folders = Object.keys(inputs).flatMap((file) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0] ?? [])
  return [...new Set(folders)]
    .sort()
    .map((folder) => {
      const texts = globSync('{LICEN[SC]E,COPYING,NOTICE}*', { cwd: path.join(ROOT, folder) })
      const read = (file: string): string => readFileSync(path.join(ROOT, folder, file), 'utf8').trim()
      return `${folder.slice(folder.lastIndexOf('node_modules/') + 13)}\n\n${texts.map(read).join('\n\n')}\n`
    })
    .join(`\n${'-'.repeat(80)}\n\n`)
}
