import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { MUTANTS } from './list.ts'
import { type Mutant, sabotaged } from './mutant.ts'

const ROOT = path.resolve(import.meta.dirname, '../..')

test('every sabotage changes its file, and the tests that must notice it exist', () => {
  assert.deepEqual(MUTANTS.flatMap(problemsWith), [])
})

test('a sabotage whose text is not in the file, or is there twice, is refused', () => {
  const mutant = { name: 'a sabotage', file: 'a.ts', find: 'check()', replace: '', tests: [] }
  assert.equal(sabotaged('check(); run()', mutant), '; run()')
  assert.throws(() => sabotaged('run()', mutant), /a\.ts contains "check\(\)" 0 times, not once/)
  assert.throws(() => sabotaged('check(); check()', mutant), /2 times/)
})

function problemsWith(mutant: Mutant): string[] {
  const missing = mutant.tests.filter((file) => !existsSync(path.join(ROOT, file))).map((file) => `${file} is missing`)
  try {
    sabotaged(readFileSync(path.join(ROOT, mutant.file), 'utf8'), mutant)
    return missing
  } catch (error) {
    return [...missing, `${mutant.name}: ${String(error)}`]
  }
}
