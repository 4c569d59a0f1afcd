import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { freshFolder } from '../service/test/support/postgres/engines.ts'

const REPORT = { passed: 5, failed: [], skipped: 1, seconds: 61.4, cpuSeconds: 120 }
/** Stands for the runner of the tests: the second run has a failure, and the third ends without a report. */
const RUNNER = `import { existsSync, writeFileSync } from 'node:fs'
const number = ['one', 'two', 'three'].findIndex((name) => !existsSync(name)) + 1
writeFileSync(['', 'one', 'two', 'three'][number], '')
if (process.argv[2] !== 'all' || number === 3) process.exit(7)
const report = ${JSON.stringify(REPORT)}
writeFileSync(process.env.TEST_REPORT, JSON.stringify({ ...report, failed: number === 2 ? ['a.test.ts › fails'] : [] }))`

test('the stress run prints a row for each run, names what failed in which, and fails', async () => {
  const folder = await freshFolder()
  for (const name of ['scripts', 'workshop']) {
    mkdirSync(path.join(folder, name))
  }
  writeFileSync(path.join(folder, 'package.json'), '{ "type": "module" }')
  writeFileSync(path.join(folder, 'scripts/test.ts'), RUNNER)
  copyFileSync(path.join(import.meta.dirname, 'stress.ts'), path.join(folder, 'workshop/stress.ts'))

  const { status, stdout } = spawnSync(process.execPath, ['workshop/stress.ts', 'all'], {
    cwd: folder,
    env: { TMPDIR: folder },
    encoding: 'utf8',
  })
  assert.equal(status, 1)
  assert.deepEqual(stdout.match(/^\| \d.*$/gm), [
    '| 1 | 0 | 5 | 0 | 1 | 61 | 120 |',
    '| 2 | 0 | 5 | 1 | 1 | 61 | 120 |',
    '| 3 | 0 | 0 | 1 | 0 | 0 | unknown |',
  ])
  assert.match(stdout, /✖ a\.test\.ts › fails\n {2}in run 2\n/)
  assert.match(stdout, /✖ the run ends \(its process exited with 7\)\n {2}in run 3\n/)
  assert.match(stdout, /1 passed, 2 failed/)
})
