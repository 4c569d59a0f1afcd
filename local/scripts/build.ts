import { spawnSync } from 'node:child_process'
import { cpSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { RECIPES_OF_FRAMEWORKS } from '../src/recipes/frameworks.ts'

// Compiles src/ to dist/ for npm. The contract is a private package of this repository, so it is compiled in: its files
// become dist/contract/, and imports of it are rewritten. The recipes of init --framework become dist/recipes/files/. The output
// is neither bundled nor minified.

const HERE = path.resolve(import.meta.dirname, '..')
const STAGE = path.join(HERE, '.build')
const RECIPES = path.resolve(HERE, '../examples/recipes')
const TSC = path.resolve(HERE, '../node_modules/.bin/tsc')

const LEGACY_VERSIONS = ['2025-11-25', '2025-06-18', '2025-03-26']
const MODERN_VERSION = '2026-07-28'
const CLIENT = { name: 'build', version: '1' }

const isSource = (file: string): boolean => !file.endsWith('.test.ts')

rmSync(STAGE, { recursive: true, force: true })
rmSync(path.join(HERE, 'dist'), { recursive: true, force: true })
try {
  cpSync(path.join(HERE, 'src'), STAGE, { recursive: true, filter: isSource })
  cpSync(path.resolve(HERE, '../contract/src'), path.join(STAGE, 'contract'), { recursive: true, filter: isSource })
  for (const file of globSync('**/*.ts', { cwd: STAGE })) rewritePaths(file)
  compile()
  for (const name of RECIPES_OF_FRAMEWORKS)
    cpSync(path.join(RECIPES, name), path.join(HERE, 'dist/recipes/files', name), { recursive: true })
  recordFirstAnswers()
} finally {
  rmSync(STAGE, { recursive: true, force: true })
}

function rewritePaths(file: string): void {
  const up = path.posix.relative(path.posix.dirname(file), 'contract/index.ts')
  const source = path.join(STAGE, file)
  const text = readFileSync(source, 'utf8')
  const contract = `'${up.startsWith('.') ? up : `./${up}`}'`
  writeFileSync(
    source,
    text.replaceAll("'@gatehouse/contract'", contract).replaceAll("'../../../examples/recipes/'", "'./files/'"),
  )
}

function compile(): void {
  const options = {
    extends: '../../tsconfig.json',
    // Node 20 is the oldest supported version.
    compilerOptions: {
      target: 'es2023',
      noEmit: false,
      rewriteRelativeImportExtensions: true,
      rootDir: '.',
      outDir: '../dist',
      declaration: false,
    },
    include: ['**/*.ts'],
  }
  writeFileSync(path.join(STAGE, 'tsconfig.json'), JSON.stringify(options))
  const { status } = spawnSync(TSC, ['-p', STAGE], { stdio: 'inherit' })
  if (status !== 0) process.exit(status ?? 1)
}

/** Asks the built MCP server what it answers first, for `mcp` to answer before it is loaded. */
function recordFirstAnswers(): void {
  const recorded = Object.fromEntries(
    [...LEGACY_VERSIONS, MODERN_VERSION].map((version) => [version, ask(version === MODERN_VERSION, version)]),
  )
  writeFileSync(path.join(HERE, 'dist/mcp/first-answers.json'), JSON.stringify(recorded))
}

function ask(isModern: boolean, version: string): Record<string, object> {
  const meta = {
    'io.modelcontextprotocol/protocolVersion': version,
    'io.modelcontextprotocol/clientInfo': CLIENT,
    'io.modelcontextprotocol/clientCapabilities': {},
  }
  const first = isModern
    ? { method: 'server/discover', params: { _meta: meta } }
    : { method: 'initialize', params: { protocolVersion: version, capabilities: {}, clientInfo: CLIENT } }
  const messages = [
    { id: 1, ...first },
    ...(isModern ? [] : [{ method: 'notifications/initialized' }]),
    { id: 2, method: 'tools/list', ...(isModern ? { params: { _meta: meta } } : {}) },
  ]
  const input = messages.map((message) => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`).join('')
  const { stdout } = spawnSync(process.execPath, [path.join(HERE, 'dist/cli.js'), 'mcp'], { input, encoding: 'utf8' })
  const [opened, listed] = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { result: object })
  if (opened === undefined || listed === undefined) throw new Error(`The built MCP server has not answered: ${stdout}`)
  return { [first.method]: opened.result, 'tools/list': listed.result }
}
