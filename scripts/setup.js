// Run by setup.sh, when the lock file is newer than the installation: installs it and checks that its Node runs. Plain
// JavaScript without packages: the Node that runs npm executes it, and nothing is installed yet.
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, rmSync, symlinkSync, utimesSync } from 'node:fs'
import path from 'node:path'
import { explainInstall, explainNode, isNewEnough, npmProblem } from './setup/explain.js'

const ROOT = path.resolve(
  import.meta.dirname ?? path.dirname(new URL(import.meta.url).pathname),
  '..',
)
const NODE = path.join(ROOT, 'node_modules/.bin/node')
const machine = {
  platform: process.platform,
  arch: process.arch,
  distribution: distribution(),
  isMusl:
    process.platform === 'linux' &&
    process.report?.getReport().header.glibcVersionRuntime === undefined,
  folder: ROOT,
}

const [, npmVersion = ''] = /npm\/(\S+)/.exec(process.env.npm_config_user_agent ?? '') ?? []
const problem = npmProblem(npmVersion)
if (problem !== null) {
  fail(problem)
}
install()
linkNode()
checkNode()

function install() {
  process.stderr.write('Installing the packages. The first time takes a minute or two.\n')
  const npm = process.env.npm_execpath
  const [program, before] = npm === undefined ? ['npm', []] : [process.execPath, [npm]]
  // No script of a package is needed (allowScripts). It would run on the Node of the packages, which may lack a library.
  const args = [...before, 'ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']
  const { status, stderr } = spawnSync(program, args, {
    cwd: ROOT,
    encoding: 'utf8',
    stdio: ['ignore', 'inherit', 'pipe'],
  })
  process.stderr.write(stderr)
  if (status !== 0) {
    fail(explainInstall(stderr, machine))
  }
}

/**
 * npm 10, which comes with Node 20, removes the link of `node`: the packages for other platforms, which it leaves out, have a
 * command of the same name.
 */
function linkNode() {
  if (existsSync(NODE) || process.platform === 'win32') {
    return
  }
  const { optionalDependencies } = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8'))
  const name = Object.keys(optionalDependencies).find((each) =>
    existsSync(path.join(ROOT, 'node_modules', each, 'bin/node')),
  )
  if (name !== undefined) {
    symlinkSync(path.join('..', name, 'bin/node'), NODE)
  }
}

/** Where the Node of the packages can't run, the installed one takes its place if it is new enough. */
function checkNode() {
  const { status, stderr, error } = spawnSync(NODE, ['--version'], { encoding: 'utf8' })
  if (status === 0) {
    return
  }
  if (isNewEnough(process.versions.node)) {
    rmSync(NODE, { force: true })
    symlinkSync(process.execPath, NODE)
    return
  }
  // The next run installs again instead of starting with a Node that can't run.
  utimesSync(path.join(ROOT, 'node_modules/.package-lock.json'), 0, 0)
  fail(explainNode(`${error?.code ?? ''} ${stderr ?? ''}`.trim(), machine))
}

function distribution() {
  try {
    return /^ID(?:_LIKE)?="?([^"\n]*)/m.exec(readFileSync('/etc/os-release', 'utf8'))?.[1] ?? ''
  } catch {
    return ''
  }
}

function fail(message) {
  process.stderr.write(`\n${message}\n`)
  process.exit(1)
}
