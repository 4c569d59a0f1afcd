import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { cpSync, existsSync, globSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { Browser } from '../support/actors/browser.ts'
import { madeOnce } from '../support/made-once.ts'
import { freshFolder } from '../support/postgres/engines.ts'
import { nodeOf } from '../support/process/node-versions.ts'
import { readmeCommand, readmeLines } from '../support/process/readme.ts'
import { fileOfRelease, RELEASES } from '../support/process/released.ts'
import { run } from '../support/process/run.ts'
import { failedStart, startService } from '../support/process/service-process.ts'
import { useInstallation } from '../support/process/use-installation.ts'
import { long } from '../support/tags.ts'
import { freePort } from '../support/transport/free-port.ts'
import { overHttp } from '../support/transport/http-transport.ts'
import { waitUntilReachable } from '../support/transport/wait-until-reachable.ts'

// The package `gatehouse`, as it would be published: packed, then installed by npx into an empty folder.

const ROOT = path.resolve(import.meta.dirname, '../../..')
const MEGABYTES_MAX = 6

/** Node versions as npm has them. The package's `engines` names the first. */
const OTHER_NODES = ['22.18.0', '24.21.0']

const packed = madeOnce(async () => {
  const folder = await freshFolder()
  await run(process.execPath, [path.join(ROOT, 'scripts/pack-service.ts'), folder], { cwd: ROOT })
  const [file = 'no package'] = readdirSync(folder)
  const tarball = path.join(folder, file)
  const installed = await freshFolder()
  await run('npm', [
    'install',
    '--prefix',
    installed,
    '--offline',
    '--no-audit',
    '--no-fund',
    tarball,
  ])
  return { tarball, installed, command: path.join(installed, 'node_modules/.bin/gatehouse') }
})

test('the package has at most 6 MB and no dependencies, and npx runs its command in an empty folder', async () => {
  const { tarball, installed } = await packed()
  assert.ok(statSync(tarball).size <= MEGABYTES_MAX * 1e6, `${statSync(tarball).size} bytes`)
  assert.deepEqual(globSync('node_modules/*', { cwd: installed }), ['node_modules/gatehouse-auth'])
  const cwd = await freshFolder()
  const name = path.join('dist', path.basename(tarball))
  cpSync(tarball, path.join(cwd, name))
  const line = readmeCommand('package')
  assert.equal(line, `npx ./${name}`, 'the file that the README names')
  const offline = { ...process.env, npm_config_yes: 'true', npm_config_offline: 'true' }
  const npx = (args: string) => run('/bin/sh', ['-c', `${line} ${args}`], { cwd, env: offline })
  assert.match(await npx('--version'), /^gatehouse \d+\.\d+\.\d+ \(commit [0-9a-f]{10}\)\n$/)
  assert.match(await npx('--help'), /^Usage: gatehouse <command>\n[\s\S]*tenants list/)
  assert.deepEqual(
    readdirSync(cwd, { recursive: true }).sort(),
    ['dist', name],
    'neither writes anything',
  )
})

for (const version of [process.versions.node, ...OTHER_NODES]) {
  const isOther = version !== process.versions.node
  test(`the package on Node ${version} serves pages, signs a user in with the development Google, answers a long poll, and stops`, {
    skip: isOther && long,
  }, async (t) => {
    const { command } = await packed()
    const node = isOther ? await nodeOf(version) : process.execPath
    const cwd = await freshFolder()
    const PORT = String(await freePort())
    const service = await startService(
      t,
      { PORT, DATA_DIR: './data' },
      { command: [node, command], cwd },
    )
    const tenant = await useInstallation(service)
    const listed = await run(node, [command, 'tenants', 'list', '--json'], {
      cwd,
      env: { PATH: process.env.PATH },
    })
    assert.ok(listed.includes(tenant.id), 'the operator command uses ./data, too')
    const { code, stderr } = await service.end('SIGTERM')
    assert.deepEqual([code, stderr], [0, ''])
    assert.ok(existsSync(path.join(cwd, 'data/gatehouse.db')))
  })
}

// releases.test.ts makes the other calls of a release.
for (const release of [null, ...RELEASES]) {
  addsSignIn(release)
}

function addsSignIn(release: string | null): void {
  const packages = release === null ? 'its own packages' : `the packages of ${release}`
  /** The name of a package in the registry of the service, or the file of a release. */
  const of = (line: string): string => {
    if (release === null) {
      return line
    }
    return line
      .replace(/--@gatehouse-auth:registry=\S+ /, '')
      .replace(/@gatehouse-auth\/(sdk|local)/, (_name, short) => {
        return `file:${fileOfRelease(release, `${short}.tgz`)}`
      })
  }

  test(`the lines of the README add sign-in to an app with ${packages}: a user signs in at the service`, async (t) => {
    const { command } = await packed()
    const service = await startService(t, {}, { command: [process.execPath, command] })
    const cwd = await freshFolder()
    const app = `http://localhost:${await freePort()}`
    const [init = '', install = '', start = ''] = readmeLines(
      'Add sign-in to your app',
      service.settings.PORT,
    ).map(of)
    const { PATH } = process.env
    // Without settings of npm: with omit-lockfile-registry-resolved, npm doesn't note which service a package came from.
    const HOME = await freshFolder()
    // A file has no address of a service.
    const GATEHOUSE_URL = release === null ? undefined : service.agent.baseUrl
    const env = { PATH, HOME, GATEHOUSE_URL, npm_config_yes: 'true' }
    // The app of the README is at port 3000.
    await run('/bin/sh', ['-c', `${init} --callback ${app}/auth/callback`], { cwd, env })
    await run('/bin/sh', ['-c', install], { cwd, env })
    assert.equal(start, 'node server.js')
    const child = spawn(process.execPath, start.split(' ').slice(1), {
      cwd,
      env: { PATH, PORT: new URL(app).port },
      stdio: ['ignore', 'ignore', 'inherit'],
    })
    t.after(() => child.kill('SIGKILL'))
    await waitUntilReachable(app)
    const browser = new Browser({ origins: [service.agent.baseUrl, app], transport: overHttp })
    await browser.open(app)
    await browser.follow('Sign in with Google')
    await browser.press('Ada Lovelace')
    await browser.press('Continue')
    assert.match(browser.page.text, /Hello, Ada Lovelace/)
  })
}

test('the package reads .env of its folder, and an exposed development sign-in must be allowed there', async (t) => {
  const { command } = await packed()
  const cwd = await freshFolder()
  writeFileSync(path.join(cwd, '.env'), 'HOST=0.0.0.0\n')
  const { code, stderr } = await failedStart(t, {}, undefined, {
    command: [process.execPath, command],
    cwd,
  })
  assert.equal(code, 1)
  assert.match(stderr, /ALLOW_DEVELOPMENT_SIGN_IN=1/)
})
