import assert from 'node:assert/strict'
import { accessSync, constants, existsSync } from 'node:fs'
import { copyFile, mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { test } from 'node:test'
import { tsc } from '../../sdk/test/support/build.ts'
import { madeOnce } from '../../service/test/support/made-once.ts'
import { freshFolder } from '../../service/test/support/postgres/engines.ts'
import { run } from '../../service/test/support/process/run.ts'
import { RECIPES_OF_FRAMEWORKS } from '../src/recipes/frameworks.ts'
import { start } from './support/command.ts'
import { createLocalFixture } from './support/machine.ts'

const LOCAL = path.resolve(import.meta.dirname, '..')
const MODULES = path.resolve(LOCAL, '../node_modules')

/** The Node on the PATH, which may be older than the one that runs these tests. */
function systemNode(): string {
  const folders = (process.env.PATH ?? '')
    .split(path.delimiter)
    .filter((folder) => !folder.includes('node_modules'))
  const found = folders.map((folder) => path.join(folder, 'node')).find((file) => existsSync(file))
  return found ?? process.execPath
}

const quiet = ['--silent', '--ignore-scripts', '--no-audit', '--no-fund', '--offline']

const packed = madeOnce(async () => {
  const folder = await freshFolder()
  const env = {
    ...process.env,
    PATH: [path.join(MODULES, '.bin'), process.env.PATH].join(path.delimiter),
  }
  // Without --ignore-scripts: prepack builds dist/.
  await run('npm', ['pack', '--silent', '--pack-destination', folder], { cwd: LOCAL, env })
  const app = path.join(folder, 'app')
  await mkdir(app)
  await writeFile(path.join(app, 'package.json'), '{"private":true}')
  const archive = path.join(
    folder,
    (await readdir(folder)).find((file) => file.endsWith('.tgz')) ?? '',
  )
  await run('npm', ['install', ...quiet, archive], { cwd: app, env })
  return { app, archive, installed: path.join(app, 'node_modules/@gatehouse-auth/local') }
})

test('the package installs into an empty folder without dependencies, and contains a few files of JavaScript, their licenses, the recipes and the first answers', async () => {
  const { app, installed } = await packed()
  const manifest = JSON.parse(await readFile(path.join(installed, 'package.json'), 'utf8'))
  assert.equal(manifest.dependencies, undefined)
  const packages = await readdir(path.join(app, 'node_modules'))
  assert.deepEqual(
    packages.filter((name) => !name.startsWith('.')),
    ['@gatehouse-auth'],
  )
  assert.deepEqual((await readdir(installed)).sort(), [
    'LICENSE',
    'README.md',
    'dist',
    'package.json',
  ])
  accessSync(path.join(app, 'node_modules/.bin/gatehouse-local'), constants.X_OK)
  const recipes = path.join(installed, 'dist/recipes')
  assert.deepEqual((await readdir(recipes)).sort(), [...RECIPES_OF_FRAMEWORKS].sort())
  const files = (await readdir(path.join(installed, 'dist'))).filter((name) => name !== 'recipes')
  const scripts = files.filter((name) => name.endsWith('.js'))
  assert.deepEqual(files.filter((name) => !scripts.includes(name)).sort(), [
    'THIRD-PARTY-LICENSES.txt',
    'first-answers.json',
  ])
  // npx checks a package file by file.
  assert.ok(scripts.length <= 12, scripts.join())
  for (const name of scripts) {
    const imported = importsOf(await readFile(path.join(installed, 'dist', name), 'utf8'))
    assert.ok(
      imported.every(
        (each) => each.startsWith('node:') || scripts.includes(each.replace('./', '')),
      ),
      `${name} imports ${imported}`,
    )
  }
  const licenses = await readFile(path.join(installed, 'dist/THIRD-PARTY-LICENSES.txt'), 'utf8')
  for (const name of ['@modelcontextprotocol/server', 'zod']) {
    assert.match(licenses, new RegExp(`^${name}$`, 'm'))
  }
})

/** The files and packages that a module imports at once. */
const importsOf = (text: string): string[] =>
  [...text.matchAll(/^(?:import|export|\})(?:[^'";]*from)?\s*["']([^"']+)["']/gm)].map(
    ([, name = '']) => name,
  )

test('the installed package runs on the Node on the PATH: version, init, status, and the MCP handshake', async (t) => {
  const { app } = await packed()
  const { machine } = await createLocalFixture(t)
  const node = systemNode()
  const major = Number(/\d+/.exec(await run(node, ['--version']))?.[0])
  assert.ok(major >= 20, `Node ${major} is too old for the package`)
  t.diagnostic(`Node ${major}`)
  const bin = path.join(app, 'node_modules/.bin/gatehouse-local')
  const command = (...args: string[]) =>
    start(t, [node, bin, ...args], { cwd: machine.project, env: machine.env })

  const version = await command('--version').ended
  assert.deepEqual([version.code, version.stdout, version.stderr], [0, '0.1.0\n', ''])
  const init = await command('init', '--framework', 'node').ended
  assert.match(
    init.stdout,
    /wrote +server\.js\n[\s\S]* npx @gatehouse-auth\/local dev {3}#/,
    init.stderr,
  )
  assert.equal((await command('status', '--json').ended).json[0].status, 'ephemeral')

  const server = command('mcp')
  const params = {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'raw', version: '1' },
  }
  server.child.stdin.write(
    `${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params })}\n`,
  )
  await server.waitForOutput('"id":1')
  server.child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: 2, method: 'tools/list' })}\n`)
  await server.waitForOutput('"id":2')
  server.child.stdin.end()
  const { code, json, stderr } = await server.ended
  assert.deepEqual([code, stderr], [0, ''])
  assert.equal(json[0].result.serverInfo.version, '0.1.0')
  assert.equal(json[1].result.tools.length, 6)
})

test('on Node 18 the installed command says which Node it needs, and creates nothing', async (t) => {
  const { app, installed } = await packed()
  const { machine } = await createLocalFixture(t)
  // Node 18 has to be able to load what is loaded before the sentence.
  const first = await readFile(path.join(installed, 'dist/cli.js'), 'utf8')
  assert.deepEqual(importsOf(first), ['node:module'])

  const bin = path.join(app, 'node_modules/.bin/gatehouse-local')
  const node18 = ['--import', `data:text/javascript,${encodeURIComponent(NODE_18)}`]
  const init = start(t, [process.execPath, ...node18, bin, 'init'], {
    cwd: machine.project,
    env: machine.env,
  })
  const { code, stderr } = await init.ended
  assert.equal(code, 1)
  assert.match(stderr, /^✗ This is Node 18\.20\.8; gatehouse-local needs Node 20\.19 or newer\./)
  assert.deepEqual(await readdir(machine.project), [])
})

const NODE_18 = `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '18.20.8' } })`

test('the sources use no object or method of JavaScript that Node 20 does not have', async () => {
  const folder = await freshFolder()
  const compilerOptions = {
    // es2023 and what Node 20 has of es2024.
    lib: ['es2023', 'es2024.string', 'dom', 'dom.iterable'],
    typeRoots: [path.join(MODULES, '@types')],
  }
  const config = {
    extends: path.join(LOCAL, '../tsconfig.json'),
    compilerOptions,
    include: [path.join(LOCAL, 'src')],
  }
  await writeFile(path.join(folder, 'tsconfig.json'), JSON.stringify(config))
  await tsc('-p', folder)
})

const CLIENT = { name: 'raw', version: '1' }
const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': CLIENT,
  'io.modelcontextprotocol/clientCapabilities': {},
}

for (const [era, first, meta] of [
  [
    'legacy',
    {
      method: 'initialize',
      params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: CLIENT },
    },
    {},
  ],
  ['modern', { method: 'server/discover', params: { _meta: META } }, { params: { _meta: META } }],
] as const) {
  test(`[${era}] mcp answers the first messages before the server is loaded, once each, as the server does later`, async (t) => {
    const { app } = await packed()
    const { machine } = await createLocalFixture(t)
    const bin = path.join(app, 'node_modules/.bin/gatehouse-local')
    const server = start(t, [systemNode(), bin, 'mcp'], { cwd: machine.project, env: machine.env })
    const send = (message: object): boolean =>
      server.child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
    send({ id: 'a', ...first })
    await server.waitForOutput('"id":"a"')
    if (era === 'legacy') {
      send({ method: 'notifications/initialized' })
    }
    send({ id: 'b', method: 'tools/list', ...meta })
    // The server itself answers a tool call, and everything after it.
    const call = { name: 'tenant_status', arguments: { project_root: machine.project } }
    send({
      id: 'c',
      method: 'tools/call',
      params: { ...call, ...('params' in meta ? meta.params : {}) },
    })
    await server.waitForOutput('"id":"c"')
    send({ id: 'd', method: 'tools/list', ...meta })
    await server.waitForOutput('"id":"d"')
    server.child.stdin.end()
    const { code, json, stderr } = await server.ended
    assert.deepEqual([code, stderr, json.map(({ id }) => id)], [0, '', ['a', 'b', 'c', 'd']])
    assert.match(json[2].result.content[0].text, /^credentialsMissing: /)
    assert.deepEqual(json[1].result, json[3].result)
    assert.equal(json[1].result.tools.length, 6)
  })
}

test('mcp answers the first messages with five kilobytes of the package: nothing else is loaded before', async (t) => {
  const { installed } = await packed()
  const alone = await freshFolder()
  const dist = path.join(installed, 'dist')
  const first = (await readdir(dist)).find((name) => name.startsWith('first-answers-')) ?? ''
  const scripts = ['cli.js', first]
  for (const name of scripts) {
    const imported = importsOf(await readFile(path.join(dist, name), 'utf8')).filter((each) =>
      each.startsWith('./'),
    )
    scripts.push(...imported.map((each) => each.slice(2)).filter((each) => !scripts.includes(each)))
  }
  await mkdir(path.join(alone, 'dist'))
  await copyFile(path.join(installed, 'package.json'), path.join(alone, 'package.json'))
  let bytes = 0
  for (const name of scripts) {
    bytes += (await readFile(path.join(dist, name))).length
  }
  assert.ok(bytes < 5_000, `${bytes} bytes of ${scripts}`)
  for (const name of [...scripts, 'first-answers.json']) {
    await copyFile(path.join(dist, name), path.join(alone, 'dist', name))
  }
  const server = start(t, [systemNode(), path.join(alone, 'dist/cli.js'), 'mcp'], {
    cwd: alone,
    env: {},
  })
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: CLIENT }
  const messages = [
    { id: 1, method: 'initialize', params },
    { id: 2, method: 'tools/list' },
  ]
  server.child.stdin.end(
    messages.map((each) => `${JSON.stringify({ jsonrpc: '2.0', ...each })}\n`).join(''),
  )
  const { json } = await server.ended
  assert.deepEqual(
    json.map(({ id, result }) => [id, result.tools?.length]),
    [
      [1, undefined],
      [2, 6],
    ],
  )
})

test('mcp leaves a first message that is not valid to the server', async (t) => {
  const { app } = await packed()
  const { machine } = await createLocalFixture(t)
  const bin = path.join(app, 'node_modules/.bin/gatehouse-local')
  for (const params of [
    { protocolVersion: '2025-06-18' },
    { protocolVersion: '1999-01-01', capabilities: {}, clientInfo: CLIENT },
  ]) {
    const server = start(t, [systemNode(), bin, 'mcp'], { cwd: machine.project, env: machine.env })
    server.child.stdin.write(
      `{"jsonrpc":"2.0","id":1,"method":"initialize","params":${JSON.stringify(params)}}\n`,
    )
    await server.waitForOutput('"id":1')
    server.child.stdin.end()
    const { json } = await server.ended
    assert.equal(json.length, 1)
    if ('clientInfo' in params) {
      assert.equal(json[0].result.protocolVersion, '2025-11-25')
    } else {
      assert.ok(json[0].error.code < 0)
    }
  }
})

test('npx gets the package from the registry that its user names, and hints name this registry', async (t) => {
  const { machine, baseUrl } = await createLocalFixture(t)
  const { GATEHOUSE_URL: _, ...env } = machine.env
  const registry = `--@gatehouse-auth:registry=${baseUrl}/packages/npm/`
  const command = ['npx', '--yes', registry, '@gatehouse-auth/local', 'status']
  const npm = {
    npm_config_cache: path.join(machine.home, 'npm'),
    // npm then notes nowhere which registry a package came from.
    npm_config_omit_lockfile_registry_resolved: 'true',
  }
  const { code, stderr } = await start(t, command, {
    cwd: machine.project,
    env: { ...env, ...npm },
  }).ended
  assert.equal(code, 4, stderr)
  const hint = `→ Create a tenant for this project: npx ${registry} @gatehouse-auth/local init\n`
  assert.ok(stderr.includes(hint), stderr)
})
