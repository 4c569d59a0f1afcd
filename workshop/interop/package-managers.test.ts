import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { freshFolder } from '../../service/test/support/postgres/engines.ts'
import { nodeOf } from '../../service/test/support/process/node-versions.ts'
import { commandsOf } from '../../service/test/support/process/package-managers.ts'
import { readmeLines } from '../../service/test/support/process/readme.ts'
import { run } from '../../service/test/support/process/run.ts'
import {
  type ServiceProcess,
  startService,
} from '../../service/test/support/process/service-process.ts'

// The commands that we print, with the programs that people run them with, from an empty home: no setting, no cache.
// service/test/discovery/npm-registry.test.ts has the answers of the registry.

/** The newest of each generation that people have: npm 9 and 10 come with Node 18, 20 and 22, npm 11 with Node 24. */
const NPM_VERSIONS = ['9.9.4', '10.9.9', '11.21.2', '12.2.0']

/** Prints the login URL, which needs the SDK and what init wrote. */
const APP = `import { createClient } from '@gatehouse-auth/sdk'
console.log(createClient().loginUrl())
`

interface Installed {
  readonly integrity: string
  readonly tarball: string
}

interface Machine {
  readonly app: string
  /** Runs a command line in the app's folder, as a shell does. */
  shell(line: string): Promise<string>
}

/** An empty folder and an empty home, with the commands of one package manager before those of this machine. */
async function machineWith(name: string, version: string, app?: string): Promise<Machine> {
  const commands = await commandsOf(name, version)
  const folder = app ?? (await freshFolder())
  const home = await freshFolder()
  // npm 9 needs the folder for global packages, which a Node from npm doesn't have beside it.
  mkdirSync(path.join(home, 'lib'))
  const env = {
    HOME: home,
    npm_config_prefix: home,
    PATH: [commands, path.dirname(process.execPath), process.env.PATH].join(path.delimiter),
    NODE_EXTRA_CA_CERTS: process.env.NODE_EXTRA_CA_CERTS,
  }
  return {
    app: folder,
    shell: (line) => run('/bin/sh', ['-c', line], { cwd: folder, env }),
  }
}

/** What the registry says about the SDK. */
async function sdkOf(service: ServiceProcess): Promise<Installed> {
  const url = `http://localhost:${service.settings.PORT}/packages/npm/@gatehouse-auth%2fsdk`
  const { versions } = (await (await fetch(url)).json()) as {
    versions: Record<string, { dist: Installed }>
  }
  const [newest] = Object.values(versions)
  assert.ok(newest)
  return newest.dist
}

const registryLine = ({ settings }: ServiceProcess): string =>
  `@gatehouse-auth:registry=http://localhost:${settings.PORT}/packages/npm/`

/** Prints the login URL of the project that init created. */
async function assertRuns({ app, shell }: Machine, service: ServiceProcess): Promise<void> {
  writeFileSync(path.join(app, 'check.mjs'), APP)
  assert.match(
    await shell('node check.mjs'),
    new RegExp(`^http://localhost:${service.settings.PORT}/edge/auth/[a-z0-9-]+/google\\n$`),
  )
}

for (const version of NPM_VERSIONS) {
  test(`npm ${version} runs the lines of the README, installs from the lock file on an empty machine, and runs the command by its name`, async (t) => {
    const service = await startService(t)
    const machine = await machineWith('npm', version)
    const { app, shell } = machine
    const lines = readmeLines('Add sign-in to your app', service.settings.PORT)
    const [init = '', install = ''] = lines
    await shell(init)
    assert.ok(
      readFileSync(path.join(app, '.npmrc'), 'utf8').split('\n').includes(registryLine(service)),
    )
    assert.doesNotMatch(await shell(`${install} 2>&1`), /error|warn(?!.*does not support Node)/i)
    await assertRuns(machine, service)

    const { integrity, tarball } = await sdkOf(service)
    const lock = JSON.parse(readFileSync(path.join(app, 'package-lock.json'), 'utf8'))
    const locked = lock.packages['node_modules/@gatehouse-auth/sdk']
    assert.deepEqual([locked.resolved, locked.integrity], [tarball, integrity])

    rmSync(path.join(app, 'node_modules'), { recursive: true })
    const other = await machineWith('npm', version, app)
    await other.shell('npm ci')
    await assertRuns(other, service)
    assert.match(await other.shell('npx @gatehouse-auth/local status'), /guest|ephemeral/)
  })
}

