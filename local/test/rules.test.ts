import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { COMMANDS } from '../src/cli/commands/index.ts'
import { EXIT_CODES } from '../src/cli/exit-codes.ts'

const LOCAL = path.resolve(import.meta.dirname, '..')
const README = readFileSync(path.join(LOCAL, 'README.md'), 'utf8')

const sources = globSync('src/**/*.ts', { cwd: LOCAL })
const textOf = (file: string): string => readFileSync(path.join(LOCAL, file), 'utf8')

const ALLOWED = [
  /^\./,
  /^node:/,
  /^zod$/,
  /^@gatehouse-auth\/(contract|sdk)$/,
  /^@modelcontextprotocol\/server(\/stdio)?$/,
]

test('this package imports only the contract, the MCP server, zod and Node', () => {
  const wrong = sources.flatMap((file) =>
    [...textOf(file).matchAll(/^(?:import|export|\}).* from '([^']+)'|import\('([^']+)'\)/gm)]
      .map((match) => match[1] ?? match[2] ?? '')
      .filter((name) => !ALLOWED.some((allowed) => allowed.test(name)))
      .map((name) => `${file} → ${name}`),
  )
  assert.deepEqual(wrong, [])
})

test('no source file outside cli/ writes to stdout', () => {
  const writing = sources.filter((file) =>
    /process\.stdout|console\.(log|info|debug)/.test(textOf(file)),
  )
  assert.deepEqual(
    writing.filter((file) => !file.startsWith('src/cli')),
    [],
  )
})

test('one source file reads the keys of a tenant', () => {
  const reading = sources.filter((file) =>
    /coh_management_key|coh_application_key/.test(textOf(file)),
  )
  assert.deepEqual(reading, ['src/api/tenants.ts'])
})

test('no hint names the program other than by its one command', () => {
  const literal = sources.filter((file) =>
    /gatehouse-local \w|@gatehouse-auth\/local/.test(textOf(file)),
  )
  // A sentence about this program on an older Node.
  assert.deepEqual(literal, ['src/cli.ts'])
})

test('the README lists every command, option and exit code, and /docs/sdk every command', () => {
  const sdk = readFileSync(path.join(LOCAL, '../service/content/docs/sdk.md'), 'utf8')
  for (const { name, options = {} } of COMMANDS) {
    assert.ok(README.includes(`\`${name}`), `README.md does not mention ${name}`)
    assert.match(sdk, new RegExp(`^\\| \`${name}[ \`]`, 'm'), `sdk.md has no row of ${name}`)
    for (const option of Object.keys(options)) {
      assert.ok(README.includes(`--${option}`), `${name} --${option}`)
    }
  }
  const listed = [...README.matchAll(/^\| (\d+) \|/gm)].map((match) => Number(match[1]))
  assert.deepEqual(listed, Object.values(EXIT_CODES))
})
