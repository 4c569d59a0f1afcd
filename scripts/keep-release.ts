import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'

// `npm run release:keep`: what this version leaves in the world, for the tests of all later ones: filled databases
// (service/test/releases/README.md) and packages (workshop/releases).
// A release runs it. Until then it replaces what an earlier commit of the same version wrote.

const ROOT = path.resolve(import.meta.dirname, '..')
const { version } = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8')) as {
  version: string
}
const databases = path.join(ROOT, 'service/test/releases', version)
const packages = path.join(ROOT, 'workshop/releases', version)
for (const folder of [databases, packages]) {
  mkdirSync(folder, { recursive: true })
}

run(process.execPath, 'scripts/packages.ts')
for (const name of ['sdk', 'local']) {
  copyFileSync(
    path.join(ROOT, `service/packages/${name}-${version}.tgz`),
    path.join(packages, `${name}.tgz`),
  )
}
const setup = '--test-global-setup=service/test/support/process/global.ts'
process.env.KEPT_FOLDER = databases
run(
  process.execPath,
  '--test',
  '--test-reporter=dot',
  setup,
  'service/test/support/upgrades/write-databases.ts',
)
const source = { version, commit: run('git', 'rev-parse', '--short=10', 'HEAD').trim() }
writeFileSync(path.join(databases, 'source.json'), `${JSON.stringify(source, null, 2)}\n`)

function run(program: string, ...args: string[]): string {
  return execFileSync(program, args, {
    cwd: ROOT,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  })
}
