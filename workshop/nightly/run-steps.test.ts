import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type TestContext, test } from 'node:test'
import { withoutGit } from '../../local/test/support/git.ts'
import { slow } from '../../service/test/support/tags.ts'
import { type NightlyRun, runSteps, type Step } from './run-steps.ts'

const ROOT = path.resolve(import.meta.dirname, '../..')

/** A temporary folder, and a run of steps that each write their name into a file. */
function fixture(t: TestContext) {
  const folder = mkdtempSync(path.join(tmpdir(), 'gatehouse-test-nightly-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  const document = path.join(folder, 'results/nightly.md')
  const ran = path.join(folder, 'ran.txt')
  writeFileSync(ran, '')
  const step = (name: string, script = 'true', more: Partial<Step> = {}): Step => ({
    name,
    command: ['sh', '-c', `echo ${name} >>${ran}; ${script}`],
    ...more,
  })
  const printed: string[] = []
  const run = (steps: readonly Step[], more: Partial<NightlyRun> = {}): Promise<boolean> =>
    runSteps({
      steps,
      selected: [],
      fresh: false,
      commit: 'c0ffee0',
      machine: '2 cores',
      folder: path.join(folder, 'state'),
      document,
      print: (line) => void printed.push(line),
      ...more,
    })
  return {
    step,
    run,
    printed,
    /** The names of the steps that ran since the last call. */
    takeRan(): string[] {
      const names = readFileSync(ran, 'utf8').split('\n').filter(Boolean)
      writeFileSync(ran, '')
      return names
    },
    /** The cells of each row. */
    rows: () =>
      [...readFileSync(document, 'utf8').matchAll(/^\| (`.*) \|$/gm)].map(([, row = '']) =>
        row.split(' | '),
      ),
    log: (step: string) => readFileSync(path.join(folder, 'state', `${step}.log`), 'utf8'),
  }
}

test('a nightly run writes each result with its tests, date, machine and commit into a table, and fails if a step does', {
  skip: slow,
}, async (t) => {
  const { step, run, rows, log } = fixture(t)
  await run([step('removed'), step('soak')], { commit: 'earlier', machine: 'another' })
  const today = new Date().toISOString().slice(0, 10)
  const steps = [
    step(
      'interop/mcp',
      'echo "ℹ tests 3\nℹ pass 2\nℹ fail 0\nℹ skipped 1\nℹ tests 4\nℹ pass 4\nℹ fail 0\nℹ skipped 0"',
    ),
    step('faults/f01', 'echo broken >&2; exit 3', { env: { FAULTS: 'full' } }),
    step('not-installed', 'true', { prepare: () => Promise.reject(new Error('no network')) }),
    step('soak'),
  ]
  assert.equal(await run(steps, { selected: ['interop', 'faults/f01', 'not-installed'] }), false)
  assert.deepEqual(
    rows().map(([name, outcome, tests, , ...rest]) => [name, outcome, tests, ...rest]),
    [
      ['`interop/mcp`', 'passed', '6 passed, 0 failed, 1 skipped', today, '2 cores', 'c0ffee0'],
      ['`faults/f01`', 'failed', '', today, '2 cores', 'c0ffee0'],
      ['`not-installed`', 'failed', '', today, '2 cores', 'c0ffee0'],
      // Not selected, so its last result stays. The row of a step that no longer exists is gone.
      ['`soak`', 'passed', '', today, 'another', 'earlier'],
    ],
  )
  assert.equal(log('faults-f01'), 'broken\n')
})

test('a nightly run that was stopped continues at the same commit: what passed is not run again', {
  skip: slow,
}, async (t) => {
  const { step, run, takeRan, rows } = fixture(t)
  const steps = [step('first'), step('second', 'exit 1'), step('third')]
  const stopAtThird = (line: string): void => {
    if (line.startsWith('third:')) {
      throw new Error('stopped')
    }
  }
  await assert.rejects(run(steps, { print: stopAtThird }), /stopped/)
  assert.deepEqual(takeRan(), ['first', 'second'])
  assert.deepEqual(
    rows().map(([name, outcome]) => `${name} ${outcome}`),
    ['`first` passed', '`second` failed'],
  )

  const repaired = [step('first'), step('second'), step('third')]
  assert.equal(await run(repaired), true)
  assert.deepEqual(takeRan(), ['second', 'third'])
  assert.equal(await run(repaired), true)
  assert.deepEqual(takeRan(), [])
  assert.equal(await run(repaired, { fresh: true, selected: ['third'] }), true)
  assert.deepEqual(takeRan(), ['third'])
  assert.equal(await run(repaired, { commit: 'another' }), true)
  assert.deepEqual(takeRan(), ['first', 'second', 'third'])
})

test('a step whose tests were all skipped is skipped, not passed: it runs again, and the run does not fail', {
  skip: slow,
}, async (t) => {
  const { step, run, takeRan, rows } = fixture(t)
  // A skipped suite counts none of its tests.
  const steps = [
    step('suite', 'echo "ℹ tests 0\nℹ pass 0\nℹ fail 0\nℹ skipped 0"'),
    step('tests', 'echo "ℹ tests 2\nℹ pass 0\nℹ fail 0\nℹ skipped 2"'),
    step('one', 'echo "ℹ tests 2\nℹ pass 1\nℹ fail 0\nℹ skipped 1"'),
    step('broken', 'echo "ℹ tests 1\nℹ pass 0\nℹ fail 1\nℹ skipped 0"; exit 1'),
    step('soak'),
  ]
  assert.equal(await run(steps), false)
  assert.deepEqual(
    rows().map(([name, outcome]) => `${name} ${outcome}`),
    ['`suite` skipped', '`tests` skipped', '`one` passed', '`broken` failed', '`soak` passed'],
  )
  takeRan()
  assert.equal(await run(steps, { selected: ['suite', 'tests', 'one', 'soak'] }), true)
  assert.deepEqual(takeRan(), ['suite', 'tests'])
})

test('an unknown step is an error that lists the steps, and nothing runs', async (t) => {
  const { step, run, takeRan } = fixture(t)
  const steps = [step('faults/f01'), step('soak')]
  await assert.rejects(
    run(steps, { selected: ['soak', 'fault'] }),
    /Unknown step fault\. Steps: faults\/f01, soak/,
  )
  assert.deepEqual(takeRan(), [])
})

test('a step whose program cannot be started has failed, and its log says why', async (t) => {
  const { step, run, log } = fixture(t)
  const missing = { ...step('missing'), command: ['/no/such/program'] }
  const uninstalled = step('not-installed', 'true', {
    prepare: () => Promise.reject(new Error('npm ci exited with 1')),
  })
  assert.equal(await run([missing, uninstalled]), false)
  assert.match(log('missing'), /ENOENT/)
  assert.match(log('not-installed'), /npm ci exited with 1/)
})

test('every file with a test that only the nightly run has is one of its steps', {
  skip: withoutGit,
}, () => {
  // An unknown step ends the run before it begins, with the names of all.
  const { stderr } = spawnSync(process.execPath, ['workshop/nightly.ts', 'unknown'], {
    cwd: ROOT,
    encoding: 'utf8',
  })
  const [, names = ''] = /Unknown step unknown\. Steps: (.*)/.exec(stderr) ?? []
  const steps = names.split(', ').map((name) => path.basename(name))

  const files = globSync(
    ['{service,sdk,local,examples}/{src,test}/**/*.test.ts', 'workshop/**/*.test.ts'],
    { cwd: ROOT, exclude: ['**/node_modules/**'] },
  )
  const long = files.filter((file) => {
    const text = readFileSync(path.join(ROOT, file), 'utf8')
    return /^import .*\blong\b.* from '.*\/tags\.ts'$/m.test(text)
  })
  assert.ok(long.length > 10)

  // A step runs a file, or a folder.
  const missing = long.filter((file) => {
    const { dir, base } = path.parse(file)
    return !steps.includes(base.replace('.test.ts', '')) && !steps.includes(path.basename(dir))
  })
  assert.deepEqual(missing, [])
})
