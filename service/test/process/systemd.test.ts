import assert from 'node:assert/strict'
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { type TestContext, test } from 'node:test'
import { parseEnv } from 'node:util'
import { freshFolder } from '../support/postgres/engines.ts'
import { buildExecutable } from '../support/process/executable.ts'
import { run } from '../support/process/run.ts'
import { newTenant, type Settings, startService } from '../support/process/service-process.ts'
import { long } from '../support/tags.ts'
import { freePort } from '../support/transport/free-port.ts'

// Works without systemd: the test reads the unit and runs its command. systemd-analyze checks it where installed.

const ROOT = path.resolve(import.meta.dirname, '../../..')
const read = (file: string): string => readFileSync(path.join(ROOT, file), 'utf8')
const UNIT = read('deploy/gatehouse.service')
const HOME = '/opt/gatehouse'
const SETTINGS = '/etc/gatehouse'
const EXECUTABLE = '/usr/local/bin/gatehouse'

const lines = [...UNIT.matchAll(/^(\w+)=(.*)$/gm)].map(([, name = '', value = '']) => ({
  name,
  value,
}))
const one = (name: string): string => {
  const [first, ...more] = lines.filter((line) => line.name === name)
  assert.ok(first !== undefined && more.length === 0, `one ${name}`)
  return first.value
}

const systemdAnalyze = await run('systemd-analyze', ['--version']).catch(() => null)

test('the unit waits for the shutdown to finish, restarts a crashed service, and allows writes to one directory', () => {
  const sources = read('service/src/http/server/drain.ts') + read('service/src/workers.ts')
  const phases = [
    ...sources.matchAll(/^const (?:ACCEPT_CPU|WORKERS_CLOSE|IDLE_GRACE|DRAIN)_MS = ([\d_]+)/gm),
  ]
  assert.equal(phases.length, 4)
  const stopMs = phases.reduce((sum, [, ms = '']) => sum + Number(ms.replaceAll('_', '')), 0)
  assert.ok(Number(one('TimeoutStopSec')) * 1_000 > stopMs)
  assert.equal(one('Restart'), 'on-failure')
  assert.equal(
    one('StartLimitIntervalSec'),
    '0',
    'a failover may last longer than any number of restarts',
  )
  assert.ok(
    Number(one('RestartMaxDelaySec')) > Number(one('RestartSec')) &&
      Number(one('RestartSteps')) > 1,
  )
  assert.ok(Number(parseEnv(read('deploy/gatehouse.env')).START_WAIT_SECONDS) > 30)
  assert.ok(Number(one('LimitNOFILE')) > 20_000, 'more than twice the connection limit')
  assert.deepEqual(
    [one('ProtectSystem'), one('NoNewPrivileges'), one('UMask')],
    ['strict', 'yes', '0077'],
  )
  assert.notEqual(one('User'), 'root')
  assert.equal(one('ExecStart'), EXECUTABLE, 'one file, which npm neither removes nor rewrites')
  assert.ok(
    !lines.some(({ name }) => name === 'MemoryDenyWriteExecute'),
    'V8 needs writable executable memory',
  )
})

