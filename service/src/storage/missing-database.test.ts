import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { MissingDatabase, rejectMissingDatabase } from './database-location.ts'

test('a start is rejected if the key file is there without its database, and names where the database went', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-test-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const [file, keyFile] = [join(folder, 'gatehouse.db'), join(folder, 'keys.json')]
  const reject = (): void => rejectMissingDatabase(file, keyFile)
  reject()
  writeFileSync(keyFile, '{}')
  assert.throws(reject, MissingDatabase)
  assert.throws(
    reject,
    /is missing or empty\. Restore it from a backup, or set DATA_DIR .* move .*keys\.json away too/,
  )
  writeFileSync(file, '')
  assert.throws(reject, /is missing or empty/)
  for (const day of ['01', '16']) {
    writeFileSync(`${file}.moved-2026-11-${day}T00-00-00`, 'x')
  }
  assert.throws(
    reject,
    /It was moved to PostgreSQL \(.*gatehouse\.db\.moved-2026-11-16T00-00-00\): set DATABASE_URL/,
  )
  writeFileSync(`${file}-wal`, 'x')
  reject()
  writeFileSync(file, 'x')
  rmSync(`${file}-wal`)
  reject()
})
