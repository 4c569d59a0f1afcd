import assert from 'node:assert/strict'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { type NightlyRun, runSteps, type Step } from '../../scripts/nightly/run-steps.ts'
import { freshFolder } from './support/postgres/engines.ts'
import { slow } from './support/tags.ts'

const DOCUMENT = `# Title

<!-- nightly: begin -->
| Step | Result | Tests | Seconds | Date | Machine | Commit |
|---|---|---|---|---|---|---|
| \`a/one\` | passed | 1 passed, 0 failed, 0 skipped | 9 | 2026-01-01 | 64 cores | old |
| \`removed\` | passed |  | 9 | 2026-01-01 | 64 cores | old |
<!-- nightly: end -->

Written by hand.
`

/** A step that appends its name to a file and runs this code. */
const fakeStep = (name: string, folder: string, code = ''): Step => ({
  name,
  command: [
    process.execPath,
    '-e',
    `fs.appendFileSync(${JSON.stringify(path.join(folder, 'ran'))}, ${JSON.stringify(`${name} `)}); ${code}`,
  ],
})

async function nightly() {
  const folder = await freshFolder()
  const document = path.join(folder, 'document.md')
  writeFileSync(document, DOCUMENT)
  const tests = `console.log('ℹ tests 3\\nℹ pass 2\\nℹ fail 0\\nℹ skipped 1')`
  const failsWithoutFile = `process.exit(fs.existsSync(${JSON.stringify(path.join(folder, 'fixed'))}) ? 0 : 1)`
  const steps = [
    fakeStep('a/one', folder, tests),
    fakeStep('a/two', folder, failsWithoutFile),
    fakeStep('b', folder),
    fakeStep('c', folder),
  ]
  const printed: string[] = []
  return {
    folder,
    steps,
    printed,
    run: (options: Partial<NightlyRun> = {}) =>
      runSteps({
        steps,
        selected: [],
        fresh: false,
        commit: 'abc1234',
        machine: '2 cores, 24 GB, arm64',
        folder: path.join(folder, 'state'),
        document,
        print: (line) => void printed.push(line),
        ...options,
      }),
    /** The steps that ran since the last call. */
    ran: (): string => {
      const file = path.join(folder, 'ran')
      const names = existsSync(file) ? readFileSync(file, 'utf8').trim() : ''
      writeFileSync(file, '')
      return names
    },
    /** The cells of the table, without seconds and date. */
    table: () =>
      [...readFileSync(document, 'utf8').matchAll(/^\| `.*$/gm)].map(([row]) => {
        const [name, outcome, tests, seconds, date, ...others] = row.split('|').slice(1, -1)
        assert.match(`${seconds}${date}`, /^ \d+ {2}\d{4}-\d\d-\d\d $/)
        return [name, outcome, tests, ...others].map((cell) => cell?.trim()).join('; ')
      }),
    text: () => readFileSync(document, 'utf8'),
  }
}

test('a nightly run continues after the steps that passed at this commit, and runs failed steps again', {
  skip: slow,
}, async () => {
  const { folder, steps, run, ran } = await nightly()
  // Stopped before the step `c`.
  assert.equal(await run({ steps: steps.slice(0, 3) }), false)
  assert.equal(ran(), 'a/one a/two b')
  writeFileSync(path.join(folder, 'fixed'), '')
  assert.equal(await run(), true)
  assert.equal(ran(), 'a/two c')
  assert.equal(await run(), true)
  assert.equal(ran(), '')

  assert.equal(await run({ commit: 'def5678', selected: ['a', 'c'] }), true)
  assert.equal(ran(), 'a/one a/two c', 'at another commit')
  assert.equal(await run({ commit: 'def5678', selected: ['c'], fresh: true }), true)
  assert.equal(ran(), 'c')
  await assert.rejects(run({ selected: ['a/three'] }), {
    message: /^Unknown step a\/three\. Steps: a\/one, a\/two, b, c$/,
  })
})

test('a nightly run writes each result into the table and keeps the rows of other steps', {
  skip: slow,
}, async () => {
  const { run, table, text } = await nightly()
  await run({ selected: ['b'] })
  assert.deepEqual(table(), [
    '`a/one`; passed; 1 passed, 0 failed, 0 skipped; 64 cores; old',
    '`b`; passed; ; 2 cores, 24 GB, arm64; abc1234',
  ])
  await run({ selected: ['a'], commit: 'def5678' })
  assert.deepEqual(table(), [
    '`a/one`; passed; 2 passed, 0 failed, 1 skipped; 2 cores, 24 GB, arm64; def5678',
    '`a/two`; failed; ; 2 cores, 24 GB, arm64; def5678',
    '`b`; passed; ; 2 cores, 24 GB, arm64; abc1234',
  ])
  assert.match(
    text(),
    /^# Title\n\n<!-- nightly: begin -->\n[\s\S]*\n<!-- nightly: end -->\n\nWritten by hand\.\n$/,
  )
})

test('a step whose program cannot be started has failed, and its log says why', async () => {
  const { folder, run } = await nightly()
  const missing: Step = { name: 'missing', command: ['/no/such/program'] }
  const uninstalled: Step = {
    name: 'not-installed',
    command: [process.execPath],
    prepare: () => Promise.reject(new Error('npm ci exited with 1')),
  }
  assert.equal(await run({ steps: [missing, uninstalled] }), false)
  assert.match(readFileSync(path.join(folder, 'state/missing.log'), 'utf8'), /ENOENT/)
  assert.match(
    readFileSync(path.join(folder, 'state/not-installed.log'), 'utf8'),
    /npm ci exited with 1/,
  )
})