test('gatehouse.env has only known settings and keeps the data where the unit allows writes', () => {
  const settings = parseEnv(read('deploy/gatehouse.env'))
  const known = [...read('.env.example').matchAll(/^#?([A-Z_]+)=/gm)].map(([, name]) => name)
  assert.deepEqual(
    Object.keys(settings).filter((name) => !known.includes(name)),
    [],
  )
  assert.equal(settings.DATA_DIR, `/var/lib/${one('StateDirectory')}`)
  const guide = read('docs/operating.md')
  assert.equal(one('WorkingDirectory'), SETTINGS)
  for (const named of [
    `${SETTINGS}/.env`,
    ` ${EXECUTABLE} `,
    HOME,
    `--system --home-dir /var/lib/gatehouse`,
  ]) {
    assert.ok(guide.includes(named), `docs/operating.md has ${named}`)
  }
})

/** Starts the service as the unit does, and stops it. The files are in these folders instead of those of the unit. */
async function assertUnitStarts(t: TestContext, executable: string, folder: string): Promise<void> {
  const settings: Settings = {
    DATA_DIR: path.join(await freshFolder(), 'gatehouse'),
    GOOGLE_CLIENT_ID: 'id',
    GOOGLE_CLIENT_SECRET: 'secret',
    PORT: String(await freePort()),
    PATH: '/usr/bin:/bin',
  }
  const service = await startService(t, settings, { command: [executable], cwd: folder })
  for (const page of ['/healthz', '/readyz', '/docs']) {
    assert.equal((await service.agent.call('GET', page)).status, 200, page)
  }
  assert.match(
    service.output(),
    /Gatehouse is at https:\/\/login\.example\.com/,
    'BASE_URL of .env',
  )
  const env = { ...process.env, ...settings }
  const tenant = await newTenant(service)
  const listed = await run(executable, ['tenants', 'list'], { cwd: folder, env })
  assert.ok(listed.includes(tenant.id))
  assert.equal((await service.end('SIGTERM')).code, 0)
}

test('the unit starts the executable, which reads the .env of its folder, serves, and stops on SIGTERM', async (t) => {
  const folder = await freshFolder()
  cpSync(path.join(ROOT, 'deploy/gatehouse.env'), path.join(folder, '.env'))
  const executable = await buildExecutable()
  await assertUnitStarts(t, executable, folder)
  if (systemdAnalyze === null) {
    t.diagnostic('systemd-analyze is not installed: only this test checked the unit')
    return
  }
  const unit = path.join(await freshFolder(), 'gatehouse.service')
  const here = UNIT.replaceAll(HOME, ROOT).replaceAll(EXECUTABLE, executable)
  writeFileSync(unit, here.replaceAll(SETTINGS, folder))
  assert.equal(await run('systemd-analyze', ['verify', unit]), '')
})

for (const npm of ['10', '11']) {
  test(`with npm ${npm} the operating guide installs the file that the unit starts, and updates it twice in a row`, {
    skip: long,
  }, async (t) => {
    const root = await freshFolder()
    await run('npm', ['install', '--global', '--prefix', root, '--no-audit', `npm@${npm}`])
    const origin = path.join(root, 'origin')
    const commit = await pushTo(origin)
    const home = path.join(root, HOME)
    await run('git', ['clone', '--quiet', origin, home])
    mkdirSync(path.join(root, path.dirname(EXECUTABLE)), { recursive: true })
    mkdirSync(path.join(root, path.dirname(SETTINGS)))
    const env = { ...process.env, PATH: `${path.join(root, 'bin')}:${process.env.PATH}` }
    const follow = (heading: string): Promise<string> =>
      run('/bin/sh', ['-ec', commandsBelow(heading, root)], { cwd: home, env })
    const assertUnchanged = async (): Promise<void> =>
      assert.equal(await run('git', ['status', '--porcelain'], { cwd: home }), '')

    await follow('Under systemd')
    await assertUnchanged()
    for (const file of ['package-lock.json', 'README.md']) {
      await commit(file)
      await follow('Upgrading')
      await assertUnchanged()
    }
    const documentation = one('Documentation').replace('file://', root)
    assert.ok(existsSync(documentation))
    await assertUnitStarts(t, path.join(root, EXECUTABLE), path.join(root, SETTINGS))
  })
}

/** Makes a repository of the last commit; what it returns adds an empty line to a file in a commit of its own. */
async function pushTo(origin: string): Promise<(file: string) => Promise<void>> {
  await run('git', ['init', '--quiet', '--bare', '--initial-branch=main', origin])
  await run('git', ['push', '--quiet', origin, 'HEAD:refs/heads/main'], { cwd: ROOT })
  const clone = path.join(await freshFolder(), 'clone')
  await run('git', ['clone', '--quiet', origin, clone])
  return async (file) => {
    const author = '-c user.name=Ada -c user.email=ada@example.com'
    const commands = `echo >>${file} && git ${author} commit -qam Change && git push -q`
    await run('/bin/sh', ['-c', commands], { cwd: clone })
  }
}

/**
 * The first shell example below a heading of the operating guide, for an administrator of `root`. Without what needs another
 * user or systemd.
 */
function commandsBelow(heading: string, root: string): string {
  const [, section = ''] = read('docs/operating.md').split(`\n## ${heading}\n`)
  const [, example = ''] = /```sh\n([\s\S]*?)```/.exec(section) ?? []
  assert.ok(example.includes('npm run build:binary\n'), heading)
  return example
    .split('\n')
    .filter((line) => !/useradd|git clone|systemctl|\/etc\/systemd/.test(line))
    .join('\n')
    .replaceAll('sudo ', '')
    .replaceAll(' -g gatehouse', '')
    .replaceAll('linux-x64', `${process.platform}-${process.arch}`)
    .replaceAll(/ (\/(?:etc|opt|usr)\/)/g, ` ${root}$1`)
}
