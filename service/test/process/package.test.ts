import assert from 'node:assert/strict'
import { cpSync, existsSync, globSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { madeOnce } from '../support/made-once.ts'
import { freshFolder } from '../support/postgres/engines.ts'
import { nodeOf } from '../support/process/node-versions.ts'
import { readmeCommand } from '../support/process/readme.ts'
import { signInToReadmeApp } from '../support/process/readme-app.ts'
import { run } from '../support/process/run.ts'
import { failedStart, startService } from '../support/process/service-process.ts'
import { useInstallation } from '../support/process/use-installation.ts'
import { long } from '../support/tags.ts'
import { freePort } from '../support/transport/free-port.ts'

// The package `gatehouse-auth`, as it would be published: packed, then installed by npx into an empty folder.

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

test('the lines of the README add sign-in to an app with the packages of the service: a user signs in at the service', async (t) => {
  const { command } = await packed()
  const service = await startService(t, {}, { command: [process.execPath, command] })
  await signInToReadmeApp(t, service)
})

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
