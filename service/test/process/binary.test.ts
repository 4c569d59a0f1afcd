import assert from 'node:assert/strict'
import { existsSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { madeOnce } from '../support/made-once.ts'
import { freshFolder, freshPostgres, sqliteOnly } from '../support/postgres/engines.ts'
import { buildExecutable } from '../support/process/executable.ts'
import { run } from '../support/process/run.ts'
import { newTenant, startService } from '../support/process/service-process.ts'
import { useInstallation } from '../support/process/use-installation.ts'
import { waitUntil } from '../support/process/wait-until.ts'
import { freePort } from '../support/transport/free-port.ts'

// The executable as it would be published: one file, copied alone into an empty folder, in an environment without PATH, so
// that it finds no Node.

const NO_PATH = { PATH: '' }

const builtExecutable = madeOnce(buildExecutable)

test('the executable alone, without Node, serves pages and packages, signs a user in, and is the operator command of its folder', async (t) => {
  const executable = await builtExecutable()
  const cwd = await freshFolder()
  const settings = { ...NO_PATH, PORT: String(await freePort()), DATA_DIR: './data' }
  const service = await startService(t, settings, { command: [executable], cwd })
  const tenant = await useInstallation(service)
  const command = (...args: string[]): Promise<string> =>
    run(executable, args, { cwd, env: NO_PATH })
  assert.ok((await command('tenants', 'list', '--json')).includes(tenant.id))
  assert.match(await command('--version'), /^gatehouse \d+\.\d+\.\d+ \(commit [0-9a-f]{10}\)\n$/)
  assert.match(await command('--help'), /^Usage: gatehouse <command>\n/)
  const { code, stderr } = await service.end('SIGTERM')
  assert.deepEqual([code, stderr], [0, ''])
  assert.deepEqual(readdirSync(cwd), ['data'], 'it unpacks nothing')
  assert.ok(existsSync(path.join(cwd, 'data/gatehouse.db')))
})

test('two workers of the executable share a port and a PostgreSQL, and a stack trace names the source file', {
  skip: sqliteOnly,
}, async (t) => {
  const google = { GOOGLE_CLIENT_ID: 'id', GOOGLE_CLIENT_SECRET: 'secret' }
  const settings = { ...NO_PATH, ...google, GOOGLE_ISSUER: `http://127.0.0.1:${await freePort()}` }
  const database = { WORKERS: '2', DATABASE_URL: await freshPostgres() }
  const executable = await builtExecutable()
  const service = await startService(t, { ...settings, ...database }, { command: [executable] })
  const pids = (): number =>
    new Set([...service.output().matchAll(/"pid":(\d+)[^\n]*"route"/g)].map(([, pid]) => pid)).size
  await waitUntil('two processes have responded', async () => {
    assert.equal((await service.agent.call('GET', '/healthz')).status, 200)
    return pids() === 2
  })
  const tenant = await newTenant(service)
  assert.equal((await service.agent.call('GET', `/edge/auth/${tenant.id}/google`)).status, 503)
  await waitUntil('the failure is logged', () => service.output().includes('"stack"'))
  assert.match(
    service.output(),
    /at async startLogin \(service\/src\/operations\/login\/start-login\.ts:\d+:\d+\)/,
  )
  const { code, stderr } = await service.end('SIGTERM')
  assert.deepEqual([code, stderr], [0, ''])
})