test('npm 10.9.9 on Node 18.20.8 runs init, which says which Node it needs and creates nothing', async (t) => {
  const service = await startService(t)
  const { app, shell } = await machineWith('npm', '10.9.9')
  const [init = ''] = readmeLines('Add sign-in to your app', service.settings.PORT)
  const node18 = path.dirname(await nodeOf('18.20.8'))
  await assert.rejects(
    shell(`PATH="${node18}:$PATH"; ${init}`),
    /This is Node 18\.20\.8; gatehouse-local needs Node 20\.19 or newer/,
  )
  assert.deepEqual(readdirSync(app), [])
})

interface Other {
  readonly name: string
  readonly version: string
  readonly add: string
  /** Installs on another machine what the lock file says. */
  readonly frozen: string
  readonly lockFile: string
}

const OTHERS: readonly Other[] = [
  {
    name: 'pnpm',
    version: '12.21.0',
    add: 'pnpm add @gatehouse-auth/sdk',
    frozen: 'pnpm install --frozen-lockfile',
    lockFile: 'pnpm-lock.yaml',
  },
  {
    name: 'yarn',
    version: '1.22.22',
    add: 'yarn add @gatehouse-auth/sdk',
    frozen: 'yarn install --frozen-lockfile',
    lockFile: 'yarn.lock',
  },
  {
    name: 'bun',
    version: '1.4.4',
    add: 'bun add @gatehouse-auth/sdk',
    frozen: 'bun install --frozen-lockfile',
    lockFile: 'bun.lock',
  },
]

for (const { name, version, add, frozen, lockFile } of OTHERS) {
  test(`${name} ${version} installs the SDK from the service by the line that init wrote, and from its lock file on an empty machine`, async (t) => {
    const service = await startService(t)
    const machine = await machineWith(name, version)
    const { app, shell } = machine
    const [init = ''] = readmeLines('Add sign-in to your app', service.settings.PORT)
    await shell(init)
    await shell(add)
    await assertRuns(machine, service)

    const { integrity } = await sdkOf(service)
    assert.ok(readFileSync(path.join(app, lockFile), 'utf8').includes(integrity))
    rmSync(path.join(app, 'node_modules'), { recursive: true })
    const other = await machineWith(name, version, app)
    await other.shell(frozen)
    await assertRuns(other, service)
  })
}

test('Yarn 4.18.1 installs the SDK from the service with the settings that the documentation shows', async (t) => {
  const service = await startService(t)
  const machine = await machineWith('@yarnpkg/cli-dist', '4.18.1')
  const { app, shell } = machine
  const [init = ''] = readmeLines('Add sign-in to your app', service.settings.PORT)
  await shell(init)

  const { text } = await service.agent.call('GET', '/docs/sdk.md')
  const [, settings = ''] = /```yaml\n([\s\S]+?)```/.exec(text) ?? []
  assert.ok(settings.includes(`npmRegistryServer: http://localhost:${service.settings.PORT}/`))
  writeFileSync(path.join(app, '.yarnrc.yml'), `${settings}nodeLinker: node-modules\n`)
  // Makes the folder a project of its own.
  writeFileSync(path.join(app, 'yarn.lock'), '')
  await shell('yarn add @gatehouse-auth/sdk')
  await assertRuns(machine, service)

  rmSync(path.join(app, 'node_modules'), { recursive: true })
  const other = await machineWith('@yarnpkg/cli-dist', '4.18.1', app)
  await other.shell('yarn install --immutable')
  assert.ok(existsSync(path.join(app, 'node_modules/@gatehouse-auth/sdk')))
  await assertRuns(other, service)
})
