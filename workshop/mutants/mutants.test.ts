import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { run } from '../../service/test/support/process/run.ts'
import { slow } from '../../service/test/support/tags.ts'
import { MutatedBuild, switchOn, takeReached } from './mutated-build.ts'
import { EQUIVALENTS, mutantsOf, SABOTAGES, type Sabotage, sabotaged } from './mutations.ts'
import { switches } from './switches.ts'

const ROOT = path.resolve(import.meta.dirname, '../..')
const read = (file: string): string => readFileSync(path.join(ROOT, file), 'utf8')

test('every sabotage changes its file, and the test file that must notice it exists', () => {
  for (const sabotage of SABOTAGES) {
    assert.notEqual(sabotaged(read(sabotage.file), sabotage), read(sabotage.file), sabotage.name)
    assert.ok(existsSync(path.join(ROOT, sabotage.test)), `${sabotage.test} is missing`)
  }
})

test('a sabotage whose text is not in the file, or is there twice, is an error', () => {
  const sabotage: Sabotage = {
    name: 'a sabotage',
    file: 'a.ts',
    find: 'check() &&',
    replace: '',
    test: '',
  }
  assert.equal(sabotaged('check()\n  && run()', sabotage), ' run()')
  assert.throws(
    () => sabotaged('run()', sabotage),
    /a\.ts contains "check\(\) &&" 0 times, not once/,
  )
  assert.throws(() => sabotaged('check() && check() && run()', sabotage), /2 times/)
})

test('every equivalent mutant is generated for its file', { skip: slow }, () => {
  for (const { file, original, mutated } of EQUIVALENTS) {
    const { mutants } = mutantsOf(read(file), 0)
    const isGenerated = mutants.some(
      (each) => each.original === original && each.mutated === mutated,
    )
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
}
export const g = (c: boolean): string | false => c && ('full' as const)`
  const found = mutantsOf(source, 0).mutants.map(
    ({ line, original, mutated }) => `${line}: ${original} → ${mutated}`,
  )
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
    '9: c → true',
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
  const load = (code: string) => import(`data:text/javascript,${encodeURIComponent(code)}`)
  Object.assign(
    globalThis,
    switches(
      () => -1,
      () => undefined,
    ),
  )
  const [original, mutated] = [await load(source), await load(mutantsOf(source, 0).code)]
  for (const a of [0, 1, 2, 3, 4]) {
    for (const b of [true, false]) {
      assert.deepEqual(mutated.f(a, b), original.f(a, b))
    }
  }
})

test('one mutant is switched on at a time, and every mutant that makes a difference is reached', () => {
  let active = -1
  const reached = new Set<number>()
  const { $mutant, $unless, $order, $number } = switches(
    () => active,
    (id) => reached.add(id),
  )
  /** The values without a mutant, then with each of them. */
  const values = (evaluate: () => unknown): readonly unknown[] =>
    [-1, 0, 1].map((id) => {
      active = id
      return evaluate()
    })
  assert.deepEqual(
    values(() => $mutant(0)),
    [false, true, false],
  )
  assert.deepEqual(
    values(() => $unless(0, true, 'set')),
    ['set', false, 'set'],
  )
  assert.deepEqual(
    values(() => $order(0, '<', 2, 2)),
    [false, true, false],
  )
  assert.deepEqual(
    values(() => $number(0, 7)),
    [7, 0, 2 ** 40],
  )
  assert.deepEqual([...reached], [0, 1])
  reached.clear()
  assert.deepEqual(
    values(() => [$unless(0, true, null), $order(0, '<', 1, 2), $number(0, 'text')]),
    Array.from({ length: 3 }, () => [null, true, 'text']),
  )
  assert.deepEqual([...reached], [])
})

test('a process of a build with mutants runs the one that is switched on and reports which it reached', {
  skip: slow,
}, async (t) => {
  const file = 'service/src/gatehouse.ts'
  const { mutants } = mutantsOf(read(file), 100)
  const id = 100 + mutants.findIndex(({ mutated }) => mutated === "args[0] !== '--version'")
  const build = await MutatedBuild.make({ [file]: 100 })
  t.after(() => build.remove())
  const command = path.join(build.folder, 'gatehouse.js')
  const printed = (): Promise<string> => run(process.execPath, [command, '--version'], { env: {} })

  assert.match(await printed(), /^gatehouse \d/)
  assert.ok(takeReached(build.folder).includes(id))
  assert.deepEqual(takeReached(build.folder), [])
  switchOn(build.folder, id)
  await assert.rejects(printed(), /There is no command "--version"/)
  switchOn(build.folder, -1)
  assert.match(await printed(), /^gatehouse \d/)
  assert.doesNotMatch(build.folder, new RegExp(`^${RegExp.escape(ROOT)}`))
  build.remove()
  assert.equal(existsSync(build.folder), false)
})
