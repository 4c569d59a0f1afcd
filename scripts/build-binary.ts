import { execFileSync } from 'node:child_process'
import {
  copyFileSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import type { BuildOptions, Plugin } from 'esbuild'
import rootManifest from '../package.json' with { type: 'json' }
import { assetName, MAIN, SOURCE_MAP, THREAD } from './build/binary/assets.ts'
import {
  BUNDLE_OPTIONS,
  licenseOf,
  licensesOf,
  loadEsbuild,
  ROOT,
  SEPARATOR,
} from './build/bundle.ts'

// `npm run build:binary [-- <folder>]`: one executable for this platform, `gatehouse-<version>-<platform>-<arch>`, into `dist`
// unless a folder is named. It is Node's own binary with the bundle, the content and the packages inside (Node's
// single-executable application) and unpacks nothing. The license texts are beside it.

const target = path.resolve(process.argv[2] ?? path.join(ROOT, 'dist'))
const name = `gatehouse-${rootManifest.version}-${process.platform}-${process.arch}`
const executable = path.join(target, process.platform === 'win32' ? `${name}.exe` : name)

/** As in `npm start`. */
const NODE_OPTIONS = rootManifest.scripts.start.match(/--max-\S+/g) ?? []

const FOLDERS = {
  content: 'service/content',
  packages: 'service/packages',
  recipes: 'examples/recipes',
}

const installedFiles: Plugin = {
  name: 'files of the installation are assets',
  setup: ({ onResolve }) =>
    onResolve({ filter: /\/folders\.ts$/ }, () => ({
      path: path.join(ROOT, 'scripts/build/binary/folders.ts'),
    })),
}

const OPTIONS = {
  ...BUNDLE_OPTIONS,
  outdir: path.join(ROOT, 'dist'),
  // For the bundle of modules, which have no `require`. Here, the main file is CommonJS, and the thread needs none.
  banner: {},
  // An executable has one file: what `import()` asks for is in it, too, and runs when it is asked for.
  splitting: false,
  target: `node${process.versions.node}`,
} as const satisfies BuildOptions

const stage = mkdtempSync(path.join(tmpdir(), 'gatehouse-binary-'))
try {
  const { build } = await loadEsbuild()
  const main = await build({
    ...OPTIONS,
    // Node 24 runs no module as the main file of an executable.
    format: 'cjs',
    define: {
      ...BUNDLE_OPTIONS.define,
      'import.meta.url': JSON.stringify('file:///gatehouse.js'),
    },
    entryPoints: { main: 'service/bin/run.js' },
    inject: ['scripts/build/binary/stack-traces.ts'],
    plugins: [installedFiles],
    sourcemap: 'external',
  })
  const thread = await build({
    ...OPTIONS,
    entryPoints: { thread: 'service/src/storage/sqlite/checkpoint-thread.ts' },
  })
  const [map, code] = main.outputFiles
  const [threadCode] = thread.outputFiles
  if (map === undefined || code === undefined || threadCode === undefined) {
    throw new Error('esbuild wrote no file')
  }
  const write = (file: string, contents: Uint8Array | string): string => {
    writeFileSync(path.join(stage, file), contents)
    return path.join(stage, file)
  }
  mkdirSync(target, { recursive: true })
  const blob = path.join(stage, 'sea.blob')
  const config = {
    // A relative name, because stack traces contain it.
    main: MAIN,
    output: blob,
    disableExperimentalSEAWarning: true,
    useCodeCache: true,
    execArgv: NODE_OPTIONS,
    assets: {
      ...Object.fromEntries(
        Object.entries(FOLDERS).flatMap(([folder, from]) => filesOf(folder, from)),
      ),
      [THREAD]: write(THREAD, threadCode.contents),
      [SOURCE_MAP]: write(SOURCE_MAP, gzipSync(map.contents)),
    },
  }
  write(MAIN, code.contents)
  const settings = write('sea.json', JSON.stringify(config))
  execFileSync(process.execPath, ['--experimental-sea-config', settings], {
    cwd: stage,
    stdio: 'pipe',
  })
  copyFileSync(smallNode(), executable)
  inject(blob)
  const node = licenseOf(
    `node ${process.version}`,
    path.resolve(realpathSync(process.execPath), '../..'),
  )
  writeFileSync(
    `${path.join(target, name)}.licenses.txt`,
    `${node}${SEPARATOR}${licensesOf(main.metafile)}`,
  )
} finally {
  rmSync(stage, { recursive: true, force: true })
}
const file = path.relative(process.cwd(), executable)
process.stdout.write(
  `Built ${file} (${Math.round(statSync(executable).size / 1e6)} MB). Run it with: ./${file}\n`,
)

/** A copy of this Node without its symbols, a fifth smaller. With them where there is no `strip`, as on Windows. */
function smallNode(): string {
  const copy = path.join(stage, 'node')
  try {
    if (process.platform !== 'linux') {
      return process.execPath
    }
    copyFileSync(process.execPath, copy)
    execFileSync('strip', [copy], { stdio: 'ignore' })
    return copy
  } catch {
    return process.execPath
  }
}

/** Puts the blob into the executable. Prints nothing: the warnings are about symbols that `strip` removed. */
function inject(blob: string): void {
  const postject = path.join(ROOT, 'node_modules/postject/dist/cli.js')
  const fuse = ['--sentinel-fuse', 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2']
  const segment = ['--macho-segment-name', 'NODE_SEA']
  execFileSync(
    process.execPath,
    [postject, executable, 'NODE_SEA_BLOB', blob, ...fuse, ...segment],
    { stdio: 'pipe' },
  )
}

function filesOf(folder: string, from: string): [name: string, file: string][] {
  const cwd = path.join(ROOT, from)
  return globSync('**/*', { cwd, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => path.join(parentPath, name))
    .map((file) => [assetName(folder, path.relative(cwd, file).replaceAll(path.sep, '/')), file])
}
