import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  copyFileSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import {
  changelogSection,
  datedChangelog,
  documentWithVersion,
  lockWithVersion,
  withVersion,
} from './release/version.ts'

// `npm run release -- <version>`: checks the tree, runs all tests, sets the version everywhere, dates the changelog, and writes
// what is published, its checksums and its SBOM into dist/release-<version>. It publishes nothing and says what to do next.
// With --dry-run it does the same in a temporary copy, without the tests.

const ROOT = path.resolve(import.meta.dirname, '..')
const PACKAGES = ['contract', 'service', 'sdk', 'local']
/** Name files or images with a version. */
const DOCUMENTS = [
  'README.md',
  'docs/operating.md',
  'docs/decisions/0045-serve-our-own-packages.md',
  'deploy/kubernetes/gatehouse.yaml',
  'local/README.md',
  'service/content/docs/recipes/express.md',
  'service/content/llms.md',
]

const { values, positionals } = parseArgs({
  options: { 'dry-run': { type: 'boolean', default: false } },
  allowPositionals: true,
})
const isDryRun = values['dry-run']
const current = readJson<{ version: string }>(ROOT, 'package.json').version
const version = positionals[0] ?? current
const print = (line: string): void => void process.stdout.write(`${line}\n`)

try {
  release()
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`)
  process.exitCode = 1
}

function release(): void {
  if (!/^\d+\.\d+\.\d+$/.test(version)) {
    throw new Error(`${version} is not a version. Usage: npm run release -- 0.2.0`)
  }
  if (git('status', '--porcelain') !== '') {
    throw new Error('The tree has changes. Commit or stash them first.')
  }
  const date = new Date().toISOString().slice(0, 10)
  const changelog = datedChangelog(
    readFileSync(path.join(ROOT, 'CHANGELOG.md'), 'utf8'),
    version,
    date,
  )
  print(
    `1. The tree is clean at ${git('rev-parse', '--short=10', 'HEAD')}, and the changelog has a section for ${version}.`,
  )
  if (isDryRun) {
    print('2. Tests: not run by --dry-run. A release runs npm run test:all.')
  } else {
    run(ROOT, 'npm', 'run', '-s', 'test:all')
    print('2. All tests passed.')
  }
  const tree = isDryRun ? temporaryTree() : ROOT
  try {
    writeFileSync(path.join(tree, 'CHANGELOG.md'), changelog)
    setVersion(tree)
    print(
      `3. Version ${version} is in ${PACKAGES.length + 1} packages, the lock file and the documents, ${date} in the changelog.`,
    )
    const folder = path.join(ROOT, 'dist', `release-${version}`)
    rmSync(folder, { recursive: true, force: true })
    mkdirSync(folder, { recursive: true })
    pack(tree, folder)
    if (!isDryRun) {
      run(tree, process.execPath, 'scripts/keep-release.ts')
    }
    writeFileSync(path.join(folder, 'CHANGES.md'), `${changelogSection(changelog, version)}\n`)
    writeFileSync(path.join(folder, 'SHA256SUMS'), checksums(folder))
    print(`4. ${path.relative(process.cwd(), folder)}:`)
    print(
      readFileSync(path.join(folder, 'SHA256SUMS'), 'utf8')
        .replace(/^\w{64} /gm, '  ')
        .trimEnd(),
    )
    print('   SHA256SUMS')
  } finally {
    if (isDryRun) {
      git('worktree', 'remove', '--force', tree)
    }
  }
  print(nextSteps())
}

/** A checkout of the last commit with the installed packages. */
function temporaryTree(): string {
  const tree = path.join(mkdtempSync(path.join(tmpdir(), 'gatehouse-release-')), 'tree')
  git('worktree', 'add', '--detach', tree, 'HEAD')
  symlinkSync(path.join(ROOT, 'node_modules'), path.join(tree, 'node_modules'))
  return tree
}

function setVersion(tree: string): void {
  for (const folder of ['.', ...PACKAGES]) {
    const file = path.join(folder, 'package.json')
    writeJson(tree, file, withVersion(readJson<{ version: string }>(tree, file), version))
  }
  const lock = readJson<Parameters<typeof lockWithVersion>[0]>(tree, 'package-lock.json')
  writeJson(tree, 'package-lock.json', lockWithVersion(lock, ['', ...PACKAGES], version))
  for (const document of DOCUMENTS) {
    const file = path.join(tree, document)
    writeFileSync(file, documentWithVersion(readFileSync(file, 'utf8'), current, version))
  }
}

/** The package and the executable of the service, the packages for apps, and the bill of materials. */
function pack(tree: string, folder: string): void {
  for (const script of ['packages.ts', 'build.ts']) {
    run(tree, process.execPath, `scripts/${script}`)
  }
  for (const script of ['pack-service.ts', 'build-binary.ts']) {
    run(tree, process.execPath, `scripts/${script}`, folder)
  }
  for (const file of globSync('service/packages/*.tgz', { cwd: tree })) {
    if (file.endsWith(`-${version}.tgz`)) {
      copyFileSync(path.join(tree, file), path.join(folder, path.basename(file)))
    }
  }
  // Results of the workshop on this machine, which are not in git.
  const results = path.join(ROOT, 'workshop/results')
  for (const file of globSync('*', { cwd: results })) {
    copyFileSync(path.join(results, file), path.join(folder, `results-${file}`))
  }
  // What runs: without development dependencies, from the lock file, so that the platform doesn't matter.
  const sbom = ['sbom', '--sbom-format=cyclonedx', '--omit=dev', '--package-lock-only']
  writeFileSync(path.join(folder, `gatehouse-${version}.cdx.json`), run(tree, 'npm', ...sbom))
}

function checksums(folder: string): string {
  const line = (file: string): string =>
    `${createHash('sha256')
      .update(readFileSync(path.join(folder, file)))
      .digest('hex')}  ${file}\n`
  return globSync('*', { cwd: folder }).sort().map(line).join('')
}

function nextSteps(): string {
  return `5. ${isDryRun ? 'This was a dry run: nothing in the tree has changed. After a release, you would' : 'Now you'}:
   - git add service/test/releases workshop/releases && git commit -am "chore: Release ${version}" && git tag --sign v${version}
     (${version} in both folders has the databases and the packages of this version for the tests of later ones)
   - git push origin HEAD v${version}, which publishes the packages (.github/workflows/publish.yml)
   - docker build --build-arg GATEHOUSE_COMMIT=$(git rev-parse --short=10 HEAD) -t <registry>/gatehouse:${version} .
     and docker push <registry>/gatehouse:${version}
   - create a release of the tag with CHANGES.md as its text, and attach the files of dist/release-${version}`
}

function git(...args: string[]): string {
  return run(ROOT, 'git', ...args).trim()
}

function run(cwd: string, program: string, ...args: string[]): string {
  return execFileSync(program, args, {
    cwd,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
    maxBuffer: 2 ** 28,
  })
}

function readJson<T>(tree: string, file: string): T {
  return JSON.parse(readFileSync(path.join(tree, file), 'utf8')) as T
}

function writeJson(tree: string, file: string, value: unknown): void {
  writeFileSync(path.join(tree, file), `${JSON.stringify(value, null, 2)}\n`)
}
