import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { slow } from '../../service/test/support/tags.ts'
import { EQUIVALENTS, mutantsOf, SABOTAGES, type Sabotage, sabotaged } from './mutations.ts'

const ROOT = path.resolve(import.meta.dirname, '../..')
const read = (file: string): string => readFileSync(path.join(ROOT, file), 'utf8')

test('every sabotage changes its file, and the test file that must notice it exists', () => {
  for (const sabotage of SABOTAGES) {
    assert.notEqual(sabotaged(read(sabotage.file), sabotage), read(sabotage.file), sabotage.name)
    assert.ok(existsSync(path.join(ROOT, sabotage.test)), `${sabotage.test} is missing`)
  }
})

test('a sabotage whose text is not in the file, or is there twice, is an error', () => {
  const sabotage: Sabotage = { name: 'a sabotage', file: 'a.ts', find: 'check() &&', replace: '', test: '' }
  assert.equal(sabotaged('check()\n  && run()', sabotage), ' run()')
  assert.throws(() => sabotaged('run()', sabotage), /a\.ts contains "check\(\) &&" 0 times, not once/)
  assert.throws(() => sabotaged('check() && check() && run()', sabotage), /2 times/)
})

test('every equivalent mutant is generated for its file', { skip: slow }, () => {
  for (const { file, original, mutated } of EQUIVALENTS) {
    const { mutants } = mutantsOf(read(file), 0)
    const isGenerated = mutants.some((each) => each.original === original && each.mutated === mutated)
    assert.ok(isGenerated, `${file} has no mutant ${original} → ${mutated}`)
  }
})

test('guards, comparisons, conditions, calls and limits are mutated, each with its line', () => {
  const source = `import { MAX } from './limits.ts'
const AT_LOAD = MAX > 1
export async function f(a: number, b: readonly string[]): Promise<string | undefined> {
  if (a > MAX) throw new Error('too many')
  if (a === 1) await store(b)
  else log.info('not stored')
  return isFirst(a) && b.length === 2 ? b[0] : b[1] && nameOf(b[1])
}`
  const found = mutantsOf(source, 0).mutants.map(({ line, original, mutated }) => `${line}: ${original} → ${mutated}`)
  assert.deepEqual(found, [
    '4: if (a > MAX) → if (false)',
    '4: a > MAX → a >= MAX',
    '4: MAX → 0',
    '4: MAX → 1099511627776',
    '5: if (a === 1) → if (false)',
    '5: a === 1 → a !== 1',
    '5: await store(b) → ',
    '7: isFirst(a) && b.length === 2 → !(isFirst(a) && b.length === 2)',
    '7: isFirst(a) → true',
    '7: b.length === 2 → true',
    '7: b.length === 2 → b.length !== 2',
    '7: b[1] → true',
  ])
})

test('a program with its mutants in it is the same program', async () => {
  const source = `export const f = (a, b) => {
  const calls = []
  if (a < 1) calls.push('less')
  else if ((a) >= (2) && !(b || a > 3)) calls.push('more')
  else calls.push(a === 1 || b ? 'one' : 'other')
  return calls
}`
  const switchedOff = `const $mutant = () => false, $unless = (id, when, value) => value
const $order = (id, operator, a, b) => operator === '<' ? a < b : operator === '>' ? a > b : a >= b\n`
  const load = (code: string) => import(`data:text/javascript,${encodeURIComponent(code)}`)
  const [original, mutated] = [await load(source), await load(switchedOff + mutantsOf(source, 0).code)]
  for (const a of [0, 1, 2, 3, 4]) for (const b of [true, false]) assert.deepEqual(mutated.f(a, b), original.f(a, b))
})
