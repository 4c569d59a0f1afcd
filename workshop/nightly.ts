import { execFileSync } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { availableParallelism, totalmem } from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { installSeparately } from '../scripts/install-separately.ts'
import { runSteps, type Step } from './nightly/run-steps.ts'

// `npm run test:nightly`: what is long or needs third-party programs. Names after `--` select steps, and `--fresh` runs them
// again. A run that was stopped continues at the same commit. The last result of each step is in workshop/results/nightly.md.

const ROOT = path.resolve(import.meta.dirname, '..')

const node = (...args: string[]): string[] => [process.execPath, ...args]
const testFiles = (...files: string[]): string[] =>
  node(
    '--test',
    '--test-concurrency=1',
    '--test-timeout=3600000',
    '--test-global-setup=service/test/support/process/global.ts',
    ...files,
  )
const install =
  (...folders: string[]) =>
  async (): Promise<void> => {
    for (const folder of folders) {
      await installSeparately(folder)
    }
  }
const PROGRAMS = 'workshop/interop/programs'
const PLATFORMS = 'workshop/interop/platforms'
const DATABASES = 'workshop/interop/databases'
const OPENID = 'workshop/interop/openid'

/** One step per file of this glob. */
const stepsOf = (folder: string, glob: string, step: Omit<Step, 'name' | 'command'>): Step[] =>
  globSync(glob, { cwd: ROOT })
    .sort()
    .map((file) => ({
      name: `${folder}/${path.basename(file, '.test.ts')}`,
      command: testFiles(file),
      ...step,
    }))

/** Other values than each run of all tests generates (service/test/support/generated.ts). */
const OTHER_VALUES = { env: { TEST_SEED: String(randomInt(2 ** 31)) } }

const generatingTests = (): string[] =>
  globSync('{contract,service,sdk}/{src,test}/**/*.test.ts', { cwd: ROOT })
    .filter((file) => readFileSync(path.join(ROOT, file), 'utf8').includes('support/generated.ts'))
    .filter((file) => !/fuzz|generated-refreshes/.test(file))
    .sort()

const STEPS: readonly Step[] = [
  ...stepsOf('interop', 'workshop/interop/*.test.ts', {
    prepare: install(PROGRAMS, PLATFORMS, DATABASES, OPENID),
  }),
  {
    name: 'browser',
    command: testFiles('service/test/browser/*.test.ts'),
    env: { TEST_BUILD: 'production' },
  },
  ...stepsOf(
    'install',
    'service/test/process/{compose,docker,fresh-machine,image,package,readme-on-debian,release,systemd}.test.ts',
    {},
  ),
  ...stepsOf('storage', 'service/test/storage/upgrades.test.ts', {}),
  ...stepsOf('users', 'service/test/process/large-transfer.test.ts', {}),
  ...stepsOf(
    'fuzz',
    'service/test/sessions/{fast-path-fuzz,generated-refreshes}.test.ts',
    OTHER_VALUES,
  ),
  { name: 'generated', command: testFiles(...generatingTests()), ...OTHER_VALUES },
  ...stepsOf('faults', '{service/test/faults/**,workshop/faults}/*.test.ts', {
    env: { FAULTS: 'full' },
  }),
  { name: 'soak', command: node('workshop/faults/soak.ts', '--minutes', '10') },
  { name: 'growth', command: node('workshop/bench.ts', 'growth') },
]

const { values, positionals } = parseArgs({
  options: { fresh: { type: 'boolean', default: false } },
  allowPositionals: true,
})
const passed = await runSteps({
  steps: STEPS,
  selected: positionals,
  fresh: values.fresh,
  commit: commit(),
  machine: `${availableParallelism()} cores, ${Math.round(totalmem() / 2 ** 30)} GB, ${process.arch}`,
  folder: path.join(ROOT, 'node_modules/.cache/nightly'),
  document: path.join(ROOT, 'workshop/results/nightly.md'),
  print: (line) => void process.stdout.write(`${line}\n`),
})
process.exitCode = passed ? 0 : 1

/** The current commit, and whether files differ from it. */
function commit(): string {
  const git = (...args: string[]): string =>
    execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' }).trim()
  const changed = git('status', '--porcelain') !== ''
  return `${git('rev-parse', '--short', 'HEAD')}${changed ? ' with changes' : ''}`
}
