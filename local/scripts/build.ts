import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { LICENSES, licensesOf, loadEsbuild, ROOT } from '../../scripts/build/bundle.ts'
import { RECIPES_OF_FRAMEWORKS } from '../src/recipes/frameworks.ts'

// Bundles src/, the contract and both dependencies into a few files in dist/, each in one folder: npx unpacks and checks a package
// file by file, and with 300 of them `npx <url> mcp` took twice as long. Not minified, so that stack traces can be read. The recipes
// of init --framework become dist/recipes/.

const HERE = path.resolve(import.meta.dirname, '..')
const DIST = path.join(HERE, 'dist')
const RECIPES = path.resolve(HERE, '../examples/recipes')

/** Paths from a source to a file, and from dist/ to its copy. */
const PATHS: Readonly<Record<string, readonly [from: string, to: string]>> = {
  'write-recipe.ts': ['../../../examples/recipes/', './recipes/'],
  'first-answers.ts': ['../mcp/first-answers.json', './first-answers.json'],
}
const PATHS_FILTER = /\/local\/src\/.*\/(?:write-recipe|first-answers)\.ts$/

const LEGACY_VERSIONS = ['2025-11-25', '2025-06-18', '2025-03-26']
const MODERN_VERSION = '2026-07-28'
const CLIENT = { name: 'build', version: '1' }

rmSync(DIST, { recursive: true, force: true })
mkdirSync(DIST)
await bundle()
for (const name of RECIPES_OF_FRAMEWORKS) {
  cpSync(path.join(RECIPES, name), path.join(DIST, 'recipes', name), { recursive: true })
}
recordFirstAnswers()

async function bundle(): Promise<void> {
  const { build } = await loadEsbuild()
  const { metafile } = await build({
    absWorkingDir: ROOT,
    entryPoints: [path.join(HERE, 'src/cli.ts')],
    outdir: DIST,
    bundle: true,
    // What is imported with `import()` stays a file of its own: the first answers need little of it.
    splitting: true,
    format: 'esm',
    platform: 'node',
    // Node 20.19 is the oldest supported version.
    target: 'node20.19',
    legalComments: 'none',
    plugins: [
      {
        name: 'paths',
        setup: ({ onLoad }) =>
          onLoad({ filter: PATHS_FILTER }, ({ path: file }) => withPaths(file)),
      },
    ],
    metafile: true,
    logLevel: 'warning',
  })
  writeFileSync(path.join(DIST, LICENSES), licensesOf(metafile))
}

function withPaths(file: string) {
  const [from, to] = PATHS[path.basename(file)] ?? ['', '']
  const text = readFileSync(file, 'utf8')
  if (from === '' || !text.includes(`'${from}'`)) {
    throw new Error(`${file} has no path ${from}`)
  }
  return { loader: 'ts' as const, contents: text.replace(`'${from}'`, `'${to}'`) }
}

/** Asks the built MCP server what it answers first, for `mcp` to answer before it is loaded. */
function recordFirstAnswers(): void {
  const recorded = Object.fromEntries(
    [...LEGACY_VERSIONS, MODERN_VERSION].map((version) => [
      version,
      ask(version === MODERN_VERSION, version),
    ]),
  )
  writeFileSync(path.join(DIST, 'first-answers.json'), JSON.stringify(recorded))
}

function ask(isModern: boolean, version: string): Record<string, object> {
  const meta = {
    'io.modelcontextprotocol/protocolVersion': version,
    'io.modelcontextprotocol/clientInfo': CLIENT,
    'io.modelcontextprotocol/clientCapabilities': {},
  }
  const first = isModern
    ? { method: 'server/discover', params: { _meta: meta } }
    : {
        method: 'initialize',
        params: { protocolVersion: version, capabilities: {}, clientInfo: CLIENT },
      }
  const messages = [
    { id: 1, ...first },
    ...(isModern ? [] : [{ method: 'notifications/initialized' }]),
    { id: 2, method: 'tools/list', ...(isModern ? { params: { _meta: meta } } : {}) },
  ]
  const input = messages
    .map((message) => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
    .join('')
  const { stdout } = spawnSync(process.execPath, [path.join(DIST, 'cli.js'), 'mcp'], {
    input,
    encoding: 'utf8',
  })
  const [opened, listed] = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { result: object })
  if (opened === undefined || listed === undefined) {
    throw new Error(`The built MCP server has not answered: ${stdout}`)
  }
  return { [first.method]: opened.result, 'tools/list': listed.result }
}
