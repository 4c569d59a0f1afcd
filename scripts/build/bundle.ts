import { spawnSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import type { BuildOptions, Metafile } from 'esbuild'

// What every bundle of the service has in common: service/dist (scripts/build.ts), the executable (scripts/build-binary.ts) and
// builds with mutants (workshop/mutants/mutated-build.ts).

export const ROOT = path.resolve(import.meta.dirname, '../..')
export const LICENSES = 'THIRD-PARTY-LICENSES.txt'

/** What is built: given to an image, which has no history, or asked from git. Empty where neither knows it. */
export const COMMIT = process.env.GATEHOUSE_COMMIT ?? currentCommit()

export const BUNDLE_OPTIONS = {
  absWorkingDir: ROOT,
  bundle: true,
  format: 'esm',
  platform: 'node',
  minify: true,
  // The log names errors by their class.
  keepNames: true,
  // Node prints the line of an exception that ends the process.
  lineLimit: 200,
  sourcesContent: false,
  legalComments: 'none',
  external: [
    // Native code that pg can use instead of its own client. It is not installed, and pg asks for it only on demand.
    'pg-native',
  ],
  // What a start doesn't need of them is loaded later.
  alias: Object.fromEntries(
    ['node:http', 'node:zlib', 'tldts', 'unhomoglyph'].map((name) => [
      name,
      path.join(import.meta.dirname, `${name.replace(':', '-')}.ts`),
    ]),
  ),
  // pg and pino are CommonJS and require Node's modules.
  banner: {
    js: `import{createRequire as createNodeRequire}from'node:module';const require=createNodeRequire(import.meta.url);`,
  },
  // For service/src/version.ts.
  define: { GATEHOUSE_COMMIT: JSON.stringify(COMMIT) },
  metafile: true,
  write: false,
  logLevel: 'warning',
} as const satisfies BuildOptions

/** The service and the operator's command. */
export const SERVICE_BUNDLE = {
  entryPoints: {
    start: 'service/src/start.js',
    gatehouse: 'service/bin/gatehouse.js',
    // The command of the package, which scripts/pack-service.ts makes of the build.
    run: 'service/bin/run.js',
    // Started as a thread by storage/sqlite/checkpointer.ts.
    'checkpoint-thread': 'service/src/storage/sqlite/checkpoint-thread.ts',
    // For tests that open the service with a clock of their own.
    app: 'service/src/app.ts',
  },
  // Everything that is imported with `import()` stays a file of its own that is read when it is needed.
  splitting: true,
  // The oldest Node that the package runs on.
  target: 'node22.18',
  inject: ['scripts/build/stack-traces.ts'],
  sourcemap: 'linked',
} as const satisfies BuildOptions

function currentCommit(): string {
  const git = spawnSync('git', ['rev-parse', '--short=10', 'HEAD'], { cwd: ROOT, encoding: 'utf8' })
  return git.status === 0 ? git.stdout.trim() : ''
}

export const loadEsbuild = (): Promise<typeof import('esbuild')> =>
  import('esbuild').catch((cause: unknown) => {
    throw new Error('esbuild is not installed. Run: npm ci --include=dev', { cause })
  })

/** The license texts of every package in the bundle: their licenses require that copies include them. */
export function licensesOf({ inputs }: Metafile): string {
  const folders = Object.keys(inputs).flatMap(
    (file) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0] ?? [],
  )
  return [...new Set(folders)]
    .sort()
    .map((folder) =>
      licenseOf(folder.slice(folder.lastIndexOf('node_modules/') + 13), path.join(ROOT, folder)),
    )
    .join(SEPARATOR)
}

export const SEPARATOR = `\n${'-'.repeat(80)}\n\n`

/** The name of a package and the license texts in its folder. */
export function licenseOf(name: string, folder: string): string {
  const read = (file: string): string => readFileSync(path.join(folder, file), 'utf8').trim()
  const texts = globSync('{LICEN[SC]E,COPYING,NOTICE}*', { cwd: folder }).map(read)
  return `${name}\n\n${texts.join('\n\n')}\n`
}
