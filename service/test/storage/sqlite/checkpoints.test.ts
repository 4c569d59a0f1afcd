import assert from 'node:assert/strict'
import { EventEmitter } from 'node:events'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { Unavailable } from '../../../src/domain/api-error.ts'
import { isLostWrite } from '../../../src/storage/database-errors.ts'
import { Checkpointer, type CheckpointerOptions } from '../../../src/storage/sqlite/checkpointer.ts'
import { openToRead, openToWrite, withBusyRetry } from '../../../src/storage/sqlite/file.ts'
import { freshFolder } from '../../support/postgres/engines.ts'
import { HANG_TIMEOUT_MS, waitUntil } from '../../support/process/wait-until.ts'
import { slow } from '../../support/tags.ts'

const FRAMES = 100
const SQLITE_FULL = 13
const SQLITE_IOERR_FSYNC = 1034

/** A SQLite file whose log is checkpointed after a hundred frames. */
async function notebook(t: TestContext, options: Partial<CheckpointerOptions> = {}) {
  const file = join(await freshFolder(), 'notes.db')
  const writing = openToWrite(file)
  writing.run('create table notes (text text) strict', [])
  const warnings: string[] = []
  const checkpoints = new Checkpointer({
    file,
    logFrames,
    warn: (message) => void warnings.push(message),
    lostWrite: () => {},
    frames: FRAMES,
    ...options,
  })
  t.after(async () => {
    await checkpoints.close()
    writing.close()
  })
  function logFrames(): number {
    return (writing.run('pragma wal_checkpoint(noop)', []).rows[0] as { log: number }).log
  }
  const write = async (times: number): Promise<void> => {
    for (let time = 0; time < times; time += 1) {
      await withBusyRetry(
        writing,
        'insert into notes (text) values (?)',
        ['x'.repeat(500)],
        HANG_TIMEOUT_MS,
      )
      checkpoints.committed()
    }
  }
  return { file, write, logFrames, checkpoints, warnings }
}

test('a long write-ahead log is copied on another thread, and written from its start again', async (t) => {
  const { file, write, logFrames, warnings } = await notebook(t)
  await write(FRAMES)
  await waitUntil('the log begins again', async () => {
    await write(1)
    return logFrames() < FRAMES
  })
  const size = statSync(`${file}-wal`).size
  await write(FRAMES / 2)
  assert.equal(statSync(`${file}-wal`).size, size, 'its space is used again')
  assert.deepEqual(warnings, [])
})

test('the write-ahead log does not grow without bound under constant writes', async (t) => {
  const { write, logFrames } = await notebook(t)
  let restarts = 0
  let before = 0
  await waitUntil('the log has begun again three times', async () => {
    await write(20)
    if (logFrames() < before) {
      restarts += 1
    }
    before = logFrames()
    return restarts >= 3
  })
})

test('a reader that keeps its snapshot holds up no writer, and the log is copied when it ends', {
  skip: slow,
}, async (t) => {
  const { file, write, logFrames, checkpoints } = await notebook(t, { truncateMs: 100 })
  const reader = openToRead(file)
  reader.run('begin', [])
  reader.run('select count(*) from notes', [])
  await write(FRAMES * 2)
  assert.equal(await checkpoints.truncate(), false, 'the reader needs the log')
  assert.ok(logFrames() > FRAMES)
  reader.run('commit', [])
  reader.close()
  assert.equal(await checkpoints.truncate(), true)
  assert.equal(statSync(`${file}-wal`).size, 0)
})

test('a checkpoint whose fsync fails is a lost write, and another error is a warning, once', async (t) => {
  const lost: unknown[] = []
  let errcode = SQLITE_FULL
  class Thread extends EventEmitter {
    ref(): void {}
    unref(): void {}
    postMessage(mode: string): void {
      setImmediate(() =>
        mode === 'close'
          ? this.emit('exit', 0)
          : this.emit('message', { message: 'disk I/O error', errcode }),
      )
    }
  }
  const options = {
    lostWrite: (error: unknown) => void lost.push(error),
    startThread: () => new Thread(),
  }
  const { checkpoints, write, warnings } = await notebook(t, options)
  for (let round = 0; round < 2; round += 1) {
    await write(FRAMES)
    await assert.rejects(checkpoints.truncate(), Unavailable)
  }
  assert.equal(warnings.length, 1)
  assert.deepEqual(lost, [])
  errcode = SQLITE_IOERR_FSYNC
  await assert.rejects(checkpoints.truncate(), Unavailable)
  assert.ok(isLostWrite(lost[0]))
})
