import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { runOperatorCommand } from '../support/actors/operator-command.ts'
import { freshPostgres } from '../support/postgres/engines.ts'
import { failedStart, startService } from '../support/process/service-process.ts'
import { freePort } from '../support/transport/free-port.ts'

const MOVE = 'npm run -s gatehouse -- move --from sqlite --to postgres'

// storage/unserved-tenants.test.ts tests which files prevent a start.

test('the service does not start on an empty PostgreSQL database while its data folder has a SQLite file with tenants', async (t) => {
  const sqlite = await startService(t)
  const tenant = await sqlite.agent.createTenant()
  const { DATA_DIR } = sqlite.settings
  await sqlite.end('SIGTERM')
  const file = path.join(DATA_DIR, 'gatehouse.db')
  const before = readFileSync(file)
  const settings = { DATA_DIR, PORT: String(await freePort()), DATABASE_URL: await freshPostgres() }
  const message = new RegExp(
    `${file} holds 1 tenant, .*run: ${MOVE}\\. Unset DATABASE_URL.*rename the file`,
  )

  const workers = { WORKERS: '2', GOOGLE_CLIENT_ID: 'x', GOOGLE_CLIENT_SECRET: 'y' }
  for (const extra of [{}, workers]) {
    const { code, stdout, stderr } = await failedStart(t, { ...settings, ...extra })
    assert.deepEqual([code, stdout], [1, ''])
    assert.match(stderr, /^Gatehouse cannot start: .*\n$/, 'one line, no stack trace')
    assert.match(stderr, message)
  }
  const listed = await runOperatorCommand(settings, 'tenants', 'list')
  assert.deepEqual([listed.status, listed.stdout], [1, ''])
  assert.match(listed.stderr, message)
  assert.deepEqual(readFileSync(file), before)

  const unset = await startService(t, { DATA_DIR })
  assert.equal(
    (await tenant.at(unset.agent).status()).tenant_id,
    tenant.id,
    'unsetting DATABASE_URL fixes it',
  )
  await unset.end('SIGTERM')
  const [, , , , , ...words] = MOVE.split(' ')
  const { status, stderr } = await runOperatorCommand(settings, ...words)
  assert.equal(status, 0, stderr)
  const moved = await startService(t, settings)
  assert.equal(
    (await tenant.at(moved.agent).status()).runtime_profile,
    'v1-1',
    'the command in the message fixes it',
  )
  await moved.end('SIGTERM')

  const elsewhere = { ...settings, DATABASE_URL: await freshPostgres() }
  const empty = await startService(t, elsewhere)
  assert.equal(
    (await (await empty.agent.createTenant()).status()).runtime_profile,
    'v1-2',
    'and so does renaming the file',
  )
})
