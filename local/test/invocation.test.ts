import assert from 'node:assert/strict'
import { mkdir, symlink, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { type TestContext, test } from 'node:test'
import { freshFolder } from '../../service/test/support/postgres/engines.ts'
import { listen } from '../../service/test/support/transport/listen.ts'
import { programName, servedFrom } from '../src/invocation.ts'
import { CLI, start } from './support/command.ts'
import { createLocalFixture, createMachine } from './support/machine.ts'
import { connect } from './support/mcp.ts'

test('hints name the command as the user started it: npx, a global installation, or Node with a file', async (t) => {
  const machine = await createMachine(t, {})
  const unknown = async (file: string): Promise<string> =>
    (
      await start(t, [process.execPath, file, 'nope'], { cwd: machine.project, env: machine.env })
        .ended
    ).stderr
  assert.match(await unknown(machine.bin), /→ See: gatehouse-local help\n/)
  assert.ok((await unknown(CLI)).includes(`→ See: node ${CLI} help\n`))

  const folder = await freshFolder()
  const bin = path.join(folder, 'node_modules/.bin/gatehouse-local')
  // In a script of package.json, node_modules/.bin is on the PATH; in the user's shell it is not.
  const env = { PATH: path.dirname(bin) }
  assert.equal(programName({ file: bin, env }), 'npx --no gatehouse-local')
  await mkdir(folder, { recursive: true })
  const manifest = (named: unknown) =>
    writeFile(path.join(folder, 'package.json'), JSON.stringify({ _npx: named }))
  for (const named of [
    '@gatehouse-auth/local',
    '@gatehouse-auth/local@0.1.0',
    'https://login.example.com/packages/local.tgz',
  ]) {
    await manifest({ packages: [named] })
    assert.equal(programName({ file: bin, env }), `npx ${named}`)
  }
  await manifest({ packages: ['../my files/local.tgz'] })
  assert.equal(programName({ file: bin, env }), "npx '../my files/local.tgz'")
  for (const damaged of [null, {}, { packages: [] }, { packages: [5] }]) {
    await manifest(damaged)
    assert.equal(programName({ file: bin, env }), 'npx --no gatehouse-local')
  }
  assert.equal(servedFrom({ file: bin }), null)
  const windows = 'C:\\Users\\ada\\node_modules\\@gatehouse\\local\\dist\\cli.js'
  assert.equal(programName({ file: windows, env: {} }), 'npx --no gatehouse-local')
})

test('a package that npm or npx got from a service creates the tenant at that service, unless another is named', async (t) => {
  const { machine, baseUrl } = await createLocalFixture(t)
  const folder = await freshFolder()
  const bin = path.join(folder, 'node_modules/.bin/gatehouse-local')
  await mkdir(path.dirname(bin), { recursive: true })
  await symlink(CLI, bin)
  const runFrom = async (named: string, ...args: string[]) => {
    await writeFile(
      path.join(folder, 'package.json'),
      JSON.stringify({ _npx: { packages: [named] } }),
    )
    const { GATEHOUSE_URL: _, ...env } = machine.env
    return start(t, [process.execPath, bin, ...args], { cwd: machine.project, env }).ended
  }
  const other = await runFrom('https://registry.example/packages/other.tgz', 'doctor', '--json')
  assert.match(JSON.stringify(other.json[0]), /localhost:8787/)
  const created = await runFrom(`${baseUrl}/packages/local.tgz`, 'init')
  assert.equal(created.code, 0, created.stderr)
  assert.ok(created.stdout.includes(`npx ${baseUrl}/packages/local.tgz provision `), created.stdout)
  assert.match(await machine.read(), new RegExp(`^base_url=${baseUrl}$`, 'm'))
  await writeFile(path.join(folder, 'package.json'), '{}')
  const resolved = {
    packages: {
      'node_modules/@gatehouse-auth/local': { resolved: `${baseUrl}/packages/local-0.1.0.tgz` },
    },
  }
  await writeFile(path.join(folder, 'node_modules/.package-lock.json'), JSON.stringify(resolved))
  assert.equal(servedFrom({ file: bin }), baseUrl, 'installed by npm')
  for (const damaged of [
    '',
    '[]',
    '{"packages":[]}',
    '{"packages":{"node_modules/@gatehouse-auth/local":{"resolved":5}}}',
  ]) {
    await writeFile(path.join(folder, 'node_modules/.package-lock.json'), damaged)
    assert.equal(servedFrom({ file: bin }), null, damaged)
  }
  const unsafe = await runFrom(
    'http://login.example.com/packages/local-0.1.0.tgz',
    'sign-out',
    '--json',
  )
  assert.deepEqual([unsafe.code, unsafe.json[0].error.code], [2, 'serviceUrlInvalid'])
})

/** A service with these tools, which answers what doctor and the MCP server ask. */
async function serviceWithTools(t: TestContext, version: string): Promise<string> {
  const documentation = {
    jsonrpc: '2.0',
    id: 1,
    result: { content: [{ type: 'text', text: '# Gatehouse' }] },
  }
  const { port } = await listen(t, ({ url }, response) => {
    const packages = [
      { name: '@gatehouse-auth/local', version, url: 'https://elsewhere.example/local.tgz' },
    ]
    response.setHeader('API-Version', '1')
    const responses: Readonly<Record<string, object>> = {
      '/packages': { packages },
      '/mcp': documentation,
    }
    response.end(JSON.stringify(responses[url ?? ''] ?? {}))
  })
  return `http://localhost:${port}`
}

for (const [version, isNewer] of [
  ['0.1.1', true],
  ['0.10.0', true],
  ['0.1.0', false],
  ['0.0.99', false],
  ['1.0.0\n\u001b[2J', false],
] as const) {
  test(`tools that npx kept say ${isNewer ? 'how to run' : 'nothing about'} those of a service with ${JSON.stringify(version)}, in doctor, after a usage error and to agents`, async (t) => {
    const service = await serviceWithTools(t, version)
    const machine = await createMachine(t, { GATEHOUSE_URL: service })
    const expected = `npx ${service}/packages/local-${version}.tgz`
    const { json } = await machine.run('doctor', '--json')
    const found = json[0].checks.find(({ check }: { check: string }) => check === 'version')
    assert.deepEqual(
      [found.level, found.fix?.endsWith(expected)],
      isNewer ? ['warn', true] : ['ok', undefined],
    )

    const folder = await freshFolder()
    const bin = path.join(folder, 'node_modules/.bin/gatehouse-local')
    await mkdir(path.dirname(bin), { recursive: true })
    await symlink(CLI, bin)
    await writeFile(
      path.join(folder, 'package.json'),
      JSON.stringify({ _npx: { packages: [`${service}/packages/local.tgz`] } }),
    )
    const options = { cwd: machine.project, env: machine.env }
    const unknown = await start(t, [process.execPath, bin, 'future-command'], options).ended
    assert.equal(unknown.code, 2)
    assert.match(unknown.stderr, /Unknown command "future-command"/)
    assert.equal(unknown.stderr.includes(expected), isNewer, unknown.stderr)

    const { response } = await connect(t, machine, 'legacy')
    const documentation = await response('get_service_documentation')
    assert.equal(documentation.startsWith('The service has newer tools'), isNewer, documentation)
    assert.equal(documentation.includes(`${expected} mcp`), isNewer)
  })
}

test('options may come before the command, and hints repeat --project', async (t) => {
  const { machine } = await createLocalFixture(t)
  await mkdir(path.join(machine.project, 'an app'))
  const before = await machine.runProcess('--project', 'an app', 'init', '--json')
  assert.deepEqual([before.code, before.json[0].reused], [0, false], before.stderr)
  const { tenant_id } = before.json[0]
  for (const args of [
    ['--json', '--project', 'an app', 'status'],
    ['--project=an app', 'status', '--json'],
    ['--project', 'an app', '--json', 'status'],
  ]) {
    const { code, json, stderr } = await machine.runProcess(...args)
    assert.deepEqual([code, json[0]?.tenant_id], [0, tenant_id], stderr)
  }
  const status = await machine.runProcess('--project', 'an app', 'status')
  assert.match(status.stdout, /Next +gatehouse-local provision <callback URL> --project 'an app'\n/)
  assert.match(
    (await machine.runProcess('--help', 'events')).stdout,
    /^Usage: gatehouse-local events/,
  )
  // An option of one command is not one of another, wherever it stands.
  for (const args of [
    ['--limit', '5', 'status'],
    ['--nope', 'status'],
    ['--nope'],
    ['--json'],
    ['--project', 'status'],
  ]) {
    const { code, stderr, stdout } = await machine.runProcess(...args)
    assert.equal(code, 2, stdout)
    assert.doesNotMatch(stderr + stdout, /Unknown command/)
  }
})
