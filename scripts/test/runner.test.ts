import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  copyFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type TestContext, test } from 'node:test'
import { slow } from '../../service/test/support/tags.ts'
import { FileDurations } from './durations.ts'
import { ROOT, SLOW_NAMES } from './group.ts'

function temporary(t: TestContext): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'gatehouse-test-runner-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

function write(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) {
    const file = path.join(folder, name)
    mkdirSync(path.dirname(file), { recursive: true })
    writeFileSync(file, text, { mode: 0o755 })
  }
}

test('the longest file starts first; before the files with a duration, those without one: browsers, processes and faults, then the largest', (t) => {
  const folder = temporary(t)
  const cache = path.join(folder, 'cache/durations.json')
  const waiting = {
    browser: { chromium: true },
    process: { ownProcess: true },
    fault: { onDisk: true },
  } as const
  const groups = { small: {}, large: {}, ...waiting } as const
  const files = Object.entries(groups).map(([name, more], index) => {
    const file = path.join(folder, name)
    writeFileSync(file, 'x'.repeat(name === 'large' ? 100 : index))
    return { file, group: { name: 'group', files: [], ...more } }
  })
  const order = (extent: 'quick' | 'all'): string[] =>
    new FileDurations(extent, cache).longestFirst(files).map(({ file }) => path.basename(file))

  const withoutCache = ['fault', 'process', 'browser', 'large', 'small']
  assert.deepEqual(order('quick'), withoutCache)
  const durations = new FileDurations('quick', cache)
  for (const [name, ms] of Object.entries({ large: 20, browser: 30, small: 4_000.4 })) {
    durations.record(path.join(folder, name), ms)
  }
  durations.save()
  assert.deepEqual(order('quick'), ['fault', 'process', 'small', 'browser', 'large'])
  // Durations of quick runs, which skip slow tests, say nothing about full ones.
  assert.deepEqual(order('all'), withoutCache)
  writeFileSync(cache, '{"quick":')
  assert.deepEqual(order('quick'), withoutCache)
})

/** The runner in a repository of its own, with these test files. Its type checker and linter only succeed. */
function repository(
  t: TestContext,
  files: Readonly<Record<string, string>>,
  settings: NodeJS.ProcessEnv = {},
) {
  const folder = temporary(t)
  write(folder, {
    'package.json': '{ "type": "module" }',
    'bin/tsc': '#!/bin/sh\n',
    'bin/biome': '#!/bin/sh\n',
    ...files,
  })
  mkdirSync(path.join(folder, 'scripts'), { recursive: true })
  for (const file of ['test.ts', 'install-separately.ts']) {
    copyFileSync(path.join(ROOT, 'scripts', file), path.join(folder, 'scripts', file))
  }
  cpSync(import.meta.dirname, path.join(folder, 'scripts/test'), {
    recursive: true,
    filter: (source) => !source.endsWith('.test.ts'),
  })
  const support = 'service/test/support'
  mkdirSync(path.join(folder, support), { recursive: true })
  for (const name of readdirSync(path.join(ROOT, support))) {
    symlinkSync(path.join(ROOT, support, name), path.join(folder, support, name))
  }
  return {
    folder,
    async run(script: string, ...args: string[]): Promise<{ code: number; output: string }> {
      // No browser on the PATH, none in the cache, and no apt-get to install one with.
      const env = { PATH: path.join(folder, 'bin'), TMPDIR: folder, HOME: folder, ...settings }
      const child = spawn(process.execPath, [path.join(folder, 'scripts', script), ...args], {
        cwd: folder,
        env,
      })
      let output = ''
      for (const stream of [child.stdout, child.stderr]) {
        stream.setEncoding('utf8').on('data', (text: string) => {
          output += text
        })
      }
      const [code] = await once(child, 'close')
      return { code, output }
    },
  }
}

const testFile = (...bodies: string[]): string =>
  `import { test } from 'node:test'\n${bodies.map((body, index) => `test('test ${index}', async () => { ${body} })`).join('\n')}`

const passing = testFile('')

test('a run fails and names each test and file that fails, crashes, ends too early or does not load', {
  skip: slow,
}, async (t) => {
  const { run } = repository(t, {
    'service/src/passing.test.ts': testFile('', ''),
    'service/src/failing.test.ts': testFile('', "throw new Error('this is wrong')"),
    'service/src/crashing.test.ts': testFile("process.kill(process.pid, 'SIGKILL')"),
    'service/src/exiting.test.ts': testFile('process.exit(0)'),
    'service/src/not-loading.test.ts': "import './missing.ts'",
    'service/src/stray.test.ts': testFile(
      "setImmediate(() => { throw new Error('stray') }); await new Promise(setImmediate)",
    ),
    'service/src/replacing.test.ts': testFile('performance.now = () => 0'),
    'service/test/faults/crashing.test.ts': testFile('', "process.kill(process.pid, 'SIGKILL')"),
    'service/test/faults/exiting.test.ts': testFile('process.exit(0)'),
    'service/test/faults/failing.test.ts': testFile("throw new Error('also wrong')"),
  })
  const { code, output } = await run('test.ts', 'all', 'rules', 'faults')
  assert.equal(code, 1, output)
  const failed = [...output.matchAll(/^✖ (.*)$/gm)].map(([, title]) => title)
  assert.deepEqual(
    new Set(failed),
    new Set([
      'service/src/failing.test.ts › test 1',
      'service/src/crashing.test.ts › all tests of the file end',
      'service/src/exiting.test.ts › all tests of the file end',
      'service/src/not-loading.test.ts › the file can be loaded',
      'service/src/stray.test.ts › no error occurs outside of its tests',
      'service/src/replacing.test.ts › no error occurs outside of its tests',
      'service/test/faults/crashing.test.ts › all tests of the file end',
      'service/test/faults/exiting.test.ts › all tests of the file end',
      'service/test/faults/failing.test.ts › test 0',
    ]),
  )
  // The files run side by side, in no promised order.
  assert.match(output, /this is wrong/)
  assert.match(output, /SIGKILL/)
  assert.match(output, /left replaced for the next file: now/)
})

