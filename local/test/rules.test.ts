import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { EXIT_CODES } from '../src/cli/exit-codes.ts'
import { VERBS } from '../src/cli/verbs/index.ts'

const LOCAL = path.resolve(import.meta.dirname, '..')
const README = readFileSync(path.join(LOCAL, 'README.md'), 'utf8')

const sources = globSync('src/**/*.ts', { cwd: LOCAL })
const textOf = (file: string): string => readFileSync(path.join(LOCAL, file), 'utf8')

const ALLOWED = [/^\./, /^node:/, /^zod$/, /^@gatehouse\/(contract|sdk)$/, /^@modelcontextprotocol\/server(\/stdio)?$/]

test('this package imports the contract, the protocol, zod and Node, and nothing else', () => {
  const wrong = sources.flatMap((file) =>
    [...textOf(file).matchAll(/from '([^']+)'|import\('([^']+)'\)/g)]
      .map((match) => match[1] ?? match[2] ?? '')
      .filter((name) => !ALLOWED.some((allowed) => allowed.test(name)))
      .map((name) => `${file} → ${name}`),
  )
  assert.deepEqual(wrong, [])
})

test('what an agent reaches writes nothing to stdout but the protocol', () => {
  const talking = sources.filter((file) => /process\.stdout|console\.(log|info|debug)/.test(textOf(file)))
  assert.deepEqual(
    talking.filter((file) => !file.startsWith('src/cli')),
    [],
  )
})

test('the keys of a tenant are touched by one file, which sends them', () => {
  const touching = sources.filter((file) => /coh_management_key|coh_application_key/.test(textOf(file)))
  // The second one only tells an agent that it need not send them.
  assert.deepEqual(touching.sort(), ['src/api/tenants.ts', 'src/mcp/tools/get-service-documentation.ts'])
})

test('the README has every verb, every option and every exit code', () => {
  for (const { name, options = {} } of VERBS) {
    assert.ok(README.includes(`\`${name}`), `README.md does not mention ${name}`)
    for (const option of Object.keys(options)) assert.ok(README.includes(`--${option}`), `${name} --${option}`)
  }
  const listed = [...README.matchAll(/^\| (\d+) \|/gm)].map((match) => Number(match[1]))
  assert.deepEqual(listed, Object.values(EXIT_CODES))
})
