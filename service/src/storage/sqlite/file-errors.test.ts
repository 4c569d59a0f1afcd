import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { Unavailable } from '../../domain/api-error.ts'
import { classifyError } from '../database-errors.ts'
import { describeFileError } from './file-errors.ts'

const FILE = '/data/gatehouse.db'

function errorOf(work: () => void): unknown {
  try {
    work()
  } catch (error) {
    return classifyError(error)
  }
  throw new Error('nothing was thrown')
}

/** A database of which only this many bytes are right. */
function withContent(file: string, right: number): string {
  const db = new DatabaseSync(file)
  db.exec('create table t (a); insert into t values (1)')
  db.close()
  const content = readFileSync(file)
  writeFileSync(file, content.fill(0xff, right))
  return file
}

test('errors of SQLite and of the file system name their cause and its fix', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-test-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const full = new DatabaseSync(':memory:')
  full.exec('pragma max_page_count = 1')
  const file = join(folder, 'locked.db')
  const [one, two] = [new DatabaseSync(file), new DatabaseSync(file)]
  one.exec('begin exclusive')
  const readOnly = new DatabaseSync(file, { readOnly: true })
  const damaged = new DatabaseSync(withContent(join(folder, 'damaged.db'), 4_096))
  const noDatabase = new DatabaseSync(withContent(join(folder, 'image.db'), 0))
  const ofSystem = (code: string): unknown => Object.assign(new Error(code), { code, path: FILE })

  for (const [error, expected] of [
    [
      errorOf(() => full.exec('create table t (a)')),
      /^the disk of \/data is full \(database or disk is full\)\. Free/,
    ],
    [
      errorOf(() => two.exec('begin exclusive')),
      /^another process has locked \/data\/gatehouse\.db .*gatehouse move/,
    ],
    [
      errorOf(() => damaged.exec('select * from t')),
      /^the database \/data\/gatehouse\.db is damaged \(.*malformed/,
    ],
    [
      errorOf(() => noDatabase.exec('select * from t')),
      /^\/data\/gatehouse\.db is not a SQLite database/,
    ],
    [
      errorOf(() => new DatabaseSync(folder)),
      /^this user may not use \/data\/gatehouse\.db \(unable to open/,
    ],
    [
      errorOf(() => readOnly.exec('create table t (a)')),
      /^this user may not use|^another process has locked/,
    ],
    [
      errorOf(() => full.exec('select nonsense')),
      /^a statement failed in \/data\/gatehouse\.db \(no such column: nonsense\), and what it would have changed was not stored\./,
    ],
    [ofSystem('ENOSPC'), /^the disk of \/data is full/],
    [ofSystem('EACCES'), /^this user may not use/],
    [ofSystem('EIO'), /^the disk of \/data reports an error/],
    [ofSystem('ENOTDIR'), /^the folder \/data cannot be used \(ENOTDIR\)\. .*set DATA_DIR/],
  ] as const) {
    assert.match(String(describeFileError(error, FILE)), expected)
  }
  assert.equal(describeFileError(new Error('something else'), FILE), null)
  const socket = Object.assign(new Error('EACCES'), {
    code: 'EACCES',
    syscall: 'connect',
    path: '/run/postgresql',
  })
  assert.equal(describeFileError(socket, FILE), null, 'a socket of PostgreSQL')
  for (const db of [full, one, two, readOnly, damaged, noDatabase]) {
    db.close()
  }
})

test('a database that is unavailable without another error behind it is no error of the file', () => {
  const error = new Unavailable('too many requests are waiting for PostgreSQL')
  assert.equal(describeFileError(error, FILE), null)
})
