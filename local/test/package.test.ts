import assert from 'node:assert/strict'
import { accessSync, constants, existsSync } from 'node:fs'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { before, test } from 'node:test'
import { freshFolder } from '../../service/test/support/postgres/engines.ts'
import { run } from '../../service/test/support/process/run.ts'
import { start } from './support/command.ts'
import { createLocalFixture } from './support/machine.ts'

const LOCAL = path.resolve(import.meta.dirname, '..')
const MODULES = path.resolve(LOCAL, '../node_modules')

/** The only packages that may be installed with it. */
const DEPENDENCIES = ['@modelcontextprotocol/core', '@modelcontextprotocol/server', 'zod']

/** The Node on the PATH, which may be older than the one that runs these tests. */
function systemNode(): string {
  const folders = (process.env.PATH ?? '').split(path.delimiter).filter((folder) => !folder.includes('node_modules'))
  const found = folders.map((folder) => path.join(folder, 'node')).find((file) => existsSync(file))
  return found ?? process.execPath
}

const quiet = ['--silent', '--ignore-scripts', '--no-audit', '--no-fund', '--offline']

let app = ''
let installed = ''

before(
  async () => {
    const folder = await freshFolder()
    const env = { ...process.env, PATH: [path.join(MODULES, '.bin'), process.env.PATH].join(path.delimiter) }
    // Without --ignore-scripts: prepack builds dist/.
    await run('npm', ['pack', '--silent', '--pack-destination', folder], { cwd: LOCAL, env })
    for (const name of DEPENDENCIES) {
      await run('npm', ['pack', ...quiet, '--pack-destination', folder, path.join(MODULES, name)], { env })
    }
    app = path.join(folder, 'app')
    await mkdir(app)
    await writeFile(path.join(app, 'package.json'), '{"private":true}')
    const archives = (await readdir(folder)).filter((file) => file.endsWith('.tgz')).map((file) => `../${file}`)
    await run('npm', ['install', ...quiet, ...archives], { cwd: app, env })
    installed = path.join(app, 'node_modules/@gatehouse/local')
  },
  { timeout: 110_000 },
)

test('the package installs into an empty folder with two dependencies, and contains only JavaScript', async () => {
  const manifest = JSON.parse(await readFile(path.join(installed, 'package.json'), 'utf8'))
  assert.deepEqual(Object.keys(manifest.dependencies), ['@modelcontextprotocol/server', 'zod'])
  const packages = await readdir(path.join(app, 'node_modules'))
  assert.deepEqual(packages.filter((name) => !name.startsWith('.')).sort(), [
    '@gatehouse',
    '@modelcontextprotocol',
    'zod',
  ])
  assert.deepEqual((await readdir(installed)).sort(), ['LICENSE', 'README.md', 'dist', 'package.json'])
  accessSync(path.join(app, 'node_modules/.bin/gatehouse-local'), constants.X_OK)
  for (const file of await readdir(path.join(installed, 'dist'), { recursive: true, withFileTypes: true })) {
    if (file.isDirectory()) continue
    assert.match(file.name, /^[a-z-]+\.js$/)
    const text = await readFile(path.join(file.parentPath, file.name), 'utf8')
    assert.doesNotMatch(text, /from '@gatehouse|from '\.[^']*\.ts'|import\('\.[^']*\.ts'/, file.name)
  }
})

test('the installed package runs on the Node on the PATH: version, init, status, and the MCP handshake', async (t) => {
  const { machine } = await createLocalFixture(t)
  const node = systemNode()
  const major = Number(/\d+/.exec(await run(node, ['--version']))?.[0])
  assert.ok(major >= 20, `Node ${major} is too old for the package`)
  t.diagnostic(`Node ${major}`)
  const bin = path.join(app, 'node_modules/.bin/gatehouse-local')
  const command = (...args: string[]) => start(t, [node, bin, ...args], { cwd: machine.project, env: machine.env })

  const version = await command('--version').ended
  assert.deepEqual([version.code, version.stdout, version.stderr], [0, '0.1.0\n', ''])
  assert.equal((await command('init').ended).code, 0)
  assert.equal((await command('status', '--json').ended).json[0].status, 'ephemeral')

  const server = command('mcp')
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'raw', version: '1' } }
  server.child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params })}\n`)
  await server.waitForOutput('"id":1')
  server.child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: 2, method: 'tools/list' })}\n`)
  await server.waitForOutput('"id":2')
  server.child.stdin.end()
  const { code, json, stderr } = await server.ended
  assert.deepEqual([code, stderr], [0, ''])
  assert.equal(json[0].result.serverInfo.version, '0.1.0')
  assert.equal(json[1].result.tools.length, 6)
})