test('a function that a file with a stray error leaves replaced is restored for the next file of its process', {
  skip: slow,
}, async (t) => {
  const stray = "setImmediate(() => { throw new Error('stray') }); await new Promise(setImmediate)"
  const { run } = repository(t, {
    'stray.test.ts': testFile(`performance.now = () => 0; ${stray}`),
    'next.test.ts': testFile("if (performance.now() === 0) throw new Error('still replaced')"),
    'scripts/in-turn.ts': `import { FileRunner } from './test/run-files.ts'
const runner = new FileRunner()
const limits = { ownProcess: false, timeoutMs: 60_000, silentMs: 60_000 }
for (const file of ['stray.test.ts', 'next.test.ts'])
  await runner.run({ file, env: {}, temporary: process.env.TMPDIR + '/', ...limits }, ({ outcome, name, error = '' }) =>
    console.log(outcome, file, name, ...(error.match(/Error: .*/g) ?? [])))
await runner.close()`,
  })
  const { output } = await run('in-turn.ts')
  assert.deepEqual(output.trim().split('\n'), [
    'passed stray.test.ts test 0',
    'failed stray.test.ts no error occurs outside of its tests Error: stray Error: left replaced for the next file: now',
    'passed next.test.ts test 0',
  ])
})

test('a run ends a process that reports no result for too long, of a test that never yields and of a cleanup that never ends', {
  skip: slow,
}, async (t) => {
  const forever = 'for (;;) await null'
  const { run } = repository(
    t,
    {
      'service/src/spinning.test.ts': testFile(forever),
      'service/test/faults/cleanup.test.ts': `import { test } from 'node:test'
test('waits', (t) => t.after(async () => { setInterval(() => {}, 1_000); await new Promise(() => {}) }))`,
    },
    { TEST_SILENT_MS: '5000' },
  )
  const { code, output } = await run('test.ts', 'all', 'rules', 'faults')
  assert.equal(code, 1, output)
  for (const file of ['service/src/spinning.test.ts', 'service/test/faults/cleanup.test.ts']) {
    assert.ok(
      output.includes(
        `\n✖ ${file} › all tests of the file end\n    it reported no result for 5 s, so it was ended`,
      ),
      output,
    )
  }
})

test('a run without failures succeeds, saves the durations and says what it did not run, with the command that does', {
  skip: slow,
}, async (t) => {
  const { run, folder } = repository(t, {
    'service/src/rule.test.ts': passing,
    'service/test/login/login.test.ts': passing,
    'service/test/process/start.test.ts': testFile("throw new Error('not in a quick run')"),
  })
  const quick = await run('test.ts')
  assert.equal(quick.code, 0, quick.output)
  assert.match(quick.output, /^4 passed, 0 failed, 0 skipped$/m)
  const notRun = /^Not run: (.*) \((.*)\)\.$/m.exec(quick.output)
  assert.equal(notRun?.[2], 'npm run test:all')
  for (const name of SLOW_NAMES) {
    assert.ok(notRun?.[1]?.split(', ').includes(name), name)
  }
  const durations = JSON.parse(
    readFileSync(path.join(folder, 'node_modules/.cache/test-durations.json'), 'utf8'),
  )
  assert.deepEqual(Object.keys(durations.quick).sort(), [
    'service/src/rule.test.ts',
    'service/test/login/login.test.ts',
  ])

  const unknown = await run('test.ts', 'logins')
  assert.equal(unknown.code, 2)
  assert.match(unknown.output, /Unknown group logins\. Groups: check, .*\bsessions, login\b/)
})

test('without a Chromium, the tests that need one are skipped, and the run says how many and why', {
  skip: slow,
}, async (t) => {
  const open = (
    more = '',
  ): string => `import { launchChromium } from '${ROOT}/service/test/support/actors/chromium.ts'
import { before, test } from 'node:test'
${more}
test('opens a page', async () => { await launchChromium() })`
  const { run } = repository(t, {
    'service/test/browser/sign-in.test.ts': `${open()}\ntest('opens none', () => {})`,
    'sdk/test/browser.test.ts': open('before(() => launchChromium())'),
  })
  const { code, output } = await run('test.ts', 'all', 'smoke', 'sdk')
  assert.equal(code, 0, output)
  assert.match(output, /^1 passed, 0 failed, 2 skipped$/m)
  assert.match(
    output,
    /^Not run: tests in Chromium \(2\)\. There is no Chromium here\. Install one, or set CHROMIUM_PATH/m,
  )
})
