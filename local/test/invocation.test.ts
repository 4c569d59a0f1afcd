import assert from 'node:assert/strict'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { type TestContext, test } from 'node:test'
import { freshFolder } from '../../service/test/support/postgres/engines.ts'
import { listen } from '../../service/test/support/transport/listen.ts'
import { world } from '../../service/test/support/world.ts'
import { CLI, start } from './support/command.ts'
import { createLocalFixture, createMachine } from './support/machine.ts'
import { connect } from './support/mcp.ts'
import { installTools } from './support/served-tools.ts'

/** The command that runs the tools of this service in any folder. */
const programFrom = (service: string): string =>
  `npx --@gatehouse-auth:registry=${service}/packages/npm/ @gatehouse-auth/local`

test('hints name one command: npx with the package, and with its registry where npm reads no .npmrc that names it', async (t) => {
  const { machine, baseUrl } = await createLocalFixture(t)
  const elsewhere = path.join(machine.home, 'elsewhere')
  await mkdir(elsewhere)
  const hintIn = async (cwd: string): Promise<string> => {
    const { stderr } = await start(t, [process.execPath, CLI, 'nope'], { cwd, env: machine.env })
      .ended
    return /→ See: (.*) help$/m.exec(stderr)?.[1] ?? stderr
  }
  assert.equal(await hintIn(machine.project), programFrom(baseUrl))
  await machine.run('init')
  assert.equal(await hintIn(machine.project), 'npx @gatehouse-auth/local')
  assert.equal(await hintIn(elsewhere), programFrom(baseUrl))

  // npm reads the .npmrc of the nearest package, which need not be the current folder.
  const below = path.join(machine.project, 'src')
  await mkdir(below)
  assert.equal(await hintIn(below), programFrom(baseUrl))
  await writeFile(path.join(machine.project, 'package.json'), '{}')
  assert.equal(await hintIn(below), 'npx @gatehouse-auth/local')
})

test('tools that npx downloads from a service create the tenant there, unless their user names another', async (t) => {
  const { machine, baseUrl } = await createLocalFixture(t)
  const cli = await installTools(baseUrl, path.join(await freshFolder(), '_npx/5f6a'))
  const { GATEHOUSE_URL: _, ...env } = machine.env
  const options = { cwd: machine.project, env }
  const run = (...args: string[]) => start(t, [process.execPath, cli, ...args], options).ended
  const other = '@gatehouse-auth:registry=http://localhost:1/packages/npm/\n'
  await writeFile(path.join(machine.project, '.npmrc'), other)

  const named = await run('init', '--service', 'http://localhost:2', '--json')
  assert.match(named.json[0].error.message, /localhost:2\b/)
  const created = await run('init')
  assert.equal(created.code, 0, created.stderr)
  assert.match(await machine.read(), new RegExp(`^base_url=${baseUrl}$`, 'm'))
  assert.match(created.stdout, /npx @gatehouse-auth\/local provision /)
})

test('installed tools create the tenant at the service of the .npmrc, else at the one that they came from', async (t) => {
  const { machine, baseUrl } = await createLocalFixture(t)
  const cli = await installTools(baseUrl, path.join(await freshFolder(), 'lib'))
  const { GATEHOUSE_URL: _, ...env } = machine.env
  const options = { cwd: machine.project, env }
  const init = () => start(t, [process.execPath, cli, 'init', '--json'], options).ended
  const npmrc = path.join(machine.project, '.npmrc')

  await writeFile(npmrc, '@gatehouse-auth:registry=http://localhost:1/packages/npm/\n')
  const refused = await init()
  assert.match(refused.json[0].error.message, /localhost:1\b/)
  await rm(npmrc)
  const created = await init()
  assert.deepEqual([created.code, created.json[0]?.base_url], [0, baseUrl], created.stderr)
})

test('an address in the package that is no safe URL of a service is refused, and one that is missing means the default', async (t) => {
  const { machine, baseUrl } = await createLocalFixture(t)
  const cli = await installTools(baseUrl, await freshFolder())
  const { GATEHOUSE_URL: _, ...env } = machine.env
  const doctor = async (text: string) => {
    await writeFile(path.resolve(cli, '../../service.json'), text)
    const args = [process.execPath, cli, 'doctor', '--json']
    return (await start(t, args, { cwd: machine.project, env }).ended).json[0]
  }

  const unsafe = await doctor('{"base_url":"http://login.example.com"}')
  assert.equal(unsafe.error.code, 'serviceUrlInvalid')
  for (const text of ['', '[]', 'null', '{"base_url":5}']) {
    assert.match(JSON.stringify(await doctor(text)), /localhost:8787/, text)
  }
})

test('the .npmrc of an app names the service of init, unless the option or the environment does', async (t) => {
  const { machine, baseUrl } = await createLocalFixture(t)
  const { GATEHOUSE_URL: _, ...env } = machine.env
  const npmrc = `@gatehouse-auth:registry=${baseUrl}/packages/npm/\n`
  await writeFile(path.join(machine.project, '.npmrc'), npmrc)
  const options = { cwd: machine.project, env }
  const other = await start(
    t,
    [process.execPath, CLI, 'init', '--service', 'http://localhost:1', '--json'],
    options,
  ).ended
  assert.match(other.json[0].error.message, /localhost:1\b/)
  const created = await start(t, [process.execPath, CLI, 'init', '--json'], options).ended
  assert.deepEqual([created.code, created.json[0]?.base_url], [0, baseUrl], created.stderr)
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
  // proves C380
  test(`installed tools say ${isNewer ? 'how to run' : 'nothing about'} those of a service with ${JSON.stringify(version)}, in doctor, after a usage error and to agents`, async (t) => {
    const service = await serviceWithTools(t, version)
    const machine = await createMachine(t, { GATEHOUSE_URL: service })
    const expected = `${programFrom(service)}@${version}`
    const { json } = await machine.run('doctor', '--json')
    const found = json[0].checks.find(({ check }: { check: string }) => check === 'version')
    assert.deepEqual(
      [found.level, found.fix?.endsWith(expected)],
      isNewer ? ['warn', true] : ['ok', undefined],
    )

    const { baseUrl } = await world(t, { through: 'port' })
    const cli = await installTools(baseUrl, await freshFolder())
    await writeFile(path.resolve(cli, '../../service.json'), JSON.stringify({ base_url: service }))
    const options = { cwd: machine.project, env: machine.env }
    const unknown = await start(t, [process.execPath, cli, 'future-command'], options).ended
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
  assert.match(
    status.stdout,
    /Next +npx \S+ @gatehouse-auth\/local provision <callback URL> --project 'an app'\n/,
  )
  assert.match(
    (await machine.runProcess('--help', 'events')).stdout,
    /^Usage: npx \S+ @gatehouse-auth\/local events/,
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
