// Run by setup.sh, when the lock file is newer than the last installation that was checked: installs what is missing and checks
// that its Node runs. Plain JavaScript without packages: the Node that runs npm executes it, and nothing is installed yet.
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import {
  explainInstall,
  explainNode,
  explainNpm,
  isNewEnough,
  isUnreachable,
  npmProblem,
} from './setup/explain.js'

const ROOT = path.resolve(
  import.meta.dirname ?? path.dirname(new URL(import.meta.url).pathname),
  '..',
)
const NODE = path.join(ROOT, 'node_modules/.bin/node')
/** Of the last installation whose Node runs; setup.sh compares it with the lock file. */
const CHECKED = path.join(ROOT, 'node_modules/.gatehouse-setup')
/** A user without a network reads why within 20 seconds. */
const PING_MS = 15_000
const PING = ['ping', '--fetch-retries=0', '--fetch-timeout=10000', '--loglevel=error']
// No script of a package is needed (allowScripts). It would run on the Node of the packages, which may lack a library.
const CI = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']
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
if (!isInstalled()) {
  install()
}
linkNode()
checkNode()
writeFileSync(CHECKED, '')

function isInstalled() {
  const installed = statSync(path.join(ROOT, 'node_modules/.package-lock.json'), {
    throwIfNoEntry: false,
  })
  return installed?.mtimeMs > statSync(path.join(ROOT, 'package-lock.json')).mtimeMs
}

function install() {
  process.stderr.write('Installing the packages. The first time takes a minute or two.\n')
  // npm itself would try for minutes.
  const ping = npm(PING, { stdio: ['ignore', 'ignore', 'pipe'], timeout: PING_MS })
  const network = ping.error === undefined ? ping.stderr : ping.error.code
  if (isUnreachable(network)) {
    installFromCache(network)
    return
  }

  const { status, stderr, error } = npm(CI, { stdio: ['ignore', 'inherit', 'pipe'] })
  if (error !== undefined) {
    fail(explainNpm(error.code))
  }

  process.stderr.write(stderr)
  // npm 10 ends with status 0 when it loses the network.
  if (status !== 0 || !isInstalled()) {
    fail(explainInstall(stderr, machine))
  }
}

/** Without a network, npm installs what it has kept of an earlier installation, or nothing. */
function installFromCache(network) {
  const { status } = npm([...CI, '--offline'], { stdio: 'ignore' })
  if (status !== 0 || !isInstalled()) {
    fail(explainInstall(network, machine))
  }
}

function npm(args, options) {
  const own = process.env.npm_execpath
  const [program, before] = own === undefined ? ['npm', []] : [process.execPath, [own]]
  return spawnSync(program, [...before, ...args], { cwd: ROOT, encoding: 'utf8', ...options })
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
