import assert from 'node:assert/strict'
import { existsSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { runOperatorCommand } from '../support/actors/operator-command.ts'
import { freshFolder, freshPostgres } from '../support/postgres/engines.ts'
import { startService } from '../support/process/service-process.ts'

// restore.test.ts tests the contents of a backup.

const mode = (file: string): string => (statSync(file).mode & 0o777).toString(8)

test('a backup is complete or absent, readable only by its owner, overwrites nothing, and leaves the data folder unchanged', async (t) => {
  const service = await startService(t)
  const { settings } = service
  const home = await freshFolder()
  const folder = path.join(home, 'new', 'backup')
  const [first, again] = [
    await runOperatorCommand(settings, 'backup', folder),
    await runOperatorCommand(settings, 'backup', folder),
  ]
  assert.equal(first.stdout.split('\n')[0], `Backed up to ${folder}: gatehouse.db and keys.json.`)
  assert.deepEqual(readdirSync(folder).sort(), ['gatehouse.db', 'keys.json'])
  for (const [file, expected] of [
    ['', '700'],
    ['gatehouse.db', '600'],
    ['keys.json', '600'],
  ] as const) {
    assert.equal(mode(path.join(folder, file)), expected, file)
  }
  assert.deepEqual([again.status, again.stdout], [1, ''])
  assert.match(again.stderr, /is not empty, and a backup overwrites nothing/)

  await service.end('SIGTERM')
  const files = readdirSync(settings.DATA_DIR)
  assert.equal((await runOperatorCommand(settings, 'backup', path.join(home, 'stopped'))).status, 0)
  assert.deepEqual(
    readdirSync(settings.DATA_DIR).sort(),
    files.sort(),
    'also while the service is stopped',
  )

  const missing = await runOperatorCommand(
    { ...settings, DATA_DIR: path.join(home, 'none') },
    'backup',
    path.join(home, 'never'),
  )
  assert.match(missing.stderr, /There is no database/)
  const file = path.join(settings.DATA_DIR, '..', 'file')
  writeFileSync(file, '')
  const nowhere = path.join(file, 'backup')
  assert.match(
    (await runOperatorCommand(settings, 'backup', nowhere)).stderr,
    new RegExp(`^The backup could not be written to ${nowhere} \\(.*EEXIST.*\\)\\. .*name another`),
  )
  for (const args of [[], ['--force'], ['a', 'b']]) {
    assert.equal((await runOperatorCommand(settings, 'backup', ...args)).status, 2)
  }
  for (const args of [['--skip-ids', '0'], ['--skip-ids', 'x'], ['now']]) {
    assert.equal((await runOperatorCommand(settings, 'restored', ...args)).status, 2)
  }
  rmSync(path.join(settings.DATA_DIR, 'keys.json'))
  const keyless = await runOperatorCommand(settings, 'backup', path.join(home, 'never'))
  assert.match(keyless.stderr, /There is no key file/)
  writeFileSync(path.join(settings.DATA_DIR, 'keys.json'), '{"keys": [', { mode: 0o600 })
  assert.match(
    (await runOperatorCommand(settings, 'backup', path.join(home, 'never'))).stderr,
    /damaged/,
  )
  const postgres = { ...settings, DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' }
  const onPostgres = await runOperatorCommand(postgres, 'backup', path.join(home, 'never'))
  assert.equal(onPostgres.status, 1)
  assert.match(onPostgres.stderr, /back it up with pg_dump .*--files\. Nothing was written/)
  assert.equal(existsSync(path.join(home, 'never')), false)
  assert.deepEqual(readdirSync(home).sort(), ['new', 'stopped'], 'no partial backup is left')
})

test('backup --files on PostgreSQL contains the keys and warns that the database is not included', async (t) => {
  const { settings } = await startService(t, { DATABASE_URL: await freshPostgres() })
  const home = await freshFolder()
  const keys = await runOperatorCommand(settings, 'backup', '--files', path.join(home, 'keys'))
  assert.match(keys.stdout, /: keys\.json\.\nPostgreSQL is not included/)
  assert.deepEqual(readdirSync(path.join(home, 'keys')), ['keys.json'])

  writeFileSync(path.join(settings.DATA_DIR, 'gatehouse.db'), 'not the database of this service')
  assert.equal(
    (await runOperatorCommand(settings, 'backup', '--files', path.join(home, 'again'))).status,
    0,
  )
  assert.deepEqual(readdirSync(path.join(home, 'again')), ['keys.json'])
})

test('a backup does not contain keys from SERVICE_KEYS, and warns about it', async (t) => {
  const { settings } = await startService(t, {
    SERVICE_KEYS: `1:${Buffer.alloc(32, 7).toString('base64')}`,
  })
  const folder = path.join(await freshFolder(), 'backup')
  const { stdout } = await runOperatorCommand(settings, 'backup', folder)
  assert.match(stdout, /: gatehouse\.db\.\nThe keys are not included/)
  assert.deepEqual(readdirSync(folder), ['gatehouse.db'])
})
