import assert from 'node:assert/strict'
import { cpSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { type TestContext, test } from 'node:test'
import { parseEnv } from 'node:util'
import { freshFolder } from '../support/postgres/engines.ts'
import { run } from '../support/process/run.ts'
import { type Settings, startService } from '../support/process/service-process.ts'
import { NODE_FLAGS } from '../support/process/start-command.ts'
import { long } from '../support/tags.ts'
import { freePort } from '../support/transport/free-port.ts'

// Works without systemd: the test reads the unit and runs its command. systemd-analyze checks it where installed.

const ROOT = path.resolve(import.meta.dirname, '../../..')
const read = (file: string): string => readFileSync(path.join(ROOT, file), 'utf8')
const UNIT = read('deploy/gatehouse.service')
const HOME = '/opt/gatehouse'

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
  assert.deepEqual(one('ExecStart').split(' ').slice(1), [...NODE_FLAGS, 'service/dist/start.js'])
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
  for (const named of [one('EnvironmentFile'), HOME, `--system --home-dir /var/lib/gatehouse`]) {
    assert.ok(guide.includes(named), `docs/operating.md has ${named}`)
  }
})

/** Starts the service as the unit does, with the installation in this folder, and stops it. */
async function assertUnitStarts(t: TestContext, folder: string): Promise<void> {
  const installed = (named: string): string => named.replace(HOME, folder)
  assert.ok(existsSync(installed(one('Documentation').replace('file://', ''))))
  const settings: Settings = {
    ...(parseEnv(read('deploy/gatehouse.env')) as Settings),
    DATA_DIR: path.join(await freshFolder(), 'gatehouse'),
    GOOGLE_CLIENT_ID: 'id',
    GOOGLE_CLIENT_SECRET: 'secret',
    PORT: String(await freePort()),
    PATH: '/usr/bin:/bin',
  }
  const command = installed(one('ExecStart')).split(' ')
  const service = await startService(t, settings, {
    command,
    cwd: installed(one('WorkingDirectory')),
  })
  for (const page of ['/healthz', '/readyz', '/docs']) {
    assert.equal((await service.agent.call('GET', page)).status, 200, page)
  }
  assert.equal((await service.end('SIGTERM')).code, 0)
}

test('the unit starts the production build, which serves and stops on SIGTERM', async (t) => {
  await assertUnitStarts(t, ROOT)
  if (systemdAnalyze === null) {
    t.diagnostic('systemd-analyze is not installed: only this test checked the unit')
    return
  }
  const unit = path.join(await freshFolder(), 'gatehouse.service')
  writeFileSync(unit, UNIT.replaceAll(HOME, ROOT))
  assert.equal(await run('systemd-analyze', ['verify', unit]), '')
})

test('the unit starts an installation made with the operating guide', { skip: long }, async (t) => {
  const folder = await freshFolder()
  const isSource = (file: string): boolean => !/\/(node_modules|dist|packages|test)$/.test(file)
  for (const file of [
    'package.json',
    'package-lock.json',
    'tsconfig.json',
    'docs',
    'examples/recipes',
    'scripts',
  ]) {
    cpSync(path.join(ROOT, file), path.join(folder, file), { recursive: true, filter: isSource })
  }
  for (const each of ['contract', 'service', 'sdk', 'local']) {
    cpSync(path.join(ROOT, each), path.join(folder, each), { recursive: true, filter: isSource })
  }
  const guide = read('docs/operating.md')
  for (const words of ['npm ci', 'npm run build', 'npm prune --omit=dev']) {
    assert.ok(guide.includes(`sudo ${words}\n`), words)
    await run('npm', words.split(' ').slice(1), { cwd: folder })
  }
  await assertUnitStarts(t, folder)
})
